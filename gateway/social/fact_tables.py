"""What needs facts of earlier episodes, and who used them, as plain tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable, table_of

if TYPE_CHECKING:
    from gateway.social.facts_used import FactRow, FactShare
    from gateway.social.memory_scenarios import HardScenario


def scenarios_table(found: "Sequence[HardScenario]") -> PlainTable:
    """A line for each fact that a scenario needs."""
    return table_of(
        "hard-scenarios",
        "Scenarios that need facts of earlier episodes",
        [(one, fact) for one in found for fact in one.needs],
        (PlainColumn("catalog", "id"), lambda one: one[0].catalog),
        (PlainColumn("scenario", "id"), lambda one: one[0].id),
        (
            PlainColumn("needs"),
            lambda one: DisplayValue(one[1].id, f"{one[1].id} ({one[1].kind})"),
        ),
        (PlainColumn("kind", only_csv=True), lambda one: one[1].kind),
        (
            PlainColumn("seats", heading="of seat"),
            lambda one: DisplayValue(
                " ".join(str(seat + 1) for seat in one[1].seats),
                ", ".join(str(seat + 1) for seat in one[1].seats) or "all",
            ),
        ),
        (
            PlainColumn("taught_by", heading="which comes up in"),
            lambda one: DisplayValue(one[1].taught_by, one[1].taught_by or "any"),
        ),
    )


def shares_table(shares: "Sequence[FactShare]") -> PlainTable:
    """How minds used the facts they needed, by memory."""
    return table_of(
        "facts-by-memory",
        "Facts used",
        shares,
        PlainColumn("mind"),
        (PlainColumn("memory"), lambda one: DisplayValue(one.memory, one.memory or "–")),
        PlainColumn("needed", "number"),
        PlainColumn("came_up", "number", heading="came up"),
        PlainColumn("used", "number"),
    )


def facts_table(rows: "Sequence[FactRow]") -> PlainTable:
    """What became of each fact that a seat needed."""
    return table_of(
        "facts",
        "Facts used, fact by fact",
        rows,
        PlainColumn("chain", "id", only_csv=True),
        PlainColumn("episode", "id"),
        PlainColumn("index", "number"),
        (PlainColumn("seat", "number"), lambda row: row.seat + 1),
        PlainColumn("mind"),
        PlainColumn("memory"),
        (PlainColumn("fact"), lambda row: row.fact.id),
        (PlainColumn("kind"), lambda row: row.fact.kind),
        (
            PlainColumn("came_up", heading="came up"),
            lambda row: "yes" if row.came_up else "no",
        ),
        (PlainColumn("used"), lambda row: "yes" if row.used else "no"),
        (
            PlainColumn("told_by_seat", "number", only_csv=True),
            lambda row: None if row.told_by is None else row.told_by + 1,
        ),
        (PlainColumn("text", only_csv=True), lambda row: row.fact.text),
    )
