"""The queue of a process's appends, committed in groups."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from time import perf_counter

import structlog

from store import metrics
from store.errors import AppendFailed, Conflict, StoreClosed, StoreOverloaded, StoreUnavailable
from store.log.event_store import Appended, BackendName, Snapshot
from store.log.write_session import WriteSession
from store.writer.group_writer import GroupWriter
from store.writer.pending_appends import PendingAppend

_MOST_EVENTS = 4096
"""An append that finds this many events before it in its group waits for the next one."""

_logger = structlog.get_logger(__name__)


class Committer:
    """Group commit. Appends queue up; one thread at a time commits all that have queued.

    A blocking append commits in its own thread, so that it costs no change of threads when nobody
    else writes; appends that are queued meanwhile, by threads and loops alike, are the next group.
    Those of loops, which must not block, are committed by a thread of the store's.
    """

    def __init__(
        self,
        session: WriteSession,
        backend: BackendName,
        url: str,
        committed: Callable[[int], None],
        most_queued: int,
    ) -> None:
        self.waiting = 0
        """Events that were handed in and are neither stored nor refused yet."""
        self.most_queued = most_queued
        """Events that may wait before ``commit_soon`` refuses more."""
        self._session = session
        self._url = url
        self._committed = committed
        self._closed = False
        self._closing = threading.Event()
        self._writer = GroupWriter(session, url, self._closing)
        self._queue_lock = threading.Lock()  # held for a moment: queueing against closing
        self._commit_lock = threading.Lock()  # held while a group is committed
        self._queue: deque[PendingAppend] = deque()
        self._snapshots: dict[str, Snapshot] = {}
        self._durations = {
            outcome: metrics.append_duration.labels(backend, outcome)
            for outcome in ("stored", "conflict", "failed")
        }
        self._wake: SimpleQueue[bool] = SimpleQueue()
        self._woken = False  # whether the thread was woken; waking it costs a change of threads
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        session.connect()
        self._thread.start()
        metrics.queues.add(self)

    @property
    def outage(self) -> StoreUnavailable | None:
        """Why appends wait; None while they do not."""
        return self._writer.outage

    def commit(self, pending: PendingAppend) -> Appended:
        """Store an append and wait for it. Raises what kept it from being stored."""
        with self._queue_lock:
            self._require_open()
            # Not limited: its callers wait, so that they cannot fill the queue.
            self._queue.append(pending)
            self.waiting += len(pending.rows)
        with self._commit_lock:
            while pending.outcome is None:
                self._commit_group()
        if isinstance(pending.outcome, Exception):
            raise pending.outcome
        return pending.outcome

    def commit_soon(self, pending: PendingAppend) -> asyncio.Future[Appended]:
        """Store an append; the future has the outcome. Raises ``StoreOverloaded``."""
        future: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self.commit_then(pending, partial(_answer, future))
        return future

    def commit_then(
        self, pending: PendingAppend, done: Callable[[Appended | Exception], None]
    ) -> None:
        """Store an append; ``done`` is called on the running loop with the outcome. Raises
        ``StoreOverloaded``."""
        pending.loop, pending.done = asyncio.get_running_loop(), done
        events = len(pending.rows)
        with self._queue_lock:
            if self._closed:
                raise StoreClosed(self._url)
            if self.waiting and self.waiting + events > self.most_queued:
                metrics.refused.inc()
                raise StoreOverloaded(self._url, self.waiting, self.most_queued)
            self._queue.append(pending)
            self.waiting += events
            woken, self._woken = self._woken, True
        if not woken:
            self._wake.put(True)

    def save(self, snapshot: Snapshot) -> None:
        """Write a snapshot along with the next group."""
        with self._queue_lock:
            self._require_open()
            self._snapshots[snapshot.stream] = snapshot
        self._wake.put(True)

    def unsaved(self, stream: str) -> Snapshot | None:
        """A snapshot that is not written yet."""
        return self._snapshots.get(stream)

    @contextmanager
    def exclusive(self) -> Iterator[GroupWriter]:
        """Commit everything queued before; commit nothing while the block lasts."""
        with self._commit_lock:
            with self._queue_lock:
                self._require_open()
            while self._queue or self._snapshots:
                self._commit_group()
            yield self._writer

    def close(self) -> None:
        """Commit what is queued and stop. Appends that come later are refused."""
        with self._queue_lock:
            if self._closed:
                return
            self._closed = True
            self._closing.set()
        self._wake.put(False)
        self._thread.join()
        with self._commit_lock:
            while self._queue or self._snapshots:
                self._commit_group()
            self._session.close()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreClosed(self._url)

    def _run(self) -> None:
        while self._wake.get():
            with self._queue_lock:
                # Cleared before looking at the queue: whoever queues from now on wakes us again.
                self._woken = False
            with self._commit_lock:
                while self._queue or self._snapshots:
                    try:
                        self._commit_group()
                    except Exception:
                        # The appends of the group have their outcomes; the thread has to live on.
                        _logger.exception("store.writer_failed", url=self._url)

    def _commit_group(self) -> None:
        """Commit what is queued and deliver the outcomes. Called with the commit lock held."""
        group = self._next_group()
        snapshots: dict[str, Snapshot] = {}
        if self._snapshots:
            with self._queue_lock:
                snapshots = dict(self._snapshots)
        try:
            self._writer.write(group, list(snapshots.values()))
        except Exception as error:
            for pending in group:
                if pending.outcome is None:
                    pending.outcome = AppendFailed(pending.stream, repr(error))
            raise
        except BaseException:
            # An interrupt in the thread that commits must not fail the appends of others.
            self._queue.extendleft(reversed([p for p in group if p.outcome is None]))
            self._wake.put(True)
            raise
        finally:
            with self._queue_lock:
                for stream, snapshot in snapshots.items():
                    if self._snapshots.get(stream) is snapshot:
                        del self._snapshots[stream]
                for pending in group:
                    if pending.outcome is not None:
                        self.waiting -= len(pending.rows)
            self._deliver(group)

    def _next_group(self) -> list[PendingAppend]:
        queue, group, events = self._queue, [], 0
        while queue and events < _MOST_EVENTS:
            pending = queue.popleft()
            group.append(pending)
            events += len(pending.rows)
        return group

    def _deliver(self, group: Sequence[PendingAppend]) -> None:
        now = perf_counter()
        head = 0
        by_loop: dict[asyncio.AbstractEventLoop, list[PendingAppend]] = {}
        for pending in group:
            outcome = pending.outcome
            if outcome is None:
                continue
            if isinstance(outcome, Appended):
                head = outcome.last_position
                kind = "stored"
            elif isinstance(outcome, Conflict):
                metrics.conflicts.inc()
                kind = "conflict"
            else:
                kind = "failed"
            self._durations[kind].observe(now - pending.begun)
            if pending.loop is not None:
                by_loop.setdefault(pending.loop, []).append(pending)
        if head:
            self._committed(head)
        for loop, appends in by_loop.items():
            try:
                loop.call_soon_threadsafe(_resolve, appends)
            except RuntimeError:
                # The loop was closed: nobody can be waiting on it any more.
                _logger.debug("store.loop_closed", appends=len(appends))


def _resolve(appends: Sequence[PendingAppend]) -> None:
    for pending in appends:
        done, outcome = pending.done, pending.outcome
        assert done is not None, "who is told on a loop says how"
        assert outcome is not None, "it was delivered"
        try:
            done(outcome)
        except Exception:
            # The others of the group are to hear of theirs.
            _logger.exception("store.callback_failed", stream=pending.stream)


def _answer(future: asyncio.Future[Appended], outcome: Appended | Exception) -> None:
    if future.done():  # cancelled meanwhile
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
