"""The work queue on disk: `python -m tests.benchmarks.bench_jobs` prints the figures.

The embedded server is set up as Troupe sets it up: ``sync_interval: always``, so that a job is on
disk before it counts as queued. No job has any work inside. Everything else runs in this process.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop
from nats.js import JetStreamContext

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue
from events.ids import new_id
from events.wire.messages import PlayEpisode
from tests.benchmarks.table import Row

GOAL = 1000
"""Jobs a second, queued to acknowledged."""
JOBS = 4000
AT_ONCE = 256
ROUNDS = 3
SETTLED_S = 0.002


@asynccontextmanager
async def queue_on(server: EmbeddedNats) -> AsyncIterator[JobQueue]:
    """A queue that nothing was ever put into."""
    bus = await Bus.connect(server.url, token=server.token, space=new_id("b"))
    queue = JobQueue(bus)
    await queue.ensure()
    yield queue
    await queue.stop()
    await bus.close()


async def put(queue: JobQueue, number: int) -> None:
    """Queue a job."""
    await queue.enqueue("episode", PlayEpisode(run="r1", episode=f"e{number}"), id=f"{number}")


async def put_all(queue: JobQueue, count: int) -> None:
    """Queue jobs, some at once, as a run's coordinator does."""
    numbers = iter(range(count))

    async def some() -> None:
        for number in numbers:
            await put(queue, number)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


async def nothing(_: object) -> None:
    """A job's work."""


async def emptied(queue: JobQueue) -> None:
    """The server has taken the last acknowledgement."""
    while await queue.waiting("episode"):
        await asyncio.sleep(SETTLED_S)


async def through(server: EmbeddedNats) -> float:
    """Jobs a second from the first queued to the last acknowledged, the worker waiting."""
    async with queue_on(server) as queue:
        await queue.work("episode", nothing, concurrency=AT_ONCE)
        start = time.perf_counter()
        await put_all(queue, JOBS)
        await emptied(queue)
        return JOBS / (time.perf_counter() - start)


async def plainly_through(server: EmbeddedNats) -> float:
    """The same with nats-py alone: published, fetched and acknowledged, and nothing else."""
    bus = await Bus.connect(server.url, token=server.token)
    js, name = bus.nats.jetstream(), new_id("plain")
    await js.add_stream(name=name, subjects=[f"{name}.*"], retention="workqueue")
    pulled = await js.pull_subscribe(f"{name}.*", durable="all", stream=name)
    start = time.perf_counter()
    publishing = asyncio.create_task(_publish_plainly(js, name))
    for _ in range(JOBS // AT_ONCE):
        left = AT_ONCE
        while left:
            messages = await pulled.fetch(left)
            left -= len(messages)
            for message in messages:
                await message.ack()
    await publishing
    while (await js.consumer_info(name, "all")).num_ack_pending:
        await asyncio.sleep(SETTLED_S)
    seconds = time.perf_counter() - start
    await bus.close()
    return JOBS // AT_ONCE * AT_ONCE / seconds


async def _publish_plainly(js: JetStreamContext, name: str) -> None:
    for first in range(0, JOBS // AT_ONCE * AT_ONCE, AT_ONCE):
        numbers = range(first, first + AT_ONCE)
        await asyncio.gather(*(js.publish(f"{name}.{number}", b"x" * 40) for number in numbers))


async def in_parts(server: EmbeddedNats) -> list[Row]:
    """Queueing and doing, each by itself; and what is asked of a full queue."""
    async with queue_on(server) as queue:
        some = JOBS // 4
        start = time.perf_counter()
        for number in range(some):
            await put(queue, number)
        serial = some / (time.perf_counter() - start)
    async with queue_on(server) as queue:
        start = time.perf_counter()
        await put_all(queue, JOBS)
        at_once = JOBS / (time.perf_counter() - start)
        start = time.perf_counter()
        held = await queue.held("episode")
        asked = time.perf_counter() - start
        assert held is not None
        start = time.perf_counter()
        await queue.work("episode", nothing, concurrency=AT_ONCE)
        await emptied(queue)
        worked = JOBS / (time.perf_counter() - start)
    return [
        Row("jobs queued one by one", f"{serial:,.0f}/s"),
        Row(f"jobs queued, {AT_ONCE} at once", f"{at_once:,.0f}/s"),
        Row(f"jobs done and acknowledged, {AT_ONCE} at a time", f"{worked:,.0f}/s"),
        Row(f"which of {len(held):,} jobs are held", f"{asked * 1e3:,.1f} ms"),
    ]


def rows() -> Iterator[Row]:
    """The table."""
    with (
        tempfile.TemporaryDirectory() as data,
        EmbeddedNats(Path(data)) as server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        ours = [runner.run(through(server)) for _ in range(ROUNDS)]
        plain = [runner.run(plainly_through(server)) for _ in range(ROUNDS)]
        rate = statistics.median(ours)
        yield Row(
            "jobs, queued to acknowledged, synced always",
            f"{rate:,.0f}/s",
            f"nats-py alone: {statistics.median(plain):,.0f}/s",
            f"at least {GOAL:,}/s",
            rate >= GOAL,
        )
        yield from runner.run(in_parts(server))


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
