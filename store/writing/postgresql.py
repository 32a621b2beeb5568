"""Writing to PostgreSQL."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import psycopg
import sqlalchemy as sa
from psycopg.pq import TransactionStatus

from events.base import Envelope
from store.log import Snapshot
from store.rows import SELECT, envelopes
from store.writing.session import COLUMNS, LogRow, save_snapshot

_LOCK = "SELECT pg_advisory_xact_lock(7346021157)"
"""Held to the end of the transaction. Without it a later position could be committed before an
earlier one, and a reader that follows the log would miss the earlier."""

_TYPES = ("text", "text", "bigint", "text", "integer", "bigint", "text", "text", "bytea")
# One array a column: a single statement whatever the number of rows. It sees the head that the
# lock protects because a statement of its own took the lock before.
_INSERT = f"""
    WITH head AS (SELECT coalesce(max(position), 0) AS position FROM log),
    stored AS (
        INSERT INTO log (position, {", ".join(COLUMNS)})
        SELECT head.position + number, {", ".join(COLUMNS)}
        FROM head, unnest({", ".join(f"%b::{kind}[]" for kind in _TYPES)})
            WITH ORDINALITY AS rows ({", ".join(COLUMNS)}, number)
    )
    SELECT position + 1 FROM head
"""  # noqa: S608 - nothing but the names above
_SAVE = save_snapshot("%s")
_LAST_VERSIONS = (
    "SELECT name, (SELECT max(version) FROM log WHERE stream = name) "
    "FROM unnest(%s::text[]) AS name"
)


class PostgresqlSession:
    """See ``WriteSession``. An advisory lock lets one transaction write at a time."""

    errors: type[Exception] = psycopg.Error

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._pooled: sa.PoolProxiedConnection | None = None
        self._db: psycopg.Connection

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

    def close(self) -> None:
        if self._pooled is not None:
            self._db.close()
            self._pooled = None

    def write(self, rows: Sequence[LogRow], snapshots: Sequence[Snapshot]) -> int:
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
            yield

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._db.transaction():  # inside another one this is a savepoint
            yield

    def insert(self, rows: Sequence[LogRow]) -> int:
        return _first(self._insert(rows))

    def last_versions(self, streams: Sequence[str]) -> dict[str, int]:
        found = self._db.execute(_LAST_VERSIONS, [list(streams)])
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

    def _insert(self, rows: Sequence[LogRow]) -> psycopg.Cursor:
        columns = [list(column) for column in zip(*rows, strict=True)]
        return self._db.execute(_INSERT, columns, prepare=True)

    def _save(self, snapshots: Sequence[Snapshot]) -> None:
        with self._db.cursor() as cursor:
            cursor.executemany(_SAVE, [(s.stream, s.version, s.schema, s.state) for s in snapshots])


def _first(inserted: psycopg.Cursor) -> int:
    row = inserted.fetchone()
    assert row is not None
    return cast(int, row[0])
