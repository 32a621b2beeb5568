"""Queues jobs for workers, from a process that itself need not play or score."""

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from actors.runtime.jobs.queue import JobQueue
from events.wire.messages import ContinueEpisode, Evaluate
from gateway.process.discovery import NothingAlive, connected
from gateway.process.worker_node import job_settings
from gateway.services.serving_process import ServingProcess


async def play(gateway: ServingProcess, episode: str) -> None:
    """Have an episode whose stream exists played to its end. Raises ``BusError``,
    ``NothingAlive``."""
    async with _queue(gateway) as jobs:
        # Its own id each time: what was queued and lost a moment ago is to be queued again.
        await jobs.enqueue("episode", ContinueEpisode(episode=episode), id=_once(episode))


async def score(gateway: ServingProcess, evaluations: Sequence[Evaluate]) -> None:
    """Have episodes scored. Raises as ``play``."""
    async with _queue(gateway) as jobs:
        for job in evaluations:
            await jobs.enqueue("evaluation", job, id=_once(job.evaluation))


def _once(id_: str) -> str:
    return f"{id_}-{secrets.token_hex(4)}"


@asynccontextmanager
async def _queue(gateway: ServingProcess) -> AsyncIterator[JobQueue]:
    """The queue of those who take jobs: this process's own, the fleet's, or that of a server
    beside."""
    if gateway.node is not None:
        yield gateway.node.jobs
        return
    settings = gateway.settings
    if not settings.embedded_nats:
        yield JobQueue(gateway.bus, job_settings(settings.tuning))
        return
    async with connected(settings) as buses:
        if not buses:
            raise NothingAlive(str(settings.data_dir))
        jobs = JobQueue(buses[0], job_settings(settings.tuning))
        await jobs.ensure()
        yield jobs
