"""A worker ends although something below it loses a cancellation, as ``asyncio.wait_for`` may."""

import asyncio

import pytest

from actors.runtime.jobs.queue import JobQueue, JobSettings
from actors.runtime.jobs.streams import JobStreams, JobsUnavailable
from tests.support.servers.nats_server import until

SETTINGS = JobSettings(ack_wait=30.0, pull=2.0, pull_heartbeat=0.5)
EPOCH = "the queue of always"


class DeafStreams:
    """Stands for ``JobStreams.ensure`` once a worker has begun."""

    def __init__(self, *, failing: int, losing: int) -> None:
        self.failing, self.losing = failing, losing
        self.asked = 0
        self.cancelled = 0

    async def ensure(self, _streams: JobStreams) -> str:
        """Fails some times; then waits, and returns when as many cancellations are lost."""
        self.asked += 1
        if self.asked <= self.failing:
            raise JobsUnavailable("set up the job queue", "the server is gone")
        while self.cancelled < self.losing:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled += 1
        return EPOCH


@pytest.mark.parametrize(
    ("failing", "losing"),
    [
        pytest.param(1, 1, id="told while it pauses"),
        pytest.param(0, 2, id="deaf to the first cancellation"),
    ],
)
async def test_a_worker_stops_although_a_cancellation_is_lost(
    bus, monkeypatch: pytest.MonkeyPatch, failing: int, losing: int
) -> None:
    queue, deaf = JobQueue(bus, SETTINGS), DeafStreams(failing=failing, losing=losing)

    async def carry_out(_job: object) -> None:
        raise AssertionError("there is no job")

    worker = await queue.work("episode", carry_out, concurrency=1)
    js = bus.nats.jetstream()
    jobs = f"TROUPE_{bus.space}_JOBS"

    async def asked() -> bool:
        return bool((await js.consumer_info(jobs, "episode")).num_waiting)

    async with asyncio.timeout(30):
        while not await asked():
            await asyncio.sleep(0.01)
    monkeypatch.setattr(JobStreams, "ensure", lambda streams: deaf.ensure(streams))
    await js.delete_consumer(jobs, "episode")  # its request is refused: it looks what is missing
    await until(lambda: deaf.asked)
    async with asyncio.timeout(30):
        await worker.stop()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "pull-episode"]
