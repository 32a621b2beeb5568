"""What a run consists of as plain tables: its episodes, its chains, its calls of models."""

from collections.abc import Sequence

from actors.episodes.registry import UnknownEnvironment, environment_named
from evaluators.tables.plain_tables import DisplayValue, PlainColumn, PlainTable
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
    return PlainTable(
        "episodes",
        "Episodes",
        (
            PlainColumn("episode", "id"),
            PlainColumn("task"),
            PlainColumn("scenario"),
            PlainColumn("characters"),
            PlainColumn("minds"),
            PlainColumn("status"),
            PlainColumn("end"),
            PlainColumn("outcome", only_csv=True),
            PlainColumn("turns", "number"),
            PlainColumn("failed_actions", "number", heading="failed actions"),
            PlainColumn("chain", "id", only_csv=True),
            PlainColumn("parent", "id", only_csv=True),
        ),
        tuple(
            (
                row.id,
                row.task,
                row.scenario,
                ", ".join(row.characters),
                ", ".join(row.minds),
                row.status,
                row.end_reason,
                outcome_of(row),
                row.turns,
                row.failed_actions,
                row.chain,
                row.parent,
            )
            for row in rows
        ),
    )


def chains_table(rows: Sequence[ChainRow], *, minds: bool = True) -> PlainTable:
    """Chains, one a line; ``minds``: to people, too, whose minds play."""
    return PlainTable(
        "chains",
        "Chains",
        (
            PlainColumn("run", "id", only_csv=True),
            PlainColumn("chain", "id"),
            PlainColumn("characters"),
            PlainColumn("minds", only_csv=not minds),
            PlainColumn("memory"),
            PlainColumn("status"),
            PlainColumn("over", "number"),
            PlainColumn("length", "number", only_csv=True),
            PlainColumn("failed", "number"),
        ),
        tuple(
            (
                row.run,
                row.id,
                ", ".join(row.characters),
                ", ".join(row.minds),
                row.memory,
                row.status,
                DisplayValue(row.done, f"{row.done}/{row.length}"),
                row.length,
                row.failed,
            )
            for row in rows
        ),
    )


def calls_table(calls: Sequence[CallTotals]) -> PlainTable:
    """What was asked of models, a line each for a model and a purpose."""
    unpriced = sum(one.unpriced for one in calls)
    answered = sum(one.answered for one in calls)
    return PlainTable(
        "calls",
        "Model calls",
        (
            PlainColumn("model"),
            PlainColumn("purpose", heading="for"),
            PlainColumn("asked", "number"),
            PlainColumn("answered", "number"),
            PlainColumn("failed", "number"),
            PlainColumn("unreadable", "number"),
            PlainColumn("unanswered", "number", only_csv=True),
            PlainColumn("input_tokens", "number", heading="tokens in"),
            PlainColumn("output_tokens", "number", heading="out"),
            PlainColumn("usd", "number", heading="USD"),
            PlainColumn("unpriced", "number", only_csv=True),
            PlainColumn("latency_s", "number", only_csv=True),
        ),
        tuple(
            (
                one.model,
                one.purpose,
                one.asked,
                one.answered,
                one.failed,
                one.unreadable,
                one.unanswered,
                count_cell(one.input_tokens),
                count_cell(one.output_tokens),
                DisplayValue(one.cost_usd, f"{one.cost_usd:.4f}")
                if one.answered > one.unpriced
                else DisplayValue(None, "unknown"),
                one.unpriced,
                one.latency_s,
            )
            for one in calls
        ),
        note=f"{unpriced} of {answered} answers have no known price and are not in the sum."
        if unpriced
        else "",
    )


def mended_table(tries: Sequence[SecondTries]) -> PlainTable:
    """What was done about answers that could not be used, a line each for a model and a fault."""
    return PlainTable(
        "mended",
        "Answers asked for again",
        (
            PlainColumn("model"),
            PlainColumn("fault", heading="what was wrong"),
            PlainColumn("way", heading="what was done"),
            PlainColumn("times", "number"),
            PlainColumn("mended", "number"),
        ),
        tuple(
            (one.model, one.fault.replace("_", " "), one.way, one.times, one.mended)
            for one in tries
        ),
    )


def count_cell(number: int) -> DisplayValue:
    """A count with commas at the thousands."""
    return DisplayValue(number, f"{number:,}")
