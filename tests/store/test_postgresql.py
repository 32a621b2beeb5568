"""What only PostgreSQL can get wrong: its server goes away and comes back."""

import asyncio
from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa

from store.conformance.base import happened, some
from store.engines import writing
from store.errors import StoreUnavailable
from store.log import NEW
from store.opening import open_store

_LONG_S = 60


def cut_connections(url):
    """End the store's sessions, as a failing network or an operator would."""
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'troupe' AND datname = current_database()"
        )


def test_the_log_cannot_be_truncated(postgres_url):
    with closing(open_store(postgres_url)) as store:
        store.append("episode-a", NEW, some(3))
        with (
            pytest.raises(sa.exc.DBAPIError, match="TRUNCATE is refused"),
            writing(store.engine) as connection,
        ):
            connection.execute(sa.text("TRUNCATE log"))
        assert store.head() == 3


def test_a_cut_connection_is_opened_again(postgres_url):
    with closing(open_store(postgres_url)) as store:
        store.append("episode-a", NEW, some(1))
        cut_connections(postgres_url)
        assert store.append("episode-a", 0, some(1)).last_version == 1
        cut_connections(postgres_url)
        assert [e.version for e in store.read("episode-a")] == [0, 1]


def test_connections_cut_again_and_again_lose_and_double_nothing(postgres_url):
    with closing(open_store(postgres_url)) as store:

        async def writer(number):
            version = NEW
            for turn in range(40):
                if turn % 25 == number:
                    await asyncio.to_thread(cut_connections, postgres_url)
                appended = await store.append_soon(f"episode-{number}", version, [happened(turn)])
                version = appended.last_version

        async def writers():
            await asyncio.gather(*(writer(number) for number in range(25)))

        asyncio.run(asyncio.wait_for(writers(), _LONG_S))
        everything = store.read_all(limit=2000)
        assert [e.position for e in everything] == [*range(1, 1001)]
        assert len({e.event_id for e in everything}) == 1000


def test_appends_wait_for_a_server_that_restarts(own_postgres):
    with closing(open_store(own_postgres.get_uri())) as store:
        store.append("episode-a", NEW, some(1))
        own_postgres.stop()

        async def while_away():
            appends = [store.append_soon(f"episode-{n}", NEW, some(2)) for n in range(50)]
            own_postgres.ensure_postgres_running()
            return await asyncio.wait_for(asyncio.gather(*appends), _LONG_S)

        assert len(asyncio.run(while_away())) == 50
        assert store.head() == 101
        assert store.append("episode-a", 0, some(1)).last_position == 102


def test_closing_while_the_server_is_away_tells_who_waits(own_postgres):
    store = open_store(own_postgres.get_uri())
    own_postgres.stop()

    async def leave():
        appends = [store.append_soon(f"episode-{n}", NEW, some(1)) for n in range(3)]
        await asyncio.to_thread(store.close)
        return await asyncio.gather(*appends, return_exceptions=True)

    outcomes = asyncio.run(leave())
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 3


def test_a_server_that_is_not_there_is_told(tmp_path):
    with pytest.raises(StoreUnavailable, match="No such file or directory"):
        open_store(f"postgresql://postgres:opensesame@/troupe?host={tmp_path}")
