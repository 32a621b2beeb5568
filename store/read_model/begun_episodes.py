"""How the episodes of runs began."""

from collections.abc import Sequence

import sqlalchemy as sa

from events.episode import EpisodeStarted
from events.serialization.codec import event_of
from store.database.id_batches import in_batches
from store.database.tables import log
from store.log.event_store import EventStore
from store.log.rows import READ, envelopes, fetched
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up

_some = t.episodes.alias()
_begun = (
    sa.select(_some.c.id)
    .where(_some.c.run == t.runs.c.id, _some.c.started_at.is_not(None), _some.c.parent.is_(None))
    .limit(1)
    .correlate(t.runs)
    .scalar_subquery()
)
_FIRST_EVENTS = READ.select_from(
    t.runs.join(log, (log.c.stream == sa.literal("episode-") + _begun) & (log.c.version == 0))
)


def one_begun(store: EventStore, runs: Sequence[str]) -> dict[str, EpisodeStarted]:
    """By run (ids in full) the beginning of one of its episodes, whichever is found first; a run
    of which none has begun is not among them. Blocking."""
    catch_up(store, EPISODES)
    found: dict[str, EpisodeStarted] = {}
    for some in in_batches(runs):
        with store.engine.connect() as connection:
            firsts = envelopes(fetched(connection, _FIRST_EVENTS.where(t.runs.c.id.in_(some))))
        for envelope in firsts:
            started = event_of(envelope)
            assert isinstance(started, EpisodeStarted), "a history begins with it"
            found[envelope.correlation] = started
    return found
