"""The database that participants' keys are in: reached when it is needed, and made with the first
key."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, cast

import sqlalchemy as sa
import structlog
import tenacity

from store.database.engines import LOCK_TIMEOUT_S, parsed_url, postgresql_url
from store.database.transient_errors import reason
from store.errors import KeysUnavailable
from store.participants.key_locations import KeyLocation

if TYPE_CHECKING:
    import psycopg

log = structlog.get_logger(__name__)

_NOT_ALLOWED: Final = "42501"
"""What PostgreSQL says to a user who may not do that."""
_MAY_NOT_USE: Final = "its user may not read and change the keys that are there"
_MAY_NOT: Final = (
    "its user may make no schema there: GRANT CREATE ON DATABASE … TO that user, make the schema "
    "troupe_keys for them, or name another database in TROUPE_KEYS_URL"
)

_METADATA = sa.MetaData()
KEYS: Final = sa.Table(
    "participant_keys",
    _METADATA,
    sa.Column("participant", sa.String(200), primary_key=True),
    sa.Column("id", sa.LargeBinary(16), nullable=False, unique=True),
    sa.Column("secret", sa.LargeBinary(32), nullable=False),
)
IDENTITY: Final = sa.Table(
    "key_store",
    _METADATA,
    sa.Column("one", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("id", sa.String(32), nullable=False),
)
_MAY_NOT_REWRITE: Final = "its user may not"
_STILL_READ: Final = (
    "a transaction that began before may still read what was deleted; erase again when it has ended"
)
_MAKING: Final = 7_346_021_159
"""Key of the advisory lock under which one process at a time makes the tables."""


class KeyDatabase:
    """Blocking; safe from any thread. All methods raise ``KeysUnavailable``."""

    def __init__(self, place: KeyLocation) -> None:
        self.place = place
        self._opening = Lock()
        self._engine: sa.Engine | None = None
        self._made = False
        # A connection that another process opens is such a transaction for a moment.
        self._until_nothing_is_left = tenacity.Retrying(
            retry=tenacity.retry_if_result(lambda left: left == _STILL_READ),
            wait=tenacity.wait_exponential(0.05, max=2),
            stop=tenacity.stop_after_delay(10),
            retry_error_callback=lambda last: last.outcome and last.outcome.result(),
        )

    def could_be_made(self) -> str:
        """Why the tables are not there and could not be made, or not be used, in words; empty: they
        are, or could. Changes nothing."""
        if self.there():
            return "" if self._may_use() else _MAY_NOT_USE
        if self.place.is_file:
            folder = Path(parsed_url(self.place.url).database or "").parent
            return "" if folder.is_dir() else f"there is no folder {folder}"
        schema = self.place.schema
        may: sa.Function[bool] = sa.func.has_schema_privilege(schema, "CREATE")
        if not schema:
            may = sa.func.has_schema_privilege(sa.func.current_schema(), "CREATE")
        with self.asking() as connection:
            if schema and not sa.inspect(connection).has_schema(schema):
                may = sa.func.has_database_privilege(sa.func.current_database(), "CREATE")
            if connection.scalar(sa.select(may)):
                return ""
        return _MAY_NOT if self.place.schema else "its user may make no tables there"

    def _may_use(self) -> bool:
        if self.place.is_file:
            return True
        name = f"{self.place.schema}.{KEYS.name}".lstrip(".")
        may = [
            sa.func.has_table_privilege(name, what)
            for what in ("SELECT", "INSERT", "UPDATE", "DELETE")
        ]
        if self.place.schema:
            may.append(sa.func.has_schema_privilege(self.place.schema, "USAGE"))
        with self.asking() as connection:
            return all(connection.execute(sa.select(*may)).one())

    def make_tables(self) -> None:
        if self._made and self.there():
            return
        with self._reaching():
            engine = self._opened()
            with engine.begin() as connection:
                if not self.place.is_file:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MAKING)))
                tables = [one for one in _METADATA.sorted_tables if not self._has(connection, one)]
                schema = self.place.schema
                # Only where it is missing: who may not make one may use one that is there.
                if tables and schema and not sa.inspect(connection).has_schema(schema):
                    connection.execute(sa.schema.CreateSchema(schema))
                _METADATA.create_all(connection, tables=tables, checkfirst=False)
        self._made = True

    def rewrite(self) -> None:
        """Have PostgreSQL write the table of keys to a new file, without rows that were deleted.
        Where it cannot, the log says so, and they stay until it does."""
        if self.place.is_file:
            return
        try:
            with self._opened().connect() as opened:
                connection = opened.execution_options(isolation_level="AUTOCOMMIT")
                # Who reads a key waits behind it.
                connection.execute(sa.text("SET lock_timeout = '5s'"))
                try:
                    left = self._until_nothing_is_left(self._rewritten, connection)
                finally:
                    connection.execute(sa.text("RESET lock_timeout"))
                if left:
                    log.warning("keys_not_rewritten", reason=left)
                    return
                try:
                    connection.execute(sa.text("CHECKPOINT"))
                except sa.exc.DBAPIError as error:
                    # The old file goes at the next one.
                    log.info("keys_not_checkpointed", reason=reason(error))
        except sa.exc.DBAPIError as error:
            log.warning("keys_not_rewritten", reason=reason(error))

    def _rewritten(self, connection: sa.Connection) -> str:
        """Why deleted rows are left, in words; empty: none is."""
        name = f"{self.place.schema}.{KEYS.name}".lstrip(".")
        node = sa.select(sa.func.pg_relation_filenode(name))
        before = connection.scalar(node)
        said: list[str] = []
        raw = cast("psycopg.Connection", connection.connection.driver_connection)

        def note(what: "psycopg.errors.Diagnostic") -> None:
            said.append(what.message_detail or "")

        raw.add_notice_handler(note)
        try:
            connection.execute(sa.text(f"VACUUM (FULL, VERBOSE) {name}"))
        finally:
            raw.remove_notice_handler(note)
        if connection.scalar(node) == before:
            return _MAY_NOT_REWRITE
        # Its words are in the server's language; the number of rows that stay comes first.
        left = sum(int(found[0]) for one in said if (found := re.search(r"\d+", one)))
        return _STILL_READ if left else ""

    def close(self) -> None:
        if self._engine is not None:
            self._engine.dispose()

    def there(self, table: sa.Table = KEYS) -> bool:
        """Whether a table is: before the first key there is none, and no file either."""
        if self.place.is_file and not Path(parsed_url(self.place.url).database or "").exists():
            return False
        if self._made:
            return True
        with self.asking() as connection:
            found = self._has(connection, table)
            self._made = found and all(self._has(connection, one) for one in (KEYS, IDENTITY))
        return found

    def _has(self, connection: sa.Connection, table: sa.Table) -> bool:
        return sa.inspect(connection).has_table(table.name, schema=self.place.schema or None)

    @contextmanager
    def asking(self) -> Iterator[sa.Connection]:
        with self._reaching(), self._opened().connect() as connection:
            yield connection

    @contextmanager
    def changing(self) -> Iterator[sa.Connection]:
        with self._reaching(), self._opened().begin() as connection:
            yield connection

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except sa.exc.IntegrityError:
            raise
        except sa.exc.DBAPIError as error:
            why = reason(error)
            if self.place.schema and denied(error):
                why = f"{why}; {_MAY_NOT}"
            raise KeysUnavailable(self.place.shown, why) from error

    def _opened(self) -> sa.Engine:
        with self._opening:
            if self._engine is None:
                self._engine = _engine(self.place)
        return self._engine


def denied(error: BaseException | None) -> bool:
    """Whether PostgreSQL says that its user may not do that."""
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    return getattr(cause, "sqlstate", "") == _NOT_ALLOWED


def _engine(place: KeyLocation) -> sa.Engine:
    parsed = parsed_url(place.url)
    if not place.is_file:
        engine = sa.create_engine(postgresql_url(parsed), pool_size=2, pool_pre_ping=True)
        return engine.execution_options(schema_translate_map={None: place.schema or None})
    engine = sa.create_engine(
        parsed.set(drivername="sqlite+pysqlite"), connect_args={"timeout": LOCK_TIMEOUT_S}
    )

    @sa.event.listens_for(engine, "connect")
    def set_up(connection: sa.engine.interfaces.DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        # What is deleted is overwritten, and so is the journal by that of the next transaction.
        cursor.execute("PRAGMA secure_delete = ON")
        cursor.execute("PRAGMA journal_mode = PERSIST")
        cursor.close()

    return engine
