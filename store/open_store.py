"""Opening a store."""

import sqlite3

import sqlalchemy as sa
import tenacity

from store import migrate as migrations
from store.database.engines import LOCK_TIMEOUT_S, create_engine, redacted
from store.database.poolers import require_session
from store.database.transient_errors import is_full, is_transient, reason
from store.database_store import DatabaseStore
from store.errors import BadStoreUrl, StoreFull, StoreUnavailable
from store.log.event_store import BackendName, EventStore
from store.log.reader import Reader
from store.log.write_session import WriteSession
from store.participants.participant_keys import hold_keys_of
from store.writer.sqlite_session import SqliteSession

MOST_QUEUED = 50_000
"""Events; some ten thousand actors that all wait for an append are still far from it."""


def open_store(
    url: str, *, migrate: bool = True, durable: bool = True, most_queued: int = MOST_QUEUED
) -> EventStore:
    """Open the store at ``sqlite:////absolute/path.db`` or ``postgresql://user@host/database``.

    ``migrate`` creates or upgrades its tables; without it they must be there. With ``durable``
    an append returns once it survives a power cut; without, a power cut may take the last
    moments, but never leaves a hole. ``most_queued``: events that may wait to be stored before
    ``append_soon`` refuses more. Raises ``BadStoreUrl``, ``TransactionPooler``,
    ``StoreUnavailable``, ``StoreFull``, ``WrongSchema``.
    """
    engine = create_engine(url, durable=durable)
    try:
        if engine.dialect.name == "sqlite":
            _use_wal(engine)
        require_session(engine)
        if migrate:
            migrations.migrate(engine)
        else:
            migrations.require_current(engine)
        return _assembled(url, engine, durable, most_queued)
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        engine.dispose()
        refused = StoreFull if is_full(error) else StoreUnavailable
        raise refused(redacted(url), reason(error)) from error
    except BaseException:
        engine.dispose()
        raise


def _assembled(url: str, engine: sa.Engine, durable: bool, most_queued: int) -> DatabaseStore:
    reader = Reader(create_engine(url, durable=durable, reading=True))
    session: WriteSession
    if engine.dialect.name == "sqlite":
        session = SqliteSession(engine)
    else:
        from store.writer.postgresql_session import (
            PostgresqlSession,  # its driver takes time to load
        )

        session = PostgresqlSession(engine)
    backend: BackendName = "sqlite" if engine.dialect.name == "sqlite" else "postgresql"
    return DatabaseStore(url, backend, engine, reader, session, hold_keys_of(url), most_queued)


# SQLite does not wait for a lock here as it does elsewhere.
@tenacity.retry(
    retry=tenacity.retry_if_exception(lambda error: is_transient(error) and not is_full(error)),
    wait=tenacity.wait_random(0.01, 0.05),
    stop=tenacity.stop_after_delay(LOCK_TIMEOUT_S),
    reraise=True,
)
def _use_wal(engine: sa.Engine) -> None:
    """Readers do not wait for the writer, nor the writer for them. Kept in the file."""
    pooled = engine.raw_connection()  # SQLAlchemy's own would begin a transaction first
    try:
        cursor = pooled.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        (mode,) = cursor.fetchone() or ("unknown",)
    finally:
        pooled.close()
    if mode != "wal":
        raise BadStoreUrl(redacted(engine.url), "its file system cannot hold SQLite's WAL")
