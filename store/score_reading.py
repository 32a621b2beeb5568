"""Reads the scores of runs as columns, without making an object of each."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from store import selections
from store.log import EventStore
from store.projections import tables as t
from store.projections.chains import CHAINS
from store.projections.episodes import EPISODES
from store.projections.projector import catch_up
from store.projections.scores import SCORES
from store.projections.types import Names
from store.score_arrays import STATUSES, EpisodeFacts, EvaluationFacts, ScoreArrays

_BETWEEN, _NEXT = "\x1f", "\x1e"
"""Between the parts of a text that stands for scores, and between two scores: in no name."""
_LARGEST_SEAT = 2**31 - 1


def read_scores(store: EventStore, runs: Sequence[str]) -> ScoreArrays:
    """All scores of these runs (ids in full), missing ones too. Blocking."""
    catch_up(store, EPISODES, CHAINS, SCORES)
    chosen = selections.evaluations_of_runs(runs)
    # One transaction, so that no score comes in between of an evaluation that was not there yet.
    with store.engine.connect() as connection:
        if not _is_sqlite(connection):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        episodes = _episodes(connection, runs)
        evaluations = list(_evaluations(connection, chosen))
        known = {episode.id for episode in episodes}
        strays = {one.episode for one in evaluations} - known
        episodes += [EpisodeFacts(id=id_) for id_ in sorted(strays)]
        return _scores(connection, chosen, episodes, evaluations)


def _episodes(connection: sa.Connection, runs: Sequence[str]) -> list[EpisodeFacts]:
    """The runs in the order given, each in the order of its plan."""
    c = t.episodes.c
    plain = ("id", "run", "environment", "task", "scenario_id", "scenario", "chain", "index_")
    query = (
        selections.EPISODES.with_only_columns(
            *(c[name] for name in plain),
            c.failures,
            # The same casts come again and again: each is decoded once.
            sa.type_coerce(c.minds, sa.Text),
            sa.type_coerce(c.characters, sa.Text),
            sa.func.coalesce(t.chains.c.memory, ""),
        )
        .select_from(t.episodes.outerjoin(t.chains, t.chains.c.id == c.chain))
        .where(c.run.in_(runs))
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
            failed_actions=failed,
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
    for row in connection.execute(query.order_by(c.started_at, c.id)):
        yield EvaluationFacts(*row)


def _scores(
    connection: sa.Connection,
    chosen: selections.Select,
    episodes: Sequence[EpisodeFacts],
    evaluations: Sequence[EvaluationFacts],
) -> ScoreArrays:
    c = t.scores.c
    # The database puts the scores of an evaluation together, one text of what they are and one of
    # their values, in the same order: a row to fetch costs more than all that is in it. Both
    # databases write numbers so that they are read back exactly.
    exact = sa.func.quote(c.value) if _is_sqlite(connection) else sa.cast(c.value, sa.Text)
    what = sa.cast(c.seat, sa.Text) + _BETWEEN + c.status + _BETWEEN + c.dimension
    query = (
        sa.select(
            c.evaluation,
            sa.func.aggregate_strings(what, _NEXT),
            sa.func.aggregate_strings(sa.case((c.value.is_(None), "nan"), else_=exact), " "),
        )
        .where(c.evaluation.in_(chosen))
        .group_by(c.evaluation)
    )
    places = {one.id: place for place, one in enumerate(evaluations)}
    kinds = _Kinds()
    of, kind_of, values = [], [], []
    for id_, whats, numbers in connection.execute(query):
        of.append(places[id_])
        kind_of.append(kinds[whats])
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


class _Kinds(dict[str, NDArray[np.int32]]):
    """What the scores of an evaluation are, by the text that says it: for each its seat, status and
    dimension, as numbers. Most evaluations of a judge have the same text."""

    def __init__(self) -> None:
        self.dimensions: dict[str, int] = {}

    def __missing__(self, text: str) -> NDArray[np.int32]:
        words = (what.split(_BETWEEN, 2) for what in text.split(_NEXT))
        found = [
            (_seat(seat), STATUSES.index(status), self._number(dimension))
            for seat, status, dimension in words
        ]
        self[text] = np.array(found, dtype=np.int32)
        return self[text]

    def _number(self, dimension: str) -> int:
        return self.dimensions.setdefault(dimension, len(self.dimensions))


def _is_sqlite(connection: sa.Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _seat(text: str) -> int:
    """A log may hold a score of a seat that there is not."""
    return max(-_LARGEST_SEAT, min(_LARGEST_SEAT, int(text)))
