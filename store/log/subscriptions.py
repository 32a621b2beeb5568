"""Subscriptions to the log: the events stored already, then each new one."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from events.base import Envelope

_POLL_S = 0.1
"""How often the database is asked for events that other processes stored."""
_BATCH = 1000

Read = Callable[[int, Sequence[str] | None, int], list[Envelope]]
Head = Callable[[], int]


class Commits:
    """Wakes waiting subscriptions when this process has committed something."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting = 0
        self.count = 0
        """Announcements so far."""

    def announce(self) -> None:
        """Something was committed, or a subscription or the store was closed."""
        with self._changed:
            self.count += 1
            if self._waiting:
                self._changed.notify_all()

    def wait(self, seen: int, timeout: float) -> None:
        """Until there was an announcement after ``seen``, or ``timeout`` seconds have passed."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: self.count != seen, timeout)
            finally:
                self._waiting -= 1


class LogSubscription:
    """See ``store.log.event_store.Subscription``."""

    def __init__(
        self,
        read: Read,
        head: Head,
        commits: Commits,
        ended: Callable[[], bool],
        after: int,
        tags: Sequence[str] | None,
    ) -> None:
        self._read, self._head, self._commits = read, head, commits
        self._ended = ended
        self._tags = tags
        self._closed = False
        self._ready: deque[Envelope] = deque()
        self.position = after

    def __iter__(self) -> Iterator[Envelope]:
        return self

    def __next__(self) -> Envelope:
        if not self._ready:
            self._ready.extend(self._next_batch(None))
        if not self._ready:
            raise StopIteration
        return self._ready.popleft()

    def take(self, timeout: float | None = None) -> list[Envelope]:
        """The next events, at least one; empty after ``timeout`` seconds or when closed."""
        if self._ready:
            batch = list(self._ready)
            self._ready.clear()
            return batch
        return self._next_batch(timeout)

    def close(self) -> None:
        """Ends the iteration, also one that waits in another thread."""
        self._closed = True
        self._commits.announce()

    def _next_batch(self, timeout: float | None) -> list[Envelope]:
        deadline = None if timeout is None else monotonic() + timeout
        while not (self._closed or self._ended()):
            # Taken before reading: a commit during the read ends the wait below at once.
            seen = self._commits.count
            # With tags, what lies up to here and is not among the batch is of other tags.
            head = self._head() if self._tags is not None else 0
            batch = self._read(self.position, self._tags, _BATCH)
            if len(batch) < _BATCH:
                self.position = max(self.position, head)
            if batch:
                self.position = max(self.position, batch[-1].position)
                return batch
            left = _POLL_S if deadline is None else min(_POLL_S, deadline - monotonic())
            if left <= 0:
                break
            self._commits.wait(seen, left)
        return []
