"""What only SQLite can get wrong."""

import multiprocessing
import resource
import sqlite3
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing

import pytest
import sqlalchemy as sa

from store.conformance.base import some
from store.database import engines
from store.database.engines import writing
from store.errors import Conflict, StoreFull, StoreUnavailable
from store.log.event_store import NEW
from store.open_store import open_store
from store.verification import verify
from store.writer.sqlite_session import SqliteSession

SMALL = 400_000
"""Bytes of a file: room for an empty store, not for some thousand events more."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "troupe.db"


@pytest.fixture
def store(path):
    with closing(open_store(f"sqlite:///{path}")) as store:
        yield store


def pragma(store, name):
    with store.engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_readers_do_not_wait_for_the_writer(store):
    store.append("episode-a", NEW, some(2))
    with writing(store.engine):
        assert len(store.read("episode-a")) == 2
        assert store.head() == 2


@pytest.mark.parametrize(("durable", "synchronous"), [(True, 2), (False, 1)])
def test_an_append_is_on_disk_before_it_returns_unless_told_otherwise(
    tmp_path, durable, synchronous
):
    with closing(open_store(f"sqlite:///{tmp_path}/d.db", durable=durable)) as store:
        assert pragma(store, "journal_mode") == "wal"
        assert pragma(store, "synchronous") == synchronous


def test_only_the_connection_that_appends_keeps_many_pages(store):
    session = SqliteSession(store.engine)
    session.connect()
    (appending,) = session._db.execute("PRAGMA cache_size").fetchone()
    session.close()
    # Negative: KiB. Reading connections may be a dozen, and forget their pages at every write.
    assert (pragma(store, "cache_size"), appending) == (-4096, -32768)


def test_a_row_cannot_be_replaced(store):
    store.append("episode-a", NEW, some(3))
    before = store.read_all()
    with (
        pytest.raises(sa.exc.IntegrityError, match="the log only grows"),
        writing(store.engine) as connection,
    ):
        connection.exec_driver_sql(
            "INSERT OR REPLACE INTO log SELECT position, event_id, stream, version, tag, schema, "
            "recorded_at, correlation, causation, x'00' FROM log WHERE position = 2"
        )
    assert store.read_all() == before


def test_another_program_cannot_change_the_log_either(store, path):
    store.append("episode-a", NEW, some(3))
    with closing(sqlite3.connect(path)) as program:
        for change in ("UPDATE log SET version = 9", "DELETE FROM log WHERE position = 3"):
            with pytest.raises(sqlite3.IntegrityError, match="the log only grows"):
                program.execute(change)
    assert store.head() == 3


def test_an_append_waits_while_another_process_holds_the_lock(tmp_path, monkeypatch):
    monkeypatch.setattr(engines, "LOCK_TIMEOUT_S", 0)  # every try is refused at once
    url = f"sqlite:///{tmp_path}/busy.db"
    with (
        closing(open_store(url)) as store,
        closing(sqlite3.connect(tmp_path / "busy.db", isolation_level=None)) as holder,
    ):
        holder.execute("BEGIN IMMEDIATE")
        appended = []
        appending = threading.Thread(
            target=lambda: appended.append(store.append("episode-a", NEW, some(2)))
        )
        appending.start()
        assert store.head() == 0
        assert appending.is_alive()
        holder.execute("ROLLBACK")
        appending.join(30)
        assert [one.last_position for one in appended] == [2]


def append_beyond_the_limit(url):
    """In a process of its own, whose files may not grow for a while. Python ignores SIGXFSZ: what
    would make a file too large fails."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with closing(open_store(url)) as store:
        store.append("episode-a", NEW, some(3))
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, hard))
        appended = []
        appending = threading.Thread(
            target=lambda: appended.append(store.append("episode-a", 2, some(5000)))
        )
        appending.start()
        while not (outage := store.outage):
            assert appending.is_alive(), "it was stored"
        assert isinstance(outage, StoreFull)
        assert str(outage).startswith(f"the store {url} cannot grow: ")
        assert store.head() == 3
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        appending.join()
        assert [one.last_position for one in appended] == [5003]
        assert store.outage is None


def close_beyond_the_limit(url):
    """The same, but it never gets better."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))
    store = open_store(url)
    first = threading.Thread(target=lambda: refused.append(why_not(store)))
    refused = []
    first.start()
    while not store.outage:
        assert first.is_alive(), "it was stored"
    store.close()
    first.join()
    assert [type(error) for error in refused] == [StoreFull]


def why_not(store):
    with pytest.raises(StoreUnavailable) as refusal:
        store.append("episode-b", NEW, some(5000))
    return refusal.value


@pytest.fixture
def processes():
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as executor:
        yield executor


def test_an_append_waits_while_there_is_no_room(tmp_path, processes):
    url = f"sqlite:///{tmp_path}/troupe.db"
    processes.submit(append_beyond_the_limit, url).result()
    with closing(open_store(url)) as store:
        assert verify(store).events == 5003
        assert verify(store).sound


def test_closing_while_there_is_no_room_tells_who_waits(store, processes):
    store.append("episode-a", NEW, some(3))
    processes.submit(close_beyond_the_limit, store.url).result()
    assert verify(store).events == 3
    assert verify(store).sound


def test_a_store_that_has_no_room_to_be_opened_says_so(tmp_path, processes):
    url = f"sqlite:///{tmp_path}/new.db"
    said = processes.submit(open_beyond_the_limit, url).result()
    assert said.startswith(f"the store {url} cannot grow: ")


def open_beyond_the_limit(url):
    """What a store says that cannot be made."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    with pytest.raises(StoreFull) as refusal:
        open_store(url)
    return str(refusal.value)


def test_a_stream_far_behind_those_written_to_lately_is_still_fenced(store):
    store.append("episode-a", NEW, some(1))
    for number in range(50):
        store.append(f"episode-{number}", NEW, some(1))
    with pytest.raises(Conflict):
        store.append("episode-a", NEW, some(1))
