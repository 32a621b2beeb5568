"""What needs facts of earlier episodes, and who used them, as plain tables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable

if TYPE_CHECKING:
    from gateway.social.facts_used import FactRow, FactShare
    from gateway.social.memory_scenarios import HardScenario


def scenarios_table(found: "Sequence[HardScenario]") -> PlainTable:
    """A line for each fact that a scenario needs."""
    return PlainTable(
        "hard-scenarios",
        "Scenarios that need facts of earlier episodes",
        (
            PlainColumn("catalog", "id"),
            PlainColumn("scenario", "id"),
            PlainColumn("needs"),
            PlainColumn("kind", only_csv=True),
            PlainColumn("seats", heading="of seat"),
            PlainColumn("taught_by", heading="which comes up in"),
        ),
        tuple(
            (
                one.catalog,
                one.id,
                DisplayValue(fact.id, f"{fact.id} ({fact.kind})"),
                fact.kind,
                DisplayValue(
                    " ".join(str(seat + 1) for seat in fact.seats),
                    ", ".join(str(seat + 1) for seat in fact.seats) or "all",
                ),
                DisplayValue(fact.taught_by, fact.taught_by or "any"),
            )
            for one in found
            for fact in one.needs
        ),
    )


def shares_table(shares: "Sequence[FactShare]") -> PlainTable:
    """How minds used the facts they needed, by memory."""
    return PlainTable(
        "facts-by-memory",
        "Facts used",
        (
            PlainColumn("mind"),
            PlainColumn("memory"),
            PlainColumn("needed", "number"),
            PlainColumn("came_up", "number", heading="came up"),
            PlainColumn("used", "number"),
        ),
        tuple(
            (
                one.mind,
                DisplayValue(one.memory, one.memory or "–"),
                one.needed,
                one.came_up,
                one.used,
            )
            for one in shares
        ),
    )


def facts_table(rows: "Sequence[FactRow]") -> PlainTable:
    """What became of each fact that a seat needed."""
    return PlainTable(
        "facts",
        "Facts used, fact by fact",
        (
            PlainColumn("chain", "id", only_csv=True),
            PlainColumn("episode", "id"),
            PlainColumn("index", "number"),
            PlainColumn("seat", "number"),
            PlainColumn("mind"),
            PlainColumn("memory"),
            PlainColumn("fact"),
            PlainColumn("kind"),
            PlainColumn("came_up", heading="came up"),
            PlainColumn("used"),
            PlainColumn("told_by_seat", "number", only_csv=True),
            PlainColumn("text", only_csv=True),
        ),
        tuple(
            (
                row.chain,
                row.episode,
                row.index,
                row.seat + 1,
                row.mind,
                row.memory,
                row.fact.id,
                row.fact.kind,
                "yes" if row.came_up else "no",
                "yes" if row.used else "no",
                None if row.told_by is None else row.told_by + 1,
                row.fact.text,
            )
            for row in rows
        ),
    )
