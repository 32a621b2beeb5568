"""Questions to the store, answered from projections that are caught up first.

Wherever an id is taken, the beginning of one does when only one begins so. Raises ``UnknownId``
with the nearest ids there are, or ``AmbiguousId``. Blocking: on an asyncio loop, call in a thread.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa

from events.run import RunPlanned
from events.serialization.codec import event_of
from events.wire.subjects import split_stream, stream_name
from store.database.id_batches import in_batches
from store.database.tables import archived_streams
from store.id_lookup import LAST_CHARACTER, RunTakenOut, UnknownId, find_id, nearest
from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.amounts import PICO
from store.projections.calls import CALLS
from store.projections.catalog import CATALOG
from store.projections.chains import CHAINS
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.runs import RUNS
from store.projections.scores import SCORES
from store.read_model import selections
from store.read_model.records import (
    CallRow,
    CallTotals,
    CatalogRow,
    ChainRow,
    EpisodeRow,
    EpisodeTotals,
    EvaluationRow,
    EvaluationStatus,
    MemoryRow,
    RunRow,
    ScoreRow,
    SecondTries,
    Spent,
)

_R = TypeVar("_R")


def catalogs(store: EventStore) -> list[CatalogRow]:
    """All catalogs, by name."""
    catch_up(store, CATALOG)
    return _all(store, sa.select(t.catalogs).order_by(t.catalogs.c.name), _as(CatalogRow))


def runs_where(store: EventStore, condition: sa.ColumnElement[bool]) -> list[RunRow]:
    """Runs that meet a condition on the table, the oldest first."""
    catch_up(store, RUNS, EPISODES)
    return _all(store, selections.RUNS.where(condition), _as(RunRow))


def running(store: EventStore) -> list[RunRow]:
    """Runs whose status is *running*, the oldest first: no others' episodes are counted."""
    return runs_where(store, t.runs.c.status == "running")


def runs(store: EventStore) -> list[RunRow]:
    """All runs, the oldest first."""
    catch_up(store, RUNS, EPISODES)
    return _all(store, selections.RUNS, _as(RunRow))


def run(store: EventStore, given: str) -> RunRow:
    id_ = find_run(store, given)
    catch_up(store, EPISODES)
    return _all(store, selections.RUNS.where(t.runs.c.id == id_), _as(RunRow))[0]


def planned_episodes(store: EventStore, run: str) -> int:
    """How many episodes a run's plan names, by its id in full; 0 of a study, whose episodes begin
    as participants come."""
    with store.engine.connect() as connection:
        planned: int = connection.execute(
            sa.select(t.runs.c.episodes_planned).where(t.runs.c.id == run)
        ).scalar_one()
    return planned


def named_run(store: EventStore, given: str) -> tuple[str, str]:
    """A run's id in full and its name. Of a large run its row costs a walk over the episodes, which
    it counts; this does not."""
    id_ = find_run(store, given)
    with store.engine.connect() as connection:
        name: str = connection.execute(
            sa.select(t.runs.c.name).where(t.runs.c.id == id_)
        ).scalar_one()
    return id_, name


def plan(store: EventStore, given: str) -> RunPlanned:
    """What a run set out to do."""
    first = event_of(store.read(stream_name("run", find_run(store, given)), 0, 0)[0])
    if not isinstance(first, RunPlanned):
        raise UnknownId("run", given)
    return first


def episodes(
    store: EventStore,
    *,
    run: str | None = None,
    parent: str | None = None,
    chain: str | None = None,
    superseded: bool = False,
    where: sa.ColumnElement[bool] | None = None,
    most: int | None = None,
) -> list[EpisodeRow]:
    """Episodes of a run (in the plan's order, then the others by age), forks of one, those of a
    chain (by index), or all. ``superseded``: with those in whose place others were played;
    ``where``: those that meet a condition on the table; ``most``: no more than the first so many.
    """
    catch_up(store, EPISODES)
    query = selections.EPISODES.limit(most)
    if not superseded:
        query = query.where(selections.standing_episode)
    if where is not None:
        query = query.where(where)
    if run is not None:
        query = query.where(t.episodes.c.run == find_run(store, run))
    if parent is not None:
        query = query.where(t.episodes.c.parent == find_episode(store, parent))
    if chain is not None:
        query = query.where(t.episodes.c.chain == find_chain(store, chain))
        query = query.order_by(None).order_by(t.episodes.c.index_)
    return _all(store, query, _as(EpisodeRow))


def episode_totals(store: EventStore, run: str) -> EpisodeTotals:
    """All episodes of a run, its forks too, summed up. Takes an id in full."""
    catch_up(store, EPISODES)
    query = selections.EPISODE_TOTALS.where(t.episodes.c.run == run)
    return _all(store, query, selections.episode_totals)[0]


def episode(store: EventStore, given: str) -> EpisodeRow:
    return episodes_where(store, t.episodes.c.id == find_episode(store, given))[0]


def episodes_where(store: EventStore, condition: sa.ColumnElement[bool]) -> list[EpisodeRow]:
    """Episodes that meet a condition on the table."""
    catch_up(store, EPISODES)
    return _all(store, selections.EPISODES.where(condition), _as(EpisodeRow))


def chains(store: EventStore, run: str | None = None) -> list[ChainRow]:
    """Chains of a run in the plan's order, or all."""
    catch_up(store, CHAINS)
    query = selections.CHAINS
    if run is not None:
        query = query.where(t.chains.c.run == find_run(store, run))
    return _all(store, query, _as(ChainRow))


def chains_where(store: EventStore, condition: sa.ColumnElement[bool]) -> list[ChainRow]:
    """Chains that meet a condition on the table, in the order of their plans."""
    catch_up(store, CHAINS)
    return _all(store, selections.CHAINS.where(condition), _as(ChainRow))


def chain(store: EventStore, given: str) -> ChainRow:
    query = selections.CHAINS.where(t.chains.c.id == find_chain(store, given))
    return _all(store, query, _as(ChainRow))[0]


def memories(store: EventStore, chain: str) -> list[MemoryRow]:
    """What each seat of a chain recalled and wrote down, by index and seat."""
    query = selections.MEMORIES.where(t.memories.c.chain == find_chain(store, chain))
    return _all(store, query, selections.memory)


def memories_where(store: EventStore, condition: sa.ColumnElement[bool]) -> list[MemoryRow]:
    """Memories that meet a condition on the table."""
    catch_up(store, CHAINS)
    return _all(store, selections.MEMORIES.where(condition), selections.memory)


def memories_of_run(store: EventStore, run: str) -> list[MemoryRow]:
    """The same for all chains of a run, by index and seat."""
    chains = sa.select(t.chains.c.id).where(t.chains.c.run == find_run(store, run))
    return _all(store, selections.MEMORIES.where(t.memories.c.chain.in_(chains)), selections.memory)


def notes_of_run(store: EventStore, run: str) -> tuple[int, int]:
    """Notes that models were asked for in a run, and how many of them there are not."""
    chains = sa.select(t.chains.c.id).where(t.chains.c.run == find_run(store, run))
    catch_up(store, CHAINS)
    missing = sa.func.coalesce(sa.func.sum(sa.case((t.memories.c.words == 0, 1), else_=0)), 0)
    query: selections.Select = sa.select(sa.func.count().label("asked"), missing.label("missing"))
    asked_for = (t.memories.c.chain.in_(chains), t.memories.c.attempts > 0)
    return _all(store, query.where(*asked_for), lambda row: (int(row.asked), int(row.missing)))[0]


def evaluations(
    store: EventStore,
    *,
    run: str | None = None,
    episode: str | None = None,
    judge: str | None = None,
    status: EvaluationStatus | None = None,
) -> list[EvaluationRow]:
    """Evaluations that stand, the oldest first: those made again are there once. ``judge`` is a
    name, or the beginning of a judge's hash."""
    query = _evaluated(store, selections.EVALUATIONS, run, episode, judge)
    if status is not None:
        query = query.where(t.evaluations.c.status == status)
    return _all(store, query, _as(selections.evaluation))


def evaluations_where(store: EventStore, condition: sa.ColumnElement[bool]) -> list[EvaluationRow]:
    """Evaluations that meet a condition on the table."""
    catch_up(store, EPISODES, SCORES)
    return _all(store, selections.EVALUATIONS.where(condition), _as(selections.evaluation))


def evaluations_by(
    store: EventStore, judge_hash: str, episodes: Sequence[str]
) -> list[EvaluationRow]:
    """All that one judge made of some episodes, the oldest first; those made again, too. Takes ids
    and the hash in full."""
    found: list[EvaluationRow] = []
    for some in in_batches(episodes):
        of_episodes = t.evaluations.c.episode.in_(some)
        found += evaluations_where(store, of_episodes & (t.evaluations.c.judge_hash == judge_hash))
    return found


def scores(
    store: EventStore,
    *,
    run: str | None = None,
    episode: str | None = None,
    judge: str | None = None,
) -> list[ScoreRow]:
    """Scores, missing ones too, of evaluations that stand. ``judge`` is a name, or the beginning of
    a judge's hash."""
    query = _evaluated(store, selections.SCORES, run, episode, judge)
    return [score for some in _all(store, query, selections.scores) for score in some]


def scores_of(store: EventStore, episodes: Sequence[str]) -> list[ScoreRow]:
    """Scores of some episodes, by their ids in full: as many as a person looks at."""
    query = _evaluated(store, selections.SCORES, None, None, None)
    query = query.where(t.evaluations.c.episode.in_(episodes))
    return [score for some in _all(store, query, selections.scores) for score in some]


def actions_taken(store: EventStore, run: str) -> int:
    """How many actions the episodes of a run have, failed ones among them; a fork's shared past is
    left out. Takes an id in full."""
    catch_up(store, EPISODES)
    with store.engine.connect() as connection:
        count: int = connection.execute(selections.ACTIONS_TAKEN, {"run": run}).scalar_one()
    return count


def calls(
    store: EventStore, *, run: str | None = None, episode: str | None = None
) -> list[CallRow]:
    """Calls to models, of agents, memories and judges, stream by stream in order."""
    return _all(store, _called(store, selections.CALLS, run, episode), selections.call)


def calls_where(store: EventStore, condition: sa.ColumnElement[bool]) -> list[CallRow]:
    """Calls that meet a condition on the table."""
    catch_up(store, SCORES, CALLS)
    return _all(store, selections.CALLS.where(condition), selections.call)


def call_totals(
    store: EventStore, *, run: str | None = None, episode: str | None = None
) -> list[CallTotals]:
    """Calls summed up by run, model and purpose."""
    return _all(store, _called(store, selections.TOTALS, run, episode), selections.totals)


def second_tries(store: EventStore, run: str) -> list[SecondTries]:
    """What was done about the unusable answers of a run, by model and fault."""
    return [
        row
        for query in (selections.GONE_ON_WITH, selections.ASKED_AGAIN)
        for row in sorted(
            _all(store, _called(store, query, run, None), selections.second_tries),
            key=lambda row: (row.model, row.fault),
        )
    ]


def spent(store: EventStore, run: str) -> Spent:
    """What a run has spent on models, judges included: one look-up. Takes an id in full.

    A run that has asked no model has spent nothing.
    """
    catch_up(store, CALLS)
    columns = (t.spending.c.cost_pico_usd, t.spending.c.tokens)
    query: selections.Select = sa.select(*columns).where(t.spending.c.run == run)
    found = _all(store, query, lambda row: Spent(row.cost_pico_usd / PICO, row.tokens))
    return found[0] if found else Spent(0.0, 0)


def find_run(store: EventStore, given: str) -> str:
    """The id of the run that was meant."""
    run = find_any_run(store, given)
    require_here(store, run)
    return run


def find_any_run(store: EventStore, given: str) -> str:
    """The same of a run that may be in an archive."""
    catch_up(store, RUNS)
    return find_id(store.engine, "run", t.runs.c.id, given)


def find_episode(store: EventStore, given: str) -> str:
    """The id of the episode that was meant."""
    catch_up(store, EPISODES)
    return _find(store, "episode", t.episodes.c.id, given)


def find_chain(store: EventStore, given: str) -> str:
    """The id of the chain that was meant."""
    catch_up(store, CHAINS)
    return _find(store, "chain", t.chains.c.id, given)


def _find(store: EventStore, kind: str, column: sa.Column[str], given: str) -> str:
    try:
        return find_id(store.engine, kind, column, given)
    except UnknownId:
        if not given.isprintable():
            raise
        name = archived_streams.c.stream
        begins = stream_name(kind, given)
        query = sa.select(name, archived_streams.c.run)
        alike = query.where(name >= begins, name < begins + LAST_CHARACTER)
        with store.engine.connect() as connection:
            found = connection.execute(alike.order_by(name).limit(2)).all() if given else []
        if len(found) == 1 or (found and found[0].stream == begins):
            require_here(store, found[0].run, f"{kind} {split_stream(found[0].stream)[1]}")
        raise


def require_here(store: EventStore, run: str, what: str = "") -> None:
    """Raises ``RunTakenOut`` where a run (its id in full) is in an archive."""
    catch_up(store, RUNS)
    c = t.runs.c
    query = sa.select(c.taken_to, c.taken_at).where(c.id == run, c.taken_to != "")
    with store.engine.connect() as connection:
        away = connection.execute(query).first()
    if away is not None:
        raise RunTakenOut(run, away.taken_to, away.taken_at or 0, what)


def _evaluated(
    store: EventStore,
    query: selections.Select,
    run: str | None,
    episode: str | None,
    judge: str | None,
) -> selections.Select:
    catch_up(store, EPISODES, SCORES)
    # Asked for by its id, an episode is shown with its scores even where another took its place.
    standing = selections.standing_evaluation
    query = query.where(standing if episode is None else t.evaluations.c.superseded_by == "")
    if run is not None:
        query = query.where(selections.evaluations_of_run(find_run(store, run)))
    if episode is not None:
        query = query.where(t.evaluations.c.episode == find_episode(store, episode))
    if judge is not None:
        query = query.where(_judged(store, judge))
    return query


def judge_hashes(store: EventStore, given: Sequence[str]) -> list[str]:
    """The hashes of the judges with these names, hashes, or beginnings of hashes."""
    catch_up(store, SCORES)
    hashes = sa.select(t.evaluations.c.judge_hash).distinct()
    return [
        hash_
        for one in given
        for hash_ in _all(store, hashes.where(_judged(store, one)), lambda row: str(row.judge_hash))
    ]


def _judged(store: EventStore, given: str) -> sa.ColumnElement[bool]:
    name, hash_ = t.evaluations.c.judge, t.evaluations.c.judge_hash
    with store.engine.connect() as connection:
        names = connection.execute(sa.select(name).distinct()).scalars().all()
    if given in names:
        return name == given
    try:
        return hash_ == find_id(store.engine, "judge", hash_, given)
    except UnknownId:
        raise UnknownId("judge", given, nearest(given, names)) from None


def _called(
    store: EventStore, query: selections.Select, run: str | None, episode: str | None
) -> selections.Select:
    catch_up(store, SCORES, CALLS)
    if run is not None:
        query = query.where(t.calls.c.run == find_run(store, run))
    if episode is not None:
        query = query.where(selections.calls_of_episode(find_episode(store, episode)))
    return query


def _as(kind: Callable[..., _R]) -> Callable[[sa.Row[Any]], _R]:
    """Makes something of the rows of one query by the names of its columns."""
    names: tuple[str, ...] = ()

    def made(row: sa.Row[Any]) -> _R:
        nonlocal names
        # A row takes longer to say them than to be read.
        names = names or row._fields
        return kind(**dict(zip(names, row, strict=True)))

    return made


def _all(
    store: EventStore, query: selections.Select, made: Callable[[sa.Row[Any]], _R]
) -> list[_R]:
    with store.engine.connect() as connection:
        return [made(row) for row in connection.execute(query)]
