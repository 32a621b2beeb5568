"""A job that a living process has in hand is nobody else's, whatever JetStream has forgotten."""

import asyncio
from time import monotonic

import pytest

from actors.runtime.jobs.queue import JobQueue, Worker
from actors.runtime.ownership.job_ownership import held_elsewhere, holding
from events.wire.messages import PlayEpisode
from tests.actors.runtime.jobs.test_queue import QUICK, until_waiting
from tests.support.servers.nats_server import until

JOB = PlayEpisode(run="r1", episode="e1")


class Process:
    """Takes jobs and has them in hand until it may end."""

    def __init__(self, queue: JobQueue) -> None:
        self.queue, self.begun, self.gate = queue, 0, asyncio.Event()
        self.worker: Worker

    async def begin(self) -> None:
        self.worker = await self.queue.work("episode", self._carry_out, concurrency=1)

    async def _carry_out(self, _: object) -> None:
        self.begun += 1
        await self.gate.wait()

    async def die(self) -> None:
        await self.queue.bus.close()
        await self.worker.stop(grace=0)


@pytest.fixture
async def pair(connect) -> tuple[Process, Process]:
    """The first has the job in hand; the second takes jobs and has lost NATS before."""
    first, second = [Process(JobQueue(await connect(), QUICK)) for _ in range(2)]
    second.queue.bus.counts.disconnects = 1
    await first.begin()
    await first.queue.enqueue("episode", JOB, id="e1")
    await until(lambda: first.begun)
    return first, second


async def test_a_job_that_the_server_has_forgotten_stays_with_who_has_it(pair, connect):
    first, second = pair
    space = first.queue.bus.space
    beats: list[bytes] = []
    asked: list[bytes] = []
    listening = await connect()
    await listening.subscribe(f"$JS.ACK.TROUPE_{space}_JOBS.>", lambda m: beats.append(m.data))
    await listening.subscribe(f"troupe.{space}.holder.episode.e1", lambda m: asked.append(m.data))
    await listening.flush()
    await second.queue.reclaim()
    await second.begin()
    await until(lambda: asked or second.begun)
    beats.clear()
    await until(lambda: beats.count(b"+WPI") >= 9)  # four of them are one wait for an answer
    assert (first.begun, second.begun, len(asked)) == (1, 0, 1)
    first.gate.set()
    await until(lambda: first.worker.counts.done)
    await until_waiting(first.queue, 0)
    await asyncio.gather(first.queue.stop(), second.queue.stop())
    assert second.begun == 0


async def test_when_its_holder_dies_it_is_another_s(pair):
    first, second = pair
    await second.queue.reclaim()
    await second.begin()
    await first.die()
    await until(lambda: second.begun)
    second.gate.set()
    await until(lambda: second.worker.counts.done)
    await second.queue.stop()


async def test_a_second_job_for_the_same_waits_uncounted_until_the_first_is_done(pair):
    first, second = pair
    await second.begin()
    await second.queue.enqueue("episode", JOB, id="e1-again")
    await until(lambda: first.begun + second.begun + second.worker.counts.deferred >= 2)
    first.gate.set()
    second.gate.set()
    await until_waiting(second.queue, 0)
    await asyncio.gather(first.queue.stop(), second.queue.stop())
    assert await second.queue.dead() == []


async def test_who_says_nothing_in_time_has_it_no_longer(bus, connect, monkeypatch):
    monkeypatch.setattr("actors.runtime.ownership.job_ownership.ANSWER_S", 0.05)
    frozen = await connect()
    await frozen.subscribe(f"troupe.{bus.space}.holder.episode.e1", lambda _: None)
    await frozen.flush()
    assert await held_elsewhere(bus, "episode", "e1", monotonic()) is None


async def test_after_a_reconnect_the_others_are_waited_for(bus, connect):
    other = await connect()
    asking = asyncio.create_task(held_elsewhere(bus, "episode", "e1", monotonic(), 60.0))
    await bus.flush()
    with holding(other, "episode", "e1", lambda: 7):
        assert await asking == 7
    assert await held_elsewhere(bus, "episode", "e1", monotonic(), 0.0) is None
