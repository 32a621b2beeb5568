"""How rows of the log come from PostgreSQL when there are many of them."""

from contextlib import closing

import sqlalchemy as sa

from store.conformance.base import some
from store.log.event_store import NEW
from store.log.rows import READ, streamed
from store.open_store import open_store
from store.read_model import queries
from store.read_model.tagged_events import own_events
from store.read_only_store import open_to_read
from tests.store.histories import play

_PASSES = sa.text("SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE relname LIKE 'log_from_%'")


def _passes(store) -> int:
    """How often all of the log was gone through."""
    with store.engine.connect() as connection:
        connection.execute(sa.text("SELECT pg_stat_force_next_flush()"))
        connection.commit()
        return connection.execute(_PASSES).scalar_one()


def test_events_of_many_episodes_are_looked_up_while_there_are_no_statistics_yet(postgres_url):
    with closing(open_store(postgres_url)) as store:
        for number in range(300):
            play(store, f"e{number}")
        rows = queries.episodes(store)
        with store.engine.connect() as connection:
            connection.execute(sa.text("SELECT * FROM log")).all()
        assert (before := _passes(store)) > 0
        found = {row.id for row, *_ in own_events(store, rows, "EpisodeStarted")}
        assert found == {f"e{number}" for number in range(300)}
        assert _passes(store) == before


_ALL = READ.order_by(sa.text("position"))


def test_rows_that_were_not_asked_for_yet_stay_with_the_database(postgres_url):
    with closing(open_store(postgres_url)) as store:
        store.append("episode-a", NEW, some(3000))
        with store.engine.connect() as connection:
            rows = streamed(connection, _ALL)
            first = next(rows)
            assert _cursors(connection) == 1
            assert [first, *rows] == [tuple(row) for row in connection.execute(_ALL)]
            assert [*streamed(connection, _ALL.limit(1))] == [first]
            assert [*streamed(connection, _ALL.limit(0))] == []
            left = streamed(connection, _ALL)
            next(left)
            left.close()
            assert _cursors(connection) == 0


def _cursors(connection) -> int:
    return connection.execute(sa.text("SELECT count(*) FROM pg_cursors")).scalar_one()


def test_a_notebook_s_store_is_read_within_a_read(postgres_url):
    with closing(open_store(postgres_url)) as store:
        store.append("episode-a", NEW, some(3000))
    with closing(open_to_read(postgres_url)) as store, store.engine.connect() as connection:
        rows = streamed(connection, _ALL)
        first = next(rows)
        with store.engine.connect() as within:
            assert within.execute(_ALL).first() == first
        assert len([first, *rows]) == 3000
