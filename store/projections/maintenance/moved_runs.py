"""Corrects rows when a run leaves the log for an archive, or comes back.

Rows must be what the events that are in the log *now* lead to: a rebuild never sees events that
were removed. So a projection that reads the event about the move computes the run's rows again from
what is left of the run.
"""

from typing import Final

import sqlalchemy as sa

from events.archive import StreamsBroughtBack
from events.base import Envelope
from events.serialization.codec import event_of
from events.wire.subjects import split_stream
from store.log.event_store import EventStore
from store.log.position_ranges import Ranges, of_positions, union
from store.log.range_rows import rows_in
from store.log.rows import envelopes
from store.log.tombstones import last_taken_out
from store.projections.changes import Changes
from store.projections.projection import Past, Projection

_AT_ONCE: Final = 5_000
"""Events in memory."""


def make_anew(
    store: EventStore,
    connection: sa.Connection,
    projection: Projection,
    envelope: Envelope,
    past: Past,
) -> None:
    """Make a projection's rows of the run anew that an event in ``MOVES`` is about; inside a
    transaction that writes."""
    run = split_stream(envelope.stream)[1]
    for delete in projection.rows_of(run):
        connection.execute(delete)
    with store.engine.connect() as reading:
        for some in _where(store, run, envelope).batches(_AT_ONCE):
            changes = Changes()
            for one in envelopes(rows_in(reading, some)):
                if one.tag in projection.tags:
                    changes.fold(projection.changes(one, event_of(one), past))
            changes.write(connection)
    changes = Changes()
    changes.fold(projection.changes(envelope, event_of(envelope), past))
    changes.write(connection)


def _where(store: EventStore, run: str, envelope: Envelope) -> Ranges:
    """Where the run's events are, as far as they are in the log after an event of its tombstone."""
    last = last_taken_out(store, run, envelope.version)
    if last is None:
        return Ranges()
    # What stayed did not grow: nothing of a run does while it is in an archive.
    stayed = sorted(one.position for name in last.event.kept for one in store.read(name))
    parts = [of_positions(one for one in stayed if one < envelope.position)]
    if isinstance(event_of(envelope), StreamsBroughtBack):
        parts.append(last.ranges)
    return union(parts)
