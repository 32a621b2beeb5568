"""What a run consists of as plain tables: its episodes, its chains, its calls of models."""

from collections.abc import Sequence

from actors.episodes.registry import UnknownEnvironment, environment_named
from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable, table_of
from store.read_model.records import CallTotals, ChainRow, EpisodeRow, SecondTries


def outcome_of(row: EpisodeRow) -> str:
    """How an episode ended, in its environment's words where that is installed; empty until it
    has."""
    if row.status != "ended":
        return ""
    try:
        return environment_named(row.environment).outcome(row.end_reason, row.summary)
    except UnknownEnvironment:
        return row.end_reason.replace("_", " ")


def episodes_table(rows: Sequence[EpisodeRow]) -> PlainTable:
    """Episodes of a run, one a line."""
    return table_of(
        "episodes",
        "Episodes",
        rows,
        (PlainColumn("episode", "id"), lambda row: row.id),
        PlainColumn("task"),
        PlainColumn("scenario"),
        (PlainColumn("characters"), lambda row: ", ".join(row.characters)),
        (PlainColumn("minds"), lambda row: ", ".join(row.minds)),
        PlainColumn("status"),
        (PlainColumn("end"), lambda row: row.end_reason),
        (PlainColumn("outcome", only_csv=True), outcome_of),
        PlainColumn("turns", "number"),
        PlainColumn("failed_actions", "number", heading="failed actions"),
        PlainColumn("chain", "id", only_csv=True),
        PlainColumn("parent", "id", only_csv=True),
    )


def chains_table(rows: Sequence[ChainRow], *, minds: bool = True) -> PlainTable:
    """Chains, one a line; ``minds``: to people, too, whose minds play."""
    return table_of(
        "chains",
        "Chains",
        rows,
        PlainColumn("run", "id", only_csv=True),
        (PlainColumn("chain", "id"), lambda row: row.id),
        (PlainColumn("characters"), lambda row: ", ".join(row.characters)),
        (PlainColumn("minds", only_csv=not minds), lambda row: ", ".join(row.minds)),
        PlainColumn("memory"),
        PlainColumn("status"),
        (PlainColumn("over", "number"), lambda row: part_cell(row.done, row.length)),
        PlainColumn("length", "number", only_csv=True),
        PlainColumn("failed", "number"),
    )


def calls_table(calls: Sequence[CallTotals]) -> PlainTable:
    """What was asked of models, a line each for a model and a purpose."""
    unpriced = sum(one.unpriced for one in calls)
    answered = sum(one.answered for one in calls)
    return table_of(
        "calls",
        "Model calls",
        calls,
        PlainColumn("model"),
        PlainColumn("purpose", heading="for"),
        PlainColumn("asked", "number"),
        PlainColumn("answered", "number"),
        PlainColumn("failed", "number"),
        PlainColumn("unreadable", "number"),
        PlainColumn("unanswered", "number", only_csv=True),
        (
            PlainColumn("input_tokens", "number", heading="tokens in"),
            lambda one: count_cell(one.input_tokens),
        ),
        (
            PlainColumn("output_tokens", "number", heading="out"),
            lambda one: count_cell(one.output_tokens),
        ),
        (
            PlainColumn("usd", "number", heading="USD"),
            lambda one: (
                DisplayValue(one.cost_usd, f"{one.cost_usd:.4f}")
                if one.answered > one.unpriced
                else DisplayValue(None, "unknown")
            ),
        ),
        PlainColumn("unpriced", "number", only_csv=True),
        PlainColumn("latency_s", "number", only_csv=True),
        note=f"{unpriced} of {answered} answers have no known price and are not in the sum."
        if unpriced
        else "",
    )


def mended_table(tries: Sequence[SecondTries]) -> PlainTable:
    """What was done about answers that could not be used, a line each for a model and a fault."""
    return table_of(
        "mended",
        "Answers asked for again",
        tries,
        PlainColumn("model"),
        (PlainColumn("fault", heading="what was wrong"), lambda one: one.fault.replace("_", " ")),
        PlainColumn("way", heading="what was done"),
        PlainColumn("times", "number"),
        PlainColumn("mended", "number"),
    )


def part_cell(count: int, whole: int) -> DisplayValue:
    """A count out of how many there are."""
    return DisplayValue(count, f"{count}/{whole}")


def count_cell(number: int) -> DisplayValue:
    """A count with commas at the thousands."""
    return DisplayValue(number, f"{number:,}")
