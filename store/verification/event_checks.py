"""Checks of the log's events, one after the other."""

from collections.abc import Sequence

from events.base import Envelope, Event
from store.log.stream_integrity import StreamChecks
from store.verification.archive_checks import ARCHIVING, ArchiveChecks
from store.verification.defects import Defects


class EventChecks:
    """Checks the whole log in order: positions, and what every stream must be."""

    def __init__(self, defects: Defects) -> None:
        self._findings = defects
        self._of_streams = StreamChecks()
        self.archives = ArchiveChecks()
        """What it says of runs that are in archives."""
        self.events = 0
        self.position = 0
        """The last one checked."""

    @property
    def streams(self) -> int:
        """How many there are."""
        return self._of_streams.streams

    def check(self, envelopes: Sequence[Envelope]) -> list[tuple[Envelope, Event]]:
        """Check the next envelopes; answers those whose events can be read, decoded."""
        check = self._of_streams.check
        readable = []
        for envelope in envelopes:
            position = envelope.position
            if position != self.position + 1:
                self.archives.hole(self.position + 1, position - 1)
            self.position = position
            event, unsound = check(envelope)
            for one in unsound:
                of_event = one.check == "payloads"
                where = f"position {position}" if of_event else f"stream {envelope.stream}"
                self._findings.add(one.check, where, one.what)
            if event is not None:
                if envelope.tag in ARCHIVING:
                    self.archives.happened(envelope.stream, event)
                readable.append((envelope, event))
        self.events += len(envelopes)
        return readable

    def finish(self) -> None:
        """Check what only the whole log shows."""
        self.archives.finish(self._findings)
