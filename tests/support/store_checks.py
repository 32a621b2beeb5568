"""What must hold in every store, whatever was killed, stopped or lost while it was written."""

from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa

from actors.episodes.rules.decide import INITIAL, evolve
from events.agent import ModelAnswered, ModelAsked
from events.base import Envelope
from events.episode import EpisodeReopened
from events.serialization.codec import event_of
from store.log.event_store import EventStore
from store.projections import tables
from store.projections.maintenance.projector import catch_up
from store.projections.maintenance.rebuild import rebuild
from store.read_model import queries
from store.read_model.episode_history import read_history


def check_store(store: EventStore, run: str) -> None:
    """A finished run's store is sound."""
    check_versions(store)
    check_everything_ended(store, run)
    check_nothing_paid_twice(store)
    check_projections(store)


def check_versions(store: EventStore) -> None:
    """Each position and each version of each stream is there once, in order."""
    envelopes = whole_log(store)
    assert [envelope.position for envelope in envelopes] == list(range(1, len(envelopes) + 1))
    streams: dict[str, list[int]] = defaultdict(list)
    for envelope in envelopes:
        streams[envelope.stream].append(envelope.version)
    for stream, versions in streams.items():
        assert versions == list(range(len(versions))), stream
    assert len({envelope.event_id for envelope in envelopes}) == len(envelopes)


def check_everything_ended(store: EventStore, run: str) -> None:
    """Every planned episode has one ending, its last event, and was scored by each judge."""
    plan = queries.plan(store, run)
    rows = [row for row in queries.episodes(store, run=run) if row.parent is None]
    assert {row.id for row in rows} == {planned.id for planned in plan.episodes}
    assert {row.status for row in rows} == {"ended"}
    for row in rows:
        state = INITIAL
        for numbered in read_history(store, row.id):
            reopened = isinstance(numbered.event, EpisodeReopened)
            assert reopened or state.ended is None, f"{row.id} goes on after its end"
            state = evolve(state, numbered.event)
        assert state.ended is not None
    done = Counter(
        evaluation.episode
        for evaluation in queries.evaluations(store, run=run)
        if evaluation.status == "ended"
    )
    assert done == {row.id: len(plan.plan.judges) for row in rows if plan.plan.judges}
    assert queries.run(store, run).status == "ended"


def check_nothing_paid_twice(store: EventStore) -> None:
    """No question of a stream is put after its answer was stored. Two processes may both have had
    it answered, where one of them stood still meanwhile: both answers were paid for."""
    answered: set[tuple[str, int, int, str]] = set()
    again = []
    position = 0
    tags = [ModelAsked.__name__, ModelAnswered.__name__]
    while batch := store.read_all(position, tags=tags):
        for envelope in batch:
            event = event_of(envelope)
            assert isinstance(event, ModelAsked | ModelAnswered)
            key = (envelope.stream, event.turn, event.attempt, event.request_hash)
            if isinstance(event, ModelAnswered):
                answered.add(key)
            elif key in answered:
                again.append(key)
        position = batch[-1].position
    assert again == []


def check_projections(store: EventStore) -> None:
    """The tables are what they become when they are filled anew from the log."""
    catch_up(store)
    kept = _rows(store)
    rebuild(store)
    assert _rows(store) == kept


def whole_log(store: EventStore) -> list[Envelope]:
    """Every event, in the store's order."""
    envelopes: list[Envelope] = []
    while batch := store.read_all(envelopes[-1].position if envelopes else 0, limit=5000):
        envelopes += batch
    return envelopes


def _rows(store: EventStore) -> dict[str, list[dict[str, Any]]]:
    found = {}
    with store.engine.connect() as connection:
        for name, table in tables.metadata.tables.items():
            # Means are kept up beside, by whoever serves them, and no rebuild makes them.
            if table not in (tables.projections, tables.episode_means):
                rows = connection.execute(sa.select(table)).mappings()
                found[name] = sorted((dict(row) for row in rows), key=repr)
    return found
