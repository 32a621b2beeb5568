"""PostgreSQL's log in partitions: one winner a version, room for every append, and whole partitions
that leave it and come back."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa

from store.conformance.base import some
from store.database.tables import log
from store.errors import Conflict, EventIdTaken
from store.log.event_store import ANY, NEW, EventStore
from store.log.rows import READ
from store.log.write_session import COLUMNS, WriteSession
from store.open_store import open_store
from store.verification import verify
from store.writer import partitions, postgresql_session

SIZE = 10
FIRST = "0" * 31 + "{}"
"""Ids as old as can be."""


@pytest.fixture
def postgres_url(empty_postgres_url: str) -> str:
    """How large a partition is, the migration looks up."""
    return empty_postgres_url


@pytest.fixture
def small(postgres_url, monkeypatch) -> Iterator[EventStore]:
    """A store whose partitions have ten positions."""
    monkeypatch.setattr(partitions, "PARTITION_EVENTS", SIZE)
    with closing(open_store(postgres_url, durable=False)) as store:
        yield store


def tables(store: EventStore) -> list[str]:
    """The partitions that there are."""
    query = "SELECT relid::text FROM pg_partition_tree('log') WHERE isleaf ORDER BY relid"
    with store.engine.connect() as connection:
        return list(connection.exec_driver_sql(query).scalars())


def insert(position: int, stream: str, version: int, event_id: str, table: str = "log") -> str:
    """What anybody might say to the database who knows nothing of Troupe."""
    values = f"'{event_id}', '{stream}', {version}, 'Any', 1, 1, '', '', '\\x80'"
    return f"INSERT INTO {table} (position, {', '.join(COLUMNS)}) VALUES ({position}, {values})"


def test_there_is_a_partition_before_it_is_needed(small):
    for number in range(35):
        small.append("episode-a", number - 1, some(1))
    assert tables(small) == [
        "log_from_1",
        "log_from_11",
        "log_from_21",
        "log_from_31",
        "log_from_41",
    ]
    assert [e.version for e in small.read("episode-a")] == [*range(35)]
    assert [e.position for e in small.read_all()] == [*range(1, 36)]
    assert verify(small).sound


def test_one_append_may_need_several_partitions(small):
    small.append("episode-a", NEW, some(3 * SIZE + 5))
    assert small.append("episode-a", ANY, some(1)).last_position == 3 * SIZE + 6


def test_a_store_that_knew_only_older_partitions_writes_to_the_newest(small, postgres_url):
    with closing(open_store(postgres_url, durable=False)) as other:
        other.append("episode-b", NEW, some(1))
        small.append("episode-a", NEW, some(4 * SIZE))
        assert other.append("episode-b", 0, some(1)).last_position == 4 * SIZE + 2


def test_versions_and_ids_of_older_partitions_are_taken(small, postgres_url):
    ids = [FIRST.format(number) for number in range(3)]
    small.append("episode-a", NEW, some(3), event_ids=ids)
    with closing(open_store(postgres_url, durable=False)) as other:
        assert other.version("episode-a") == 2
        small.append("episode-b", NEW, some(2 * SIZE))
        with pytest.raises(Conflict):
            other.append("episode-a", NEW, some(1))
        again = other.append("episode-a", NEW, some(3), event_ids=ids)
        assert (again.first_version, again.last_position) == (0, 3)
        with pytest.raises(EventIdTaken):
            other.append("episode-c", NEW, some(1), event_ids=ids[1:2])
        assert other.append("episode-a", 2, some(1)).last_version == 3
    assert verify(small).sound


@pytest.mark.parametrize("table", ["log", "log_from_21"])
@pytest.mark.parametrize(
    ("stream", "version", "event_id"),
    [("episode-a", 1, "1" * 32), ("episode-c", 0, FIRST.format(1)), ("episode-c", 0, "f" * 32)],
)
def test_the_database_refuses_what_is_in_another_partition(
    small, postgres_url, table, stream, version, event_id
):
    ids = [FIRST.format(1), "f" * 32]
    small.append("episode-a", NEW, some(2), event_ids=ids)
    small.append("episode-b", NEW, some(2 * SIZE))
    with psycopg.connect(postgres_url) as anybody:
        with pytest.raises(psycopg.errors.UniqueViolation, match="is there already"):
            anybody.execute(insert(23, stream, version, event_id, table))
        anybody.rollback()
        anybody.execute(insert(23, "episode-a", 2, "2" * 32, table))
    assert small.version("episode-a") == 2


def test_of_two_who_insert_a_version_into_two_partitions_one_wins(small, postgres_url):
    small.append("episode-a", NEW, some(SIZE - 1))
    refused: list[psycopg.Error] = []

    def lose() -> None:
        with psycopg.connect(postgres_url) as late:
            try:
                late.execute(insert(SIZE + 1, "episode-a", SIZE - 1, "2" * 32))
            except psycopg.Error as error:
                refused.append(error)

    with psycopg.connect(postgres_url) as early:
        early.execute(insert(SIZE, "episode-a", SIZE - 1, "1" * 32))
        loser = threading.Thread(target=lose)
        loser.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        with psycopg.connect(postgres_url, autocommit=True) as watcher:
            while not watcher.execute(waiting).fetchone()[0]:
                pass
    loser.join()
    assert isinstance(refused[0], psycopg.errors.UniqueViolation)
    assert small.version("episode-a") == SIZE - 1


def test_a_snapshot_older_than_the_lock_is_not_trusted(small, postgres_url):
    with psycopg.connect(postgres_url) as anybody:
        anybody.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="READ COMMITTED"):
            anybody.execute(insert(1, "episode-a", 0, "1" * 32))


@pytest.mark.parametrize(
    "change", ["UPDATE {} SET version = 9", "DELETE FROM {}", "TRUNCATE {}", "TRUNCATE log"]
)
def test_a_partition_only_grows(small, postgres_url, change):
    small.append("episode-a", NEW, some(SIZE + 1))
    with (
        psycopg.connect(postgres_url) as anybody,
        pytest.raises(psycopg.errors.RaiseException, match="the log only grows"),
    ):
        anybody.execute(change.format("log_from_1"))


@pytest.fixture
def filled(small) -> EventStore:
    """Partition 1 is of run ``r`` alone, the next is shared, the rest is not its."""
    small.append("run-r", NEW, some(SIZE - 1), correlation="r")
    small.append(
        "episode-a", NEW, some(4), correlation="r", event_ids=["f" * 31 + c for c in "abcd"]
    )
    small.append("episode-b", NEW, some(2 * SIZE))
    return small


def take_out(session: WriteSession) -> int:
    session.insert([("e" * 32, "archive-r", 0, "Any", 1, 1, "", "", b"\x80")])
    session.archive("r", [("run-r", 0, SIZE - 2), ("episode-a", 0, 3)])
    return session.take_out([(1, SIZE + 3)])


def test_a_partition_of_which_nothing_remains_is_dropped_and_comes_back(filled, postgres_url):
    query = READ.where(log.c.correlation == "r").order_by(log.c.position)
    with filled.engine.connect() as connection:
        taken = [tuple(row) for row in connection.execute(query)]
    before = tables(filled)
    assert filled.write_alone(take_out) == len(taken) == SIZE + 3
    assert tables(filled) == [name for name in before if name != "log_from_1"]
    assert [e.position for e in filled.read_all(limit=3)] == [14, 15, 16]
    assert filled.append("episode-b", ANY, some(1)).last_position == filled.head()

    def back(session: WriteSession) -> None:
        session.unarchive("r")
        session.put_back(taken)

    filled.write_alone(back)
    assert set(tables(filled)) == set(before)
    with filled.engine.connect() as connection:
        assert [tuple(row) for row in connection.execute(query)] == taken
    with psycopg.connect(postgres_url) as anybody:  # it is fenced again, too
        for stream, event_id in (("run-r", "1" * 32), ("episode-x", taken[0][1])):
            with pytest.raises(psycopg.errors.UniqueViolation):
                anybody.execute(insert(filled.head() + 1, stream, 0, event_id))
            anybody.rollback()


def test_who_reads_for_long_is_not_waited_for(filled, postgres_url, monkeypatch):
    monkeypatch.setattr("store.writer.partition_allocator._DROP_PATIENCE_MS", 10)
    before = tables(filled)
    with psycopg.connect(postgres_url) as reader:
        reader.execute("SELECT count(*) FROM log")
        assert filled.write_alone(take_out) == SIZE + 3
        assert tables(filled) == before
        assert filled.read("run-r") == []


def test_a_partition_with_anything_that_is_not_archived_is_not_dropped(filled):
    def work(session: WriteSession) -> None:
        session.archive("r", [("run-r", 0, SIZE - 3), ("episode-a", 0, 3)])
        session.take_out([(1, SIZE)])

    with pytest.raises(psycopg.Error, match="the log only grows"):
        filled.write_alone(work)
    assert filled.version("run-r") == SIZE - 2


def test_a_log_that_is_there_becomes_the_first_partition(postgres_url, monkeypatch):
    with closing(open_store(postgres_url)) as store:
        store.append("episode-a", NEW, some(2 * SIZE + 5))
        with store.engine.connect() as connection, connection.begin():
            undo_0008(connection)
    monkeypatch.setattr(partitions, "PARTITION_EVENTS", SIZE)
    with closing(open_store(postgres_url)) as store:
        assert store.append("episode-a", ANY, some(SIZE)).last_version == 3 * SIZE + 4
        assert tables(store)[:2] == ["log_from_1", "log_from_31"]
        assert [e.version for e in store.read("episode-a")] == [*range(3 * SIZE + 5)]
        assert verify(store).sound


def undo_0008(connection: sa.Connection) -> None:
    """The tables as migration 0007 left them."""
    for statement in (
        "ALTER TABLE log DETACH PARTITION log_from_1",
        "DROP TABLE log, log_partitions, log_heads, log_odd_ids CASCADE",
        "DROP FUNCTION log_one_writer, log_fence, log_guard CASCADE",
        "DROP FUNCTION log_add_partition, log_make_room, log_close_partitions, log_drop_archived, "
        "log_make_again",
        "DROP TABLE answers",  # of migration 0009
        "DROP TABLE episode_means",  # of migration 0010, as are the next
        "DROP INDEX episodes_in_plan, evaluations_of_run",
        "CREATE INDEX evaluations_of_run ON evaluations (run)",
        "DROP TABLE seat_changes",  # of migration 0011
        "DROP TABLE leases",  # of migration 0012
        "DROP TABLE model_abilities",  # of migration 0013
        "ALTER TABLE calls DROP mends, DROP fault, DROP continued",  # of migration 0014
        "DROP TRIGGER log_no_truncate ON log_from_1",
        "ALTER TABLE log_from_1 RENAME TO log",
        *(
            f"ALTER TABLE log RENAME CONSTRAINT log_from_1_{name} TO log_{name}"
            for name in ("pkey", "event_id", "stream_version")
        ),
        "CREATE FUNCTION log_no_archived() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RETURN NULL; END $$",
        *(
            f"CREATE TRIGGER log_no_{what} AFTER INSERT ON log EXECUTE FUNCTION log_no_archived()"
            for what in ("archived", "change", "truncate")
        ),
        "UPDATE alembic_version SET version_num = '0007'",
    ):
        connection.exec_driver_sql(statement)


def test_who_stands_still_in_a_transaction_holds_up_nobody_for_long(postgres_url, monkeypatch):
    """As a process does that is stopped, or a machine that sleeps."""
    monkeypatch.setattr(postgresql_session, "IDLE_S", 1)
    inside, go_on = threading.Event(), threading.Event()

    def stand_still(session: WriteSession) -> None:
        session.insert([("e" * 32, "episode-still", 0, "Any", 1, 1, "", "", b"\x80")])
        inside.set()
        go_on.wait(60)
        session.last_versions(["episode-still"])

    with (
        closing(open_store(postgres_url)) as still,
        closing(open_store(postgres_url)) as other,
        ThreadPoolExecutor(2) as threads,
    ):
        standing = threads.submit(still.write_alone, stand_still)
        assert inside.wait(30)
        try:
            threads.submit(other.append, "episode-a", NEW, some(1)).result(20)
        finally:
            go_on.set()
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            standing.result()
        still.append("episode-b", NEW, some(1))
        assert [one.stream for one in other.read_all()] == ["episode-a", "episode-b"]
