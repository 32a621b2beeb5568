"""The scores of one or more runs as columns: what every table, test and curve computes from.

A row is what one judge said of one seat in one dimension; ``overall`` stands among the dimensions
where the judge scores all that it needs. Each row stands once: where one judge scored the same
again, the newest evaluation that gave a value counts, and else the newest.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import in_order, overall_of, shown
from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.seat_scores import Judged, judged_of
from store.log.event_store import EventStore
from store.read_model.read_scores import read_scores
from store.read_model.records import ChainRow, EpisodeRow, ScoreRow
from store.read_model.score_arrays import (
    ABSTAINED,
    FAILED,
    SCORED,
    STATUSES,
    EpisodeFacts,
    EvaluationFacts,
    ScoreArrays,
)

Mask = NDArray[np.bool_]
Places = NDArray[np.int32] | NDArray[np.int64]
Codes = NDArray[np.int8] | NDArray[np.int16] | Places
K = TypeVar("K", bound=np.generic)
Rows = Mask | Places | slice
"""Some of the rows: by a mask, by their places, or a stretch of them."""


@dataclass(frozen=True, slots=True)
class Words:
    """A column of words that come again and again."""

    kept: Codes
    """For each row the place of its word in ``names``, given in any integers and kept in as few
    bytes as the words need: of half a million scores there are a dozen such columns, most of them
    with fewer than a hundred words."""
    names: tuple[str, ...]
    """Each word once, in the order in which tables show them. Some may be in no row."""

    def __post_init__(self) -> None:
        kind = np.min_scalar_type(-max(1, len(self.names)))
        object.__setattr__(self, "kept", self.kept.astype(kind, copy=False))

    @property
    def codes(self) -> NDArray[np.int32]:
        """The same, large enough to count with."""
        return self.kept.astype(np.int32, copy=False)

    def __len__(self) -> int:
        return len(self.kept)

    def __getitem__(self, rows: Rows) -> "Words":
        if len(self.names) == 1 and isinstance(rows, np.ndarray) and rows.dtype != np.bool_:
            return Words(np.zeros(len(rows), dtype=np.int8), self.names)
        return Words(self.kept[rows], self.names)

    def words(self) -> list[str]:
        """The word of each row."""
        return [self.names[code] for code in self.kept]

    def there(self) -> tuple[str, ...]:
        """The words that are in some row, in order."""
        return tuple(self.names[code] for code in np.nonzero(np.bincount(self.kept))[0])

    @property
    def different(self) -> int:
        """How many words are in some row."""
        return int(np.count_nonzero(np.bincount(self.kept)))

    def among(self, *wanted: str) -> Mask:
        """The rows with one of these words."""
        some = frozenset(wanted)
        chosen = np.array([name in some for name in self.names] or [False], dtype=np.bool_)
        return np.take(chosen, self.kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumns:
    """Scores as columns of equal length, ordered by judge, episode (in the plan's order), seat and
    dimension."""

    run: Words
    environment: Words
    episode: Words
    catalog: Words
    task: Words
    """The catalog's task; empty in a chain."""
    scenario: Words
    """The scenario: what scores are clustered by that are to speak of scenarios in general. Never
    empty: an episode without one is its own."""
    chain: Words
    """Empty: none."""
    memory: Words
    """The memory of the seat's chain; empty without one."""
    index: NDArray[np.int32]
    """The episode's place in its chain, from 0; 0 without one."""
    seed: NDArray[np.int64]
    """What chance began with in the episode, by its plan; -1: no plan says, as of a fork."""
    cast: Words
    """The names of all characters of the episode, in the order of the seats."""
    hard: Mask
    """The episode rests on what was said in earlier ones of its chain."""
    clean: Mask
    """No action of the episode failed."""
    seat: NDArray[np.int32]
    """From 0."""
    character: Words
    mind: Words
    shared: Mask
    """A person and another mind acted in the seat: what it scored is no finding about either."""
    partner: Words
    """The mind in the other seat. Where several minds sit there: all, with ", " between them."""
    judge: Words
    """The judge's hash."""
    dimension: Words
    """A dimension's name, or ``overall``."""
    status: NDArray[np.int8]
    """``SCORED``, ``FAILED`` or ``ABSTAINED`` of ``store.read_model.score_arrays``. Of ``overall``:
    failed where at least one that it needs failed, abstained where none failed but one was
    declined."""
    value: NDArray[np.float64]
    """NaN where there is none."""
    judges: tuple[Judged, ...]
    """Those behind the rows, by name."""
    kinds: Mapping[str, str]
    """By a judge's hash: ``model``, ``rehearsal``, ``rule``, ``imported`` or ``person``."""
    scales: Mapping[str, Mapping[str, tuple[float, float]]]
    """By a judge's hash, the least and the greatest value of each dimension it declares; a judge of
    whom that is not known is not in it."""
    partners: Mapping[str, tuple[str, ...]]
    """By a word of ``partner``, each mind in it once."""

    def __len__(self) -> int:
        return len(self.value)

    @property
    def scored(self) -> Mask:
        """The rows that have a value."""
        return np.equal(self.status, SCORED)

    @property
    def seats(self) -> NDArray[np.int64]:
        """A number for each seat of each episode: rows of one seat, by any judge, share it."""
        return (self.episode.codes.astype(np.int64) << 32) + self.seat

    def where(self, rows: Rows) -> Self:
        if isinstance(rows, np.ndarray) and rows.dtype == np.bool_:
            # Places: with the mask itself every column would take as long as all rows do.
            rows = np.flatnonzero(rows)
            if len(rows) == len(self):
                return self
        columns: dict[str, Any] = {
            field.name: value[rows] if isinstance(value, Words) else _some(value, rows)
            for field in fields(self)
            if isinstance(value := getattr(self, field.name), Words | np.ndarray)
        }
        return replace(self, **columns)

    def of(self, judge: str, dimension: str = "") -> Self:
        """The rows of one judge (its hash), and of one dimension where one is named."""
        mask = self.judge.among(judge)
        return self.where(mask & self.dimension.among(dimension) if dimension else mask)

    def dimensions(self) -> list[str]:
        """Those that are in some row and that tables show, in their order."""
        return shown(self.dimension.there())


def read_columns(store: EventStore, *runs: str) -> ScoreColumns:
    """All scores of some runs (ids in full), missing ones too; of superseded episodes none.
    Blocking."""
    return assemble(read_scores(store, runs))


def columns_of(
    scores: Iterable[ScoreRow],
    episodes: Iterable[EpisodeRow] = (),
    chains: Iterable[ChainRow] = (),
) -> ScoreColumns:
    """Columns of a few scores that are at hand as rows; those of a run are read by
    ``read_columns``. Episodes that are not given are known by what the rows tell."""
    rows = list(scores)
    memories = {chain.id: chain.memory for chain in chains}
    known = {row.id: facts_of(row, memories.get(row.chain, "")) for row in episodes}
    for id_ in dict.fromkeys(row.episode for row in rows if row.episode not in known):
        known[id_] = _told_by([row for row in rows if row.episode == id_])
    evaluations = {
        row.evaluation: EvaluationFacts(
            id=row.evaluation,
            episode=row.episode,
            judge=row.judge,
            judge_kind=row.judge_kind,
            judge_hash=row.judge_hash,
        )
        for row in rows
    }
    places = {id_: place for place, id_ in enumerate(evaluations)}
    names = tuple(dict.fromkeys(row.dimension for row in rows))
    return assemble(
        ScoreArrays(
            episodes=tuple(known.values()),
            evaluations=tuple(evaluations.values()),
            dimensions=names,
            evaluation=np.array([places[row.evaluation] for row in rows], dtype=np.int32),
            dimension=np.array([names.index(row.dimension) for row in rows], dtype=np.int32),
            seat=np.array([row.seat for row in rows], dtype=np.int32),
            status=np.array([STATUSES.index(row.status) for row in rows], dtype=np.int8),
            value=np.array(
                [np.nan if row.value is None else row.value for row in rows], dtype=np.float64
            ),
        )
    )


def facts_of(row: EpisodeRow, memory: str = "") -> EpisodeFacts:
    """What tables need to know of an episode."""
    return EpisodeFacts(
        id=row.id,
        run=row.run,
        environment=row.environment,
        catalog=row.catalog,
        task=row.task,
        scenario=row.scenario_id or row.scenario,
        minds=row.minds,
        characters=row.characters,
        chain=row.chain,
        memory=memory,
        index=row.index,
        failed_actions=row.failed_actions,
        ended=row.status == "ended",
    )


def assemble(arrays: ScoreArrays, dimension: str = "") -> ScoreColumns:
    """Columns of what was read: each score once, ``overall`` worked out, in order; of one dimension
    alone, where it is named."""
    judges = judged_of({one.judge_hash: one.judge for one in arrays.evaluations})
    shown = in_order({*arrays.dimensions, OVERALL})
    # Tables need not show all that is kept.
    dimensions = tuple(dict.fromkeys((*shown, *sorted(arrays.dimensions))))
    judge_places = {judge.hash: place for place, judge in enumerate(judges)}
    episode_places = {one.id: place for place, one in enumerate(arrays.episodes)}
    of_judge = np.array(
        [judge_places[one.judge_hash] for one in arrays.evaluations], dtype=np.int64
    )
    of_episode = np.array([episode_places[e.episode] for e in arrays.evaluations], dtype=np.int64)
    order = np.array([dimensions.index(name) for name in arrays.dimensions], dtype=np.int64)
    seats, seat_of = distinct(arrays.seat)
    # One number for each row of the table that this is to be: judge, episode, seat.
    reading = of_judge * len(arrays.episodes) + of_episode
    rows, row = distinct(reading[arrays.evaluation] * len(seats) + seat_of)
    values, statuses = _table(arrays, row, order[arrays.dimension], len(rows), len(dimensions))
    _work_out_overall(values, statuses, dimensions)
    read, seat = np.divmod(rows, max(1, len(seats)))
    judge, episode = np.divmod(read, max(1, len(arrays.episodes)))
    there = statuses >= 0
    if dimension:
        there &= np.array([name == dimension for name in dimensions])
    at, column = (found.astype(np.int32) for found in np.nonzero(there))
    return _with_facts(
        arrays.episodes,
        episode.astype(np.int32)[at],
        np.take(np.append(seats, 0), seat).astype(np.int32)[at],
        judge=Words(judge.astype(np.int32)[at], tuple(judge.hash for judge in judges)),
        dimension=Words(column, dimensions),
        status=statuses[at, column],
        value=values[at, column],
        judges=tuple(judges),
        kinds={one.judge_hash: one.judge_kind for one in arrays.evaluations},
        scales=arrays.scales,
    )


def _table(
    arrays: ScoreArrays, row: Places, column: Places, rows: int, columns: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """Values and statuses, a row a seat and a column a dimension; status -1 where nobody asked."""
    values = np.full((rows, columns), np.nan)
    statuses = np.full((rows, columns), -1, dtype=np.int8)
    statuses[row, column] = arrays.status
    values[row, column] = arrays.value
    if np.count_nonzero(statuses >= 0) == len(row):
        return values, statuses
    # Of places that are written twice the last writing stays: the newest, and those with a value
    # after those without.
    for chosen in (arrays.status != SCORED, arrays.status == SCORED):
        places = np.nonzero(chosen)[0]
        places = places[np.argsort(arrays.evaluation[places], kind="stable")]
        statuses[row[places], column[places]] = arrays.status[places]
        values[row[places], column[places]] = arrays.value[places]
    return values, statuses


def _work_out_overall(
    values: NDArray[np.float64], statuses: NDArray[np.int8], dimensions: Sequence[str]
) -> None:
    """Fill the column of ``overall``, by what each seat's judge was to score."""
    into = dimensions.index(OVERALL)
    asked = statuses >= 0
    _, first, pattern = np.unique(
        np.packbits(asked, axis=1).view(np.dtype((np.void, -(-len(dimensions) // 8)))).ravel(),
        return_index=True,
        return_inverse=True,
    )
    for place, one in enumerate(asked[first]):
        names = {name for name, there in zip(dimensions, one, strict=True) if there}
        overall = overall_of(names)
        if overall is None:
            continue
        mine = np.nonzero(pattern.ravel() == place)[0]
        needed = [dimensions.index(dimension.name) for dimension in overall.dimensions]
        of = statuses[mine][:, needed]
        whole = (of == SCORED).all(axis=1)
        values[mine[whole], into] = overall.of(
            {dimensions[column]: values[mine[whole], column] for column in needed}
        )
        missing = np.where((of == FAILED).any(axis=1), FAILED, ABSTAINED)
        statuses[mine, into] = np.where(whole, SCORED, missing)


def _with_facts(
    episodes: Sequence[EpisodeFacts],
    episode: NDArray[np.int32],
    seat: NDArray[np.int32],
    **own: Any,
) -> ScoreColumns:
    """The rest of the columns, from what is known of the episodes and their seats."""
    minds = _Casts([one.minds for one in episodes])
    characters = _Casts([one.characters for one in episodes])
    others = {cast: _others(cast) for cast in minds.casts}
    partners = {", ".join(met): met for cast in others.values() for met in cast}
    partners.setdefault("", ())

    def words(of: Iterable[str], ordered: bool = True) -> Words:
        # A word that all have in common, as their run, takes neither time nor memory.
        return Words(*_coded(of, ordered=ordered))[episode]

    def numbers(of: Iterable[Any], kind: Any) -> NDArray[Any]:
        return _of_each(np.array(list(of), dtype=kind), episode)

    return ScoreColumns(
        run=words((one.run for one in episodes), ordered=False),
        environment=words(one.environment for one in episodes),
        episode=words((one.id for one in episodes), ordered=False),
        catalog=words(one.catalog for one in episodes),
        task=words(one.task for one in episodes),
        scenario=words(one.scenario or one.id for one in episodes),
        chain=words((one.chain for one in episodes), ordered=False),
        memory=words(one.memory for one in episodes),
        index=numbers((one.index for one in episodes), np.int32),
        seed=numbers((one.seed for one in episodes), np.int64),
        cast=words(", ".join(one.characters) for one in episodes),
        hard=numbers((one.hard for one in episodes), np.bool_),
        clean=numbers((one.failed_actions == 0 for one in episodes), np.bool_),
        seat=seat,
        character=characters.words(episode, seat),
        mind=minds.words(episode, seat),
        shared=_shared(episodes, episode, seat),
        partner=minds.words(episode, seat, lambda cast: [", ".join(met) for met in others[cast]]),
        partners=partners,
        **own,
    )


def _of_each(values: NDArray[K], episode: NDArray[np.int32]) -> NDArray[K]:
    """The value of each row's episode. One value that all episodes have, as no place in a chain,
    takes no memory for each row; such a column is only to be read."""
    if len(values) and (values == values[0]).all():
        return np.broadcast_to(values[0], len(episode))
    return np.take(values, episode)


def _some(column: NDArray[K], rows: Rows) -> NDArray[K]:
    """Some rows of a column; one value stays one."""
    if column.strides == (0,):
        count = len(rows) if isinstance(rows, np.ndarray) else len(range(len(column))[rows])
        return np.broadcast_to(column[0], count) if len(column) else column[rows]
    return column[rows]


def _shared(
    episodes: Sequence[EpisodeFacts], episode: NDArray[np.int32], seat: NDArray[np.int32]
) -> NDArray[np.bool_]:
    shared = [(place, one) for place, facts in enumerate(episodes) for one in facts.shared]
    if not shared:
        return np.broadcast_to(np.bool_(False), len(episode))
    # Both in one number: an episode's seats, from -1, are fewer than that.
    width = 2 + max(int(seat.max(initial=0)), *(one for _, one in shared))
    keys: NDArray[np.int64] = episode.astype(np.int64) * width + seat + 1
    found: NDArray[np.bool_] = np.isin(keys, [place * width + one + 1 for place, one in shared])
    return found


class _Casts:
    """Who is in the seats of some episodes, where the same casts come again and again."""

    def __init__(self, casts: Sequence[tuple[str, ...]]) -> None:
        known: dict[tuple[str, ...], int] = {}
        self._of = np.array([known.setdefault(one, len(known)) for one in casts], dtype=np.int32)
        self.casts = tuple(known)

    def words(
        self,
        episode: NDArray[np.int32],
        seat: NDArray[np.int32],
        told: Callable[[tuple[str, ...]], Sequence[str]] = tuple,
    ) -> Words:
        """A word for each row; empty for a seat that there is not."""
        most = max(map(len, self.casts), default=0) + 1
        table = [[*told(cast), *[""] * (most - len(cast))] for cast in self.casts]
        codes, names = _coded((word for row in table for word in row), ordered=True)
        there = np.where((seat >= 0) & (seat < most), seat, np.int32(most - 1))
        return Words(codes[self._of[episode] * np.int32(most) + there], names)


def _others(cast: tuple[str, ...]) -> list[tuple[str, ...]]:
    """For each seat the minds in the others, each once, by name."""
    return [tuple(sorted({*cast[:at], *cast[at + 1 :]})) for at in range(len(cast))]


def _coded(words: Iterable[str], *, ordered: bool) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Words as numbers; ``ordered``: their names by alphabet, else as they come."""
    places: dict[str, int] = {}
    codes = np.array([places.setdefault(word, len(places)) for word in words], dtype=np.int32)
    if not ordered:
        return codes, tuple(places)
    names = tuple(sorted(places))
    moved = np.empty(len(names), dtype=np.int32)
    for new, name in enumerate(names):
        moved[places[name]] = new
    return moved[codes] if len(codes) else codes, names


def _told_by(rows: Sequence[ScoreRow]) -> EpisodeFacts:
    """An episode as its scores tell of it."""
    minds = {row.seat: row.mind for row in rows}
    characters = {row.seat: row.character for row in rows}
    seats = range(max(minds) + 1)
    return EpisodeFacts(
        id=rows[0].episode,
        run=rows[0].run,
        minds=tuple(minds.get(seat, "") for seat in seats),
        characters=tuple(characters.get(seat, "") for seat in seats),
    )
