"""The worker: carries out jobs of one kind, a limited number at a time."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

import msgspec
import structlog
from nats import errors
from nats.aio.msg import Msg

from actors.runtime.bus.errors import BusDown
from actors.runtime.jobs.delivery import (
    ID,
    JOB,
    REASON,
    TRIES,
    Delivery,
    impossible,
    in_header,
    target,
)
from actors.runtime.jobs.passivation import PassivatedJobs
from actors.runtime.jobs.puller import Backpressure, JobPuller
from actors.runtime.jobs.streams import JobStreams, JobsUnavailable
from actors.runtime.jobs.worker_slots import WorkerSlots
from actors.runtime.log_throttle import seldom
from actors.runtime.ownership.job_ownership import NOT_QUEUED, held_elsewhere, holding
from actors.runtime.ownership.lease import Lease
from events.serialization.codec import decode_job
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import Job, JobKind

_log = structlog.get_logger(__name__)

_RENEWALS = 4
"""So many in-progress signals in the time after which a job counts as abandoned."""
_REASON_LENGTH = 500
_TELLING = 2
"""So many times the tries of a job may be made to tell of its death."""
_PUT_BACK_SECONDS = 15.0
_CANCELLATIONS, _CANCEL_SECONDS = 3, 2.0
"""A task of the worker's own that does not end is cancelled so many times, so far apart."""


class JobDeferred(Exception):
    """No error, but the handler's way to say "later": nothing has failed."""

    def __init__(self, delay: float) -> None:
        super().__init__(f"to be done in {delay:g} s")
        self.delay = delay
        """Seconds."""


class JobOwnershipLost(Exception):
    """The handler's way to say that another process carries out this very job by now, and will
    answer for it."""


class JobImpossible(Exception):
    """The handler's way to say that a job can never be done, by nobody: it is buried at once, and
    nothing is said in the stream of what it is for."""


class JobPassivated(Exception):
    """The handler's way to say that nothing can be done for now: the job stays this process's, but
    takes up no place, and ``JobQueue.wake`` has the handler called again."""


Handler = Callable[[Job], Awaitable[None]]
DeadLetterHandler = Callable[[Job, str], Awaitable[None]]


@dataclass
class JobCounts:
    """What became of the jobs a worker was given."""

    done: int = 0
    failed: int = 0
    """Tries that raised."""
    deferred: int = 0
    dead: int = 0


class Worker:
    """One kind's worker. Made by ``JobQueue.work``."""

    def __init__(
        self,
        streams: JobStreams,
        kind: JobKind,
        handler: Handler,
        lease: Lease,
        *,
        concurrency: int,
        on_dead_letter: DeadLetterHandler | None,
        backpressure: Backpressure,
    ) -> None:
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {concurrency}")
        self.kind = kind
        self.concurrency = concurrency
        """Jobs it carries out at once."""
        self.counts = JobCounts()
        self.stopping = False
        """Whether it takes no more jobs."""
        self._streams = streams
        self._settings = streams.settings
        self._handler = handler
        self._lease = lease
        self._on_dead_letter = on_dead_letter
        self._places = WorkerSlots(concurrency)
        self._running: dict[asyncio.Task[None], Delivery] = {}
        self._in_hand: dict[int, Delivery] = {}
        """By place in the queue."""
        self._passivated = PassivatedJobs(streams.bus)
        self._woken: set[str] = set()
        """Targets woken while their handlers were still about to raise ``JobPassivated``."""
        self._connected_at = monotonic()
        self._beats: set[asyncio.Task[None]] = set()
        self._renew_now = asyncio.Event()
        self._log = _log.bind(kind=kind, space=streams.bus.space)
        self._puller = JobPuller(
            streams,
            kind,
            capacity=self._capacity,
            backpressure=backpressure,
            take=self._take,
            recreated=self._queue_recreated,
        )
        self._tasks: list[asyncio.Task[None]] = []
        self._forget: Callable[[], None] | None = None

    @property
    def running(self) -> int:
        """Jobs in hand that are being carried out; not those that wait for people."""
        return len(self._running) - self._places.aside

    @property
    def passivated(self) -> int:
        """Jobs in hand that wait to be woken: no task, and no place taken."""
        return len(self._passivated)

    def waiting(self) -> Counter[str]:
        """How many jobs in hand wait for people, by run."""
        return self._places.waiting() + self._passivated.waiting()

    def set_aside(self, target: str, aside: bool) -> None:
        """Say whether a job that is being carried out waits for people, and takes no place."""
        for delivery in self._running.values():
            if delivery.target == target and delivery.begun:
                self._places.set_aside(delivery, aside)
        self._puller.wake()

    def wake(self, target: str) -> bool:
        """Go on with the job for something; False where it is not in hand."""
        if self.stopping:
            return False
        delivery = self._passivated.take(target)
        if delivery is not None:
            delivery.begun = True
            self._begin(delivery)
            return True
        if any(running.target == target for running in self._running.values()):
            self._woken.add(target)
            return True
        return False

    def drop(self, target: str) -> None:
        """Forget a passivated job, because another process has it."""
        self._passivated.take(target)

    def start(self) -> None:
        """Begin to pull."""
        self._lease.begin(self.kind)
        self._tasks = [
            asyncio.create_task(self._puller.run(), name=f"pull-{self.kind}"),
            asyncio.create_task(self._keep_alive(), name=f"keep-{self.kind}"),
        ]
        # Time has gone by meanwhile: the sooner, the fewer jobs are given to others.
        self._forget = self._streams.bus.on_reconnect(self._reconnected)
        for task in self._tasks:
            task.add_done_callback(self._report)

    async def stop(self, grace: float = 10.0) -> None:
        """Take no more jobs, give those in hand ``grace`` seconds, put the rest back."""
        if self.stopping:
            return
        self.stopping = True
        await self._puller.stop()
        if self._running:
            _, late = await asyncio.wait(tuple(self._running), timeout=grace)
            for task in late:
                task.cancel()
            if late:
                _, stuck = await asyncio.wait(late, timeout=_PUT_BACK_SECONDS)
                if stuck:
                    self._log.error("jobs_not_cancelled", jobs=len(stuck))
        await self._cancel({*self._tasks, *self._beats})
        if self._forget is not None:
            self._forget()
        await self._passivated.put_back(lambda delivery: self._put_back(delivery, 0.0))

    async def _cancel(self, tasks: set[asyncio.Task[None]]) -> None:
        # More than once: ``asyncio.wait_for`` of Python 3.11 may lose a cancellation.
        for _ in range(_CANCELLATIONS):
            tasks = {task for task in tasks if not task.done()}
            if not tasks:
                return
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=_CANCEL_SECONDS)
        if tasks:
            names = sorted(task.get_name() for task in tasks)
            self._log.error("worker_tasks_not_cancelled", tasks=names)

    def _capacity(self) -> int:
        return 0 if self.stopping else self.concurrency - self.running

    async def _take(self, message: Msg) -> None:
        try:
            delivery = Delivery.read(message)
        except (errors.Error, ValueError) as error:
            seldom.warning(self._log, "job_delivery_unreadable", error=shortened(str(error)))
            return
        try:
            await self._take_up(delivery)
        except JobsUnavailable as error:
            self._log.warning("job_unanswered", job=delivery.id, error=str(error))

    async def _take_up(self, delivery: Delivery) -> None:
        if (same := self._in_hand.get(delivery.sequence)) is not None:
            # We, or the server, were silent for so long that it was given away: to us.
            self._log.warning("job_redelivered", job=delivery.id)
            same.message = delivery.message
            await same.in_progress()
            return
        if await self._passivated.redelivered(delivery):
            self._log.warning("job_redelivered", job=delivery.id)
            return
        if self._may_be_anothers():
            # It comes again, to somebody, should it not have come to another by now: who takes it
            # up takes it away from whoever has it.
            self._log.warning("job_delivered_late", job=delivery.id)
            return
        if self.stopping or delivery.early:
            await delivery.nak(delivery.early)
            return
        self._begin(delivery)

    def _begin(self, delivery: Delivery) -> None:
        task = asyncio.create_task(self._carry_out(delivery))
        self._running[task] = self._in_hand[delivery.sequence] = delivery
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        delivery = self._running.pop(task)
        self._places.leave(delivery)
        if self._in_hand.get(delivery.sequence) is delivery:
            del self._in_hand[delivery.sequence]
        self._woken.discard(delivery.target)
        self._puller.wake()
        self._report(task)

    def _queue_recreated(self) -> None:
        self._in_hand.clear()
        for delivery in self._running.values():
            delivery.settled = True  # its answer would hit another job of the same number
        self._passivated.clear()

    def _report(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error("job_worker_failed", exc_info=error)

    async def _carry_out(self, delivery: Delivery) -> None:
        log = self._log.bind(job=delivery.id, tries=delivery.tries)
        try:
            await self._places.enter(delivery)  # more than asked for come after a lost request
            await self._try(delivery, log)
        except asyncio.CancelledError:
            if not self.stopping:
                raise
            log.info("job_put_back")
            await self._put_back(delivery, 0.0)
        except JobOwnershipLost:
            delivery.settled = True
            log.info("job_ownership_lost")
        except JobPassivated:
            log.debug("job_passivated")
            await self._passivate(delivery)
        except JobDeferred as deferred:
            self.counts.deferred += 1
            log.info("job_deferred", seconds=deferred.delay)
            await self._put_back(delivery, max(0.0, deferred.delay))
        except (BusDown, JobsUnavailable) as error:
            # Its time runs out and it is delivered again: to us or to who can reach NATS.
            log.warning("job_unanswered", error=str(error))

    async def _try(self, delivery: Delivery, log: structlog.stdlib.BoundLogger) -> None:
        try:
            job = decode_job(delivery.kept)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            await self._bury(delivery, f"unreadable: {error}")
            return
        if why := impossible(job, self.kind, delivery.target):
            await self._bury(delivery, why)
            return
        # The same string as the handler's: thousands of passivated jobs are kept.
        delivery.target, delivery.run = target(job), job.run
        if self._is_doubtful(delivery):
            await self._leave_to_holder(delivery)
        delivery.begun = True
        with holding(
            self._streams.bus,
            self.kind,
            delivery.target,
            lambda: NOT_QUEUED if delivery.settled else delivery.sequence,
        ):
            await self._do(delivery, job, log)

    def _is_doubtful(self, delivery: Delivery) -> bool:
        """Whether another process may have what was delivered: it was delivered before, or by a
        server that may have forgotten that; and it is not here already."""
        if delivery.begun:
            return False
        again = delivery.message.metadata.num_delivered > 1 or self._streams.bus.counts.disconnects
        return bool(again) and not any(
            other.begun and other.target == delivery.target for other in self._running.values()
        )

    async def _leave_to_holder(self, delivery: Delivery) -> None:
        """Raises ``JobOwnershipLost`` where a living process has this job in hand, and
        ``JobDeferred`` where it has another for the same."""
        place = await held_elsewhere(
            self._streams.bus, self.kind, delivery.target, self._connected_at
        )
        if place is None:
            return
        self._log.info("job_held_elsewhere", job=delivery.id)
        if place == delivery.sequence:
            # Its signs of life keep it, from now on as it was delivered here.
            raise JobOwnershipLost
        raise JobDeferred(self._settings.ack_wait / 2)

    async def _do(self, delivery: Delivery, job: Job, log: structlog.stdlib.BoundLogger) -> None:
        if delivery.tries > self._settings.max_tries:
            reason = f"its worker was lost each of {self._settings.max_tries} times"
            await self._dead_letter(delivery, job, reason)
            return
        try:
            await self._handler(job)
        except (JobDeferred, JobOwnershipLost, JobPassivated):
            raise
        except JobImpossible as error:
            await self._bury(delivery, str(error))
        except (Exception, asyncio.CancelledError) as error:  # a handler may fail in any way
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
                raise  # it is we who are cancelled, not something inside the handler
            self.counts.failed += 1
            await self._retry_or_dead_letter(delivery, job, error, log)
        else:
            self.counts.done += 1
            await delivery.ack()

    async def _retry_or_dead_letter(
        self, delivery: Delivery, job: Job, error: BaseException, log: structlog.stdlib.BoundLogger
    ) -> None:
        """After a failed try: have the job delivered again later, or give it up."""
        if delivery.tries >= self._settings.max_tries:
            log.error("job_failed", exc_info=error)
            await self._dead_letter(delivery, job, f"{type(error).__name__}: {error}")
            return
        delay = self._settings.delay(delivery.tries)
        log.warning("job_failed", retry_seconds=delay, exc_info=error)
        await delivery.nak(delay)

    async def _passivate(self, delivery: Delivery) -> None:
        if delivery.settled:
            return  # the queue it came from is gone
        if self.stopping:
            await self._put_back(delivery, 0.0)
            return
        await self._passivated.keep(delivery)
        if delivery.target in self._woken:
            self.wake(delivery.target)

    async def _put_back(self, delivery: Delivery, delay: float) -> None:
        """Queue the job again, then release this delivery: a crash in between leaves two jobs,
        which is harmless."""
        subject = subjects.job(self._streams.bus.space, self.kind, delivery.target)
        try:
            await self._streams.publish(
                subject, delivery.message.data, delivery.back_headers(delay)
            )
            await delivery.ack()
        except (BusDown, JobsUnavailable) as error:
            self._log.warning("job_unanswered", job=delivery.id, error=str(error))

    async def _dead_letter(self, delivery: Delivery, job: Job, reason: str) -> None:
        """Give up a job for which a caller waits."""
        if self._on_dead_letter is not None:
            try:
                await self._on_dead_letter(job, reason)
            except Exception as error:
                if delivery.tries < _TELLING * self._settings.max_tries:
                    # It is tried again with the job; an outage passes.
                    raise
                self._log.exception("dead_job_not_told", job=delivery.id)
                reason = f"{reason}; and this could not be recorded: {error}"
        await self._keep_dead(delivery, reason)
        self._log.error("job_dead", job=delivery.id, tries=delivery.tries, reason=shortened(reason))

    async def _bury(self, delivery: Delivery, reason: str) -> None:
        """Give up what can be nobody's job."""
        await self._keep_dead(delivery, reason)
        seldom.warning(
            self._log,
            "job_impossible",
            # Who knows nothing of us names no id to queue it under.
            job=shortened(delivery.id or delivery.target),
            reason=shortened(reason),
        )

    async def _keep_dead(self, delivery: Delivery, reason: str) -> None:
        headers = {
            ID: f"{delivery.id}/{delivery.sequence}",
            JOB: delivery.id,
            TRIES: str(delivery.tries),
            REASON: in_header(
                shortened(" ".join(reason[: 4 * _REASON_LENGTH].split()), _REASON_LENGTH)
            ),
        }
        subject = subjects.dead_job(self._streams.bus.space, self.kind, delivery.grave)
        await self._streams.publish(subject, delivery.kept, headers)
        await delivery.ack()
        self.counts.dead += 1

    async def _keep_alive(self) -> None:
        """Tell the server, now and then, that the jobs in hand are still this process's."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.ack_wait / _RENEWALS):
                    await self._renew_now.wait()
            self._renew_now.clear()
            if self._streams.bus.connected:
                # Not awaited: one that is never answered must not keep back the next.
                beat = asyncio.create_task(self._beat(), name=f"beat-{self.kind}")
                self._beats.add(beat)
                beat.add_done_callback(self._beaten)

    def _beaten(self, beat: asyncio.Task[None]) -> None:
        self._beats.discard(beat)
        self._report(beat)

    def _reconnected(self) -> None:
        # What comes now was sent on this connection.
        self._connected_at = monotonic()
        self._renew_now.set()

    def _may_be_anothers(self) -> bool:
        """Whether what is delivered now may have lain on the way for so long that it was delivered
        to another: nothing sent was known to arrive, and nothing that arrived was known to be new,
        for the time after which that happens."""
        known = max(self._lease.renewed_at(self.kind), self._connected_at)
        return monotonic() - known > self._settings.ack_wait

    async def _beat(self) -> None:
        """Say of each job in hand that it is in progress; only what was answered counts, for a
        network may swallow everything without a word."""
        begun = monotonic()
        if begun - self._lease.renewed_at(self.kind) > self._settings.ack_wait:
            # They have been given to others, who may have passivated them as well.
            self._passivated.clear()
        term_s = self._lease.term_s
        held = [delivery for delivery in self._running.values() if not delivery.settled]
        try:
            async with asyncio.timeout(term_s):
                for delivery in held[:-1]:
                    await delivery.in_progress()
                if held:
                    await held[-1].confirm_in_progress(term_s)
                else:
                    await self._streams.bus.flush(term_s)
        except (JobsUnavailable, BusDown, TimeoutError) as error:
            self._log.warning("job_heartbeat_failed", error=str(error) or "no answer in time")
            return
        self._lease.renew(self.kind, begun)
        await self._passivated.renew()
