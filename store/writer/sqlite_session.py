"""Writing to SQLite."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import sqlalchemy as sa

from events.base import Envelope
from store.database.engines import WRITE_CACHE_KIB
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

_INSERT = f"INSERT INTO log ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
"""Without a position: SQLite gives a row one more than the greatest there is."""
_PUT_BACK = f"INSERT INTO log (position, {', '.join(COLUMNS)}) VALUES ({', '.join('?' * 10)})"  # noqa: S608
_SAVE = save_snapshot("?")
_GUARD = (
    "CREATE TRIGGER IF NOT EXISTS log_no_archived BEFORE INSERT ON log WHEN EXISTS ("
    "SELECT 1 FROM archived_streams WHERE stream = NEW.stream) OR EXISTS ("
    "SELECT 1 FROM archived_streams WHERE stream = 'run-' || NEW.correlation) "
    "BEGIN SELECT RAISE(ABORT, 'what is archived does not grow: INSERT is refused'); END"
)
"""There only while something is archived: who archives nothing pays nothing for it."""


class SqliteSession:
    """See ``WriteSession``. ``BEGIN IMMEDIATE`` lets one transaction write at a time."""

    errors: type[Exception] = sqlite3.Error

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._pooled: sa.PoolProxiedConnection | None = None
        self._db: sqlite3.Connection

    def connect(self) -> None:
        if self._pooled is None:
            self._pooled = self._engine.raw_connection()
            self._db = cast(sqlite3.Connection, self._pooled.driver_connection)
            self._pooled.detach()
            self._db.execute(f"PRAGMA cache_size = -{WRITE_CACHE_KIB}")

    def close(self) -> None:
        if self._pooled is not None:
            self._pooled.close()
            self._pooled = None

    def write(self, rows: Sequence[LogRow], snapshots: Sequence[Snapshot]) -> int:
        # As ``transaction`` has it, without the calls that a context manager costs every append.
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            first = self.insert(rows) if rows else 0
            if snapshots:
                db.executemany(_SAVE, [(s.stream, s.version, s.schema, s.state) for s in snapshots])
            db.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        return first

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        # Some failures, a full disk among them, have ended the transaction already.
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        db = self._db
        if not db.in_transaction:
            raise sqlite3.OperationalError("an earlier failure ended the transaction")
        db.execute("SAVEPOINT one")
        try:
            yield
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK TO one")
                db.execute("RELEASE one")
            raise
        db.execute("RELEASE one")

    def insert(self, rows: Sequence[LogRow]) -> int:
        db = self._db
        if len(rows) == 1:
            return cast(int, db.execute(_INSERT, rows[0]).lastrowid)
        db.executemany(_INSERT, rows)
        (last,) = db.execute("SELECT last_insert_rowid()").fetchone()
        return cast(int, last) - len(rows) + 1

    def last_versions(self, streams: Sequence[str]) -> dict[str, int]:
        found = {}
        for stream in streams:
            (version,) = self._db.execute(
                "SELECT max(version) FROM log WHERE stream = ?", (stream,)
            ).fetchone()
            if version is not None:
                found[stream] = version
        return found

    def correlations(self, streams: Sequence[str]) -> dict[str, str]:
        found = {}
        for stream in streams:
            row = self._db.execute(
                "SELECT correlation FROM log WHERE stream = ? AND version = 0", (stream,)
            ).fetchone()
            if row is not None:
                found[stream] = row[0]
        return found

    def stored(self, event_ids: Sequence[str]) -> list[Envelope]:
        rows = []
        for event_id in event_ids:
            rows += self._db.execute(f"{SELECT} WHERE event_id = ?", (event_id,)).fetchall()
        return envelopes(sorted(rows))

    def archive(self, run: str, streams: Iterable[tuple[str, int, int]]) -> None:
        self._db.execute(_GUARD)
        self._db.executemany(
            "INSERT INTO archived_streams (run, stream, first_version, last_version) "
            "VALUES (?, ?, ?, ?)",
            ((run, *stream) for stream in streams),
        )
        self._db.execute(DROP_SNAPSHOTS.format("?"), (run,))

    def take_out(self, ranges: Sequence[tuple[int, int]]) -> int:
        delete = "DELETE FROM log WHERE position BETWEEN ? AND ?"
        return self._db.executemany(delete, ranges).rowcount if ranges else 0

    def unarchive(self, run: str) -> None:
        self._db.execute(UNARCHIVE.format("?"), (run,))
        if self._db.execute("SELECT 1 FROM archived_streams").fetchone() is None:
            self._db.execute("DROP TRIGGER IF EXISTS log_no_archived")

    def put_back(self, rows: Sequence[PlacedRow]) -> None:
        self._db.executemany(_PUT_BACK, rows)

    def archived_run(self, stream: str, correlation: str) -> str:
        query = ARCHIVED_RUN.format("?")
        found = self._db.execute(query, (stream, f"run-{correlation}")).fetchone()
        return cast(str, found[0]) if found else ""
