"""Taking streams over from another store."""

import time
from collections.abc import Sequence

from events.base import Envelope
from events.codec import encode, same_value
from events.ids import new_event_id
from events.local import EventsImported
from store.errors import BrokenImport, EventIdTaken, HistoryDiffers
from store.imported import STREAM
from store.log import NEW
from store.writing.session import LogRow, WriteSession

_BATCH = 1000


def import_streams(session: WriteSession, envelopes: Sequence[Envelope]) -> int:
    """Insert what is not here yet, inside the session's transaction, and record that it came in;
    how many events that was.

    Raises ``BrokenImport``, ``HistoryDiffers``, ``EventIdTaken``.
    """
    last = session.last_versions(sorted({envelope.stream for envelope in envelopes}))
    seen: dict[str, int] = {}
    known: list[Envelope] = []
    new: list[Envelope] = []
    for envelope in envelopes:
        wanted = seen.get(envelope.stream, NEW) + 1
        if envelope.version != wanted:
            raise BrokenImport(envelope.stream, wanted, envelope.version)
        seen[envelope.stream] = wanted
        (known if wanted <= last.get(envelope.stream, NEW) else new).append(envelope)
    _require_same(session, known, last)
    _require_unused(session, new)
    positions = [
        session.insert([_row(envelope) for envelope in new[begin : begin + _BATCH]])
        for begin in range(0, len(new), _BATCH)
    ]
    if positions:
        _record(session, EventsImported(first=positions[0], last=positions[0] + len(new) - 1))
    return len(new)


def _record(session: WriteSession, imported: EventsImported) -> None:
    version = session.last_versions([STREAM]).get(STREAM, NEW) + 1
    tag, now = type(imported).__name__, time.time_ns() // 1000
    row = (new_event_id(), STREAM, version, tag, imported.SCHEMA, now, "", "", encode(imported))
    session.insert([row])


def _require_same(session: WriteSession, known: Sequence[Envelope], last: dict[str, int]) -> None:
    """Events at versions that are here must be those that are here."""
    for begin in range(0, len(known), _BATCH):
        batch = known[begin : begin + _BATCH]
        here = {e.event_id: e for e in session.stored([e.event_id for e in batch])}
        for envelope in batch:
            found = here.get(envelope.event_id)
            if (
                found is None
                or (found.stream, found.version) != (envelope.stream, envelope.version)
                or not same_value(found.payload, envelope.payload)
            ):
                raise HistoryDiffers(envelope.stream, envelope.version, last[envelope.stream])


def _require_unused(session: WriteSession, new: Sequence[Envelope]) -> None:
    seen: dict[str, Envelope] = {}
    for envelope in new:
        first = seen.setdefault(envelope.event_id, envelope)
        if first is not envelope:
            raise EventIdTaken(envelope.event_id, first.stream, first.version)
    for begin in range(0, len(new), _BATCH):
        ids = [envelope.event_id for envelope in new[begin : begin + _BATCH]]
        for taken in session.stored(ids):
            raise EventIdTaken(taken.event_id, taken.stream, taken.version)


def _row(envelope: Envelope) -> LogRow:
    return (
        envelope.event_id,
        envelope.stream,
        envelope.version,
        envelope.tag,
        envelope.schema,
        envelope.recorded_at,
        envelope.correlation,
        envelope.causation,
        bytes(envelope.payload),
    )
