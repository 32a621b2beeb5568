"""The job queue: what to run, handed to whoever has room, until somebody has done it.

JetStream holds jobs, never facts. A job may be done twice (a worker that was thought dead wakes
up) and, at worst, be lost with its server: handlers are idempotent, and whoever planned the jobs
finds lost ones by comparing the plan with the store.
"""

import asyncio
import contextlib
from typing import get_args

import msgspec
from nats.js.errors import NotFoundError

from actors.runtime.bus import Bus
from actors.runtime.job_delivery import ID, JOB, REASON, TRIES
from actors.runtime.job_streams import JobSettings, JobStreams, JobsUnavailable, told_plainly
from actors.runtime.job_worker import Handler, JobCounts, JobDeferred, Mourner, Worker
from events import subjects
from events.codec import encode
from events.messages import Job, JobKind

__all__ = [
    "DeadJob",
    "JobCounts",
    "JobDeferred",
    "JobQueue",
    "JobSettings",
    "JobsUnavailable",
    "Worker",
]


class DeadJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job nobody could do, as the dead letters keep it."""

    kind: str
    id: str
    tries: int
    reason: str
    data: bytes
    """The job itself, encoded; perhaps unreadable."""


class JobQueue:
    """The jobs of a bus's space."""

    def __init__(self, bus: Bus, settings: JobSettings | None = None) -> None:
        self.bus = bus
        self.settings = settings or JobSettings()
        self._streams = JobStreams(bus, self.settings)
        self._workers: list[Worker] = []

    async def ensure(self) -> None:
        """Make the streams and consumers that are missing. Raises ``JobsUnavailable``."""
        await self._streams.ensure()

    async def reclaim(self) -> None:
        """Deliver every unfinished job again at once, whoever had it.

        For a process that has just started an embedded server of its own: nobody else can be
        alive who works on them, and their time need not run out first.
        """
        await self._streams.reclaim()

    async def forget(self) -> None:
        """Drop every job there is. For a process that has just started an embedded server of its
        own and will queue what the store says is not done."""
        await self._streams.forget()

    async def enqueue(self, kind: JobKind, job: Job, *, id: str) -> bool:
        """Queue a job; durable when this returns.

        False when ``id`` was queued within the last ``settings.window`` seconds already: then
        nothing is queued, *even if that job is done meanwhile*. A job that is meant to be done
        once more needs another id. Raises ``JobsUnavailable``, ``BusDown``.
        """
        _known(kind)
        subject = subjects.job(self.bus.space, kind)
        answer = await self._streams.publish(subject, encode(job), {ID: id})
        return not answer.duplicate

    async def work(
        self,
        kind: JobKind,
        handler: Handler,
        *,
        concurrency: int,
        on_dead: Mourner | None = None,
    ) -> Worker:
        """Have ``handler`` carry out jobs of a kind, ``concurrency`` at a time, until ``stop()``.

        Returns at once. A handler that returns has done the job; one that raises is called again
        after growing delays, anywhere; after ``settings.max_tries`` the job is dead: ``on_dead``
        hears of it with the reason, and the dead letters keep it. ``JobDeferred`` puts it off
        without counting. As long as the handler runs, the job is nobody else's.
        """
        _known(kind)
        await self.ensure()
        worker = Worker(self._streams, kind, handler, concurrency=concurrency, on_dead=on_dead)
        worker.start()
        self._workers.append(worker)
        return worker

    async def stop(self, grace: float = 10.0) -> None:
        """Take no more jobs, wait up to ``grace`` seconds for those in hand, then cancel their
        handlers and put the jobs back for others, uncounted."""
        workers, self._workers = self._workers, []
        await asyncio.gather(*(worker.stop(grace) for worker in workers))

    async def waiting(self, kind: JobKind) -> int:
        """How many jobs of a kind are not done yet, those in hand included."""
        async with told_plainly("count the jobs"):
            info = await self._streams.js.consumer_info(self._streams.jobs, _known(kind))
        return int((info.num_pending or 0) + (info.num_ack_pending or 0))

    async def dead(self, limit: int = 100) -> list[DeadJob]:
        """The latest dead jobs, oldest first. Raises ``JobsUnavailable``."""
        found: list[DeadJob] = []
        async with told_plainly("read the dead letters"):
            try:
                state = (await self._streams.js.stream_info(self._streams.dead)).state
            except NotFoundError:
                return []
            first = max(1, state.first_seq, state.last_seq - limit + 1)
            for sequence in range(first, state.last_seq + 1):
                with contextlib.suppress(NotFoundError):  # it has expired meanwhile
                    kept = await self._streams.js.get_msg(self._streams.dead, sequence)
                    headers = kept.headers or {}
                    found.append(
                        DeadJob(
                            kind=(kept.subject or "").rpartition(".")[2],
                            id=headers.get(JOB, ""),
                            tries=int(headers.get(TRIES, 0)),
                            reason=headers.get(REASON, ""),
                            data=kept.data or b"",
                        )
                    )
        return found


def _known(kind: JobKind) -> JobKind:
    if kind not in get_args(JobKind):
        raise ValueError(f"{kind!r} is no kind of job; there are {', '.join(get_args(JobKind))}")
    return kind
