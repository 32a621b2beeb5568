"""Figures 3, G.4 and G.5: what models scored with each partner, as tables and heat maps."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from evaluators.plugin import OVERALL
from evaluators.report.charts.svg_charts import Chart
from evaluators.social.tables.heat_map import HeatMap, draw_heat_maps
from evaluators.social.tables.notes import (
    cell_figure,
    dimension_cell,
    intervals,
    left_out,
    missing_words,
    note_of,
    short,
)
from evaluators.social.tables.pair_cells import PairCells, pair_cells
from evaluators.social.tables.seat_table import SeatTable
from evaluators.social.tables.table_input import NothingToShow, TableInput
from evaluators.tables.plain_tables import (
    Cell,
    Figure,
    PlainColumn,
    PlainTable,
    file_name,
    table_of,
)

_Column: TypeAlias = tuple[PlainColumn, Callable[["_CellPlace"], Cell]]
_CELL = (
    "Rows are partners, columns models. A cell is the mean of two means: of the model in seat 1 "
    "and in seat 2; below it how many scores each is of."
)


class _CellPlace(NamedTuple):
    """A cell among ``PairCells``."""

    dimension: int
    partner: int
    model: int


def figure_3(given: TableInput) -> list[PlainTable]:
    """Overall scores by model and partner."""
    return [_table(given, "figure-3", "Figure 3: overall scores", _cells(given), [OVERALL])]


def figure_g4(given: TableInput) -> list[PlainTable]:
    """A table a dimension."""
    cells = _cells(given)
    return [
        _table(given, f"figure-g4-{short(name)}", f"Figure G.4: {short(name)}", cells, [name])
        for name in cells.dimensions
        if name != OVERALL
    ]


def figure_g5(given: TableInput) -> list[PlainTable]:
    """Overall scores by model and partner on the hard scenarios."""
    cells = _cells(given, hard=True)
    return [_table(given, "figure-g5", f"Figure G.5: {_hard(given)}", cells, [OVERALL])]


def draw_figure_3(given: TableInput) -> list[Chart]:
    """Figure 3 as a heat map."""
    return [_chart(given, "figure-3", "Overall scores by partner", _cells(given), [OVERALL])]


def draw_figure_g4(given: TableInput) -> list[Chart]:
    """Figure G.4 as heat maps side by side."""
    cells = _cells(given)
    names = [name for name in cells.dimensions if name != OVERALL]
    return [_chart(given, "figure-g4", "Scores by partner, in each dimension", cells, names)]


def draw_figure_g5(given: TableInput) -> list[Chart]:
    """Figure G.5 as a heat map."""
    return [_chart(given, "figure-g5", _hard(given), _cells(given, hard=True), [OVERALL])]


def _hard(given: TableInput) -> str:
    return f"overall scores on {given.hard.name}" if given.hard else ""


def _cells(given: TableInput, *, hard: bool = False) -> PairCells:
    seats: SeatTable = given.listed(given.models) if hard else given.models
    if not len(seats):
        raise NothingToShow("no two models talked with each other in episodes that count")
    return pair_cells(seats, given.scales)


def _table(
    given: TableInput, name: str, title: str, cells: PairCells, dimensions: Sequence[str]
) -> PlainTable:
    for one in dimensions:
        if one not in cells.dimensions:
            raise NothingToShow(f"{given.judge.label} does not score {short(one)}")
    shown = [cells.dimensions.index(one) for one in dimensions]
    places = list(_places(cells, shown))

    return table_of(
        file_name(f"{name} {given.judge.label}"),
        f"{title}, judged by {given.judge.label}",
        places,
        (
            PlainColumn("dimension", only_csv=True),
            lambda at: dimension_cell(cells.dimensions[at.dimension]),
        ),
        (PlainColumn("partner"), lambda at: cells.partners[at.partner]),
        (PlainColumn("model"), lambda at: cells.models[at.model]),
        *_of_seat(cells, 0),
        *_of_seat(cells, 1),
        (
            PlainColumn("missing", "number", only_csv=True),
            lambda at: int(cells.failed[at.model, at.partner, at.dimension]),
        ),
        (PlainColumn("mean", "figure"), lambda at: _figure(cells, at)),
        across=("model",),
        note=note_of(_CELL, intervals(cells.clusters[:, :, shown]), left_out(given)),
    )


def _of_seat(cells: PairCells, seat: int) -> Iterator[_Column]:
    """For programs: the mean of the model in a seat, and how many scores that is of."""
    yield (
        PlainColumn(f"mean_seat_{seat + 1}", "number", only_csv=True),
        lambda at: _plain(cells.seat_means[at.model, at.partner, at.dimension, seat]),
    )
    yield (
        PlainColumn(f"scored_seat_{seat + 1}", "number", only_csv=True),
        lambda at: int(cells.scored[at.model, at.partner, at.dimension, seat]),
    )


def _places(cells: PairCells, dimensions: Sequence[int]) -> Iterator[_CellPlace]:
    for dimension in dimensions:
        for partner in range(len(cells.partners)):
            for model in range(len(cells.models)):
                yield _CellPlace(dimension, partner, model)


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _figure(cells: PairCells, at: _CellPlace) -> Figure:
    where = (at.model, at.partner, at.dimension)
    one, other = cells.scored[where].tolist()
    failed = int(cells.failed[where])
    beside = f"{one} + {other}" if one or other or failed else ""
    if failed:
        beside += f", {missing_words(failed)}"
    return cell_figure(
        cells.value[where], cells.low[where], cells.high[where], cells.clusters[where], beside
    )


def _chart(
    given: TableInput, name: str, title: str, cells: PairCells, dimensions: Sequence[str]
) -> Chart:
    maps = [
        HeatMap(
            title=short(one) if len(dimensions) > 1 else "",
            rows=cells.partners,
            columns=cells.models,
            values=cells.value[:, :, cells.dimensions.index(one)].T,
        )
        for one in dimensions
        if one in cells.dimensions
    ]
    if not maps:
        raise NothingToShow(f"{', '.join(map(short, dimensions))} was not scored")
    label = given.judge.label
    by = f"{title}, judged by {label}"
    return Chart(file_name(f"{name} {label}"), by, draw_heat_maps, maps, "partner", "model")
