"""A store that is only read: nothing is migrated, and nothing is written to its database.

The read model consists of tables computed from the log, and every reader brings them up to date. A
reader that must not write does so in copies: a projection that lags behind the log is copied to
private tables, which hide those of the database, and the rest of the log is applied there. On
SQLite the copies are in a separate file, to which the database is attached; on PostgreSQL they are
temporary tables.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.pool import StaticPool

from events.base import Envelope, Event
from events.untrusted.safe_text import shortened
from store.database.engines import (
    LOCK_TIMEOUT_S,
    begins_at_once,
    create_engine,
    parsed_url,
    postgresql_url,
    redacted,
)
from store.database.poolers import require_session
from store.database.transient_errors import reason
from store.errors import BadStoreUrl, StoreError, StoreUnavailable
from store.log.event_store import Appended, BackendName, Subscription
from store.log.read_methods import LogReads
from store.log.reader import Reader
from store.log.write_session import WriteSession
from store.migrate import require_current
from store.participants.participant_keys import ParticipantKeys, hold_keys_of, let_go
from store.projections import tables as t
from store.projections.projection import Projection

_WRITING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE"
"""To make temporary tables, and to copy to them what belongs together."""
_ADVICE = "any command of this version of Troupe upgrades it, for example `troupe runs`"


class OnlyRead(StoreError):
    """The store was opened to be read."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"the store at {shortened(url)} was opened to be read; nothing is written to it"
        )
        self.url = url


class NoSuchStore(BadStoreUrl):
    """There is no such file, and none is made."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "there is no such file")


class ReadOnlyStore(LogReads):
    """See ``store.log.event_store.EventStore``; what would write raises ``OnlyRead``."""

    waiting = 0
    outage = None

    def __init__(
        self,
        url: str,
        backend: BackendName,
        engine: sa.Engine,
        reader: Reader,
        clean_up: Callable[[], object],
        keys: ParticipantKeys,
    ) -> None:
        super().__init__(url, backend, engine, reader)
        self._clean_up = clean_up
        self._keys: ParticipantKeys | None = keys
        self._own: set[str] = set()
        self._lock = Lock()

    def make_own(self, projection: Projection) -> None:
        """Copy a projection's rows to tables of one's own, if they are not there yet."""
        with self._lock:
            if projection.name in self._own:
                return
            with self.engine.connect() as connection:
                theirs = "store"
                if self.backend == "postgresql":
                    connection.exec_driver_sql(_WRITING)
                    theirs = connection.exec_driver_sql("SELECT current_schema()").scalar_one()
                if not self._own:
                    _copy(connection, t.projections, theirs)
                # The position of the rows that are copied, and not of those when the first were.
                _move(connection, projection, theirs)
                for table in projection.tables:
                    _copy(connection, table, theirs)
                connection.commit()
            self._own.add(projection.name)

    def save_snapshot(self, stream: str, version: int, schema: str, state: bytes) -> None:
        """A snapshot is a cache: nothing is kept of it."""

    def subscribe(self, after: int = 0, *, tags: Sequence[str] | None = None) -> Subscription:
        self._refuse()

    def append(self, stream: str, expected: int, events: Sequence[Event], **more: Any) -> Appended:
        self._refuse()

    def append_soon(self, stream: str, expected: int, events: Sequence[Event], **more: Any) -> Any:
        self._refuse()

    def append_then(
        self, stream: str, expected: int, events: Sequence[Event], done: Any, **more: Any
    ) -> None:
        self._refuse()

    def import_envelopes(self, envelopes: Sequence[Envelope]) -> int:
        self._refuse()

    def write_alone(self, work: Callable[[WriteSession], Any]) -> Any:
        self._refuse()

    def close(self) -> None:
        self._reader.close()
        self.engine.dispose()
        if self._keys is not None:
            let_go(self._keys)
        self._keys = None
        self._clean_up()

    def _refuse(self) -> NoReturn:
        raise OnlyRead(redacted(self.url))


def open_to_read(url: str) -> ReadOnlyStore:
    """Open a store that is there, at an address as ``store.open_store.open_store`` takes it. Works
    while others write to it. Raises ``BadStoreUrl``, ``StoreUnavailable``, ``WrongSchema``."""
    parsed = parsed_url(url)
    checking = create_engine(url, reading=True)
    backend: BackendName = "sqlite" if checking.dialect.name == "sqlite" else "postgresql"
    try:
        require_session(checking)
        return _sqlite(parsed) if backend == "sqlite" else _postgresql(parsed)
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        raise StoreUnavailable(redacted(url), reason(error)) from error
    finally:
        checking.dispose()


def _sqlite(url: URL) -> ReadOnlyStore:
    path = Path(url.database or "").absolute()
    if not path.is_file():
        raise NoSuchStore(redacted(url))
    folder = tempfile.TemporaryDirectory(prefix="troupe-read-", ignore_cleanup_errors=True)
    engine = sa.create_engine(
        URL.create("sqlite+pysqlite", database=str(Path(folder.name) / "own.db")),
        connect_args={"timeout": LOCK_TIMEOUT_S, "check_same_thread": False},
        pool_size=5,
        max_overflow=-1,
        paramstyle="named",
        # The driver reads an address such as the one below only where it is told to.
        creator=lambda: sqlite3.connect(
            f"file:{Path(folder.name) / 'own.db'}",
            uri=True,
            timeout=LOCK_TIMEOUT_S,
            check_same_thread=False,
            isolation_level=None,
            # A statement that was prepared for a table of the database would go on reading it
            # where one's own hides it now.
            cached_statements=0,
        ),
    )

    @sa.event.listens_for(engine, "connect")
    def _attach(connection: Any, _record: object) -> None:
        # Tables that are not in one's own file are looked for in the one attached.
        connection.execute("ATTACH ? AS store", (f"{path.as_uri()}?mode=ro",))
        for pragma in (f"busy_timeout = {LOCK_TIMEOUT_S * 1000}", "cache_size = -32768"):
            connection.execute(f"PRAGMA {pragma}")
        # One's own tables end with the store: they need not survive a power cut.
        connection.execute("PRAGMA main.synchronous = OFF")
        connection.execute("PRAGMA main.journal_mode = WAL")

    begins_at_once(engine)
    store = ReadOnlyStore(
        redacted(url), "sqlite", engine, Reader(engine), folder.cleanup, _keys(url)
    )
    return _checked(store)


def _postgresql(url: URL) -> ReadOnlyStore:
    # Temporary tables belong to a connection, so there is one. Nothing is prepared: a plan that was
    # made before would go on reading the tables that are hidden now.
    engine = sa.create_engine(
        postgresql_url(url), poolclass=StaticPool, connect_args={"prepare_threshold": None}
    )
    # A read within another one ends the transaction of both, and with it what streams.
    engine.dialect.supports_server_side_cursors = False

    @sa.event.listens_for(engine, "connect")
    def _only_read(connection: Any, _record: object) -> None:
        connection.execute("SET default_transaction_read_only = on")
        connection.commit()

    # Whoever reads the log has another connection, and so ends no transaction of this one.
    reader = Reader(create_engine(url.render_as_string(hide_password=False), reading=True))
    return _checked(
        ReadOnlyStore(redacted(url), "postgresql", engine, reader, lambda: None, _keys(url))
    )


def _keys(url: URL) -> ParticipantKeys:
    return hold_keys_of(url.render_as_string(hide_password=False))


def _checked(store: ReadOnlyStore) -> ReadOnlyStore:
    try:
        require_current(store.engine, _ADVICE, store.url)
    except BaseException:
        store.close()
        raise
    return store


def _copy(connection: sa.Connection, table: sa.Table, theirs: str) -> None:
    """A table of one's own with the rows of the database's, which it hides. ``theirs``: where
    those are."""
    own = "main"
    if connection.dialect.name == "sqlite":
        table.create(connection, checkfirst=False)
    else:
        own = "pg_temp"
        connection.exec_driver_sql(
            f'CREATE TEMP TABLE {table.name} (LIKE "{theirs}".{table.name} INCLUDING ALL)'
        )
    names = ", ".join(column.name for column in table.c)
    connection.exec_driver_sql(
        f'INSERT INTO {own}.{table.name} ({names}) SELECT {names} FROM "{theirs}".{table.name}'  # noqa: S608 - names of ours
    )


def _move(connection: sa.Connection, projection: Projection, theirs: str) -> None:
    """Take the database's position of a projection for one's own."""
    c = t.projections.c
    query = sa.text(f'SELECT position FROM "{theirs}".projections WHERE name = :name')  # noqa: S608
    found = connection.execute(query, {"name": projection.name}).scalar()
    connection.execute(t.projections.delete().where(c.name == projection.name))
    if found is not None:
        connection.execute(t.projections.insert().values(name=projection.name, position=found))
