"""Scores of each mind by its partner's mind, one table for each dimension."""

from collections.abc import Sequence

from evaluators.report.data import downloads
from evaluators.report.data.headlines import Headline, dimensions_of
from evaluators.report.data.run_data import JudgeUsed, RunData
from evaluators.report.data.score_scales import constant
from evaluators.report.formats import shade
from evaluators.scores.dimensions import label
from evaluators.statistics import summary
from evaluators.statistics.clusters import usual
from evaluators.statistics.populations import POPULATIONS
from evaluators.statistics.summary import PairCell
from evaluators.tables.plain_tables import PlainColumn, PlainTable, table_of
from evaluators.tables.score_tables import score_figure


def partners(gathered: RunData, shown: Sequence[Headline]) -> list[dict[str, object]]:
    """For each judge its tables, that of its headline first; dimensions in which all got the same
    have none."""
    found = []
    for headline in shown:
        names = [
            name
            for name in dimensions_of(gathered, headline.judge)
            if name != headline.dimension
            and constant(gathered, name, headline.judge.judged.hash) is None
        ]
        tables = [
            table
            for name in (headline.dimension, *names)
            if (table := _table(gathered, headline, name)) is not None
        ]
        if tables:
            found.append({"headline": headline, "tables": tables})
    return found


def _table(gathered: RunData, headline: Headline, dimension: str) -> dict[str, object] | None:
    judge = headline.judge
    found = summary.pairs(gathered.columns, judge.judged.hash, dimension)
    cells = [pair for pair in found if pair.cell.asked]
    if not cells:
        return None
    by_pair = {(cell.label, cell.partner): cell for cell in cells}
    names = sorted({pair.partner for pair in cells})
    values = [cell.cell.mean.value for cell in cells if cell.cell.mean.value is not None]
    ends = min(values, default=0.0), max(values, default=0.0)

    def spot(pair: PairCell | None) -> dict[str, object] | None:
        if pair is None:
            return None
        return {"cell": pair.cell, "shade": shade(pair.cell.mean.value, *ends)}

    note = f"95 % intervals {POPULATIONS[usual(gathered.columns)]}"
    return {
        "title": label(dimension),
        "partners": names,
        "rows": [
            {"mind": mind, "spots": [spot(by_pair.get((mind, partner))) for partner in names]}
            for mind in sorted({pair.label for pair in cells})
        ],
        "taken": downloads.taken(_plain(judge, dimension, cells, note)),
    }


def _plain(judge: JudgeUsed, dimension: str, cells: Sequence[PairCell], note: str) -> PlainTable:
    """A row a mind and its partner."""
    return table_of(
        downloads.file_name("partners", dimension, judge.judged.label),
        f"{label(dimension)} by mind and partner, judged by {judge.judged.label}",
        cells,
        (PlainColumn("Mind"), lambda pair: pair.mind),
        (PlainColumn("Memory"), lambda pair: pair.memory),
        (PlainColumn("Partner"), lambda pair: pair.partner),
        (PlainColumn(label(dimension), "figure"), lambda pair: score_figure(pair.cell)),
        (PlainColumn("Scored", "number"), lambda pair: pair.cell.scored),
        (PlainColumn("Asked", "number"), lambda pair: pair.cell.asked),
        note=note,
    )
