"""What the store is measured against: drivers used directly, and the library `eventsourcing`."""

import itertools
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import cast
from uuid import UUID

import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from events.ids import new_event_id
from store.database.engines import LOCK_TIMEOUT_S, create_engine
from store.migrate import migrate

Row = tuple[object, ...]
Insert = Callable[[list[Row]], None]
"""Stores rows in one transaction."""

COLUMNS = (
    "position, event_id, stream, version, tag, schema, recorded_at, correlation, causation, payload"
)


class Rows:
    """Rows ready to insert; making them is not part of what is measured."""

    def __init__(self, payload: bytes) -> None:
        self._numbers = itertools.count()
        self._payload = payload

    def take(self, count: int) -> list[Row]:
        """So many new rows of one stream, with the positions that come next."""
        return [
            (n + 1, new_event_id(), "raw", n, "ActionTaken", 1, 0, "r1", "", self._payload)
            for n in itertools.islice(self._numbers, count)
        ]


def raw_sqlite(path: Path, payload: bytes) -> tuple[Rows, Insert]:
    """The same table and the same settings, without checks, through `sqlite3`."""
    engine = create_engine(f"sqlite:///{path}")
    migrate(engine)
    engine.dispose()
    db = sqlite3.connect(path, isolation_level=None, timeout=LOCK_TIMEOUT_S)
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "cache_size = -32768",
        "wal_autocheckpoint = 4000",
    ):
        db.execute(f"PRAGMA {pragma}")
    statement = f"INSERT INTO log ({COLUMNS}) VALUES ({', '.join('?' * 10)})"

    def append(rows: list[Row]) -> None:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(statement, rows)
        db.execute("COMMIT")

    return Rows(payload), append


def raw_postgresql(url: str, payload: bytes, copy: bool) -> tuple[Rows, Insert]:
    """The same table, without checks or lock, through psycopg: `executemany` or binary COPY."""
    engine = create_engine(url)
    migrate(engine)
    engine.dispose()
    db = psycopg.connect(url, autocommit=True)
    values = ", ".join(["%b"] * 10)
    insert = f"INSERT INTO log ({COLUMNS}) VALUES ({values})"
    into = f"COPY log ({COLUMNS}) FROM STDIN (FORMAT BINARY)"
    types = ["int8", "text", "text", "int8", "text", "int4", "int8", "text", "text", "bytea"]

    def by_insert(rows: list[Row]) -> None:
        with db.transaction(), db.cursor() as cursor:
            cursor.executemany(insert, rows)

    def by_copy(rows: list[Row]) -> None:
        with db.transaction(), db.cursor() as cursor, cursor.copy(into) as copying:
            copying.set_types(types)
            for row in rows:
                copying.write_row(row)

    return Rows(payload), by_copy if copy else by_insert


class Played(Aggregate):
    """An episode, as somebody would write it with `eventsourcing`."""

    def __init__(self) -> None:
        self.turn = 0
        self.spoken = 0

    @event("Acted")
    def act(self, turn: int, seat: int, kind: str, text: str) -> None:
        self.turn = turn
        self.spoken += kind == "speak"


def eventsourcing_application(path: Path) -> Application[UUID]:
    """As shipped: SQLite with WAL and synchronous FULL, events as JSON."""
    environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    return Application[UUID](env=environment)


class Saving:
    """An aggregate that is saved after every so many events."""

    def __init__(self, path: Path, text: str) -> None:
        self._application = eventsourcing_application(path)
        self._played = Played()
        self._application.save(self._played)
        self._text = text

    def act(self, count: int) -> None:
        """Makes events; not part of what is measured."""
        for _ in range(count):
            turn = self._played.turn + 1
            self._played.act(turn=turn, seat=0, kind="speak", text=self._text)

    def save(self, _: None) -> None:
        """Encodes and stores them."""
        self._application.save(self._played)

    def rebuild(self) -> int:
        """The last turn, after building the aggregate anew from its events."""
        return cast(Played, self._application.repository.get(self._played.id)).turn
