"""Taking streams over from another store."""

import time
from collections.abc import Sequence

from events.base import Envelope
from events.ids import new_event_id
from events.serialization.codec import encode, same_value
from events.unexported_events import EventsImported
from store.database.id_batches import in_batches
from store.errors import (
    BrokenImport,
    EventIdTaken,
    HistoryDiffers,
    StreamArchived,
    UnsoundImport,
)
from store.log.event_store import NEW
from store.log.imported_events import STREAM
from store.log.stream_integrity import StreamChecks, StreamState
from store.log.write_session import LogRow, WriteSession

_BATCH = 1000


def import_streams(session: WriteSession, envelopes: Sequence[Envelope]) -> int:
    """Insert what is not here yet, inside the session's transaction, and record that it came in;
    how many events that was.

    What is new passes the checks of ``store.verification``, which would fail on it for ever: the
    log forgets nothing. Raises ``BrokenImport``, ``HistoryDiffers``, ``EventIdTaken``,
    ``UnsoundImport``.
    """
    streams = sorted({envelope.stream for envelope in envelopes})
    last = session.last_versions(streams)
    seen: dict[str, int] = {}
    known: list[Envelope] = []
    new: list[Envelope] = []
    for envelope in envelopes:
        wanted = seen.get(envelope.stream, NEW) + 1
        if envelope.version != wanted:
            raise BrokenImport(envelope.stream, wanted, envelope.version)
        seen[envelope.stream] = wanted
        (known if wanted <= last.get(envelope.stream, NEW) else new).append(envelope)
    _require_here(session, new)
    _require_same(session, known, last)
    _require_unused(session, new)
    correlations = session.correlations(list(last))
    _require_sound(new, {name: StreamState(last[name], of) for name, of in correlations.items()})
    positions = [
        session.insert([_row(envelope) for envelope in some]) for some in in_batches(new, _BATCH)
    ]
    if positions:
        _record(session, EventsImported(first=positions[0], last=positions[0] + len(new) - 1))
    return len(new)


def _record(session: WriteSession, imported: EventsImported) -> None:
    version = session.last_versions([STREAM]).get(STREAM, NEW) + 1
    tag, now = type(imported).__name__, time.time_ns() // 1000
    row = (new_event_id(), STREAM, version, tag, imported.SCHEMA, now, "", "", encode(imported))
    session.insert([row])


def _require_here(session: WriteSession, new: Sequence[Envelope]) -> None:
    """An import does not bring back what was archived: it would be at other positions."""
    for stream, correlation in {envelope.stream: envelope.correlation for envelope in new}.items():
        archived = session.archived_run(stream, correlation)
        if archived:
            raise StreamArchived(stream, archived)


def _require_same(session: WriteSession, known: Sequence[Envelope], last: dict[str, int]) -> None:
    """Events at versions that are here must be those that are here."""
    for batch in in_batches(known, _BATCH):
        here = {e.event_id: e for e in session.stored([e.event_id for e in batch])}
        for envelope in batch:
            found = here.get(envelope.event_id)
            if (
                found is None
                or _identity(found) != _identity(envelope)
                or not same_value(found.payload, envelope.payload)
            ):
                raise HistoryDiffers(envelope.stream, envelope.version, last[envelope.stream])


def _identity(envelope: Envelope) -> tuple[object, ...]:
    """What does not change when an event comes in once more. (When it was recorded does: of what
    was simulated elsewhere, that is when it came in.)"""
    return (
        envelope.stream,
        envelope.version,
        envelope.tag,
        envelope.schema,
        envelope.correlation,
        envelope.causation,
    )


def _require_unused(session: WriteSession, new: Sequence[Envelope]) -> None:
    seen: dict[str, Envelope] = {}
    for envelope in new:
        first = seen.setdefault(envelope.event_id, envelope)
        if first is not envelope:
            raise EventIdTaken(envelope.event_id, first.stream, first.version)
    for some in in_batches(new, _BATCH):
        for taken in session.stored([envelope.event_id for envelope in some]):
            raise EventIdTaken(taken.event_id, taken.stream, taken.version)


def _require_sound(new: Sequence[Envelope], known: dict[str, StreamState]) -> None:
    checks = StreamChecks(known)
    for envelope in new:
        _, unsound = checks.check(envelope)
        if unsound:
            raise UnsoundImport(envelope.stream, envelope.version, unsound[0].what)


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
