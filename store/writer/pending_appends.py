"""Appends that are not stored yet."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence

import msgspec

from events.base import Envelope, Event
from events.ids import new_event_ids
from events.serialization.codec import encode
from store.errors import BadAppend
from store.log.event_store import ANY, NEW, Appended
from store.log.rows import placed_envelopes
from store.log.write_session import LogRow

_is_id = re.compile("[0-9a-f]{32}").fullmatch
_VERSION, _CORRELATION = 2, 6
"""Indices in a ``LogRow``."""


class PendingAppend(msgspec.Struct, eq=False):
    """One call of ``append`` or ``append_soon``, encoded, until its outcome is known."""

    stream: str
    expected: int
    rows: list[LogRow]
    """What to insert if the stream is where the append expects it."""
    begun: float
    """When it was handed in, on ``perf_counter``."""
    loop: asyncio.AbstractEventLoop | None = None
    """Where ``done`` is called."""
    done: Callable[[Appended | Exception], None] | None = None
    """Is told the outcome; None: who handed it in waits for it."""
    outcome: Appended | Exception | None = None

    def rows_after(self, last: int) -> list[LogRow]:
        """What to insert when ``last`` is the stream's last version."""
        first = last + 1
        if self.rows[0][_VERSION] == first:
            return self.rows
        return [
            (row[0], row[1], version, row[3], row[4], row[5], row[6], row[7], row[8])
            for version, row in enumerate(self.rows, first)
        ]

    def event_ids(self) -> list[str]:
        """The ids of its events."""
        return [row[0] for row in self.rows]

    @property
    def correlation(self) -> str:
        """The run that its events belong to; empty: none."""
        return str(self.rows[0][_CORRELATION])


def prepare(
    stream: str,
    expected: int,
    events: Sequence[Event],
    correlation: str,
    causation: str,
    event_ids: Sequence[str] | None,
) -> PendingAppend:
    """Encode an append, in the thread that makes it. Raises ``BadAppend``."""
    if (
        not stream
        or not events
        or expected < ANY
        or not (stream + correlation + causation).isprintable()
    ):
        raise _fault(stream, expected, events, correlation, causation)
    if event_ids is None:
        event_ids = new_event_ids(events)
    else:
        _check_ids(stream, event_ids, len(events))
    now = time.time_ns() // 1000
    first = expected + 1 if expected > NEW else NEW + 1
    rows = [
        (
            event_id,
            stream,
            version,
            type(event).__name__,
            event.SCHEMA,
            now,
            correlation,
            causation,
            encode(event),
        )
        for version, (event_id, event) in enumerate(zip(event_ids, events, strict=True), first)
    ]
    return PendingAppend(stream, expected, rows, time.perf_counter())


def appended(stream: str, rows: Sequence[LogRow], first_position: int) -> Appended:
    """What to answer when ``rows`` were stored from ``first_position`` on."""
    return answer(stream, tuple(placed_envelopes(rows, first_position)))


def answer(stream: str, stored: tuple[Envelope, ...]) -> Appended:
    """The answer to an append that stored these envelopes."""
    first, last = stored[0], stored[-1]
    return Appended(
        stream=stream,
        first_version=first.version,
        last_version=last.version,
        last_position=last.position,
        envelopes=stored,
    )


def _fault(
    stream: str, expected: int, events: Sequence[Event], correlation: str, causation: str
) -> BadAppend:
    """What is wrong with an append that cannot be stored."""
    if not stream:
        return BadAppend(stream, "a stream needs a name")
    for name in (stream, correlation, causation):
        if not name.isprintable():
            return BadAppend(stream, f"{name!r} is no name: it has to be printable text")
    if not events:
        return BadAppend(stream, "there is no event in it")
    return BadAppend(stream, f"expected version {expected} is neither a version, NEW nor ANY")


def _check_ids(stream: str, event_ids: Sequence[str], events: int) -> None:
    if len(event_ids) != events:
        raise BadAppend(stream, f"{events} events need as many ids, not {len(event_ids)}")
    if events > 1 and len(set(event_ids)) != events:
        raise BadAppend(stream, "an event id is given twice")
    for event_id in event_ids:
        if not _is_id(event_id):
            raise BadAppend(stream, f"event id {event_id!r} is not 32 lower-case hex digits")
