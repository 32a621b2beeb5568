"""What every event of a stream must be: checked of the log by ``store.verification``, and of what
is to be let in by ``store.writer.import_streams``."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from events.base import Envelope, Event
from events.serialization.codec import UnreadableEvent, event_of
from events.untrusted.safe_text import shortened
from store.log.event_store import NEW

_RUN = "run-"


class StreamState(NamedTuple):
    version: int
    """Of its last event."""
    correlation: str
    """Of its first event, and so of all."""


class StreamDefect(NamedTuple):
    """Something about an event that is not as it must be."""

    check: Literal["versions", "correlations", "payloads"]
    what: str
    """One sentence."""


class StreamChecks:
    """Checks the events of streams in their order. Keeps a version and a correlation id for each
    stream, and nothing of an event."""

    def __init__(self, known: Mapping[str, StreamState] | None = None) -> None:
        """``known``: what is there already of some streams."""
        self._next: dict[str, int] = {}
        self._correlations: dict[str, str] = {}
        for stream, there in (known or {}).items():
            self._next[stream] = there.version + 1
            self._correlations[stream] = there.correlation

    @property
    def streams(self) -> int:
        return len(self._next)

    def check(self, envelope: Envelope) -> tuple[Event | None, tuple[StreamDefect, ...]]:
        """Check the next event: the event, where it can be read, and what is wrong with it."""
        stream, version, correlation = envelope.stream, envelope.version, envelope.correlation
        found: tuple[StreamDefect, ...] = ()
        wanted = self._next.get(stream, NEW + 1)
        if version != wanted:
            found = (_out_of_order(envelope, wanted),)
        self._next[stream] = version + 1
        first = self._correlations.get(stream)
        if first is None:
            self._correlations[stream] = correlation
            if stream.startswith(_RUN) and correlation != stream[len(_RUN) :]:
                found += (_of_no_run(correlation),)
        elif first != correlation:
            found += (_of_another_run(envelope, first),)
        try:
            event = event_of(envelope)
        except UnreadableEvent as error:
            return None, (*found, StreamDefect("payloads", str(error)))
        if type(event).__name__ != envelope.tag:
            return None, (*found, _mistagged(envelope, event))
        return event, found


def _out_of_order(envelope: Envelope, wanted: int) -> StreamDefect:
    what = (
        f"version {wanted} must come next, but at position {envelope.position} "
        f"there is version {envelope.version}"
    )
    return StreamDefect("versions", what)


def _of_no_run(correlation: str) -> StreamDefect:
    what = f"its events must be correlated to the run itself, not to {shortened(correlation)!r}"
    return StreamDefect("correlations", what)


def _of_another_run(envelope: Envelope, first: str) -> StreamDefect:
    what = (
        f"version {envelope.version} is correlated to {shortened(envelope.correlation)!r}, "
        f"but the stream's first event to {shortened(first)!r}"
    )
    return StreamDefect("correlations", what)


def _mistagged(envelope: Envelope, event: Event) -> StreamDefect:
    what = f"its tag is {envelope.tag}, but its payload is a {type(event).__name__}"
    return StreamDefect("payloads", what)
