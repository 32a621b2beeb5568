"""Reads the scores of runs as columns, without making an object of each."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import sqlalchemy as sa

from events.evaluation import EvaluationStarted
from events.run import EpisodesRetried, PlannedEpisode, RunPlanned
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import EventStore
from store.log.rows import fetched_together, is_sqlite
from store.projections import tables as t
from store.projections.chains import CHAINS
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.scores import SCORES
from store.projections.types import Names
from store.read_model import selections
from store.read_model.score_arrays import EpisodeFacts, EvaluationFacts, ScoreArrays
from store.read_model.score_batches import ScoreBatch, ScoreReader
from store.read_model.seat_occupants import Sitters, who_sat, with_sitters

_PLANNING = (RunPlanned.__name__, EpisodesRetried.__name__)


def read_scores(store: EventStore, runs: Sequence[str], *, facts_only: bool = False) -> ScoreArrays:
    """All scores of these runs (ids in full; empty: of forks, which belong to none), missing ones
    too. ``facts_only``: their episodes and
    evaluations alone, without a score. Blocking."""
    catch_up(store, EPISODES, CHAINS, SCORES)
    planned = {
        one.id: (one.seed, one.hard)
        for run in filter(None, runs)
        for one in planned_episodes(store, run)
    }
    chosen = selections.evaluations_of_runs(runs)
    sat = who_sat(store, runs)
    # One transaction, so that no score comes in between of an evaluation that was not there yet.
    with store.engine.connect() as connection:
        if not is_sqlite(connection):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        episodes = _episodes(connection, runs, planned, sat)
        reader = ScoreReader(connection)
        evaluations: list[EvaluationFacts] = []
        batches = list(_evaluations(reader, connection, chosen, evaluations, facts_only=facts_only))
        if is_sqlite(connection):
            # All pages of all scores went through its cache, and none is needed again.
            connection.exec_driver_sql("PRAGMA shrink_memory")
    known = {episode.id for episode in episodes}
    strays = {one.episode for one in evaluations} - known
    episodes += [EpisodeFacts(id=id_) for id_ in sorted(strays)]
    return ScoreArrays(
        episodes=episodes,
        evaluations=evaluations,
        scales=_scales(store, evaluations),
        dimensions=reader.dimensions,
        evaluation=np.repeat(
            np.arange(len(evaluations), dtype=np.int32),
            np.concatenate([one.counts for one in batches]),
        ),
        seat=np.concatenate([one.seat for one in batches]),
        status=np.concatenate([one.status for one in batches]),
        dimension=np.concatenate([one.dimension for one in batches]),
        value=np.concatenate([one.value for one in batches]),
    )


def judges_of_runs(store: EventStore, runs: Sequence[str]) -> dict[str, str]:
    """The names of the judges of some runs (ids in full), by their hashes. Blocking."""
    catch_up(store, EPISODES, SCORES)
    c = t.evaluations.c
    chosen = c.id.in_(selections.evaluations_of_runs(runs))
    query = sa.select(c.judge_hash, c.judge).where(chosen).group_by(c.judge_hash, c.judge)
    with store.engine.connect() as connection:
        return {row.judge_hash: row.judge for row in connection.execute(query)}


def planned_episodes(store: EventStore, run: str) -> Iterator[PlannedEpisode]:
    """The run's episodes as its plan has them, those that are played again too."""
    for envelope in store.read(stream_name("run", run)):
        if envelope.tag in _PLANNING:
            event = event_of(envelope)
            if isinstance(event, RunPlanned):
                yield from event.episodes
            elif isinstance(event, EpisodesRetried):
                yield from (one.episode for one in event.episodes)


def _episodes(
    connection: sa.Connection,
    runs: Sequence[str],
    planned: Mapping[str, tuple[int, bool]],
    sat: Sitters,
) -> list[EpisodeFacts]:
    """The runs in the order given, each in the order of its plan. ``planned``: by id, the seed and
    whether it is hard."""
    c = t.episodes.c
    plain = (
        "id",
        "run",
        "environment",
        "catalog",
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
            catalog=catalog,
            task=task,
            scenario=scenario_id or scenario,
            minds=with_sitters(names(minds), sat[id_]) if id_ in sat else names(minds),
            shared=tuple(seat for seat, those in sat.get(id_, {}).items() if len(those) > 1)
            if sat
            else (),
            characters=names(characters),
            chain=chain,
            memory=memory,
            index=index,
            seed=planned[id_][0] if id_ in planned else -1,
            hard=id_ in planned and planned[id_][1],
            failed_actions=failed,
            ended=status == "ended",
        )
        for (
            id_,
            run,
            environment,
            catalog,
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


def _evaluations(
    reader: ScoreReader,
    connection: sa.Connection,
    chosen: selections.Select,
    into: list[EvaluationFacts],
    *,
    facts_only: bool,
) -> Iterator[ScoreBatch]:
    """The evaluations with these ids, the oldest first, and the scores of all of them."""
    c, s = t.evaluations.c, t.scores.c
    names = ("id", "episode", "judge", "judge_kind", "judge_hash", "status")
    texts = (
        sa.literal("") if facts_only else sa.func.coalesce(text, "")
        for text in (s.kinds, s.numbers)
    )
    query = (
        sa.select(*(c[name] for name in names), *texts)
        .select_from(t.evaluations.outerjoin(t.scores, s.evaluation == c.id))
        .where(c.id.in_(chosen))
        .order_by(c.started_at, c.id)
    )
    # Of one judge there are thousands: they share its words.
    shared: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    yield reader.batch([])
    for rows in fetched_together(connection, query):
        for id_, episode, *judge, _, _ in rows:
            told = tuple(judge)
            into.append(EvaluationFacts(id_, episode, *shared.setdefault(told, told)))
        yield reader.batch([(row[0], *row[-2:]) for row in rows])


def _scales(
    store: EventStore, evaluations: Sequence[EvaluationFacts]
) -> dict[str, dict[str, tuple[float, float]]]:
    """What each judge declares, as its first evaluation recorded it."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for one in evaluations:
        if one.judge_hash in found:
            continue
        for envelope in store.read(stream_name("evaluation", one.id), 0, 0):
            event = event_of(envelope)
            if isinstance(event, EvaluationStarted):
                found[one.judge_hash] = {d.name: (d.low, d.high) for d in event.judge.dimensions}
    return found
