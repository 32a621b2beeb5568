"""Paired comparisons: what one mind, memory or run got more than another where both met the same.

Scores that agree in all of ``pair_on`` are a pair: the mean of one side's less that of the other's
is one difference, free of what the task, the cast and the seed make easy or hard. Differences of
one scenario (in chains: of one chain) are no independent observations, so each such unit gives one,
the mean of its pairs, and Student's paired t is over units (``evaluators.statistics.contrasts``).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.scales import scale_of
from evaluators.scores.score_columns import Mask, ScoreColumns, Words
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.cluster_means import Codes
from evaluators.statistics.clusters import clusters_of, usual
from evaluators.statistics.contrasts import LEAST_UNITS, Contrast, Group, contrast, holm
from evaluators.statistics.populations import Population

Side = Literal["mind", "run", "memory", "partner"]
"""What differs between the two sides."""
Within = Literal["mind", "memory", "partner", "task", "scenario", "cast", "hard"]
"""What is the same on both sides: a comparison for each."""
Key = Literal["task", "seed", "scenario", "cast", "index", "seat", "character", "mind", "partner"]
"""What the scores of a pair have in common. ``task``: the catalog's task; of an episode of a chain
who meets, in which scenario, at which place. ``seed``: the episode's, of its plan."""

SIDES: Final[tuple[Side, ...]] = get_args(Side)
KEYS: Final[tuple[Key, ...]] = get_args(Key)
WITHIN: Final[tuple[Within, ...]] = get_args(Within)
PAIR_ON: Final[tuple[Key, ...]] = ("task", "seed")
_SAME: Final[dict[Side, tuple[Within, ...]]] = {
    "mind": ("memory",),
    "memory": ("mind",),
    "run": ("mind", "memory"),
    "partner": ("mind", "memory"),
}
"""What is the same on both sides where nobody says."""


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What one side got more than the other in one dimension, by one judge."""

    judge: Judged
    dimension: str
    by: Side
    of: str
    """What is the same on both sides, in words; empty: nothing is asked to be."""
    paired_on: tuple[Key, ...]
    """What the scores of a pair have in common: what was asked for, or where no scores share that,
    less. Empty: they share nothing, and Welch's test is over all units."""
    asked: tuple[Key, ...]
    """What they were to have in common."""
    pairs: int
    """Pairs that the difference is over; 0 where there are none."""
    unpaired: tuple[int, int]
    """Scores of each side that are left out because the other side has none to match."""
    population: Population
    """What a unit is; ``episodes``: each pair is one."""
    contrast: Contrast
    """Both sides, their difference with its interval, the test, p, Holm's p over all differences
    of the judge that were worked out together, Cohen's d, and n: units."""

    @property
    def of_a(self) -> float | None:
        """The mean of the first side; all units weigh the same, as in the difference."""
        return self.contrast.a.unit_mean

    @property
    def of_b(self) -> float | None:
        """The mean of the second side."""
        return self.contrast.b.unit_mean

    @property
    def fell_back(self) -> bool:
        """Whether it is not paired as was asked for."""
        return self.asked != self.paired_on


def paired_differences(
    columns: ScoreColumns,
    by: Side = "mind",
    pair_on: Sequence[Key] = PAIR_ON,
    *,
    judge: str = "",
    dimensions: Sequence[str] = (),
    within: Sequence[Within] | None = None,
    population: Population | None = None,
    unclean: bool = False,
) -> tuple[PairedDifference, ...]:
    """Compare each two minds (memories, runs, partners) over what both met.

    The sides of runs are the later less the earlier, in the order in which ``columns`` have them;
    others by name. ``judge``: only this one (its hash); ``dimensions``: only these; none: all that
    tables show. ``within``: what is to be the same on both sides, a comparison for each; None: for
    minds the memory, for memories the mind, else both. ``population``: the units; None: chains
    where there are chains, else scenarios. ``unclean``: with episodes in which an action failed.

    Where both sides share fewer than three units of what is asked for, pairs are made without the
    seed; then by the scenario, in chains by the cast; and where they share nothing of this, Welch's
    test is over all units: ``paired_on`` says which it was.
    """
    population = population or usual(columns)
    ladder = _ladder(tuple(pair_on), population)
    found: list[PairedDifference] = []
    for one in columns.judges:
        if judge and one.hash != judge:
            continue
        rows = columns.of(one.hash)
        rows = rows.where(rows.scored & (rows.clean | unclean) & ~rows.shared)
        names = [name for name in dimensions or rows.dimensions() if name in rows.dimension.there()]
        rows = rows.where(rows.dimension.among(*names))
        keyed = [(on, _keys(rows, on)) for on in ladder]
        sides = list(_sides(rows, by, _SAME[by] if within is None else within))
        met: dict[tuple[int, int], PairedDifference | None] = {}
        # Of one dimension at a time: of all at once every step would cost as much as all of them.
        for column, name in enumerate(names):
            here = rows.dimension.among(name)
            part, keys = rows.where(here), [(on, of_all[here]) for on, of_all in keyed]
            for place, (same, ((a, of_a), (b, of_b))) in enumerate(sides):
                both = ((a, of_a[here]), (b, of_b[here]))
                met[place, column] = _difference(one, by, same, both, part, keys, name, population)
        mine = [met[at] for at in sorted(met)]
        there = [one for one in mine if one is not None]
        corrected = holm([one.contrast for one in there])
        found += [
            msgspec.structs.replace(one, contrast=new)
            for one, new in zip(there, corrected, strict=True)
        ]
    return tuple(found)


_Keyed = Sequence[tuple[tuple[Key, ...], NDArray[np.int64]]]
"""Ways to pair, the first first, with the pair of each row; -1: it can be in none."""
_Sides = tuple[tuple[str, Mask], tuple[str, Mask]]


def _ladder(pair_on: tuple[Key, ...], population: Population) -> list[tuple[Key, ...]]:
    last: tuple[Key, ...] = ("cast",) if population == "chains" else ("scenario",)
    return list(dict.fromkeys((pair_on, tuple(key for key in pair_on if key != "seed"), last)))


def _sides(rows: ScoreColumns, by: Side, within: Sequence[Within]) -> Iterator[tuple[str, _Sides]]:
    """What is the same, and the two sides as masks."""
    column: Words = getattr(rows, by)
    strata, stratum = distinct(_together([_codes(rows, name) for name in within], len(rows)))
    for place in range(len(strata)):
        here = stratum == place
        first = int(np.argmax(here))
        same = ", ".join(filter(None, (_word(rows, name, first) for name in within)))
        for one, other in combinations(column[here].there(), 2):
            a, b = (other, one) if by == "run" else (one, other)
            yield same, ((a, here & column.among(a)), (b, here & column.among(b)))


def _difference(
    judge: Judged,
    by: Side,
    same: str,
    sides: _Sides,
    rows: ScoreColumns,
    keyed: _Keyed,
    dimension: str,
    population: Population,
) -> PairedDifference | None:
    (label_a, of_a), (label_b, of_b) = sides
    if not of_a.any() or not of_b.any():
        return None
    scale = scale_of(rows, dimension)
    ways: list[_Way] = []
    for on, keys in keyed:
        ways.append(_Way.of(on, keys, of_a, of_b, rows, population))
        if ways[-1].different >= LEAST_UNITS:
            break
    enough = [way for way in ways if way.different >= LEAST_UNITS] or [
        way for way in ways if way.different
    ]
    if enough:
        way = enough[0]
        a, b = of_a & way.there, of_b & way.there
        tested = contrast(
            _group(label_a, rows.where(a), population, way.units[a], way.keys[a]),
            _group(label_b, rows.where(b), population, way.units[b], way.keys[b]),
            population,
            scale,
        )
        tested = msgspec.structs.replace(tested, test="paired t", n=way.different)
    else:
        a, b = of_a, of_b
        tested = contrast(
            _group(label_a, rows.where(a), population),
            _group(label_b, rows.where(b), population),
            population,
            scale,
        )
    return PairedDifference(
        judge=judge,
        dimension=dimension,
        by=by,
        of=same,
        asked=keyed[0][0],
        paired_on=enough[0].on if enough else (),
        pairs=len(np.unique(way.keys[a])) if enough else 0,
        unpaired=(int(of_a.sum() - a.sum()), int(of_b.sum() - b.sum())),
        population=population,
        contrast=tested,
    )


class _Way(NamedTuple):
    """One way to pair two sides."""

    on: tuple[Key, ...]
    keys: NDArray[np.int64]
    """The pair of each row."""
    there: Mask
    """The rows that are in a pair of both sides."""
    units: Codes
    """The unit of each row that is there."""
    different: int
    """Units."""

    @classmethod
    def of(
        cls,
        on: tuple[Key, ...],
        keys: NDArray[np.int64],
        a: Mask,
        b: Mask,
        rows: ScoreColumns,
        population: Population,
    ) -> "_Way":
        shared = np.intersect1d(keys[a], keys[b])
        there = (a | b) & np.isin(keys, shared[shared >= 0])
        units = np.zeros(len(rows), dtype=np.intp)
        units[there] = found = _units(rows.where(there), keys[there], population)
        return cls(on, keys, there, units, len(np.unique(found)))


def _group(
    label: str,
    rows: ScoreColumns,
    population: Population,
    units: Codes | None = None,
    pairs: NDArray[np.int64] | None = None,
) -> Group:
    clusters = clusters_of(rows, population)
    return Group(
        label=label,
        values=rows.value,
        units=clusters if units is None else units,
        pairs=() if pairs is None else pairs,
        clusters=clusters,
    )


def _units(rows: ScoreColumns, keys: NDArray[np.int64], population: Population) -> Codes:
    """For each score the unit that its pair is in. Pairs that have a scenario (a chain) in common,
    be it through a third, are of one unit."""
    pairs, pair = distinct(keys)
    if population == "episodes" or not len(keys):
        return pair.astype(np.intp)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    clusters, cluster = distinct(clusters_of(rows, population))
    size = len(pairs) + len(clusters)
    links = coo_array(
        (np.ones(len(keys), dtype=np.int8), (pair, len(pairs) + cluster)), shape=(size, size)
    )
    component: Codes = connected_components(links, directed=False)[1].astype(np.intp)
    return component[pair]


def _keys(rows: ScoreColumns, on: Sequence[Key]) -> NDArray[np.int64]:
    """The pair that each row is of; -1: what it would be paired by is not known of it."""
    keys = distinct(_together([_codes(rows, name) for name in on], len(rows)))[1]
    unknown = np.zeros(len(rows), dtype=np.bool_)
    if "task" in on:
        unknown |= rows.task.among("") & rows.chain.among("")
    if "seed" in on:
        unknown |= rows.seed < 0
    if "cast" in on:
        unknown |= rows.cast.among("")
    keys[unknown | (not on)] = -1
    return keys


def _codes(rows: ScoreColumns, name: Key | Within) -> NDArray[np.int64]:
    """A number for what each row has in a column."""
    if name == "task":
        # One task's name may be in several catalogs. An episode of a chain has none: what it
        # plays is who meets, in which scenario and when.
        of_chain = ~rows.chain.among("")
        met = _together([_codes(rows, key) for key in ("cast", "scenario", "index")], len(rows))
        tasks = _together([rows.catalog.codes, rows.task.codes], len(rows))
        return _together([of_chain, np.where(of_chain, met, tasks)], len(rows))
    column = getattr(rows, name)
    codes = column.codes if isinstance(column, Words) else column
    return np.asarray(codes, dtype=np.int64)


def _together(columns: Sequence[NDArray[np.generic]], count: int) -> NDArray[np.int64]:
    """One number for each different row of some columns of numbers."""
    found = np.zeros(count, dtype=np.int64)
    for column in columns:
        different, places = distinct(np.asarray(column, dtype=np.int64))
        found = distinct(found * max(1, len(different)) + places)[1].astype(np.int64)
    return found


def _word(rows: ScoreColumns, name: Within, row: int) -> str:
    if name == "hard":
        return "hard scenarios" if rows.hard[row] else ""
    words: tuple[str, ...] = getattr(rows, name)[row : row + 1].there()
    return words[0]
