"""A run's tables as plain values: for CSV, LaTeX, a terminal and HTTP alike."""

from typing import TYPE_CHECKING, Literal

from evaluators.tables import plain_tables
from evaluators.tables.plain_tables import PlainTable
from evaluators.tables.run_tables import calls_table, chains_table, episodes_table, mended_table

if TYPE_CHECKING:
    from gateway.services.runs.run_details import JudgedTable, RunDetails

RunTable = Literal["scores", "calls", "mended", "episodes", "chains"]
"""A table of a run."""


def run_tables(shown: "RunDetails", name: "RunTable", *, as_one: bool) -> "list[PlainTable]":
    """A table of a run; ``as_one``: the scores of all judges in one, else one a judge."""
    if name == "calls":
        return [calls_table(shown.calls)]
    if name == "mended":
        return [mended_table(shown.mended)]
    if name == "episodes":
        return [episodes_table(shown.episodes)]
    if name == "chains":
        return [chains_table(shown.chains)]
    scores = [judged_table(table) for table in shown.tables]
    return plain_tables.as_one(scores, "Scores") if as_one else scores


def judged_table(table: "JudgedTable", *, spans: bool = False) -> "PlainTable":
    """One judge's means by mind, with 95 % intervals and what is missing."""
    from evaluators.tables.score_tables import scores_table

    note = ""
    if table.clean < table.episodes:
        note += (
            f"\nover the {table.clean:,} of {table.episodes:,} episodes in which no action failed; "
            "(in brackets) over all"
        )
    if table.kind in ("rehearsal", "rule"):
        note += f"\na {table.kind} judge: fixed rules, no language model"
    elif table.kind == "local":
        note += "\na local model; no finding"
    if table.flat:
        note += f"\n{table.flat}"
    return scores_table(
        table.judge, table.dimensions, table.minds, table.population, note=note, spans=spans
    )
