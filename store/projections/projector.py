"""Brings projections up to date with the log.

A projection's position is changed in the transaction that writes its rows, and only if it still
is what it was when the events were read. So any number of processes may do this at once: each
event goes into the rows exactly once.
"""

from collections.abc import Sequence
from functools import partial

import sqlalchemy as sa
import structlog

from events.base import Envelope
from events.codec import event_of
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted
from store.engines import writing
from store.log import EventStore
from store.lookup import UnknownId
from store.metrics import projection_lag
from store.past import BrokenFork, NoSuchEvent, read_history
from store.projections.calls import CALLS
from store.projections.catalog import CATALOG
from store.projections.changes import Changes, upsert
from store.projections.episodes import EPISODES
from store.projections.projection import Projection, Shared
from store.projections.runs import RUNS
from store.projections.scores import SCORES
from store.projections.tables import projections
from store.tables import log

PROJECTIONS: dict[str, Projection] = {
    projection.name: projection for projection in (CATALOG, RUNS, EPISODES, SCORES, CALLS)
}

BATCH = 2_000
"""Events a transaction. SQLite has one writer at a time: longer ones would hold up appends."""
QUIET = 1_000
"""Events that mean nothing to a projection are passed over without a transaction until there are
this many, so that reading does not mean writing."""

_log = structlog.get_logger(__name__)


def catch_up(store: EventStore, *some: Projection) -> None:
    """Bring some projections (all, when none are named) up to the log's present end."""
    for projection in some or PROJECTIONS.values():
        while _advance(store, projection):
            pass
        projection_lag.labels(projection.name).set(0)


def rebuild(store: EventStore, names: Sequence[str] = ()) -> dict[str, int]:
    """Empty some projections (all, when none are named) and fill them again from position 0.

    Answers the position each has reached. Raises ``UnknownId``. Whoever reads meanwhile helps.
    """
    chosen = [_named(name) for name in names] or list(PROJECTIONS.values())
    for projection in chosen:
        with writing(store.engine) as connection:
            # The position first: its row is the lock that all writers of these tables take.
            connection.execute(
                upsert(connection.dialect.name, projections, frozenset({"position"}), frozenset()),
                [{"name": projection.name, "position": 0}],
            )
            for table in projection.tables:
                connection.execute(table.delete())
        _log.info("projection_rebuilding", projection=projection.name)
        catch_up(store, projection)
    return {projection.name: position(store, projection) for projection in chosen}


def position(store: EventStore, projection: Projection) -> int:
    """The last position that is in the projection's rows."""
    query = sa.select(projections.c.position).where(projections.c.name == projection.name)
    with store.engine.connect() as connection:
        return connection.execute(query).scalar() or 0


def lags(store: EventStore) -> dict[str, int]:
    """How many events wait to go into the rows of each projection; also sets the metric."""
    found = {}
    for name, projection in PROJECTIONS.items():
        reached = sa.select(projections.c.position).where(projections.c.name == name)
        waiting = (
            sa.select(sa.func.count())
            .select_from(log)
            .where(
                log.c.position > sa.func.coalesce(reached.scalar_subquery(), 0),
                log.c.tag.in_(projection.tags),
            )
        )
        with store.engine.connect() as connection:
            found[name] = connection.execute(waiting).scalar_one()
        projection_lag.labels(name).set(found[name])
    return found


def _advance(store: EventStore, projection: Projection) -> bool:
    """Take in the next batch; False when there was none."""
    start = position(store, projection)
    # Before the events: everything up to here can be seen by the read that follows.
    head = store.head()
    if head == start:
        return False
    envelopes = store.read_all(start, tags=projection.tags, limit=BATCH)
    full = len(envelopes) == BATCH
    last = envelopes[-1].position if envelopes else start
    reached = last if full else max(head, last)
    if not envelopes and reached - start < QUIET:
        return False
    changes = Changes()
    past = partial(_past, store)
    for envelope in envelopes:
        changes.fold(projection.changes(envelope, event_of(envelope), past))
    with writing(store.engine) as connection:
        if not _move(connection, projection, start, reached):
            return True
        changes.write(connection)
    return full


def _move(connection: sa.Connection, projection: Projection, start: int, reached: int) -> bool:
    """Move the position, unless somebody else did."""
    if start == 0:
        make = upsert(connection.dialect.name, projections, frozenset(), frozenset({"position"}))
        connection.execute(make, [{"name": projection.name, "position": 0}])
    moved = connection.execute(
        projections.update()
        .where(projections.c.name == projection.name, projections.c.position == start)
        .values(position=reached)
    )
    return moved.rowcount == 1


def _past(store: EventStore, fork: Envelope, parent: str, at: int) -> Shared | None:
    try:
        history = read_history(store, parent, at)
    except (UnknownId, NoSuchEvent, BrokenFork):
        return None
    if any(numbered.envelope.position > fork.position for numbered in history):
        # It came to this store only later: rows must not depend on when they were made.
        return None
    started = history[0].event
    if not isinstance(started, EpisodeStarted):
        return None
    events = [numbered.event for numbered in history]
    turns = [event.turn for event in events if isinstance(event, ActionTaken)]
    ended = events[-1] if isinstance(events[-1], EpisodeEnded) else None
    return Shared(started, turns[-1] if turns else 0, ended)


def _named(name: str) -> Projection:
    try:
        return PROJECTIONS[name]
    except KeyError:
        raise UnknownId("projection", name, list(PROJECTIONS)) from None
