"""What the database checks itself: its pages and indexes, unique ids, the guards of the log."""

import sqlite3
import sys

import sqlalchemy as sa

from store.database.tables import log
from store.database.transient_errors import is_transient, reason
from store.verification.defects import MOST, Defects

_GUARDS = {
    "sqlite": """
        SELECT 'log', guard FROM (SELECT 'log_no_DELETE' AS guard UNION SELECT 'log_no_UPDATE'
            UNION SELECT 'log_no_archived' WHERE EXISTS (SELECT 1 FROM archived_streams))
        WHERE guard NOT IN (
            SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log')
    """,
    # Of statements only the triggers of the table that they name are called.
    "postgresql": """
        SELECT tree.relid::text, guard FROM pg_partition_tree('log') AS tree,
            unnest(ARRAY['log_no_change', 'log_no_truncate', 'log_one_writer', 'log_fence'])
                AS guard
        WHERE NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = tree.relid AND tgname = guard
            AND tgenabled <> 'D' AND NOT tgisinternal)
        ORDER BY tree.relid, guard
    """,
}
"""Missing triggers. They refuse any change of the log but taking out what is archived, and let
nothing of that grow; see the migrations."""
_TWICE = (
    sa.select(log.c.event_id, sa.func.count().label("times"))
    .group_by(log.c.event_id)
    .having(sa.func.count() > 1)
    .order_by(log.c.event_id)
    .limit(MOST + 1)
)


def database_errors() -> tuple[type[Exception], ...]:
    """What SQLAlchemy and the drivers raise, of those that are loaded."""
    driver = sys.modules.get("psycopg")
    of_driver = () if driver is None else (driver.Error,)
    return sa.exc.DBAPIError, sqlite3.Error, *of_driver


def check_database(engine: sa.Engine, defects: Defects) -> None:
    """Look for damaged pages and indexes, event ids that are not unique, missing triggers."""
    try:
        _check(engine, defects)
    except database_errors() as error:
        if is_transient(error):
            raise
        defects.add("database", "the database", f"it is damaged: {reason(error)}")


def _check(engine: sa.Engine, defects: Defects) -> None:
    dialect = engine.dialect.name
    with engine.connect() as connection:
        if dialect == "sqlite":
            # Also says whether an index agrees with its table, so that what is asked of an index
            # below is an answer about the table.
            for (line,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST + 1})"):
                if line != "ok":
                    defects.add("database", "the database", f"it is damaged: {line}")
        for event_id, times in connection.execute(_TWICE):
            defects.add("ids", f"event id {event_id}", f"it is there {times} times")
        for table, guard in connection.exec_driver_sql(_GUARDS[dialect]):
            what = f"the trigger {guard}, which refuses changes of the log, is missing"
            defects.add("guards", f"table {table}", what)
