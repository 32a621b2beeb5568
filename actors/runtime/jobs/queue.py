"""The job queue: jobs are delivered to workers with free slots until one of them has done them.

JetStream holds jobs, never facts. A job may be done twice (a worker that was thought dead wakes up)
and, at worst, be lost with its server: handlers are idempotent, and the coordinator that planned
the jobs finds lost ones by comparing the plan with the store.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Collection
from typing import get_args

import msgspec
import structlog
from nats.js.errors import NotFoundError

from actors.runtime import metrics
from actors.runtime.bus.errors import BusError
from actors.runtime.bus.nats_bus import Bus, Subscribed
from actors.runtime.jobs.dead_letters import DeadJob, discard, read_letters
from actors.runtime.jobs.delivery import ID, target
from actors.runtime.jobs.puller import Backpressure
from actors.runtime.jobs.streams import (
    KINDS,
    JobSettings,
    JobStreams,
    JobsUnavailable,
    translate_errors,
)
from actors.runtime.jobs.worker import (
    DeadLetterHandler,
    Handler,
    JobCounts,
    JobDeferred,
    JobImpossible,
    JobOwnershipLost,
    JobPassivated,
    Worker,
)
from actors.runtime.jobs.worker_reports import (
    FLEET_WAIT_S,
    answer_report_requests,
    collect_reports,
    software,
    worker_name,
)
from actors.runtime.ownership.lease import Lease
from events.serialization.codec import encode
from events.wire import subjects
from events.wire.messages import Job, JobKind, WorkerReport


class JobCensus(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of a kind."""

    queued: int
    """Waiting for a worker."""
    in_hand: int
    """A worker has it, or it waits for its next try."""
    dead: int
    """Nobody could do it."""


async def take_census(streams: JobStreams) -> dict[JobKind, JobCensus]:
    """Count the jobs. Raises ``JobsUnavailable``."""
    pattern = subjects.all_dead_jobs(streams.bus.space)
    letters = await streams.subjects_of(streams.dead, pattern)
    if letters is None:
        raise JobsUnavailable("count the dead jobs", "there are more than JetStream tells of")
    dead: Counter[str] = Counter()
    for subject, count in letters.items():
        dead[subjects.parse_job(subject)[0]] += count
    found: dict[JobKind, JobCensus] = {}
    async with translate_errors("count the jobs"):
        for kind in KINDS:
            waiting = in_hand = 0
            with contextlib.suppress(NotFoundError):  # nothing was ever queued
                info = await streams.js.consumer_info(streams.jobs, kind)
                waiting, in_hand = info.num_pending or 0, info.num_ack_pending or 0
            found[kind] = JobCensus(queued=waiting, in_hand=in_hand, dead=dead[kind])
    return found


_log = structlog.get_logger(__name__)

__all__ = [
    "DeadJob",
    "JobCensus",
    "JobCounts",
    "JobDeferred",
    "JobImpossible",
    "JobQueue",
    "JobPassivated",
    "JobSettings",
    "JobOwnershipLost",
    "JobsUnavailable",
    "Worker",
]


class JobQueue:
    """The jobs of a bus's space."""

    def __init__(
        self,
        bus: Bus,
        settings: JobSettings | None = None,
        *,
        backpressure: Backpressure = lambda: "",
    ) -> None:
        """While ``backpressure`` names something, no more jobs are taken; those in hand go on."""
        self.bus = bus
        self._backpressure = backpressure
        self.settings = settings or JobSettings()
        self.lease = Lease(self.settings.ack_wait / 2)
        """Renewed while this process takes jobs and NATS hears of it."""
        self._streams = JobStreams(bus, self.settings)
        self._workers: list[Worker] = []
        self._present: Subscribed | None = None
        self.on_tried: list[Callable[[Job], None]] = []
        """Called with each job that this process has tried, whatever came of it."""
        self.runs: set[str] = set()
        """The runs that this process carries out, and tells who asks."""
        self.serves = False
        """Whether it takes up runs that are left to a server."""

    async def ensure(self) -> None:
        """Make the streams and consumers that are missing. Raises ``JobsUnavailable``."""
        await self._streams.ensure()

    async def reclaim(self) -> None:
        """Deliver every unfinished job again at once, whichever worker had it.

        For a process that has just started an embedded server of its own: nobody else can be
        alive who works on them, and their time need not run out first.
        """
        await self._streams.reclaim()

    async def forget(self) -> None:
        """Drop every job there is. For a process that has just started an embedded server of its
        own and will queue what the store says is not done."""
        await self._streams.forget()

    async def enqueue(self, kind: JobKind, job: Job, *, id: str) -> bool:
        """Queue a job; durable when this returns. ``held`` knows it by what it is for.

        False when ``id`` was queued within the last ``settings.window`` seconds already: then
        nothing is queued, *even if that job is done meanwhile*. A job that is meant to be done
        once more needs another id. Raises ``JobsUnavailable``, ``BusDown``.
        """
        _known(kind)
        subject = subjects.job(self.bus.space, kind, target(job))
        answer = await self._streams.publish(subject, encode(job), {ID: id})
        return not answer.duplicate

    async def work(
        self,
        kind: JobKind,
        handler: Handler,
        *,
        concurrency: int,
        on_dead_letter: DeadLetterHandler | None = None,
    ) -> Worker:
        """Have ``handler`` carry out jobs of a kind, ``concurrency`` at a time, until ``stop()``.

        Returns at once. A handler that returns has done the job; one that raises is called again
        after growing delays, anywhere; after ``settings.max_tries`` the job is dead:
        ``on_dead_letter`` hears of it with the reason, and the dead letters keep it.
        ``JobDeferred`` puts it off without counting; ``JobPassivated`` keeps it without carrying it
        out. As long as the handler runs, or the job is passivated, it is nobody else's.
        """
        _known(kind)
        await self.ensure()

        async def carry_out(job: Job) -> None:
            try:
                await handler(job)
            finally:
                for callback in tuple(self.on_tried):
                    callback(job)

        worker = Worker(
            self._streams,
            kind,
            carry_out,
            self.lease,
            concurrency=concurrency,
            on_dead_letter=on_dead_letter,
            backpressure=self._backpressure,
        )
        worker.start()
        self._workers.append(worker)
        if self._present is None:
            self._present = answer_report_requests(self.bus, self.report)
        return worker

    def wake(self, kind: JobKind, target: str) -> bool:
        """Have the handler called again for a passivated job, or one about to be; False
        where this process has no such job in hand any more."""
        return any(worker.wake(target) for worker in self._workers if worker.kind == kind)

    def set_aside(self, kind: JobKind, target: str, aside: bool) -> None:
        """Say whether a job that is being carried out waits for people: then it takes no place,
        and no share of its run's, until it goes on."""
        for worker in self._workers:
            if worker.kind == kind:
                worker.set_aside(target, aside)

    def drop(self, kind: JobKind, target: str) -> None:
        """Forget a passivated job, because another process has it."""
        for worker in self._workers:
            if worker.kind == kind:
                worker.drop(target)

    async def stop(self, grace: float = 10.0) -> None:
        """Take no more jobs, wait up to ``grace`` seconds for those in hand, then cancel their
        handlers and put the jobs back for others, uncounted."""
        await asyncio.gather(*(worker.stop(grace) for worker in self._workers))
        self._workers.clear()
        present, self._present = self._present, None
        if present is not None:
            present.unsubscribe()

    def report(self) -> WorkerReport:
        """What this process has in hand."""

        slots: Counter[JobKind] = Counter()
        in_hand: Counter[JobKind] = Counter()
        waiting: Counter[str] = Counter()
        for worker in self._workers:
            slots[worker.kind] += worker.concurrency
            in_hand[worker.kind] += worker.running
            if worker.kind == "episode":
                waiting += worker.waiting()
        return WorkerReport(
            worker=worker_name(),
            software=software(),
            episode_slots=slots["episode"],
            episodes=in_hand["episode"],
            evaluation_slots=slots["evaluation"],
            evaluations=in_hand["evaluation"],
            draining=any(worker.stopping for worker in self._workers),
            runs=tuple(sorted(self.runs)),
            serves=self.serves,
            waiting=waiting,
        )

    async def fleet(self, wait_s: float = FLEET_WAIT_S) -> list[WorkerReport]:
        """What every process that takes jobs of this space has in hand, this one included, by
        name. Takes ``wait_s`` seconds; who does not answer in time is missing. Raises
        ``BusDown``."""
        return await collect_reports(self.bus, wait_s)

    async def withdraw(self, kind: JobKind, targets: Collection[str]) -> None:
        """Take the jobs for some episodes or evaluations out of the queue; what is in hand goes on,
        and is not given to another. Raises ``JobsUnavailable``."""
        _known(kind)
        wanted = [subjects.job(self.bus.space, kind, target) for target in targets]
        await self._streams.remove(wanted)

    async def waiting(self, kind: JobKind) -> int:
        """How many jobs of a kind are not done yet, those in hand included."""
        async with translate_errors("count the jobs"):
            info = await self._streams.js.consumer_info(self._streams.jobs, _known(kind))
        return int((info.num_pending or 0) + (info.num_ack_pending or 0))

    async def census(self) -> dict[JobKind, JobCensus]:
        """How many jobs of each kind there are in which state; ``/metrics`` shows it from then
        on. Raises ``JobsUnavailable``."""
        found = await take_census(self._streams)
        for kind, census in found.items():
            for state, count in msgspec.structs.asdict(census).items():
                metrics.JOBS.labels(kind, state).set(count)
        return found

    async def held(self, kind: JobKind) -> set[str] | None:
        """The episodes or evaluations whose jobs are not done yet, those in hand included.

        None where that is not known: JetStream does not answer, or there are more than it can
        tell at once (100,000).
        """
        try:
            found = await self._streams.subjects_of(
                self._streams.jobs, subjects.jobs(self.bus.space, _known(kind))
            )
        except BusError as error:
            _log.warning("held_jobs_unknown", kind=kind, error=str(error))
            return None
        return None if found is None else {subjects.parse_job(subject)[1] for subject in found}

    async def dead(self, limit: int = 100) -> list[DeadJob]:
        """The latest dead jobs, oldest first. Raises ``JobsUnavailable``."""
        return await read_letters(self._streams, limit)

    async def discard(self, letter: DeadJob) -> None:
        """Forget a dead job. Raises ``JobsUnavailable``."""
        await discard(self._streams, letter)


def _known(kind: JobKind) -> JobKind:
    if kind not in get_args(JobKind):
        raise ValueError(f"{kind!r} is no kind of job; there are {', '.join(get_args(JobKind))}")
    return kind
