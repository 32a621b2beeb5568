"""Checks the whole log, and compares the tables with what a rebuild makes of it."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from events.base import Envelope, Event
from store.database.engines import redacted
from store.database.transient_errors import is_transient, reason
from store.log.event_store import EventStore
from store.log.read_ahead import read_ahead
from store.log.stream_integrity import StreamChecks
from store.progress import ReportProgress, no_report
from store.projections.maintenance.shadow_tables import BATCH, open_shadow_tables
from store.projections.projection import MOVES
from store.projections.registry import PROJECTIONS, named
from store.verification.archive_checks import ARCHIVING, ArchiveChecks, check_table
from store.verification.comparison_process import CompareOutcome, compare_in_process
from store.verification.database_checks import check_database, database_errors
from store.verification.defects import Defects, Verified
from store.verification.table_comparison import compare


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


IN_PROCESS = ("calls",)
"""Projections that another process compares: as much work as all the others together."""
MIN_EVENTS = 50_000
"""Events from which on that saves more time than starting a process takes."""
_TRIES = 3
"""How often it is begun again because a run was archived or restored meanwhile."""


def verify(store: EventStore, progress: ReportProgress = no_report) -> Verified:
    """Check whether a store is sound; changes nothing. Others may go on writing.

    Of the log: positions and each stream's versions without holes, ids unique, every payload an
    event that can be read, each stream of one run. Of the tables: what a rebuild from position 0
    makes of them. ``progress`` counts positions. Raises ``CompareFailed``.
    """
    try:
        for _ in range(_TRIES):
            head = store.head()
            verified = _verify(store, head, progress)
            # Of a run that left the log or came back meanwhile, a part was seen.
            if not store.read_all(head, tags=MOVES, limit=1):
                break
    except database_errors() as error:
        if is_transient(error):
            raise
        return _unreadable(store, error)
    return verified


def _unreadable(store: EventStore, error: Exception) -> Verified:
    """What is said where not even the log's end can be found."""
    defects = Defects()
    defects.add("database", "the log", f"it cannot be read: {reason(error)}")
    check_database(store.engine, defects)
    return Verified(
        url=redacted(store.url),
        events=0,
        streams=0,
        head=0,
        tables=0,
        archived_runs=0,
        archived_events=0,
        defects=tuple(defects.listed),
        unlisted=defects.unlisted(),
    )


def _verify(store: EventStore, last: int, progress: ReportProgress) -> Verified:
    defects = Defects()
    checks = EventChecks(defects)
    with ThreadPoolExecutor(1) as threads:
        # The database does its part without the interpreter, so the two go on side by side.
        by_database = Defects()
        checking = threads.submit(check_database, store.engine, by_database)
        if last >= MIN_EVENTS and (os.cpu_count() or 1) > 1:
            with compare_in_process(store, IN_PROCESS, last) as process:
                here = [name for name in PROJECTIONS if name not in IN_PROCESS]
                tables = _walk(store, checks, here, last, defects, progress)
                others = process.result()
        else:
            tables = _walk(store, checks, list(PROJECTIONS), last, defects, progress)
            others = CompareOutcome()
        checking.result()
    check_table(store.engine, checks.archives.archived, defects)
    defects.merge(by_database)
    for defect in others.defects:
        defects.add(defect.check, defect.where, defect.what)
    return Verified(
        url=redacted(store.url),
        events=checks.events,
        streams=checks.streams,
        head=checks.position,
        tables=tables + others.tables,
        archived_runs=len(checks.archives.archived),
        archived_events=sum(event.events for event in checks.archives.archived.values()),
        defects=tuple(defects.listed),
        unlisted=defects.unlisted(),
    )


def _walk(
    store: EventStore,
    checks: EventChecks,
    names: Sequence[str],
    last: int,
    defects: Defects,
    progress: ReportProgress,
) -> int:
    """Check the log's events and compare some projections; answers how many tables that were."""
    chosen = named(names)
    with open_shadow_tables(store, chosen) as shadows:
        try:
            for envelopes in read_ahead(store, 0, last, BATCH):
                shadows.apply(checks.check(envelopes), checks.position)
                progress(checks.position, last)
            checks.finish()
            shadows.flush()
            return compare(store, shadows, chosen, defects)
        except database_errors() as error:
            if is_transient(error):
                raise
            where = f"position {checks.position}"
            defects.add("database", where, f"nothing can be read behind it: {reason(error)}")
            return 0
