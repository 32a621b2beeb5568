"""Carrying out a run: queue what is not done, watch it get done, say when all is.

Facts come from the store alone. Jobs may be lost, doubled or done by other machines: what is
done is what the log says is done, and what stays undone too long is queued again.
"""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import structlog

from actors.runs.state import RunState, load_run, run_stream
from actors.runtime.bus_errors import BusError
from actors.runtime.jobs import JobQueue
from events.base import Envelope
from events.codec import event_of
from events.episode import EpisodeEnded, EpisodeFailed
from events.evaluation import EvaluationEnded, EvaluationFailed, JudgeSpec
from events.fingerprints import evaluation_id
from events.messages import ContinueEpisode, Evaluate, Job, JobKind, PlayEpisode
from events.run import RunEnded, RunPaused
from events.subjects import split_stream
from store.errors import Conflict, StoreUnavailable
from store.log import EventStore

log = structlog.get_logger()

ENDINGS = tuple(
    kind.__name__ for kind in (EpisodeEnded, EpisodeFailed, EvaluationEnded, EvaluationFailed)
)
WATCHED = (*ENDINGS, RunPaused.__name__)
POLL_S = 0.1
"""How often the log is looked at, in seconds."""
QUEUE_AGAIN_S = 60.0
"""After so long without any ending, in seconds, jobs that were lost are looked for."""


class Progress(msgspec.Struct):
    """How far a piece of work is."""

    episodes: int = 0
    episodes_ended: int = 0
    episodes_failed: int = 0
    evaluations: int = 0
    evaluations_ended: int = 0
    evaluations_failed: int = 0
    paused: str = ""
    """Why it waits; empty while it goes on."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return (
            self.episodes_ended + self.episodes_failed >= self.episodes
            and self.evaluations_ended + self.evaluations_failed >= self.evaluations
        )


def evaluation_job(episode: str, judge: JudgeSpec, run: str = "") -> Evaluate:
    """The job that scores an episode; asked for twice it meets the same stream."""
    return Evaluate(evaluation=evaluation_id(episode, judge), episode=episode, judge=judge, run=run)


class Work:
    """Episodes to be played and scored by some judges, and what of that is done."""

    def __init__(self, run: str, episodes: Sequence[str], judges: Sequence[JudgeSpec]) -> None:
        self.run = run
        self.partial = False
        """Whether this is less than all of the run, so that its end is not the run's end."""
        self.playing: dict[str, PlayEpisode | ContinueEpisode] = {
            id_: PlayEpisode(run=run, episode=id_) for id_ in episodes
        }
        self.judges = tuple(judges)
        self.scoring: dict[str, Evaluate] = {}
        self.progress = Progress(
            episodes=len(self.playing), evaluations=len(self.playing) * len(self.judges)
        )

    @classmethod
    def continuing(cls, episodes: Sequence[str]) -> "Work":
        """Episodes whose streams exist, to be played to their end and not scored."""
        work = cls("", (), ())
        work.partial = True
        work.playing = {id_: ContinueEpisode(episode=id_) for id_ in episodes}
        work.progress.episodes = len(work.playing)
        return work

    @classmethod
    def scoring_only(cls, run: str, episodes: Sequence[str], judge: JudgeSpec) -> "Work":
        """Episodes that have ended, to be scored by one more judge."""
        work = cls(run, (), ())
        work.partial = True
        jobs = [evaluation_job(id_, judge, run) for id_ in episodes]
        work.scoring = {job.evaluation: job for job in jobs}
        work.progress.evaluations = len(work.scoring)
        return work

    def ended(self, stream: str, event: object) -> list[Evaluate]:
        """Take note of an ending; the evaluations that may begin now."""
        kind, id_ = split_stream(stream)
        progress = self.progress
        if kind == "episode" and self.playing.pop(id_, None) is not None:
            if isinstance(event, EpisodeFailed):
                progress.episodes_failed += 1
                progress.evaluations -= len(self.judges)
                return []
            progress.episodes_ended += 1
            jobs = [evaluation_job(id_, judge, self.run) for judge in self.judges]
            self.scoring |= {job.evaluation: job for job in jobs}
            return jobs
        if kind == "evaluation" and self.scoring.pop(id_, None) is not None:
            if isinstance(event, EvaluationFailed):
                progress.evaluations_failed += 1
            else:
                progress.evaluations_ended += 1
        return []


async def carry_out(
    store: EventStore,
    jobs: JobQueue,
    work: Work,
    *,
    stop: asyncio.Event,
    on_progress: Callable[[Progress], None],
) -> Progress:
    """See ``work`` through to its end, or until the run pauses or ``stop`` is set."""
    coordinator = _Coordinator(store, jobs, work)
    await coordinator.begin()
    on_progress(work.progress)
    while not (work.progress.done or work.progress.paused or stop.is_set()):
        await coordinator.queue_waiting()
        try:
            if await coordinator.look():
                on_progress(work.progress)
        except StoreUnavailable as error:
            log.warning("run_waits_for_database", run=work.run, error=str(error))
        try:
            await asyncio.wait_for(stop.wait(), POLL_S)
        except TimeoutError:
            continue
    return work.progress


def end_run(store: EventStore, run: str, progress: Progress) -> None:
    """Record that the run is done; harmless when it is recorded already."""
    state = load_run(store, run)
    if state is None or state.status == "ended":
        return
    event = RunEnded(
        episodes_ended=progress.episodes_ended,
        episodes_failed=progress.episodes_failed,
        evaluations_ended=progress.evaluations_ended,
        evaluations_failed=progress.evaluations_failed,
    )
    _append(store, run, state, event)


def pause_run(store: EventStore, run: str, event: RunPaused) -> None:
    """Record that the run waits; harmless when it does already."""
    state = load_run(store, run)
    if state is not None and state.status == "running":
        _append(store, run, state, event)


def _append(store: EventStore, run: str, state: RunState, event: RunEnded | RunPaused) -> None:
    try:
        store.append(run_stream(run), state.version, [event], correlation=run)
    except Conflict:
        # Another process said something about the run meanwhile; its word stands.
        log.info("run_moved_on", run=run)


class _Coordinator:
    def __init__(self, store: EventStore, jobs: JobQueue, work: Work) -> None:
        self.store, self.jobs, self.work = store, jobs, work
        self.position = 0
        self.round = 0
        self.unqueued: dict[str, tuple[JobKind, Job]] = {}
        """Jobs that are still to be queued, by id."""
        self.last_change = asyncio.get_running_loop().time()

    async def begin(self) -> None:
        """Find out what is done already, then queue the rest."""
        self.position = await asyncio.to_thread(self.store.head)
        for id_ in list(self.work.playing):
            await self._note_existing(f"episode-{id_}")
        for id_ in list(self.work.scoring):
            await self._note_existing(f"evaluation-{id_}")
        self._queue_rest()

    async def queue_waiting(self) -> None:
        """Queue what waits to be queued. What NATS does not take now is left for the next time."""
        waiting = list(self.unqueued.items())
        answers = await asyncio.gather(
            *(self.jobs.enqueue(kind, job, id=id_) for id_, (kind, job) in waiting),
            return_exceptions=True,
        )
        for (id_, _), answer in zip(waiting, answers, strict=True):
            if isinstance(answer, BusError):
                log.warning("job_not_queued_yet", job=id_, error=str(answer))
            elif isinstance(answer, BaseException):
                raise answer
            else:
                del self.unqueued[id_]

    async def look(self) -> bool:
        """Read what was appended since; whether anything of this work ended or paused."""
        head = await asyncio.to_thread(self.store.head)
        changed = False
        while self.position < head:
            found = await asyncio.to_thread(self.store.read_all, self.position, tags=WATCHED)
            for envelope in found:
                changed = await self._note(envelope) or changed
            self.position = found[-1].position if found else head
        loop = asyncio.get_running_loop()
        if changed:
            self.last_change = loop.time()
        elif loop.time() - self.last_change > QUEUE_AGAIN_S:
            self.last_change = loop.time()
            if await self._jobs_were_lost():
                log.warning("run_quiet_queueing_again", run=self.work.run)
                self.round += 1
                self._queue_rest()
        return changed

    async def _jobs_were_lost(self) -> bool:
        """Whether the queue is empty though something is left to do. While it holds any job, none
        is given up for lost: long episodes are quiet, too, and a second worker that played one of
        them would ask its models again."""
        try:
            held = await self.jobs.waiting("episode") + await self.jobs.waiting("evaluation")
        except BusError as error:
            log.warning("jobs_not_counted", run=self.work.run, error=str(error))
            return False
        return held == 0

    async def _note(self, envelope: Envelope) -> bool:
        event = event_of(envelope)
        if isinstance(event, RunPaused):
            if envelope.stream != run_stream(self.work.run):
                return False
            self.work.progress.paused = event.detail or event.reason
            return True
        for job in self.work.ended(envelope.stream, event):
            self._queue("evaluation", job.evaluation, job)
        return True

    async def _note_existing(self, stream: str) -> None:
        version = await asyncio.to_thread(self.store.version, stream)
        if version < 0:
            return
        last = (await asyncio.to_thread(self.store.read, stream, version))[-1]
        if last.tag in ENDINGS:
            for job in self.work.ended(stream, event_of(last)):
                await self._note_existing(f"evaluation-{job.evaluation}")
        elif stream.startswith("episode-"):
            # Begun before: its stream says all there is to know, also of a fork.
            id_ = split_stream(stream)[1]
            self.work.playing[id_] = ContinueEpisode(episode=id_, run=self.work.run)

    def _queue_rest(self) -> None:
        for job in self.work.playing.values():
            self._queue("episode", job.episode, job)
        for evaluation in self.work.scoring.values():
            self._queue("evaluation", evaluation.evaluation, evaluation)

    def _queue(self, kind: JobKind, id_: str, job: Job) -> None:
        # A resumed run must not be taken for a repetition of jobs queued before it was stopped.
        self.unqueued[f"{id_}-{self.position}-{self.round}"] = kind, job
