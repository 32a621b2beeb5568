"""Results computed from a run's events, cached until the log has new events that they depend on."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import sqlalchemy as sa
from cachetools import LRUCache

from store.database.tables import log
from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.maintenance.projector import catch_up
from store.projections.runs import RUNS

T = TypeVar("T")

SCANNED: Final = 50_000
"""Events: where more have come since, it is worked out anew without a look at them."""
PATIENCE: Final = 10.0
"""While a run goes on, something is worked out again once it is so many times as old as it took."""
KEPT: Final = 64
"""Answers kept at most, the ones that nobody asked for longest let go first."""


@dataclass(frozen=True, slots=True)
class CachedResult(Generic[T]):
    """Something worked out."""

    value: T
    position: int
    """The log's last position when it was begun."""
    at: int
    """When that was, in microseconds since 1970-01-01 UTC."""
    took_s: float
    """How long it took, in seconds."""
    version: str
    """Changes whenever the result is computed again; can be part of a URL."""


@dataclass(slots=True)
class _Kept:
    answer: CachedResult[Any] | None = None
    looked_at: int = 0
    """Up to this position nothing new was found."""
    lock: threading.Lock = field(default_factory=threading.Lock)


class ResultCache:
    """A cache by run and question. An answer stays for as long as the log has nothing newer of the
    run, and while it goes on for some of the time that it took. Blocking; safe from several
    threads, of which one works and the others wait."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._kept: LRUCache[tuple[str, str], _Kept] = LRUCache(KEPT)
        self._lock = threading.Lock()

    def get(self, run: str, what: str, work: Callable[[], T]) -> CachedResult[T]:
        """The answer to a question about a run (its id in full, or several with a space between
        them)."""
        kept = self._entry(run, what)
        with kept.lock:
            if kept.answer is None or self._outdated(kept, run):
                head, began = self.store.head(), time.monotonic()
                at = time.time_ns() // 1000
                value = work()
                took = time.monotonic() - began
                kept.answer = CachedResult(value, head, at, took, f"{head:x}-{at % 10**10:x}")
                kept.looked_at = head
            return kept.answer

    def ready(self, run: str, what: str) -> bool:
        """Whether an answer is there, be it old."""
        return self._entry(run, what).answer is not None

    def _entry(self, run: str, what: str) -> _Kept:
        with self._lock:
            return self._kept.setdefault((run, what), _Kept())

    def _outdated(self, kept: _Kept, run: str) -> bool:
        assert kept.answer is not None
        head = self.store.head()
        if head == kept.looked_at:
            return False
        if head - kept.looked_at <= SCANNED and not self._moved(run, kept.looked_at, head):
            kept.looked_at = head
            return False
        age = (time.time_ns() // 1000 - kept.answer.at) / 1e6
        return age >= PATIENCE * kept.answer.took_s or not self._goes_on(run)

    def _goes_on(self, run: str) -> bool:
        """Whether more is to be expected at once."""
        catch_up(self.store, RUNS)
        c = t.runs.c
        going = sa.select(c.id).where(c.id.in_(run.split()), c.status == "running")
        with self.store.engine.connect() as connection:
            return connection.execute(going.limit(1)).first() is not None

    def _moved(self, run: str, after: int, upto: int) -> bool:
        """Whether there are events of a run, or of none, which may concern any."""
        c = log.c
        new = sa.select(c.position).where(
            c.position > after, c.position <= upto, c.correlation.in_([*run.split(), ""])
        )
        with self.store.engine.connect() as connection:
            return connection.execute(new.limit(1)).first() is not None
