"""Checks of the log's events, one after the other."""

from collections.abc import Sequence

from events.base import Envelope, Event
from events.codec import UnreadableEvent, event_of
from store.verifying.defects import Defects

_RUN = "run-"


class EventChecks:
    """Checks the whole log in order. Keeps a version and a correlation id for each stream, and
    nothing of an event."""

    def __init__(self, defects: Defects) -> None:
        self._findings = defects
        self._next: dict[str, int] = {}
        self._correlations: dict[str, str] = {}
        self.events = 0
        self.position = 0
        """The last one checked."""

    @property
    def streams(self) -> int:
        """How many there are."""
        return len(self._next)

    def check(self, envelopes: Sequence[Envelope]) -> list[tuple[Envelope, Event]]:
        """Check the next envelopes; answers those whose events can be read, decoded."""
        following, correlations = self._next, self._correlations
        readable = []
        for envelope in envelopes:
            stream, position = envelope.stream, envelope.position
            if position != self.position + 1:
                self._missing(position)
            self.position = position
            wanted = following.get(stream, 0)
            if envelope.version != wanted:
                self._out_of_order(envelope, wanted)
            following[stream] = envelope.version + 1
            if correlations.setdefault(stream, envelope.correlation) != envelope.correlation:
                self._of_another_run(envelope)
            try:
                event = event_of(envelope)
            except UnreadableEvent as error:
                self._findings.add("payloads", f"position {position}", str(error))
                continue
            if type(event).__name__ != envelope.tag:
                self._mistagged(envelope, event)
                continue
            readable.append((envelope, event))
        self.events += len(envelopes)
        return readable

    def finish(self) -> None:
        """Check what only the whole log shows."""
        for stream, correlation in self._correlations.items():
            if stream.startswith(_RUN) and correlation != stream.removeprefix(_RUN):
                what = f"its events must be correlated to the run itself, not to {correlation!r}"
                self._findings.add("correlations", f"stream {stream}", what)

    def _missing(self, position: int) -> None:
        first, last = self.position + 1, position - 1
        what = f"position {first} is" if first == last else f"positions {first} to {last} are"
        self._findings.add("positions", f"position {first}", f"{what} missing from the log")

    def _out_of_order(self, envelope: Envelope, wanted: int) -> None:
        what = (
            f"version {wanted} must come next, but at position {envelope.position} "
            f"there is version {envelope.version}"
        )
        self._findings.add("versions", f"stream {envelope.stream}", what)

    def _of_another_run(self, envelope: Envelope) -> None:
        first = self._correlations[envelope.stream]
        what = (
            f"version {envelope.version} is correlated to {envelope.correlation!r}, "
            f"but the stream's first event to {first!r}"
        )
        self._findings.add("correlations", f"stream {envelope.stream}", what)

    def _mistagged(self, envelope: Envelope, event: Event) -> None:
        what = f"its tag is {envelope.tag}, but its payload is a {type(event).__name__}"
        self._findings.add("payloads", f"position {envelope.position}", what)
