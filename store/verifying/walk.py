"""Walks the whole log, and compares the tables with what it makes of them."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from store.availability import DATABASE_ERRORS, is_away, reason
from store.engines import shown
from store.log import EventStore
from store.projections.anew import BATCH, made_anew
from store.projections.registry import PROJECTIONS, named
from store.verifying.database import check_database
from store.verifying.events import EventChecks
from store.verifying.findings import Findings, Verified
from store.verifying.share import Compared, shared
from store.verifying.tables import compare

Progress = Callable[[int, int], None]

SHARED = ("calls",)
"""What another process compares: as much work as all the others together."""
WORTH_SHARING = 50_000
"""Events from which on that saves more time than starting a process takes."""


def verify(store: EventStore, progress: Progress = lambda _reached, _last: None) -> Verified:
    """Look whether a store is sound; nothing that is there is changed. Others may go on writing.

    Of the log: positions and each stream's versions without holes, ids unique, every payload an
    event that can be read, each stream of one run. Of the tables: what a rebuild from position 0
    makes of them. ``progress`` is told the position reached, and the last. Raises ``ShareFailed``.
    """
    findings = Findings()
    checks = EventChecks(findings)
    last = store.head()
    with ThreadPoolExecutor(1) as aside:
        # The database does its part without the interpreter, so the two go on side by side.
        by_database = Findings()
        checking = aside.submit(check_database, store.engine, by_database)
        if last >= WORTH_SHARING and (os.cpu_count() or 1) > 1:
            with shared(store, SHARED, last) as share:
                mine = [name for name in PROJECTIONS if name not in SHARED]
                tables = _walk(store, checks, mine, last, findings, progress)
                others = share.result()
        else:
            tables = _walk(store, checks, list(PROJECTIONS), last, findings, progress)
            others = Compared()
        checking.result()
    findings.take(by_database)
    for finding in others.findings:
        findings.add(finding.check, finding.where, finding.what)
    return Verified(
        url=shown(store.url),
        events=checks.events,
        streams=checks.streams,
        head=checks.position,
        tables=tables + others.tables,
        findings=tuple(findings.told),
        untold=findings.untold(),
    )


def _walk(
    store: EventStore,
    checks: EventChecks,
    names: Sequence[str],
    last: int,
    findings: Findings,
    progress: Progress,
) -> int:
    """Check the log's events and compare some projections; answers how many tables that were."""
    chosen = named(names)
    with made_anew(store, chosen) as anew:
        try:
            while checks.position < last:
                found = store.read_all(checks.position, limit=BATCH)
                envelopes = [envelope for envelope in found if envelope.position <= last]
                with anew.connection.begin():
                    anew.take(checks.take(envelopes), checks.position)
                progress(checks.position, last)
            checks.finish()
            return compare(store, anew, chosen, findings)
        except DATABASE_ERRORS as error:
            if is_away(error):
                raise
            where = f"position {checks.position}"
            findings.add("database", where, f"nothing can be read behind it: {reason(error)}")
            return 0
