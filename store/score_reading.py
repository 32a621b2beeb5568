"""Reads the scores of runs as columns, without making an object of each."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from events.codec import event_of
from events.run import EpisodesRetried, RunPlanned
from events.subjects import stream_name
from store import selections
from store.log import EventStore
from store.projections import tables as t
from store.projections.chains import CHAINS
from store.projections.episodes import EPISODES
from store.projections.projector import catch_up
from store.projections.scores import SCORES
from store.projections.types import Names
from store.score_arrays import STATUSES, EpisodeFacts, EvaluationFacts, ScoreArrays

_WHAT = (sa.cast(t.scores.c.seat, sa.Text), t.scores.c.status, t.scores.c.dimension)
_NEXT = "\x1e"
"""Between two scores in a text of many: in no name."""
_AT_ONCE = 1000
"""Rows fetched together."""
_LARGEST_SEAT = 2**31 - 1


def read_scores(store: EventStore, runs: Sequence[str]) -> ScoreArrays:
    """All scores of these runs (ids in full), missing ones too. Blocking."""
    catch_up(store, EPISODES, CHAINS, SCORES)
    hard = {id_ for run in runs for id_ in _hard(store, run)}
    chosen = selections.evaluations_of_runs(runs)
    # One transaction, so that no score comes in between of an evaluation that was not there yet.
    with store.engine.connect() as connection:
        if not _is_sqlite(connection):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        episodes = _episodes(connection, runs, hard)
        evaluations = list(_evaluations(connection, chosen))
        known = {episode.id for episode in episodes}
        strays = {one.episode for one in evaluations} - known
        episodes += [EpisodeFacts(id=id_) for id_ in sorted(strays)]
        found = _scores(connection, chosen, episodes, evaluations)
        if _is_sqlite(connection):
            # All pages of all scores went through its cache, and none is needed again.
            connection.exec_driver_sql("PRAGMA shrink_memory")
        return found


def _hard(store: EventStore, run: str) -> Iterator[str]:
    """The episodes that end the run's chains, as its plan says; none where it plays no chains."""
    with store.engine.connect() as connection:
        query = sa.select(t.chains.c.id).where(t.chains.c.run == run).limit(1)
        if connection.execute(query).first() is None:
            return
    for envelope in store.read(stream_name("run", run)):
        event = event_of(envelope)
        if isinstance(event, RunPlanned):
            yield from (planned.id for planned in event.episodes if planned.hard)
        elif isinstance(event, EpisodesRetried):
            yield from (one.episode.id for one in event.episodes if one.episode.hard)


def _episodes(
    connection: sa.Connection, runs: Sequence[str], hard: Collection[str]
) -> list[EpisodeFacts]:
    """The runs in the order given, each in the order of its plan."""
    c = t.episodes.c
    plain = (
        "id",
        "run",
        "environment",
        "task",
        "scenario_id",
        "scenario",
        "chain",
        "index_",
        "status",
    )
    query = (
        selections.EPISODES.with_only_columns(
            *(c[name] for name in plain),
            c.failed_actions,
            # The same casts come again and again: each is decoded once.
            sa.type_coerce(c.minds, sa.Text),
            sa.type_coerce(c.characters, sa.Text),
            sa.func.coalesce(t.chains.c.memory, ""),
        )
        .select_from(t.episodes.outerjoin(t.chains, t.chains.c.id == c.chain))
        .where(c.run.in_(runs), selections.standing_episode)
    )
    decoder = Names()
    names = cache(lambda text: decoder.process_result_value(text, connection.dialect))
    found = [
        EpisodeFacts(
            id=id_,
            run=run,
            environment=environment,
            task=task,
            scenario=scenario_id or scenario,
            minds=names(minds),
            characters=names(characters),
            chain=chain,
            memory=memory,
            index=index,
            hard=id_ in hard,
            failed_actions=failed,
            ended=status == "ended",
        )
        for (
            id_,
            run,
            environment,
            task,
            scenario_id,
            scenario,
            chain,
            index,
            status,
            failed,
            minds,
            characters,
            memory,
        ) in connection.execute(query)
    ]
    places = {run: place for place, run in enumerate(runs)}
    return sorted(found, key=lambda one: places[one.run]) if len(runs) > 1 else found


def _evaluations(connection: sa.Connection, chosen: selections.Select) -> Iterator[EvaluationFacts]:
    c = t.evaluations.c
    names = ("id", "episode", "judge", "judge_kind", "judge_hash", "status")
    query = sa.select(*(c[name] for name in names)).where(c.id.in_(chosen))
    # Of one judge there are thousands: they share its words.
    shared: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for id_, episode, *judge in _fetched(connection, query.order_by(c.started_at, c.id)):
        told = tuple(judge)
        yield EvaluationFacts(id_, episode, *shared.setdefault(told, told))


def _scores(
    connection: sa.Connection,
    chosen: selections.Select,
    episodes: Sequence[EpisodeFacts],
    evaluations: Sequence[EvaluationFacts],
) -> ScoreArrays:
    c = t.scores.c
    # The database puts the scores of an evaluation together, a text for each column, all in the
    # same order: a row to fetch costs more than all that is in it.
    query = (
        sa.select(
            c.evaluation,
            *(sa.func.aggregate_strings(part, _NEXT) for part in _WHAT),
            sa.func.aggregate_strings(_exactly(connection, c.value), " "),
        )
        .where(c.evaluation.in_(chosen))
        .group_by(c.evaluation)
    )
    places = {one.id: place for place, one in enumerate(evaluations)}
    kinds = _Kinds()
    of, kind_of, values = [], [], []
    for id_, *what, numbers in _fetched(connection, query):
        of.append(places[id_])
        kind_of.append(kinds[tuple(what)])
        values.append(numbers)
    lengths = [len(kind) for kind in kind_of]
    kind = np.concatenate(kind_of) if kind_of else np.empty((0, 3), dtype=np.int32)
    return ScoreArrays(
        episodes=episodes,
        evaluations=evaluations,
        dimensions=tuple(kinds.dimensions),
        evaluation=np.repeat(np.array(of, dtype=np.int32), lengths),
        seat=kind[:, 0],
        status=kind[:, 1].astype(np.int8),
        dimension=kind[:, 2],
        value=np.fromstring(" ".join(values), dtype=np.float64, sep=" "),
    )


def _fetched(connection: sa.Connection, query: selections.Select) -> Iterator[tuple[Any, ...]]:
    """Rows straight from the driver: those of SQLAlchemy cost as much again."""
    cursor = connection.execute(query).cursor
    assert cursor is not None, "a query answers rows"
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows


def _exactly(
    connection: sa.Connection, value: sa.ColumnElement[float | None]
) -> sa.ColumnElement[str]:
    """A number as text that is read back as the same number; ``nan`` where there is none."""
    if not _is_sqlite(connection):
        return sa.case((value.is_(None), "nan"), else_=sa.cast(value, sa.Text))
    # Its quote() writes digits enough, and takes its time; most scores are whole numbers, which it
    # makes texts of by itself.
    whole = sa.type_coerce(sa.cast(value, sa.Integer), sa.Text)
    return sa.case((value == whole, whole), (value.is_(None), "nan"), else_=sa.func.quote(value))


class _Kinds(dict[tuple[str, ...], NDArray[np.int32]]):
    """What the scores of an evaluation are, by the texts that say it: for each its seat, status and
    dimension, as numbers. Most evaluations of a judge have the same texts."""

    def __init__(self) -> None:
        self.dimensions: dict[str, int] = {}

    def __missing__(self, texts: tuple[str, ...]) -> NDArray[np.int32]:
        found = [
            (_seat(seat), STATUSES.index(status), self._number(dimension))
            for seat, status, dimension in zip(*(text.split(_NEXT) for text in texts), strict=True)
        ]
        self[texts] = np.array(found, dtype=np.int32)
        return self[texts]

    def _number(self, dimension: str) -> int:
        return self.dimensions.setdefault(dimension, len(self.dimensions))


def _is_sqlite(connection: sa.Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _seat(text: str) -> int:
    """A log may hold a score of a seat that there is not."""
    return max(-_LARGEST_SEAT, min(_LARGEST_SEAT, int(text)))
