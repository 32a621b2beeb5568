"""The streams of a kind, by their ids."""

import sqlalchemy as sa

from events.wire.subjects import split_stream
from store.database.tables import log
from store.id_lookup import LAST_CHARACTER, LISTED, AmbiguousId, UnknownId, nearest
from store.log.event_store import EventStore


def ids_of(store: EventStore, kind: str) -> list[str]:
    """The ids of all streams of a kind, the oldest first. Blocking."""
    # A range of an index: streams of a kind stand beside each other.
    begins = f"{kind}-"
    alike = (log.c.stream >= begins) & (log.c.stream < begins + LAST_CHARACTER)
    query = sa.select(log.c.stream).where(alike, log.c.version == 0).order_by(log.c.position)
    with store.engine.connect() as connection:
        return [split_stream(stream)[1] for stream in connection.execute(query).scalars()]


def find_of(store: EventStore, kind: str, given: str, what: str) -> str:
    """The id that was meant: a whole one, or the beginning of one. ``what``: the kind in words.
    Blocking. Raises ``UnknownId``, ``AmbiguousId``."""
    known = ids_of(store, kind)
    if given in known:
        return given
    alike = [id_ for id_ in known if id_.startswith(given)] if given else []
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise AmbiguousId(what, given, alike[:LISTED], len(alike))
    raise UnknownId(what, given, nearest(given, known))
