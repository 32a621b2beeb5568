"""The partitions of PostgreSQL's log from the writer's point of view."""

import contextlib
from collections.abc import Iterator, Sequence

import psycopg

from store.writer import partitions

_WHERE = (
    "SELECT start, stop, (SELECT max(stop) FROM log_partitions) FROM log_partitions "
    "WHERE NOT closed ORDER BY start LIMIT 1"
)
_MAKE_ROOM = "SELECT head, open_start, open_stop, last_stop FROM log_make_room(%s, %s)"
_FULL = (
    "SELECT start, stop, to_regclass('log_from_' || start) IS NOT NULL FROM log_partitions "
    "WHERE closed AND start <= %s AND stop > %s ORDER BY start"
)
_DROP_PATIENCE_MS = 2000
"""How long a writer waits for readers of the log, and everybody else for the writer."""


class PartitionAllocator:
    """Sees to it that there are partitions for what is appended next.

    Whoever comes near the end of the last one makes another, so that an append finds room. Others
    may be ahead of what is known here: it is looked up again when that can matter.
    """

    def __init__(self) -> None:
        self.start = 1
        """The head is not below; what begins here has to be looked at to find it."""
        self._watch = 0
        """From here on it is to be looked again."""
        self._left = 0
        """Positions that there certainly are for the transaction under way."""

    def look(self, db: psycopg.Connection) -> None:
        """Learn where the log ends, on a connection that was opened."""
        found = db.execute(_WHERE).fetchone()
        assert found is not None
        self._learn(*found)

    def make(self, db: psycopg.Connection, more: int) -> None:
        """Make partitions for so many more events and for a while after, where there are not
        enough. Takes the lock that appends take."""
        more += min(partitions.AHEAD_EVENTS, partitions.PARTITION_EVENTS)
        found = db.execute(_MAKE_ROOM, [more, partitions.PARTITION_EVENTS]).fetchone()
        assert found is not None
        head, start, stop, end = found
        self._learn(start, stop, end)
        self._left = end - head - 1

    def begin(self) -> None:
        """A transaction was begun, or a part of one undone: nothing is known of its room."""
        self._left = 0

    def take(self, db: psycopg.Connection, events: int) -> None:
        """Inside a transaction that holds the lock: there is room for these."""
        if self._left < events:
            self.make(db, events)
        self._left -= events

    def appended(self, db: psycopg.Connection, last: int) -> None:
        """Events up to this position were committed."""
        if last >= self._watch:
            # They are stored, whatever becomes of this; who finds no room makes some.
            with contextlib.suppress(psycopg.Error):
                self.make(db, 0)

    def _learn(self, start: int, stop: int, end: int) -> None:
        self.start = start
        ahead = min(partitions.AHEAD_EVENTS, partitions.PARTITION_EVENTS)
        # The last look behind a partition's end learns that it was closed.
        self._watch = min(stop, end - ahead)


def drop_emptied(
    db: psycopg.Connection, ranges: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Drop partitions of which nothing remains once ``ranges`` of positions are taken out; answers
    the ranges that are left to be deleted. Inside a transaction that holds the lock.

    Dropping waits for everybody who reads the log, and everybody else for it: a reader that takes
    longer (a dump, say) is left alone, and the events are deleted one by one.
    """
    if not ranges:
        return []
    left = sorted(ranges)
    with _patience(db):
        for start, stop, there in db.execute(_FULL, [left[-1][1], left[0][0]]).fetchall():
            taken = sum(
                min(last, stop - 1) - max(first, start) + 1
                for first, last in left
                if first < stop and last >= start
            )
            if there and taken and taken >= _count(db, start) and _drop(db, start):
                left = _without(left, start, stop)
    return left


def make_again(db: psycopg.Connection, first: int, last: int) -> None:
    """Make the partitions of these positions that were dropped."""
    db.execute("SELECT log_make_again(%s, %s)", [first, last])


def _count(db: psycopg.Connection, start: int) -> int:
    found = db.execute(f"SELECT count(*) FROM log_from_{start}").fetchone()  # noqa: S608 - a number
    assert found is not None
    return int(found[0])


def _drop(db: psycopg.Connection, start: int) -> bool:
    try:
        with db.transaction():
            db.execute("SELECT log_drop_archived(%s)", [start])
    except psycopg.errors.LockNotAvailable:
        return False
    return True


@contextlib.contextmanager
def _patience(db: psycopg.Connection) -> Iterator[None]:
    db.execute(f"SET LOCAL lock_timeout = {_DROP_PATIENCE_MS}")
    yield
    db.execute("SET LOCAL lock_timeout TO DEFAULT")


def _without(ranges: Sequence[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    """What of ``ranges`` lies outside of a partition."""
    outside: list[tuple[int, int]] = []
    for first, last in ranges:
        if first < start:
            outside.append((first, min(last, start - 1)))
        if last >= stop:
            outside.append((max(first, stop), last))
    return outside
