"""New stores whose tables are copied: to migrate takes thirty times as long.

What the migrations leave is made by them once in each process, and run as a script by whoever opens
a new SQLite store after that. What is there already is upgraded as ever, and a process that a test
starts migrates for itself. For PostgreSQL see `tests.support.servers.postgres_server`.
"""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa

from store import migrate as migrations
from store.database.engines import create_engine, writing

really = migrations.migrate


@pytest.fixture(scope="session", autouse=True)
def tables_copied() -> Iterator[None]:
    """From the first store on, fixtures of sessions and modules included."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(migrations, "migrate", _migrate)
        yield


@pytest.fixture
def truly_migrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of the migrations themselves."""
    monkeypatch.setattr(migrations, "migrate", really)


def _migrate(engine: sa.Engine) -> None:
    if engine.dialect.name == "sqlite" and _is_new(engine):
        script = _script()
        with writing(engine) as connection:
            if not _tables(connection):  # nor has another been quicker
                for statement in script:
                    connection.exec_driver_sql(statement)
    really(engine)


def _is_new(engine: sa.Engine) -> bool:
    with engine.connect() as connection:
        return not _tables(connection)


def _tables(connection: sa.Connection) -> bool:
    found = connection.exec_driver_sql("SELECT name FROM sqlite_schema LIMIT 1")
    return found.first() is not None


@cache
def _script() -> tuple[str, ...]:
    """The statements that make what the migrations make of an empty file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "store.db"
        engine = create_engine(f"sqlite:///{file}", durable=False)
        really(engine)
        engine.dispose()
        with closing(sqlite3.connect(file)) as made:
            return tuple(s for s in made.iterdump() if s not in ("BEGIN TRANSACTION;", "COMMIT;"))
