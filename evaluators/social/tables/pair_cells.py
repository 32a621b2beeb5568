"""The pair cell of Figure 3: what a model scored with a partner, over both seats.

A cell is the mean of two means: that of the model in seat 1 and that of the model in seat 2, with
the same partner. Where it sat in one seat only, the cell is the mean of that seat. The mean of a
model (Table 2) is the plain mean of its cells.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.scales import Scale
from evaluators.social.tables.seat_table import SeatTable
from evaluators.statistics.cluster_means import Codes, Floats, GroupMeans, group_means


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCells:
    """Cells by model, partner and dimension. NaN where there is none."""

    models: tuple[str, ...]
    partners: tuple[str, ...]
    dimensions: tuple[str, ...]
    seat_means: NDArray[np.float64]
    """By model, partner, dimension and seat."""
    scored: NDArray[np.intp]
    """How many scores each of those is the mean of."""
    failed: NDArray[np.intp]
    """By model, partner and dimension: scores that are missing because the judge failed."""
    value: NDArray[np.float64]
    """By model, partner and dimension."""
    low: NDArray[np.float64]
    """Of the 95 % interval, over scenarios."""
    high: NDArray[np.float64]
    clusters: NDArray[np.intp]
    """Scenarios that the interval rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMeans:
    """The mean of each model's cells, by model and dimension. NaN where there is none."""

    models: tuple[str, ...]
    dimensions: tuple[str, ...]
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    """Of the 95 % interval, over scenarios."""
    high: NDArray[np.float64]
    clusters: NDArray[np.intp]
    """Scenarios that the interval rests on."""
    cells: NDArray[np.intp]
    """How many cells each is the mean of."""
    scored: NDArray[np.intp]
    failed: NDArray[np.intp]


def without_own(seats: SeatTable) -> SeatTable:
    """The seats whose partner was another model."""
    mind = np.array(seats.mind.names, dtype=object)[seats.mind.codes]
    partner = np.array(seats.partner.names, dtype=object)[seats.partner.codes]
    return seats.where(mind != partner)


def pair_cells(seats: SeatTable, scales: Sequence[Scale]) -> PairCells:
    """The cells of these seats. ``scales``: of each dimension, where intervals are cut."""
    halves = _halves(seats)
    shape = (len(halves.models), len(halves.partners), len(seats.dimensions))
    count = shape[0] * shape[1] * shape[2]
    cell_of_half = np.arange(2 * count) // 2
    found = _stratified(seats, halves, cell_of_half, halves.share_of_cell, count, scales)
    return PairCells(
        models=halves.models,
        partners=halves.partners,
        dimensions=seats.dimensions,
        seat_means=halves.mean.reshape(*shape, 2),
        scored=halves.scored.reshape(*shape, 2),
        failed=halves.failed.reshape(*shape, 2).sum(axis=3),
        value=found.mean.reshape(shape),
        low=found.low.reshape(shape),
        high=found.high.reshape(shape),
        clusters=found.clusters.reshape(shape),
    )


def model_means(seats: SeatTable, scales: Sequence[Scale]) -> ModelMeans:
    """The mean of each model's cells."""
    halves = _halves(seats)
    models, partners, dimensions = len(halves.models), len(halves.partners), len(seats.dimensions)
    shape = (models, partners, dimensions, 2)
    row = np.arange(models * dimensions).reshape(models, 1, dimensions, 1)
    share = halves.share_of_cell.reshape(shape)
    cells = np.count_nonzero(share.sum(axis=3), axis=1)
    share = share / np.maximum(cells, 1)[:, None, :, None]
    row_of_half = np.broadcast_to(row, shape).ravel()
    found = _stratified(seats, halves, row_of_half, share.ravel(), models * dimensions, scales)
    return ModelMeans(
        models=halves.models,
        dimensions=seats.dimensions,
        value=found.mean.reshape(models, dimensions),
        low=found.low.reshape(models, dimensions),
        high=found.high.reshape(models, dimensions),
        clusters=found.clusters.reshape(models, dimensions),
        cells=cells,
        scored=halves.scored.reshape(shape).sum(axis=(1, 3)),
        failed=halves.failed.reshape(shape).sum(axis=(1, 3)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Halves:
    """Scores by model, partner, dimension and seat, of which each is a number in that order."""

    models: tuple[str, ...]
    partners: tuple[str, ...]
    of: Codes
    """Of each value of a seat table, row by row, its half."""
    mean: Floats
    scored: Codes
    failed: Codes

    @property
    def share_of_cell(self) -> Floats:
        """How much each half counts in its cell."""
        there = (self.scored > 0).reshape(-1, 2)
        share: Floats = (there / np.maximum(there.sum(axis=1, keepdims=True), 1)).ravel()
        return share


def _halves(seats: SeatTable) -> _Halves:
    models, model = distinct(seats.mind.codes)
    partners, partner = distinct(seats.partner.codes)
    dimensions = np.arange(len(seats.dimensions))
    pair = model.astype(np.intp) * len(partners) + partner
    of = (pair[:, None] * len(dimensions) + dimensions) * 2 + seats.seat[:, None]
    count = 2 * len(models) * len(partners) * len(dimensions)
    there = ~np.isnan(seats.values)
    scored = np.bincount(of[there], minlength=count)
    sums = np.bincount(of[there], weights=seats.values[there], minlength=count)
    with np.errstate(invalid="ignore"):
        mean = sums / scored
    return _Halves(
        models=tuple(seats.mind.names[code] for code in models),
        partners=tuple(seats.partner.names[code] for code in partners),
        of=of.ravel(),
        mean=mean,
        scored=scored,
        failed=np.bincount(of[seats.failed], minlength=count),
    )


def _stratified(
    seats: SeatTable,
    halves: _Halves,
    group_of_half: Codes,
    share: Floats,
    count: int,
    scales: Sequence[Scale],
) -> GroupMeans:
    """The means of groups of halves, of which each has a share in its group's mean.

    Such a mean moves with a score by that score's weight; so the interval is that of a plain mean
    of scores which lie as far from it as theirs, weighted, do.
    """
    values, there = seats.values.ravel(), ~np.isnan(seats.values).ravel()
    half = halves.of[there]
    group = group_of_half[half]
    known = np.where(halves.scored > 0, halves.mean, 0.0)
    mean = np.bincount(group_of_half, weights=share * known, minlength=count)
    scored = np.bincount(group, minlength=count)
    weight = share[half] / halves.scored[half]
    off = weight * scored[group] * (values[there] - halves.mean[half])
    clusters = np.repeat(seats.scenario.codes.astype(np.intp), len(seats.dimensions))[there]
    ends = [scales[place % len(scales)] for place in range(count)]
    found = group_means(mean[group] + off, group, count, clusters, ends)
    return found._replace(mean=np.where(scored > 0, mean, np.nan))
