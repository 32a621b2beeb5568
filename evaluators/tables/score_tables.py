"""Means by mind as plain tables."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from evaluators.scores.dimensions import known, label
from evaluators.statistics.populations import FEW, POPULATIONS, Population
from evaluators.tables.figure_text import figure_of
from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    Figure,
    PlainColumn,
    PlainTable,
    safe_name,
)

if TYPE_CHECKING:
    from evaluators.scores.seat_scores import Judged
    from evaluators.statistics.summary import Cell as ScoreCell
    from evaluators.statistics.summary import MindRow, Tally

_COUNTS: Final = ("scored", "asked", "failed", "abstained", "episodes")


def scores_table(
    judge: "Judged",
    dimensions: Sequence[str],
    minds: Sequence["MindRow"],
    population: Population,
    *,
    note: str = "",
    spans: bool = False,
) -> PlainTable:
    """One judge's means, to people a column a mind. ``note``: what comes after what the figures
    are; ``spans``: the ends of each dimension's scale stand beside its name."""
    cells = [cell for row in minds for cell in row.cells.values()]
    return PlainTable(
        name=safe_name(f"scores-{judge.label}"),
        title=f"Scores by {judge.label}",
        columns=(
            PlainColumn("judge", only_csv=True),
            PlainColumn("mind"),
            PlainColumn("memory"),
            PlainColumn("dimension", heading=" "),
            PlainColumn("mean", "figure"),
            *(PlainColumn(name, "number", only_csv=True) for name in _COUNTS),
            PlainColumn("mean_over_all", "figure", only_csv=True),
            PlainColumn("scored_over_all", "number", only_csv=True),
            PlainColumn("asked_over_all", "number", only_csv=True),
        ),
        rows=tuple(
            (
                judge.label,
                row.mind,
                row.memory,
                DisplayValue(name, _named(name, minds, spans=spans)),
                score_figure(row.cells[name]),
                *(getattr(row.cells[name], count) for count in _COUNTS),
                *_over_all(row.cells[name]),
            )
            for name in dimensions
            for row in minds
        ),
        note=f"{what_means_are(cells, population)}{note}",
        across=("mind", "memory"),
        foot=(
            (population, *(_clusters(row) for row in minds)),
            ("seats", *(_seats(row) for row in minds)),
            ("missing scores", *(_missing(row) for row in minds)),
        ),
    )


def score_figure(cell: "ScoreCell") -> Figure:
    """A mean and its interval; of a checkpoint, the share that passed it. In round brackets the
    mean over all episodes where actions failed in some."""
    form = ".0%" if cell.share else ".2f"
    beside = ""
    if cell.over_all is not None:
        over_all = cell.over_all.mean.value
        beside = " (–)" if over_all is None else f" ({over_all:{form}})"
    return figure_of(cell.mean, form, beside)


def what_means_are(cells: Iterable["ScoreCell"], population: Population) -> str:
    """What has to be known to read means with their intervals."""
    means = [cell.mean for cell in cells]
    cut = any(one.low is not None and one.reach is None for one in means)
    ends = ", or [low, high] where the scale ends it" if cut else ""
    said = f"mean ± half of the 95 % interval{ends}, {POPULATIONS[population]}"
    if any(one.few for one in means):
        said += f"; intervals over fewer than {FEW} {population} tend to be too narrow"
    if any(one.value is not None and one.clusters < 3 for one in means):
        said += f"; there is none under three {population}"
    return said


def _named(dimension: str, minds: Sequence["MindRow"], *, spans: bool) -> str:
    declared = known().get(dimension)
    if any(row.cells[dimension].share for row in minds):
        return f"{label(dimension)}, passed"
    span = f" [{declared.low:g}..{declared.high:g}]" if declared and spans else ""
    return label(dimension) + span


def _clusters(row: "MindRow") -> str:
    counts = [cell.mean.clusters for cell in row.cells.values()]
    least, most = min(counts, default=0), max(counts, default=0)
    return str(most) if least == most else f"{least}–{most}"


def _seats(row: "MindRow") -> str:
    clean, over_all = row.seats
    return f"{clean} ({over_all})" if over_all else str(clean)


def _missing(row: "MindRow") -> str:
    cells = [cell for name, cell in row.cells.items() if name != "overall"]
    clean, over_all = _missing_of(cells), _missing_of([cell.over_all or cell for cell in cells])
    return f"{clean} ({over_all})" if any(cell.over_all for cell in cells) else clean


def _missing_of(tallies: "Sequence[Tally]") -> str:
    asked, scored = sum(one.asked for one in tallies), sum(one.scored for one in tallies)
    return f"{asked - scored}/{asked}" if asked else "none needed"


def _over_all(cell: "ScoreCell") -> tuple[Cell, ...]:
    """Over all episodes; where no action failed, that is the same."""
    tally = cell.over_all or cell
    return figure_of(tally.mean), tally.scored, tally.asked
