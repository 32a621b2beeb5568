"""The coordinator of a run: queues the next jobs, follows their progress, and records the end of
the run.

Its only source of facts is the store. Jobs may be lost, duplicated or done by other machines: a job
is done if the log says so, and a job that is neither done nor in the queue is queued again. So if a
coordinator is killed, the next one finds everything it needs in the store.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, Protocol

import structlog

from actors.runs.execution.ending_announcements import EndingAnnouncements
from actors.runs.execution.lost_jobs import LostJobs
from actors.runs.execution.queue_view import KINDS, SURVEY_S, QueueView
from actors.runs.execution.work import PROGRESS_TAGS, Progress, Work, evaluation_job
from actors.runs.state import load_run, run_stream
from actors.runtime.bus.errors import BusError
from actors.runtime.jobs.queue import JobQueue
from events.base import Envelope
from events.run import RunEnded, RunPaused, RunResumed
from events.serialization.codec import event_of
from events.wire.messages import ContinueEpisode, JobKind
from events.wire.subjects import stream_name
from store.errors import Conflict, StoreUnavailable
from store.log.event_store import NEW, EventStore

__all__ = ["Progress", "Work", "carry_out", "end_run", "evaluation_job", "pause_run"]

log = structlog.get_logger()

WATCHED: Final = (*PROGRESS_TAGS, RunPaused.__name__, RunResumed.__name__)
POLL_S: Final = 0.1
"""How often the log is looked at though nothing was announced, in seconds."""
RECONCILE_S: Final = 5.0
"""How long a job may be missing from the queue before it counts as lost, in seconds."""
_BATCH: Final = 1000


class Stop(Protocol):
    """Says when work is to be left where it is: an event, or several."""

    def is_set(self) -> bool:
        """Whether it is."""
        ...


async def carry_out(
    store: EventStore,
    jobs: JobQueue,
    work: Work,
    *,
    stop: Stop,
    on_progress: Callable[[Progress], None],
    view: QueueView | None = None,
    reconcile_s: float = RECONCILE_S,
) -> Progress:
    """See ``work`` through to its end, or until the run pauses or ``stop`` is set.

    Several at once in one process share a ``view``.
    """
    view = view or QueueView(store, jobs)
    coordinator = _Coordinator(store, jobs, view, work, reconcile_s)
    with view.taking_part(work), EndingAnnouncements(jobs, work) as news:
        await coordinator.begin()
        on_progress(work.progress)
        surveying = asyncio.get_running_loop().create_task(coordinator.survey())
        try:
            while not (work.progress.done or work.progress.paused or stop.is_set()):
                await coordinator.queue_waiting()
                await news.wait(POLL_S)
                try:
                    if await coordinator.look():
                        on_progress(work.progress)
                except StoreUnavailable as error:
                    log.warning("run_waits_for_database", run=work.run, error=str(error))
                if surveying.done():
                    surveying.result()
        finally:
            await _end(surveying)
        if work.progress.pause_reason == "stopped":
            await coordinator.take_back()
    return work.progress


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task that goes on for ever, and wait for its end. More than once, for Python 3.11's
    ``wait_for``, which asking NATS goes through, loses a cancellation that comes along with the
    answer."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=POLL_S)


def end_run(store: EventStore, run: str, progress: Progress, *, stopped: bool = False) -> None:
    """Record that the run is done, or ``stopped`` for good; harmless when it has ended already."""
    event = RunEnded(
        episodes_ended=progress.episodes_ended,
        episodes_failed=progress.episodes_failed,
        evaluations_ended=progress.evaluations_ended,
        evaluations_failed=progress.evaluations_failed,
        stopped=stopped,
    )
    _append(store, run, event, unless=("ended",))


def pause_run(store: EventStore, run: str, event: RunPaused) -> None:
    """Record that the run waits; harmless when it does already."""
    _append(store, run, event, unless=("ended", "paused"))


def _append(
    store: EventStore, run: str, event: RunEnded | RunPaused, *, unless: Container[str]
) -> None:
    """Record it in the run's stream, unless it has one of some statuses by then."""
    while (state := load_run(store, run)) is not None and state.status not in unless:
        try:
            store.append(run_stream(run), state.version, [event], correlation=run)
        except Conflict:
            # Another process said something about the run meanwhile.
            log.info("run_moved_on", run=run)
        else:
            return


class _Coordinator:
    def __init__(
        self,
        store: EventStore,
        jobs: JobQueue,
        view: QueueView,
        work: Work,
        reconcile_s: float,
    ) -> None:
        self.store, self.jobs, self.view, self.work = store, jobs, view, work
        self.every_s = min(SURVEY_S, reconcile_s)
        self.lost_jobs = LostJobs(store, view, work, reconcile_s)
        self.position = 0
        """Of the last event of the log that was looked at."""
        self.times_lost: Counter[str] = Counter()
        """By job."""
        self.epoch = ""
        """Part of the ids of jobs: the same for all who carry out a run at the same time, so that
        the queue takes each job once, and another when the run was resumed meanwhile."""
        self.beginning = True
        self.perhaps_begun: set[str] = set()
        """Episodes of no chain whose streams may exist."""

    async def begin(self) -> None:
        """Find out what is done and what is queued already; all else waits to be queued."""
        await self.view.ask_queue(older_s=0.0)
        first = await asyncio.to_thread(self.store.read, run_stream(self.work.run), 0, 0)
        if first:
            # Nothing of a run is older than its plan.
            self.position = first[0].position
            await self.look()
            fresh = self.position == first[0].position
        else:
            self.position = await asyncio.to_thread(self.store.head)
            for kind, ids in (("episode", self.work.playing), ("evaluation", self.work.scoring)):
                await self.lost_jobs.note_endings([stream_name(kind, id_) for id_ in ids])
            fresh = False
        self.epoch = str(await asyncio.to_thread(self.store.version, run_stream(self.work.run)))
        if self.work.partial:
            # Any part may be done again.
            self.epoch += f"-{self.position}"
        self.beginning = False
        self.work.line_up()
        for kind in KINDS:
            for id_ in self.view.held[kind] or ():
                if self.work.wanted(kind, id_):
                    self.work.queued[kind][id_] = self.view.asked_at
        if not fresh:
            self.perhaps_begun.update(self.work.playing.keys() - self.work.chain_of.keys())

    async def queue_waiting(self) -> None:
        """Queue what may be queued. What NATS does not take now is left for the next time."""
        for kind in KINDS:
            room = self.view.window(self.work, kind) - len(self.work.queued[kind])
            while room > 0 and (ids := self.work.take(kind, min(room, _BATCH))):
                room -= len(ids)
                if not await self._queue(kind, ids):
                    break

    async def take_back(self) -> None:
        """Nothing that is still queued is to be begun."""
        for kind in KINDS:
            try:
                await self.jobs.withdraw(kind, list(self.work.queued[kind]))
            except BusError as error:
                log.warning("jobs_not_taken_back", run=self.work.run, error=str(error))

    async def look(self) -> bool:
        """Read what was appended since; whether anything of this work ended or paused."""
        changed = False
        while True:
            head, found = await asyncio.to_thread(self._appended)
            for envelope in found:
                changed = self._note(envelope) or changed
            self.position = max([self.position, *(envelope.position for envelope in found[-1:])])
            if len(found) < _BATCH:
                # All up to here that is not among those found is none of ours.
                self.position = max(self.position, head)
                return changed

    async def survey(self) -> None:
        """Keep an eye on the queue and the fleet, for ever."""
        while True:
            try:
                await self.view.ask_fleet(self.every_s)
                await self.view.ask_queue(self.every_s)
                await self._reconcile()
            except StoreUnavailable as error:
                log.warning("run_waits_for_database", run=self.work.run, error=str(error))
            await asyncio.sleep(self.every_s)

    def _appended(self) -> tuple[int, list[Envelope]]:
        head = self.store.head()
        if head <= self.position:
            return head, []
        return head, self.store.read_all(self.position, tags=WATCHED, limit=_BATCH)

    def _note(self, envelope: Envelope) -> bool:
        event = event_of(envelope)
        if not isinstance(event, RunPaused | RunResumed):
            return self.work.note(envelope.stream, event)
        if envelope.stream != run_stream(self.work.run):
            return False
        if self.beginning and self.work.partial:
            # A paused run may be scored. Whoever has that done may pause it already.
            return False
        if isinstance(event, RunPaused):
            self.work.pause(event)
        elif self.beginning:
            self.work.progress.paused = self.work.progress.pause_reason = ""
        return True

    async def _queue(self, kind: JobKind, ids: Sequence[str]) -> bool:
        """Whether NATS took all of them."""
        jobs = {id_: self.work.job(kind, id_) for id_ in ids}
        for id_ in await self._begun(ids) if kind == "episode" else ():
            # Its stream says all there is to know, also of a fork.
            jobs[id_] = ContinueEpisode(episode=id_, run=self.work.run)
        answers = await asyncio.gather(
            *(self.jobs.enqueue(kind, job, id=self._id_of(id_)) for id_, job in jobs.items()),
            return_exceptions=True,
        )
        refused = []
        now = asyncio.get_running_loop().time()
        for id_, answer in zip(ids, answers, strict=True):
            if isinstance(answer, BusError):
                refused.append(id_)
            elif isinstance(answer, BaseException):
                raise answer
            elif self.work.wanted(kind, id_):
                self.work.queued[kind][id_] = now
        if refused:
            log.warning("jobs_not_queued_yet", kind=kind, jobs=len(refused))
            self.work.put_back(kind, refused)
        return not refused

    def _id_of(self, target: str) -> str:
        """The id of the job for an episode or evaluation: no other was ever queued under it, but
        by somebody who means the same."""
        return f"{target}-{self.epoch}-{self.times_lost[target]}"

    async def _begun(self, ids: Iterable[str]) -> list[str]:
        """Those of some episodes whose streams exist, each looked at once."""
        unsure = [id_ for id_ in ids if id_ in self.perhaps_begun]
        self.perhaps_begun.difference_update(unsure)
        if not unsure:
            return []
        return await asyncio.to_thread(
            lambda: [id_ for id_ in unsure if self.store.version(stream_name("episode", id_)) > NEW]
        )

    async def _reconcile(self) -> None:
        """Have jobs that were lost wait to be queued again."""
        for kind, ids in (await self.lost_jobs.find()).items():
            log.warning("jobs_lost", run=self.work.run, kind=kind, jobs=ids)
            self.times_lost.update(ids)
            self.work.put_back(kind, ids)
            if kind == "episode":
                self.perhaps_begun.update(
                    self.work.playing.keys() & ids - self.work.chain_of.keys()
                )
