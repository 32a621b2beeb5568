"""Events of one kind in many episodes, read together."""

from collections.abc import Iterator, Sequence
from typing import Final

import sqlalchemy as sa

from events.base import Event
from events.serialization.codec import decode_event
from events.wire.subjects import stream_name
from store.database.tables import log
from store.log.event_store import EventStore
from store.log.rows import fetched, look_up_by_index
from store.read_model.records import EpisodeRow

AT_ONCE: Final = 400
"""Episodes read together; databases limit how many a statement may name."""


def own_events(
    store: EventStore, rows: Sequence[EpisodeRow], tag: str
) -> Iterator[tuple[EpisodeRow, Event, int, int]]:
    """The events of one tag in episodes that are no forks, with their numbers and times."""
    of = {stream_name("episode", row.id): row for row in rows}
    c = log.c
    query = (
        sa.select(c.stream, c.version, c.tag, c.schema, c.recorded_at, c.payload)
        .where(c.stream.in_(of), c.tag == tag)
        .order_by(c.stream, c.version)
    )
    with store.engine.connect() as connection:
        look_up_by_index(connection)
        for stream, version, name, schema, recorded_at, payload in fetched(connection, query):
            yield of[stream], decode_event(name, schema, payload), version, recorded_at
