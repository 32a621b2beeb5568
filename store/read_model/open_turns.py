"""Open questions of the current episodes, without reading their whole histories."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from events.base import Envelope
from events.episode import SeatReleased, SeatTaken, TurnOpened
from store.database.id_batches import in_batches
from store.database.tables import log
from store.log.event_store import EventStore
from store.log.rows import READ, envelopes, fetched
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.runs import RUNS
from store.read_model.selections import standing_episode

_earlier = log.alias()
_stream = sa.literal("episode-") + t.episodes.c.id
_last_opened = (
    sa.select(_earlier.c.version)
    .where(_earlier.c.stream == _stream, _earlier.c.tag == TurnOpened.__name__)
    .order_by(_earlier.c.version.desc())
    .limit(1)
    .correlate(t.episodes)
    .scalar_subquery()
)
_of_episodes = READ.select_from(t.episodes.join(log, log.c.stream == _stream))
_paused = sa.select(t.runs.c.id).where(t.runs.c.status == "paused")
_ALL_UNDER_WAY = _of_episodes.where(
    t.episodes.c.status == "playing", standing_episode, t.episodes.c.run.not_in(_paused)
)
_UNDER_WAY = _ALL_UNDER_WAY.where(log.c.version == 0)
_SEAT_CHANGES = _ALL_UNDER_WAY.where(
    log.c.tag.in_([SeatTaken.__name__, SeatReleased.__name__])
).order_by(log.c.stream, log.c.version)
_SINCE_OPENED = _of_episodes.where(log.c.version >= sa.func.coalesce(_last_opened, 0)).order_by(
    log.c.stream, log.c.version
)


def first_events(store: EventStore, runs: Sequence[str] | None = None) -> list[Envelope]:
    """The first event of each episode that is under way, and whose run is not paused: of some runs
    (ids in full), or of all."""
    catch_up(store, EPISODES, RUNS)
    return _of_runs(store, _UNDER_WAY, runs)


def seat_changes(store: EventStore, runs: Sequence[str] | None = None) -> list[Envelope]:
    """Who took and left seats in these episodes, each episode's in order. To be called after
    ``first_events``."""
    return _of_runs(store, _SEAT_CHANGES, runs)


def _of_runs(
    store: EventStore, query: sa.Select[Any], runs: Sequence[str] | None
) -> list[Envelope]:
    if runs is None:
        return _envelopes(store, query)
    return [
        envelope
        for some in in_batches(runs)
        for envelope in _envelopes(store, query.where(t.episodes.c.run.in_(some)))
    ]


def last_turns(store: EventStore, episodes: Sequence[str]) -> dict[str, list[Envelope]]:
    """By episode (ids in full): its last ``TurnOpened`` and all that came after, in order. Of a
    fork in which no turn has been opened yet: all of its own events."""
    found: dict[str, list[Envelope]] = {}
    for some in in_batches(episodes):
        for envelope in _envelopes(store, _SINCE_OPENED.where(t.episodes.c.id.in_(some))):
            found.setdefault(envelope.stream.removeprefix("episode-"), []).append(envelope)
    return found


def _envelopes(store: EventStore, query: sa.Select[Any]) -> list[Envelope]:
    with store.engine.connect() as connection:
        return envelopes(fetched(connection, query))
