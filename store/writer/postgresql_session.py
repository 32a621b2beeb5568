"""Writing to PostgreSQL."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import LiteralString, cast

import psycopg
import sqlalchemy as sa
from psycopg.pq import TransactionStatus

from events.base import Envelope
from store.log.event_store import Snapshot
from store.log.rows import SELECT, envelopes
from store.log.write_session import (
    ARCHIVED_RUN,
    COLUMNS,
    DROP_SNAPSHOTS,
    UNARCHIVE,
    LogRow,
    PlacedRow,
    save_snapshot,
)
from store.writer.partition_allocator import PartitionAllocator, drop_emptied, make_again

_LOCK = "SELECT pg_advisory_xact_lock(7346021157)"
"""Held to the end of the transaction. Without it a later position could be committed before an
earlier one, and a reader that follows the log would miss the earlier."""

_TYPES = ("text", "text", "bigint", "text", "integer", "bigint", "text", "text", "bytea")
# One array a column: a single statement whatever the number of rows. It sees the head that the
# lock protects because a statement of its own took the lock before.
# The head is looked for where it is: a plan for all partitions would cost more than the rest.
_INSERT = f"""
    WITH head AS (SELECT {{head}} AS position FROM log WHERE position >= {{start}}),
    stored AS (
        INSERT INTO log (position, {", ".join(COLUMNS)})
        SELECT head.position + number, {", ".join(COLUMNS)}
        FROM head, unnest({", ".join(f"%b::{kind}[]" for kind in _TYPES)})
            WITH ORDINALITY AS rows ({", ".join(COLUMNS)}, number)
    )
    SELECT position + 1 FROM head
"""  # noqa: S608 - nothing but the names above
_SAVE = save_snapshot("%s")
_TAKE_OUT = (
    "DELETE FROM log USING unnest(%s::bigint[], %s::bigint[]) AS gone (first, last) "
    "WHERE position BETWEEN first AND last"
)
_PUT_BACK = f"COPY log (position, {', '.join(COLUMNS)}) FROM STDIN (FORMAT BINARY)"
_NAME = (
    "COPY archived_streams (run, stream, first_version, last_version) FROM STDIN (FORMAT BINARY)"
)
_FORGET_HEADS = (
    "DELETE FROM log_heads USING archived_streams AS gone WHERE gone.stream = log_heads.stream "
    "AND gone.first_version = 0 AND gone.last_version >= log_heads.version"
)
_LAST_VERSIONS = (
    "SELECT name, greatest((SELECT version FROM log_heads WHERE stream = name), "
    "(SELECT max(version) FROM log WHERE stream = name AND position >= {start})) "
    "FROM unnest(%s::text[]) AS name"
)


IDLE_S = 60
"""How long PostgreSQL waits for the next statement of a transaction before it rolls it back: a
process that stands still in one has the lock, and all others wait."""


class PostgresqlSession:
    """See ``WriteSession``. An advisory lock lets one transaction write at a time."""

    errors: type[Exception] = psycopg.Error

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._pooled: sa.PoolProxiedConnection | None = None
        self._db: psycopg.Connection
        self._room = PartitionAllocator()

    def connect(self) -> None:
        if self._pooled is not None:
            if self._db.info.transaction_status == TransactionStatus.IDLE:
                return
            self.close()
        pooled = self._engine.raw_connection()
        self._db = cast(psycopg.Connection, pooled.driver_connection)
        pooled.detach()
        self._pooled = pooled
        # Transactions are begun where they are meant, so that a group is one round trip.
        self._db.autocommit = True
        # The statements are always the same, so plans made for their values are wasted work.
        self._db.execute("SET plan_cache_mode = force_generic_plan")
        self._db.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_S}s'")
        self._room.look(self._db)

    def close(self) -> None:
        if self._pooled is not None:
            self._db.close()
            self._pooled = None

    def write(self, rows: Sequence[LogRow], snapshots: Sequence[Snapshot]) -> int:
        try:
            first = self._write(rows, snapshots)
        except psycopg.errors.CheckViolation:  # there is no partition for them
            self._room.make(self._db, len(rows))
            first = self._write(rows, snapshots)
        if rows:
            self._room.appended(self._db, first + len(rows) - 1)
        return first

    def _write(self, rows: Sequence[LogRow], snapshots: Sequence[Snapshot]) -> int:
        db = self._db
        try:
            with db.pipeline():
                db.execute("BEGIN")
                db.execute(_LOCK)
                inserted = self._insert(rows) if rows else None
                if snapshots:
                    self._save(snapshots)
                db.execute("COMMIT")
            return _first(inserted) if inserted else 0
        except BaseException:
            if not db.closed:
                db.rollback()
            raise

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._db.transaction():
            self._db.execute(_LOCK)
            self._room.begin()
            yield

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        try:
            with self._db.transaction():  # inside another one this is a savepoint
                yield
        except BaseException:
            self._room.begin()
            raise

    def insert(self, rows: Sequence[LogRow]) -> int:
        self._room.take(self._db, len(rows))
        return _first(self._insert(rows))

    def last_versions(self, streams: Sequence[str]) -> dict[str, int]:
        found = self._db.execute(_LAST_VERSIONS.format(start=self._room.start), [list(streams)])
        return {stream: version for stream, version in found if version is not None}

    def correlations(self, streams: Sequence[str]) -> dict[str, str]:
        found = self._db.execute(
            "SELECT stream, correlation FROM log WHERE stream = ANY(%s::text[]) AND version = 0",
            [list(streams)],
        )
        return dict(found.fetchall())

    def stored(self, event_ids: Sequence[str]) -> list[Envelope]:
        query = f"{SELECT} WHERE event_id = ANY(%s::text[]) ORDER BY position"
        return envelopes(self._db.execute(query, [list(event_ids)], binary=True))

    def archive(self, run: str, streams: Iterable[tuple[str, int, int]]) -> None:
        kinds = ("text", "text", "int8", "int8")
        self._copy(_NAME, kinds, ((run, *stream) for stream in streams))
        self._db.execute(DROP_SNAPSHOTS.format("%s"), [run])

    def take_out(self, ranges: Sequence[tuple[int, int]]) -> int:
        left = drop_emptied(self._db, ranges)
        dropped = _positions(ranges) - _positions(left)
        firsts, lasts = [first for first, _ in left], [last for _, last in left]
        deleted = self._db.execute(_TAKE_OUT, [firsts, lasts]).rowcount if left else 0
        self._db.execute(_FORGET_HEADS)
        return dropped + deleted

    def unarchive(self, run: str) -> None:
        self._db.execute(UNARCHIVE.format("%s"), [run])

    def put_back(self, rows: Sequence[PlacedRow]) -> None:
        kinds = tuple(kind.replace("bigint", "int8").replace("integer", "int4") for kind in _TYPES)
        if rows:
            make_again(self._db, min(row[0] for row in rows), max(row[0] for row in rows))
            self._copy(_PUT_BACK, ("int8", *kinds), rows)

    def archived_run(self, stream: str, correlation: str) -> str:
        query = ARCHIVED_RUN.format("%s")
        found = self._db.execute(query, [stream, f"run-{correlation}"]).fetchone()
        return cast(str, found[0]) if found else ""

    def _copy(
        self, into: LiteralString, kinds: Sequence[str], rows: Iterable[tuple[object, ...]]
    ) -> None:
        with self._db.cursor() as cursor, cursor.copy(into) as copy:
            copy.set_types(kinds)
            for row in rows:
                copy.write_row(row)

    def _insert(self, rows: Sequence[LogRow]) -> psycopg.Cursor:
        columns = [list(column) for column in zip(*rows, strict=True)]
        start = self._room.start
        # Without a partition that was dropped the log may seem to be empty; then it is refused.
        head = "coalesce(max(position), 0)" if start == 1 else "max(position)"
        return self._db.execute(_INSERT.format(head=head, start=start), columns, prepare=True)

    def _save(self, snapshots: Sequence[Snapshot]) -> None:
        with self._db.cursor() as cursor:
            cursor.executemany(_SAVE, [(s.stream, s.version, s.schema, s.state) for s in snapshots])


def _positions(ranges: Iterable[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in ranges)


def _first(inserted: psycopg.Cursor) -> int:
    row = inserted.fetchone()
    assert row is not None
    return cast(int, row[0])
