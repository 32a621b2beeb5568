"""A process whose packets to NATS vanish, while its connection seems to stand."""

import asyncio
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from actors.runtime.jobs.queue import JobQueue
from tests.actors.runtime.jobs.test_queue import QUICK as QUICKER
from tests.actors.runtime.jobs.test_queue import play
from tests.support.servers.nats_server import Connect, until
from tests.support.servers.network_proxy import Proxy

QUICK = replace(QUICKER, ack_wait=1.0)


class Begun:
    """A handler that does not come to an end."""

    def __init__(self) -> None:
        self.jobs: list[str] = []

    async def __call__(self, job) -> None:
        self.jobs.append(job.episode)
        await asyncio.Event().wait()


@pytest.fixture
async def proxy(nats_server):
    port = urlsplit(nats_server.url).port
    async with Proxy.to_port(port) as proxy:
        yield proxy


@pytest.fixture
async def far(nats_server, connect: Connect, proxy: Proxy, monkeypatch) -> JobQueue:
    """A queue on the other side of the network."""
    monkeypatch.setattr(type(nats_server), "url", f"nats://127.0.0.1:{proxy.port}")
    bus = await connect()
    monkeypatch.undo()
    return JobQueue(bus, QUICK)


async def test_who_is_cut_off_from_nats_knows_it_before_its_work_is_given_to_others(
    far: JobQueue, connect: Connect, proxy: Proxy
):
    near, mine, others = JobQueue(await connect(), QUICK), Begun(), Begun()
    await far.work("episode", mine, concurrency=1)
    await far.enqueue("episode", play(1), id="e1")
    await until(lambda: mine.jobs)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await until(lambda: far.lease.renewed_at("episode") > begun)
    assert far.lease.is_held

    proxy.part()
    cut_off = loop.time()
    await near.work("episode", others, concurrency=1)
    await until(lambda: others.jobs)
    assert far.bus.connected
    assert not far.lease.held_since(cut_off)

    proxy.heal()
    await asyncio.wait_for(far.lease.held(), 60.0)
    assert not far.lease.held_since(cut_off)
    assert far.lease.held_since(loop.time())
    await asyncio.gather(near.stop(grace=0), far.stop(grace=0))


async def test_a_job_that_lay_on_the_way_until_another_had_it_is_not_begun(
    far: JobQueue, connect: Connect, proxy: Proxy
):
    near, mine, others = JobQueue(await connect(), QUICK), Begun(), Begun()
    worker = await far.work("episode", mine, concurrency=1)
    await until(lambda: worker._puller._outstanding)
    await far.bus.flush()
    proxy.part()
    await near.enqueue("episode", play(1), id="e1")  # nobody else has asked for one yet
    loop = asyncio.get_running_loop()
    cut_off = loop.time()
    await until(lambda: loop.time() > cut_off + 0.5 * QUICK.ack_wait)
    await near.work("episode", others, concurrency=1)
    await until(lambda: others.jobs)
    proxy.heal()
    await asyncio.wait_for(far.lease.held(), 60.0)
    await far.bus.flush()
    assert (mine.jobs, worker.running) == ([], 0)
    await asyncio.gather(near.stop(grace=0), far.stop(grace=0))
