"""Connections to the two databases, set up as the store needs them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from store.errors import BadStoreUrl

LOCK_TIMEOUT_S = 30
"""How long SQLite waits for another process's transaction before it gives up."""

READ_CACHE_KIB = 4096
"""Pages that SQLite keeps for a connection, in KiB. Whenever anybody has written, a connection
forgets them all; the system's own cache has them still."""
WRITE_CACHE_KIB = 32768
"""The same for the one that appends, which forgets nothing of what it writes itself."""

_IMMEDIATE = "troupe_immediate"


def create_engine(url: str, *, durable: bool = True, reading: bool = False) -> sa.Engine:
    """An engine for ``url``; nothing is opened yet.

    ``reading``: for single statements that only read, without a transaction around each.
    Raises ``BadStoreUrl``.
    """
    parsed = parsed_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return _sqlite(parsed, durable, reading)
    if backend == "postgresql":
        return _postgresql(parsed, durable, reading)
    raise BadStoreUrl(url, f"there is no backend for {backend!r}")


def parsed_url(url: URL | str) -> URL:
    """A database's address in its parts. Raises ``BadStoreUrl``."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        # A ValueError is what is no number behind a host's colon.
        raise BadStoreUrl(str(url), "it is not a database URL") from None


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction that means to write, committed at the end of the block.

    On SQLite it takes the write lock at once: a transaction that begins by reading and wants to
    write later is refused when somebody else wrote in between.
    """
    with engine.connect() as connection, begin_writing(connection):
        yield connection


@contextmanager
def begin_writing(connection: sa.Connection) -> Iterator[None]:
    """``writing`` on a connection that is there already."""
    connection.execution_options(**{_IMMEDIATE: True})
    with connection.begin():
        yield


def redacted(url: URL | str) -> str:
    """A database's address with its password hidden, for messages and logs. Raises
    ``BadStoreUrl``."""
    bare = parsed_url(url).difference_update_query(("password", "passfile", "sslpassword"))
    return bare.render_as_string(hide_password=True)


def _sqlite(url: URL, durable: bool, reading: bool) -> sa.Engine:
    if not url.database or url.database == ":memory:":
        raise BadStoreUrl(
            url.render_as_string(), "a store in memory cannot be shared by several connections"
        )
    engine = sa.create_engine(
        url.set(drivername="sqlite+pysqlite"),
        connect_args={"timeout": LOCK_TIMEOUT_S, "check_same_thread": False},
        # A thread that reads always gets a connection; idle ones beyond these five are closed.
        pool_size=5,
        max_overflow=-1,
        paramstyle="named",
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: object) -> None:
        # The driver's own idea of when to begin a transaction is switched off; see begins_at_once.
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout = {LOCK_TIMEOUT_S * 1000}",
            f"synchronous = {'FULL' if durable else 'NORMAL'}",
            "foreign_keys = ON",
            # REPLACE deletes rows; only with this does the database refuse it on the log.
            "recursive_triggers = ON",
            f"cache_size = -{READ_CACHE_KIB}",
            # Pages of 4 KiB. Many streams growing side by side write the same pages again and
            # again: the longer the WAL may get, the less of it is written a second time.
            "wal_autocheckpoint = 4000",
            f"query_only = {'ON' if reading else 'OFF'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    begins_at_once(engine)
    return engine


def begins_at_once(engine: sa.Engine) -> None:
    """Have transactions of SQLite begin when they are begun, and those of ``writing`` with the
    lock. The driver's own idea of when to begin one has to be switched off."""

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        at_once = connection.get_execution_options().get(_IMMEDIATE, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if at_once else "BEGIN")


def postgresql_url(url: URL) -> URL:
    """The address for the driver, with what its connections need; values in ``url`` win."""
    query = {
        "application_name": "troupe",
        "connect_timeout": "5",
        "keepalives_idle": "30",
        "tcp_user_timeout": "30000",
        **url.query,
    }
    return url.set(drivername="postgresql+psycopg", query=query)


def _postgresql(url: URL, durable: bool, reading: bool) -> sa.Engine:
    engine = sa.create_engine(
        postgresql_url(url),
        pool_size=5,
        max_overflow=20,
        # Connections that did not survive a restart of the server are replaced unseen. Reading
        # repeats what failed instead, which costs nothing as long as all is well.
        pool_pre_ping=not reading,
        isolation_level="AUTOCOMMIT" if reading else "READ COMMITTED",
    )
    if not durable:

        @event.listens_for(engine, "connect")
        def _relax(connection: Any, _record: object) -> None:
            connection.execute("SET synchronous_commit = off")
            connection.commit()

    return engine
