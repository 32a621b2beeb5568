"""What is archived may leave the log, and nothing else; it comes back to where it was."""

import pytest
import sqlalchemy as sa

from store.conformance.base import Suite, some
from store.database.tables import archived_streams, log
from store.errors import StreamArchived
from store.log.event_store import ANY, NEW, EventStore
from store.log.rows import READ, envelopes
from store.log.write_session import PlacedRow, WriteSession

STREAMS = (("run-r", 0, 1), ("episode-a", 0, 2))
RANGES = ((2, 3), (5, 7))


def rows(store: EventStore, *conditions: sa.ColumnElement[bool]) -> list[PlacedRow]:
    """Rows of the log as the database has them."""
    query = READ.where(*conditions).order_by(log.c.position)
    with store.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def take_out(session: WriteSession) -> int:
    """Take out the run ``r``, after an event that says so."""
    session.insert([("f" * 32, "archive-r", 0, "Any", 1, 1, "", "", b"\x80")])
    session.archive("r", STREAMS)
    return session.take_out(RANGES)


class Archiving(Suite):
    """Taking streams out and putting them back."""

    @pytest.fixture
    def filled(self, store: EventStore) -> EventStore:
        store.append("episode-b", NEW, some(1))
        store.append("run-r", NEW, some(2), correlation="r")
        store.append("episode-b", ANY, some(1))
        store.append("episode-a", NEW, some(3), correlation="r")
        store.append("episode-b", ANY, some(1))
        return store

    def test_what_is_archived_leaves_the_log_and_comes_back_as_it_was(
        self, filled: EventStore
    ) -> None:
        before = rows(filled)
        taken = rows(filled, log.c.correlation == "r")
        assert filled.write_alone(take_out) == len(taken) == 5
        assert [envelope.position for envelope in filled.read_all()] == [1, 4, 8, 9]
        assert filled.read("episode-a") == []
        assert filled.head() == 9

        def back(session: WriteSession) -> None:
            session.unarchive("r")
            session.put_back(taken)

        filled.write_alone(back)
        assert rows(filled, log.c.position <= 8) == before
        assert filled.append("episode-a", 2, some(1), correlation="r").last_position == 10

    def test_snapshots_of_what_is_archived_go_with_it(self, filled: EventStore) -> None:
        filled.save_snapshot("episode-a", 2, "state/1", b"state")
        filled.save_snapshot("episode-b", 1, "state/1", b"state")
        filled.write_alone(take_out)
        assert filled.load_snapshot("episode-a", "state/1") is None
        assert filled.load_snapshot("episode-b", "state/1") is not None

    def test_only_what_is_archived_can_be_taken_out(self, filled: EventStore) -> None:
        before = rows(filled)

        def work(session: WriteSession) -> None:
            session.archive("r", [("run-r", 0, 1), ("episode-a", 0, 1)])  # but not its version 2
            session.take_out(RANGES)

        with pytest.raises(Exception, match="the log only grows"):
            filled.write_alone(work)
        assert rows(filled) == before
        with filled.engine.connect() as connection:
            assert connection.execute(sa.select(archived_streams)).all() == []

    def test_nothing_of_an_archived_run_grows_not_even_for_who_knew_its_streams(
        self, filled: EventStore, other: EventStore
    ) -> None:
        assert other.append("episode-a", ANY, some(1), correlation="r").last_version == 3
        (last,) = rows(filled, log.c.version == 3)

        def work(session: WriteSession) -> None:
            session.insert([("f" * 32, "archive-r", 0, "Any", 1, 1, "", "", b"\x80")])
            session.archive("r", [("run-r", 0, 1), ("episode-a", 0, 3)])
            session.take_out([*RANGES, (last[0], last[0])])

        filled.write_alone(work)
        before = rows(filled)
        for stream, expected in (("episode-a", 3), ("episode-a", NEW), ("evaluation-v", NEW)):
            with pytest.raises(StreamArchived, match="run r was archived"):
                other.append(stream, expected, some(1), correlation="r")
        with pytest.raises(StreamArchived):
            other.import_envelopes(envelopes([(1, "e" * 32, "agent-a.0", 0, *last[4:])]))
        assert rows(filled) == before
        assert other.append("episode-b", 2, some(1)).last_version == 3
