"""Tombstones: what the log says about a run that was archived."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from events.archive import PositionsTakenOut, StreamsBroughtBack, StreamsTakenOut
from events.base import Envelope
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import EventStore
from store.log.position_ranges import Ranges, of_parts


class Tombstone(NamedTuple):
    envelope: Envelope
    event: StreamsTakenOut
    ranges: Ranges
    """The positions that became empty."""
    back: bool
    """Whether all of it was brought back since."""


def tombstone_stream(run: str) -> str:
    """The stream that says of a run where it is."""
    return stream_name("archive", run)


def streams_digest(streams: Iterable[tuple[str, int, int]]) -> str:
    """Of streams with their first and last versions; see ``events.archive.StreamsTakenOut``."""
    digest = sha256()
    for name, first, last in sorted(streams):
        digest.update(f"{name} {first} {last}\n".encode())
    return digest.hexdigest()


def last_taken_out(store: EventStore, run: str, upto: int | None = None) -> Tombstone | None:
    """The last tombstone of a run, up to and including a version of its stream; None: it was never
    taken out. Raises ``ValueError`` where the ranges of positions are damaged."""
    found: tuple[Envelope, StreamsTakenOut] | None = None
    parts: list[PositionsTakenOut] = []
    back = False
    for envelope in store.read(tombstone_stream(run), 0, upto):
        match event_of(envelope):
            case StreamsTakenOut() as event:
                found, parts, back = (envelope, event), [], False
            case PositionsTakenOut() as part:
                parts.append(part)
            case StreamsBroughtBack():
                back = True
    return None if found is None else Tombstone(*found, of_parts(parts), back)
