"""The tables of scores: means by mind and memory, mind against mind, distributions."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import is_checkpoint, optional
from evaluators.scores.scales import scale_of
from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.cluster_means import Codes, Floats, group_means
from evaluators.statistics.clusters import clusters_of, usual
from evaluators.statistics.estimates import Estimate, of_group
from evaluators.statistics.populations import Population
from store.read_model.score_arrays import ABSTAINED, FAILED


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Some scores in one dimension: their mean, and how many there are of how many asked for."""

    mean: Estimate
    """The interval takes the scores of one cluster as related
    (``evaluators.statistics.populations``)."""
    scored: int
    asked: int
    """The denominator: ``scored`` + ``failed`` + ``abstained``; seats that a dimension does not
    concern (``none_needed``) are in none of them."""
    failed: int
    """In ``overall``: seats for which at least one that it needs failed."""
    abstained: int
    """In ``overall``: seats for which none that it needs failed but one was declined."""
    episodes: int
    """Episodes with a score."""


class Cell(Tally, frozen=True, kw_only=True):
    """Scores of episodes in which no action failed, and beside them those of all episodes."""

    share: bool = False
    """A checkpoint: the mean is the share of seats that passed it."""
    over_all: Tally | None = None
    """Over all episodes; None: an action failed in none of them, so it is the same."""


class MindRow(msgspec.Struct, frozen=True, kw_only=True):
    """One mind, with one memory, as one judge saw it."""

    mind: str
    memory: str = ""
    """The memory it had in its chains; empty: it played in none. One mind with two memories has two
    rows."""
    judge: str
    """The judge's hash."""
    cells: dict[str, Cell]
    """By dimension, ``overall`` among them where the judge scores all that it needs."""

    @property
    def label(self) -> str:
        """How tables call it."""
        return labelled(self.mind, self.memory)

    @property
    def seats(self) -> tuple[int, int]:
        """How many seats it played in episodes in which no action failed, and in all; the second is
        0 where that is the same."""
        cells = self.cells.values()
        over_all = (cell.over_all.asked for cell in cells if cell.over_all)
        return max((cell.asked for cell in cells), default=0), max(over_all, default=0)


class PairCell(msgspec.Struct, frozen=True, kw_only=True):
    """What ``mind`` got when it played with ``partner``."""

    mind: str
    memory: str = ""
    """As in ``MindRow``; of one chain all seats have the same."""
    partner: str
    cell: Cell

    @property
    def label(self) -> str:
        """How tables call ``mind``."""
        return labelled(self.mind, self.memory)


def labelled(mind: str, memory: str) -> str:
    """How tables and curves call a mind with its memory."""
    return f"{mind}, {memory}" if memory else mind


def by_mind(
    columns: ScoreColumns,
    judge: str,
    dimensions: Sequence[str],
    population: Population | None = None,
) -> list[MindRow]:
    """A row for each mind and memory, for one judge (its hash), minds by name.

    ``population``: what the intervals speak of; None: what is usual for these scores.
    """
    mine = columns.of(judge)
    groups, of = _grouped(mine.mind.codes, mine.memory.codes)
    places = np.full(len(mine.dimension.names), -1)
    for place, name in enumerate(dimensions):
        if name in mine.dimension.names:
            places[mine.dimension.names.index(name)] = place
    at = places[mine.dimension.codes]
    shown = at >= 0
    found = list(
        _cells(
            mine.where(shown),
            (of * len(dimensions) + at)[shown],
            [name for _ in groups for name in dimensions],
            population or usual(columns),
        )
    )
    rows = [
        MindRow(
            mind=mine.mind.names[mind],
            memory=mine.memory.names[memory],
            judge=judge,
            cells=dict(zip(dimensions, found[number * len(dimensions) :], strict=False)),
        )
        for number, (mind, memory) in enumerate(groups)
    ]
    return sorted(rows, key=lambda row: (row.mind, row.memory))


def pairs(
    columns: ScoreColumns,
    judge: str,
    dimension: str = OVERALL,
    population: Population | None = None,
) -> list[PairCell]:
    """Each mind's scores by the mind it played with, itself included, for one judge (its hash).

    A seat with several partners of different minds counts once for each of them.
    """
    mine = columns.of(judge, dimension)
    names = sorted({name for partners in mine.partners.values() for name in partners})
    partners = [[names.index(one) for one in mine.partners[word]] for word in mine.partner.names]
    counts = np.array([len(one) for one in partners], dtype=np.intp)[mine.partner.codes]
    each = mine.where(np.repeat(np.arange(len(mine)), counts))
    with_ = [partner for code in mine.partner.codes for partner in partners[code]]
    groups, of = _grouped(each.mind.codes, each.memory.codes, np.array(with_, dtype=np.intp))
    cells = _cells(each, of, [dimension] * len(groups), population or usual(columns))
    found = [
        PairCell(
            mind=each.mind.names[mind],
            memory=each.memory.names[memory],
            partner=names[partner],
            cell=cell,
        )
        for (mind, memory, partner), cell in zip(groups, cells, strict=True)
    ]
    return sorted(found, key=lambda pair: (pair.mind, pair.memory, pair.partner))


def distribution(columns: ScoreColumns, judge: str, dimension: str) -> Floats:
    """All values in one dimension by one judge (its hash)."""
    mine = columns.of(judge, dimension)
    return mine.value[mine.scored]


def cell(columns: ScoreColumns, dimension: str, population: Population | None = None) -> Cell:
    """The scores of some seats in one dimension, or ``overall``, put together."""
    mine = columns.where(columns.dimension.among(dimension))
    one = np.zeros(len(mine), dtype=np.intp)
    return next(_cells(mine, one, [dimension], population or usual(columns)))


def none_needed(columns: ScoreColumns) -> NDArray[np.bool_]:
    """Which scores are none because nothing was asked of the seat: those that a judge declined in
    a dimension that concerns only some seats."""
    declined: NDArray[np.bool_] = columns.status == ABSTAINED
    return np.logical_and(declined, columns.dimension.among(*optional()))


def _grouped(*codes: NDArray[Any]) -> tuple[list[tuple[int, ...]], Codes]:
    """The different rows of some columns of numbers, and for each row which of them it is."""
    sizes = [int(column.max(initial=0)) + 1 for column in codes]
    rows = np.zeros(len(codes[0]), dtype=np.int64)
    for column, size in zip(codes, sizes, strict=True):
        rows = rows * size + column
    different, of = np.unique(rows, return_inverse=True)
    found = np.column_stack(np.unravel_index(different, sizes))
    return [tuple(group) for group in found.tolist()], of


def _cells(
    columns: ScoreColumns, groups: Codes, dimensions: Sequence[str], population: Population
) -> Iterator[Cell]:
    """A cell for each group; ``dimensions``: each group's."""
    clean = columns.clean
    over_all = _tallies(columns, groups, dimensions, population)
    of_clean = (
        over_all
        if clean.all()
        else _tallies(columns.where(clean), groups[clean], dimensions, population)
    )
    other = columns.scored & (columns.value != 0) & (columns.value != 1)
    others = np.bincount(groups[other], minlength=len(dimensions))
    unclean = np.bincount(groups[~clean], minlength=len(dimensions))
    for place, (name, one, every) in enumerate(zip(dimensions, of_clean, over_all, strict=True)):
        yield Cell(
            **msgspec.structs.asdict(one),
            # Of a checkpoint all values are 0 or 1; which they are does not matter.
            share=is_checkpoint(name, (2,) if others[place] else ()),
            over_all=every if unclean[place] else None,
        )


def _tallies(
    columns: ScoreColumns, groups: Codes, dimensions: Sequence[str], population: Population
) -> list[Tally]:
    count = len(dimensions)
    scales = {name: scale_of(columns, name) for name in dict.fromkeys(dimensions)}
    clusters, ends = clusters_of(columns, population), [scales[name] for name in dimensions]
    means = group_means(columns.value, groups, count, clusters, ends)
    needed = ~none_needed(columns)
    asked = np.bincount(groups[needed], minlength=count)
    failed = np.bincount(groups[columns.status == FAILED], minlength=count)
    abstained = np.bincount(groups[needed & (columns.status == ABSTAINED)], minlength=count)
    there = np.zeros((count, len(columns.episode.names)), dtype=np.bool_)
    there[groups[columns.scored], columns.episode.codes[columns.scored]] = True
    of_episodes = np.count_nonzero(there, axis=1)
    return [
        Tally(
            mean=of_group(means, group, population),
            scored=int(means.scored[group]),
            asked=int(asked[group]),
            failed=int(failed[group]),
            abstained=int(abstained[group]),
            episodes=int(of_episodes[group]),
        )
        for group in range(count)
    ]
