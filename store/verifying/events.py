"""Checks of the log's events, one after the other."""

from collections.abc import Sequence

from events.archive import PositionsTakenOut, StreamsBroughtBack, StreamsTakenOut
from events.base import Envelope, Event
from events.codec import UnreadableEvent, event_of
from events.subjects import split_stream
from store.archiving.ranges import Ranges, of_parts, union, without
from store.verifying.defects import Defects

_RUN, _ARCHIVE = "run-", "archive-"


class EventChecks:
    """Checks the whole log in order. Keeps a version and a correlation id for each stream, and
    nothing of an event."""

    def __init__(self, defects: Defects) -> None:
        self._findings = defects
        self._next: dict[str, int] = {}
        self._correlations: dict[str, str] = {}
        self._holes = Ranges()
        self._parts: dict[str, list[PositionsTakenOut]] = {}
        self.archived: dict[str, StreamsTakenOut] = {}
        """By run, what the log says of those that are in an archive."""
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
                self._holes.add(self.position + 1, position - 1)
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
            if stream.startswith(_ARCHIVE):
                self._moved(split_stream(stream)[1], event)
            readable.append((envelope, event))
        self.events += len(envelopes)
        return readable

    def finish(self) -> None:
        """Check what only the whole log shows."""
        self._check_holes()
        for stream, correlation in self._correlations.items():
            if stream.startswith(_RUN) and correlation != stream.removeprefix(_RUN):
                what = f"its events must be correlated to the run itself, not to {correlation!r}"
                self._findings.add("correlations", f"stream {stream}", what)

    def _moved(self, run: str, event: Event) -> None:
        match event:
            case StreamsTakenOut():
                self.archived[run], self._parts[run] = event, []
            case PositionsTakenOut():
                self._parts.setdefault(run, []).append(event)
            case StreamsBroughtBack():
                self.archived.pop(run, None)
                self._parts.pop(run, None)

    def _check_holes(self) -> None:
        """There are holes where runs were taken out, and nowhere else."""
        taken: list[Ranges] = []
        for run, parts in self._parts.items():
            where = f"stream {_ARCHIVE}{run}"
            try:
                taken.append(of_parts(parts))
            except ValueError as error:
                self._findings.add("positions", where, str(error))
                continue
            said = self.archived.get(run)
            if said is None or (said.events, said.parts) != (taken[-1].count, len(parts)):
                what = "the positions that it names are not as many as it says were taken out"
                self._findings.add("positions", where, what)
        try:
            accounted = union(taken)
        except ValueError:
            what = "two archived runs name the same positions"
            self._findings.add("positions", "the tombstones", what)
            return
        for first, last in without(self._holes, accounted):
            what = f"{_positions(first, last)} missing from the log"
            self._findings.add("positions", f"position {first}", what)
        for first, last in without(accounted, self._holes):
            what = f"{_positions(first, last)} there, though a run was archived from there"
            self._findings.add("positions", f"position {first}", what)

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


def _positions(first: int, last: int) -> str:
    return f"position {first} is" if first == last else f"positions {first} to {last} are"
