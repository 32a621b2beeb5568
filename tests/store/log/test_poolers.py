"""A pooler between the store and PostgreSQL has to keep sessions apart."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from gateway.services.operations.doctor import check_database
from gateway.settings import read_settings
from store.conformance.base import some
from store.errors import TransactionPooler
from store.log.event_store import NEW
from store.open_store import open_store
from store.read_only_store import open_to_read

PORT = 6432
"""Of the socket's name; nothing listens on the network."""


@contextmanager
def _pooling(database_url: str, mode: str) -> Iterator[str]:
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        pytest.skip("PgBouncer is not installed: `make pgbouncer` does")
    there = make_url(database_url)
    with tempfile.TemporaryDirectory(prefix="troupe-pooler-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n{there.database} = host={there.query['host']} user={there.username}\n"
            f"[pgbouncer]\nunix_socket_dir = {folder}\nlisten_port = {PORT}\nauth_type = any\n"
            f"pool_mode = {mode}\n"
        )
        # Who may enter PostgreSQL's folder; it refuses to run as root.
        as_whom = ["-u", Path(str(there.query["host"])).owner()] if os.geteuid() == 0 else []
        with subprocess.Popen(
            [program, "-q", *as_whom, str(folder / "pgbouncer.ini")], stderr=subprocess.DEVNULL
        ) as process:
            try:
                # The socket's file is there before anybody listens on it.
                while not _listens(folder / f".s.PGSQL.{PORT}"):
                    assert process.poll() is None, "pgbouncer ended"
                pooled = there.set(query={"host": str(folder), "port": str(PORT)})
                yield pooled.render_as_string(hide_password=False)
            finally:
                process.terminate()


@pytest.fixture
def pooled(postgres_url) -> Iterator[Callable[[str], str]]:
    """The address of the database through a PgBouncer in some mode."""
    with ExitStack() as stack:
        yield lambda mode: stack.enter_context(_pooling(postgres_url, mode))


def test_a_pooler_in_transaction_mode_is_refused_with_what_to_do(pooled, postgres_url, tmp_path):
    open_store(postgres_url).close()
    url = pooled("transaction")
    for opened in (open_store, open_to_read):
        with pytest.raises(TransactionPooler, match="pool_mode = session"):
            opened(url)
    found = check_database(
        read_settings({"TROUPE_DATABASE_URL": url, "TROUPE_DATA_DIR": str(tmp_path)})
    )
    assert [finding.status for finding in found] == ["broken"]
    assert "pooler in transaction mode" in found[0].found


def test_that_others_use_the_pooler_does_not_hide_its_mode(pooled):
    url = pooled("transaction")
    with psycopg.connect(url) as busy, psycopg.connect(url) as idle:
        busy.execute("SELECT 1")  # keeps a session of its own in a transaction
        idle.execute("SELECT 1")
        idle.commit()
        with pytest.raises(TransactionPooler):
            open_store(url)


def test_a_pooler_in_session_mode_is_as_good_as_none(pooled):
    with closing(open_store(pooled("session"))) as store:
        assert store.append("episode-a", NEW, some(3)).last_position == 3
        assert len(store.read("episode-a")) == 3


def _listens(place: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(str(place)) == 0
