"""Brings projections up to date with the log.

A projection's position is changed in the transaction that writes its rows, and only if it still
is what it was when the events were read. So any number of processes may do this at once: each
event goes into the rows exactly once.
"""

from functools import partial

import sqlalchemy as sa

from events.base import Envelope
from events.serialization.codec import event_of
from store.database.engines import writing
from store.log.event_store import EventStore
from store.metrics import projection_lag
from store.projections.changes import Changes
from store.projections.maintenance.moved_runs import make_anew
from store.projections.maintenance.shared_history import shared_past
from store.projections.projection import MOVES, Past, Projection
from store.projections.registry import PROJECTIONS
from store.projections.tables import projections
from store.projections.upserts import upsert
from store.read_only_store import ReadOnlyStore

BATCH = 2_000
"""Events a transaction. SQLite has one writer at a time: longer ones would hold up appends."""
SKIP_AHEAD = 1_000
"""A projection's position is not written for fewer events than these when none of them has one of
its tags: otherwise every query after an append would write."""


def catch_up(store: EventStore, *some: Projection) -> None:
    """Bring some projections (all, when none are named) up to the log's present end."""
    for projection in some or PROJECTIONS.values():
        while _advance(store, projection):
            pass
        projection_lag.labels(projection.name).set(0)


def position(store: EventStore, projection: Projection) -> int:
    """The last position that is in the projection's rows."""
    return reached_by(store, projection.name)


def reached_by(store: EventStore, name: str) -> int:
    """The same of what is kept under a name."""
    query = sa.select(projections.c.position).where(projections.c.name == name)
    with store.engine.connect() as connection:
        return connection.execute(query).scalar() or 0


def _advance(store: EventStore, projection: Projection) -> bool:
    """Take in the next batch; False when there was none."""
    start = position(store, projection)
    # Before the events: everything up to here can be seen by the read that follows.
    head = store.head()
    if head == start:
        return False
    envelopes = store.read_all(start, tags=projection.tags, limit=BATCH)
    full = len(envelopes) == BATCH
    past = partial(shared_past, store)
    move = next((n for n, envelope in enumerate(envelopes) if envelope.tag in MOVES), None)
    if move == 0:
        return _take_in_move(store, projection, start, envelopes[0], past)
    if move is not None:
        envelopes, full = envelopes[:move], True
    last = envelopes[-1].position if envelopes else start
    reached = last if full else max(head, last)
    if not envelopes and reached - start < SKIP_AHEAD:
        return False
    changes = Changes()
    for envelope in envelopes:
        changes.fold(projection.changes(envelope, event_of(envelope), past))
    if isinstance(store, ReadOnlyStore):
        store.make_own(projection)
    with writing(store.engine) as connection:
        if not move_position(connection, projection.name, start, reached):
            return True
        changes.write(connection)
    return full


def _take_in_move(
    store: EventStore, projection: Projection, start: int, envelope: Envelope, past: Past
) -> bool:
    """Take in that a run left the log, or came back, alone."""
    if isinstance(store, ReadOnlyStore):
        store.make_own(projection)
    with writing(store.engine) as connection:
        if move_position(connection, projection.name, start, envelope.position):
            make_anew(store, connection, projection, envelope, past)
    return True


def move_position(connection: sa.Connection, name: str, start: int, reached: int) -> bool:
    """Move the position of a projection, unless another process did."""
    if start == 0:
        make = upsert(connection.dialect.name, projections, (), ("position",))
        make.run(connection, [(name, 0)])
    moved = connection.execute(
        projections.update()
        .where(projections.c.name == name, projections.c.position == start)
        .values(position=reached)
    )
    return moved.rowcount == 1
