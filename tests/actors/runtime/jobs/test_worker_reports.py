"""Workers say what they have in hand."""

import asyncio
from importlib.metadata import version

import pytest

from actors.runtime.bus.errors import BusDown
from actors.runtime.jobs.queue import JobQueue, JobSettings
from actors.runtime.jobs.worker_reports import worker_name
from events.wire import subjects
from events.wire.messages import PlayEpisode, WorkerReport
from tests.support.servers.nats_server import until


async def test_where_nobody_works_the_answer_comes_at_once(bus):
    async with asyncio.timeout(60):
        assert await JobQueue(bus).fleet(wait_s=3600) == []


async def answers(asking: JobQueue, workers: int) -> list[WorkerReport]:
    """What so many workers say, all of whom are asked again where one is late."""
    async with asyncio.timeout(60):
        while len(reports := await asking.fleet()) != workers:
            pass
    return reports


async def test_a_worker_says_what_it_can_take_and_what_it_has_in_hand(bus, connect):
    begun: list[str] = []
    gate = asyncio.Event()

    async def handler(job) -> None:
        begun.append(job.episode)
        await gate.wait()

    queue = JobQueue(await connect())
    await queue.work("episode", handler, concurrency=7)
    await queue.work("evaluation", handler, concurrency=3)
    for number in range(2):
        job = PlayEpisode(run="r1", episode=f"e{number}")
        await queue.enqueue("episode", job, id=f"e{number}")
    await until(lambda: len(begun) == 2)
    (report,) = await answers(JobQueue(bus), 1)
    assert (report.worker, report.software) == (worker_name(), version("troupe-server"))
    assert (report.episodes, report.episode_slots) == (2, 7)
    assert (report.evaluations, report.evaluation_slots) == (0, 3)
    assert not report.draining
    gate.set()
    await queue.stop()


async def test_a_worker_that_is_to_end_says_so_until_it_has(bus, connect):
    begun, gate = asyncio.Event(), asyncio.Event()

    async def handler(job) -> None:
        begun.set()
        await gate.wait()

    queue, asking = JobQueue(await connect()), JobQueue(bus)
    worker = await queue.work("episode", handler, concurrency=7)
    await queue.enqueue("episode", PlayEpisode(run="r1", episode="e1"), id="e1")
    await begun.wait()
    stopping = asyncio.create_task(queue.stop(grace=3600))
    await until(lambda: worker.stopping)
    (report,) = await answers(asking, 1)
    assert (report.draining, report.episodes) == (True, 1)
    gate.set()
    await stopping
    assert await asking.fleet() == []


async def test_all_workers_of_a_space_answer_and_no_others(bus, connect):
    async def handler(job) -> None:
        raise AssertionError("nothing is queued")

    ours = [JobQueue(await connect()) for _ in range(5)]
    theirs = JobQueue(await connect(space="presence-other"))
    for place, queue in enumerate((*ours, theirs), 1):
        await queue.work("episode", handler, concurrency=place)
    await asyncio.gather(*(queue.bus.flush() for queue in ours))
    reports = await answers(JobQueue(bus), 5)
    assert sorted(report.episode_slots for report in reports) == [1, 2, 3, 4, 5]
    await asyncio.gather(*(queue.stop() for queue in (*ours, theirs)))


async def test_an_answer_that_cannot_be_read_is_left_out(bus, connect):
    other = await connect()
    await other.subscribe(
        subjects.workers(bus.space), lambda asked: other.publish(asked.reply, b"\xff")
    )
    await other.flush()
    assert await JobQueue(bus).fleet() == []


async def test_asking_without_a_reply_subject_is_ignored(bus, connect):
    async def handler(job) -> None:
        raise AssertionError("nothing is queued")

    queue = JobQueue(await connect())
    await queue.work("episode", handler, concurrency=1)
    await queue.bus.flush()
    bus.publish(subjects.workers(bus.space), b"hello")
    await answers(JobQueue(bus), 1)
    assert queue.bus.counts.handler_failures == 0
    await queue.stop()


async def test_asking_on_a_closed_bus_is_refused(connect):
    bus = await connect()
    await bus.close()
    with pytest.raises(BusDown):
        await JobQueue(bus, JobSettings()).fleet()
