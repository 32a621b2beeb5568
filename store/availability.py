"""Telling a database that is away, and may come back, from one that refuses."""

import sqlite3

import psycopg
import sqlalchemy as sa

_SQLITE_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_PRIMARY_CODE = 0xFF

_POSTGRESQL_CLASSES = ("08", "40", "53", "57")
"""Connection lost, transaction rolled back by the server, out of resources, operator at work."""
_QUERY_CANCELED = "57014"
_READ_ONLY = "25006"
"""What a server says that has become a standby."""


def is_away(error: BaseException | None) -> bool:
    """Whether the same may work later: the server restarts, or another process holds the lock."""
    if isinstance(error, sa.exc.DBAPIError):
        error = error.orig
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None) or 0
        return code & _PRIMARY_CODE in _SQLITE_BUSY
    if isinstance(error, psycopg.Error):
        state = error.sqlstate
        if state is None:
            return isinstance(error, psycopg.OperationalError)
        return state == _READ_ONLY or (
            state != _QUERY_CANCELED and state.startswith(_POSTGRESQL_CLASSES)
        )
    return False


def reason(error: BaseException | None) -> str:
    """A database's complaint in one line."""
    if isinstance(error, sa.exc.DBAPIError):
        error = error.orig
    return str(error).strip().partition("\n")[0] or type(error).__name__
