"""Which errors of a database are transient, and which are refusals that repeating cannot change."""

import sqlite3
import sys
from typing import TYPE_CHECKING, TypeGuard

import sqlalchemy as sa

if TYPE_CHECKING:
    import psycopg

_SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PRIMARY_CODE = 0xFF
_SQLITE_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""No room left; a limit to a file's size or a quota is met; no room for the WAL's index."""

_POSTGRESQL_CLASSES = ("08", "40", "53", "57")
"""Connection lost, transaction rolled back by the server, out of resources, operator at work."""
_QUERY_CANCELED = "57014"
_DISK_FULL = "53100"
_READ_ONLY = "25006"
"""What a server says that has become a standby."""


def is_full(error: BaseException | None) -> bool:
    """Whether the statement failed for want of room: on the disk, in a quota, under a limit."""
    if isinstance(error, sa.exc.DBAPIError):
        error = error.orig
    if isinstance(error, sqlite3.Error):
        return _code(error) in _SQLITE_FULL
    return _of_postgresql(error) and error.sqlstate == _DISK_FULL


def is_transient(error: BaseException | None) -> bool:
    """Whether the same statement may work later: the server restarts, another process holds the
    lock, or there is no room left."""
    if isinstance(error, sa.exc.DBAPIError):
        error = error.orig
    if isinstance(error, sqlite3.Error):
        return _code(error) & _PRIMARY_CODE in _SQLITE_BUSY or is_full(error)
    if _of_postgresql(error):
        state = error.sqlstate
        if state is None:
            return isinstance(error, sys.modules["psycopg"].OperationalError)
        return state == _READ_ONLY or (
            state != _QUERY_CANCELED and state.startswith(_POSTGRESQL_CLASSES)
        )
    return False


def _of_postgresql(error: BaseException | None) -> "TypeGuard[psycopg.Error]":
    # Whoever has one has loaded the driver, which takes its time and which SQLite does not need.
    driver = sys.modules.get("psycopg")
    return driver is not None and isinstance(error, driver.Error)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", None) or 0


def reason(error: BaseException | None) -> str:
    """The first line of a database's error message; never empty."""
    if isinstance(error, sa.exc.DBAPIError):
        error = error.orig
    return str(error).strip().partition("\n")[0] or type(error).__name__
