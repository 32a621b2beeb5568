"""Writing a group of appends in one transaction, each with an outcome of its own."""

import threading
from collections.abc import Callable, Sequence

import structlog
import tenacity

from store.database.transient_errors import is_full, is_transient, reason
from store.errors import (
    AppendFailed,
    Conflict,
    EventIdTaken,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StreamArchived,
)
from store.log.event_store import ANY, NEW, Appended, Snapshot
from store.log.write_session import LogRow, WriteSession
from store.writer.pending_appends import PendingAppend, answer, appended
from store.writer.version_cache import LastVersions

_LONGEST_DELAY_S = 1.0
"""Between two attempts while the database is unavailable."""

_logger = structlog.get_logger(__name__)


class GroupWriter:
    """Sets the outcome of every append of a group.

    First all whose expected version is the last one known are inserted in one statement; should
    another process have gone further, the log's unique keys refuse that. The others, or all when
    the database refuses, are then checked and inserted one by one inside a transaction.
    """

    def __init__(self, session: WriteSession, url: str, closing: threading.Event) -> None:
        self._session = session
        self._url = url
        self._closing = closing
        self._versions = LastVersions()
        self.outage: StoreUnavailable | None = None
        """Why appends wait; None while they do not."""

    def write(self, group: Sequence[PendingAppend], snapshots: Sequence[Snapshot]) -> None:
        """Set the outcome of each. Blocks while the database is away, until ``closing``."""
        try:
            remaining = self._insert_expected(group, snapshots)
        except self._session.errors as error:
            # Which append it was, or whether all were stored before the connection broke, shows one
            # by one. Snapshots are a cache: these are not tried again.
            _logger.debug("store.group_split", appends=len(group), reason=reason(error))
            for pending in group:
                self._versions.forget(pending.stream)
            remaining = group
        if remaining:
            self._one_by_one(remaining)

    def run_with_retries(self, work: Callable[[], None]) -> None:
        """Do ``work``, repeated while it fails transiently.

        Raises ``StoreUnavailable``, ``StoreFull`` once ``closing`` is set and it still fails.
        """
        session = self._session

        def wait(state: tenacity.RetryCallState) -> None:
            self.outage = self._outage(state.outcome.exception() if state.outcome else None)
            if state.attempt_number.bit_count() > 1:
                return  # logged at attempts 1, 2, 4, 8, …: it may last for hours
            _logger.warning(
                "store.full" if isinstance(self.outage, StoreFull) else "store.unavailable",
                url=self._url,
                reason=self.outage.why,
                attempt=state.attempt_number,
                again_in_s=round(state.upcoming_sleep, 2),
            )

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(is_transient),
            wait=tenacity.wait_exponential_jitter(multiplier=0.1, max=_LONGEST_DELAY_S, jitter=0.1),
            sleep=tenacity.sleep_using_event(self._closing),
            stop=tenacity.stop_when_event_set(self._closing),
            before_sleep=wait,
        )

        def attempt() -> None:
            session.connect()
            work()

        try:
            retrying(attempt)
        except tenacity.RetryError as error:
            last = error.last_attempt.exception()
            raise self._outage(last) from last
        finally:
            self.outage = None
        if retrying.statistics.get("attempt_number", 1) > 1:
            _logger.info("store.recovered", url=self._url)

    def _outage(self, error: BaseException | None) -> StoreUnavailable:
        kind = StoreFull if is_full(error) else StoreUnavailable
        return kind(self._url, reason(error))

    def _insert_expected(
        self, group: Sequence[PendingAppend], snapshots: Sequence[Snapshot]
    ) -> Sequence[PendingAppend]:
        """Insert those whose expected version is the last one known; return the others."""
        versions = self._versions
        unknown = [
            pending.stream
            for pending in group
            # A stream expected to be ``NEW`` needs no query: the unique keys are enough.
            if pending.stream not in versions and pending.expected != NEW
        ]
        if unknown:
            versions.learn(self._session.last_versions(unknown))
        known: dict[str, int] = {}
        rows: list[LogRow] = []
        good: list[tuple[PendingAppend, list[LogRow]]] = []
        rest: list[PendingAppend] = []
        deferred: set[str] = set()
        for pending in group:
            stream = pending.stream
            last = known[stream] if stream in known else versions.get(stream, NEW)
            if pending.expected not in (ANY, last) or stream in deferred:
                # Later appends to the same stream have to wait for this one.
                deferred.add(stream)
                rest.append(pending)
                continue
            its_rows = pending.rows_after(last)
            known[stream] = last + len(its_rows)
            rows += its_rows
            good.append((pending, its_rows))
        if not rows and not snapshots:
            return rest
        position = self._session.write(rows, snapshots)
        versions.learn(known)
        for pending, its_rows in good:
            pending.outcome = appended(pending.stream, its_rows, position)
            position += len(its_rows)
        return rest

    def _one_by_one(self, group: Sequence[PendingAppend]) -> None:
        outcomes: list[Appended | Exception] = []

        def work() -> None:
            outcomes.clear()
            with self._session.transaction():
                for pending in group:
                    outcomes.append(self._try_one(pending))

        try:
            self.run_with_retries(work)
        except StoreUnavailable as error:
            outcomes = [error] * len(group)
        except self._session.errors as error:
            outcomes = [AppendFailed(pending.stream, reason(error)) for pending in group]
        for pending, outcome in zip(group, outcomes, strict=True):
            pending.outcome = outcome
            if isinstance(outcome, Appended):
                # A repeated append may lie behind what is known by now.
                self._versions.forget(pending.stream)

    def _try_one(self, pending: PendingAppend) -> Appended | Exception:
        try:
            with self._session.savepoint():
                return self._append_checked(pending)
        except StoreError as error:
            return error
        except self._session.errors as error:
            if is_transient(error):
                raise
            return AppendFailed(pending.stream, reason(error))

    def _append_checked(self, pending: PendingAppend) -> Appended:
        event_ids = pending.event_ids()
        stored = self._session.stored(event_ids)
        if stored:
            same = [
                (envelope.stream, envelope.version - stored[0].version, envelope.event_id)
                for envelope in stored
            ] == [(pending.stream, index, event_id) for index, event_id in enumerate(event_ids)]
            if not same:
                first = stored[0]
                raise EventIdTaken(first.event_id, first.stream, first.version)
            return answer(pending.stream, tuple(stored))
        archived = self._session.archived_run(pending.stream, pending.correlation)
        if archived:
            raise StreamArchived(pending.stream, archived)
        last = self._session.last_versions([pending.stream]).get(pending.stream, NEW)
        if pending.expected not in (ANY, last):
            raise Conflict(pending.stream, pending.expected, last)
        rows = pending.rows_after(last)
        return appended(pending.stream, rows, self._session.insert(rows))
