"""Snapshots may go, the log must stay."""

import pytest
import sqlalchemy as sa

from store.conformance.base import Open, Suite, some
from store.database.engines import writing
from store.database.tables import log, snapshots
from store.log.event_store import NEW, EventStore, Snapshot


class Keeping(Suite):
    """What is kept, and what cannot be changed."""

    def test_a_snapshot_is_there_at_once(self, store: EventStore) -> None:
        store.save_snapshot("episode-a", 7, "state/1", b"\x00state")
        assert store.load_snapshot("episode-a", "state/1") == Snapshot(
            "episode-a", 7, "state/1", b"\x00state"
        )

    def test_a_snapshot_outlives_the_process(self, store: EventStore, open_again: Open) -> None:
        store.save_snapshot("episode-a", 7, "state/1", b"old")
        store.save_snapshot("episode-a", 9, "state/1", b"new")
        store.save_snapshot("episode-b", 1, "state/1", b"other")
        store.close()
        again = open_again()
        found = again.load_snapshot("episode-a", "state/1")
        assert found == Snapshot("episode-a", 9, "state/1", b"new")
        again.close()

    def test_a_snapshot_of_another_shape_is_none(self, store: EventStore) -> None:
        store.save_snapshot("episode-a", 7, "state/1", b"old")
        assert store.load_snapshot("episode-a", "state/2") is None
        assert store.load_snapshot("episode-b", "state/1") is None

    def test_snapshots_can_be_deleted_and_nothing_else_changes(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(3))
        store.save_snapshot("episode-a", 2, "state/1", b"state")
        store.append("episode-a", 2, some(1))  # the snapshot is written along with it, or was
        before = store.read_all()
        with writing(store.engine) as connection:
            connection.execute(sa.delete(snapshots))
        assert store.load_snapshot("episode-a", "state/1") is None
        assert store.read_all() == before
        store.save_snapshot("episode-a", 2, "state/1", b"state")
        assert store.load_snapshot("episode-a", "state/1") is not None

    @pytest.mark.parametrize(
        "change",
        [
            sa.update(log).values(payload=b"forged"),
            sa.update(log).where(log.c.version == 1).values(version=9),
            sa.delete(log),
            sa.delete(log).where(log.c.position == 3),
        ],
        ids=str,
    )
    def test_the_database_refuses_to_change_the_log(
        self, store: EventStore, change: sa.Executable
    ) -> None:
        store.append("episode-a", NEW, some(3))
        before = store.read_all()
        with (
            pytest.raises(sa.exc.DBAPIError, match="the log only grows"),
            writing(store.engine) as connection,
        ):
            connection.execute(change)
        assert store.read_all() == before
