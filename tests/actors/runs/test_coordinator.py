"""Carrying out a run: what is queued, when it is done, what a lost job or a paused run does."""

import asyncio
from pathlib import Path

import pytest

import actors.runs.coordinator as coordinator
from actors.runs.coordinator import Progress, Work, carry_out, end_run, pause_run
from actors.runtime.bus_errors import BusDown
from actors.runtime.jobs import JobQueue
from events.episode import EpisodeEnded, EpisodeFailed
from events.evaluation import EvaluationEnded
from events.messages import ContinueEpisode, Job, PlayEpisode
from events.run import RunEnded, RunPaused
from store.log import ANY, NEW
from tests.builders import started
from tests.company import open_at
from tests.nats import until
from tests.runs import events_of, plan, record, state_of

ENDED = EpisodeEnded(reason="left", turn=1)
SCORED = EvaluationEnded(scored=0, failed=0, abstained=0)


@pytest.fixture
def store(tmp_path: Path):
    store = open_at(tmp_path)
    yield store
    store.close()


@pytest.fixture
async def jobs(bus):
    jobs = JobQueue(bus)
    await jobs.ensure()
    yield jobs
    await jobs.stop(1.0)


class Run:
    """A run of a few episodes, whose jobs the test itself does."""

    def __init__(self, store, jobs: JobQueue, folder: Path, *, judges: str = "[]") -> None:
        self.store, self.jobs = store, jobs
        self.id = record(store, folder, plan(tasks=1, judges=judges))
        self.state = state_of(store, self.id)
        self.episodes = [planned.id for planned in self.state.episodes]
        self.taken: list[Job] = []
        self.stop = asyncio.Event()
        self.seen: list[int] = []

    def go(self) -> asyncio.Task[Progress]:
        """Carry it out."""
        work = Work(self.id, self.episodes, self.state.plan.judges)
        return asyncio.ensure_future(
            carry_out(
                self.store,
                self.jobs,
                work,
                stop=self.stop,
                on_progress=lambda progress: self.seen.append(progress.episodes_ended),
            )
        )

    async def take(self, job: Job) -> None:
        """Note a job, and do nothing about it."""
        self.taken.append(job)

    async def work(self) -> None:
        """Take the jobs of both kinds."""
        for kind in ("episode", "evaluation"):
            await self.jobs.work(kind, self.take, concurrency=20)

    def end(self, stream: str, event) -> None:
        """Say that something has ended."""
        self.store.append(stream, ANY, [event], correlation=self.id)


async def test_every_episode_is_queued_and_the_end_comes_with_the_last(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path)
    await run.work()
    going = run.go()
    await until(lambda: len(run.taken) == len(run.episodes))
    assert {job.episode for job in run.taken if isinstance(job, PlayEpisode)} == {*run.episodes}
    for episode in run.episodes[:-1]:
        run.end(f"episode-{episode}", ENDED)
    run.end(f"episode-{run.episodes[-1]}", EpisodeFailed(reason="it broke", attempts=5))
    progress = await asyncio.wait_for(going, 20.0)
    assert (progress.episodes_ended, progress.episodes_failed) == (len(run.episodes) - 1, 1)
    end_run(store, run.id, progress)
    end_run(store, run.id, progress)
    assert events_of(store, f"run-{run.id}")[1:] == [
        RunEnded(
            episodes_ended=len(run.episodes) - 1,
            episodes_failed=1,
            evaluations_ended=0,
            evaluations_failed=0,
        )
    ]


async def test_an_episode_that_has_ended_is_scored_by_every_judge(store, jobs, tmp_path):
    judges = '["rehearsal-strict", "rehearsal-lenient"]'
    run = Run(store, jobs, tmp_path, judges=judges)
    await run.work()
    going = run.go()
    await until(lambda: len(run.taken) == len(run.episodes))
    for episode in run.episodes:
        run.end(f"episode-{episode}", ENDED)
    scored = 2 * len(run.episodes)
    await until(lambda: len(run.taken) == len(run.episodes) + scored)
    assert not going.done()
    for job in run.taken[-scored:]:
        run.end(f"evaluation-{job.evaluation}", SCORED)
    progress = await asyncio.wait_for(going, 20.0)
    assert progress.evaluations_ended == progress.evaluations == scored


async def test_only_what_is_not_done_is_queued_when_it_goes_on(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path)
    done, begun, *fresh = run.episodes
    run.end(f"episode-{done}", ENDED)
    store.append(f"episode-{begun}", NEW, [started(run=run.id)])
    await run.work()
    going = run.go()
    await until(lambda: len(run.taken) == len(run.episodes) - 1)
    assert {job.episode: type(job) for job in run.taken} == {
        begun: ContinueEpisode,
        **dict.fromkeys(fresh, PlayEpisode),
    }
    assert {job.run for job in run.taken} == {run.id}
    run.stop.set()
    assert not (await asyncio.wait_for(going, 20.0)).done


async def test_a_paused_run_is_left_where_it_is(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path)
    going = run.go()
    await until(lambda: run.seen)
    pause_run(store, run.id, RunPaused(reason="budget", detail="it has spent all it had"))
    progress = await asyncio.wait_for(going, 20.0)
    assert (progress.paused, progress.done) == ("it has spent all it had", False)
    pause_run(store, run.id, RunPaused(reason="stopped", detail="again"))
    assert len(events_of(store, f"run-{run.id}")) == 2


async def test_jobs_that_nats_does_not_take_now_are_queued_later(
    store, jobs, tmp_path, monkeypatch
):
    run = Run(store, jobs, tmp_path)
    enqueue, refused = jobs.enqueue, []

    async def away_at_first(kind, job, *, id):
        if len(refused) < 6:
            refused.append(id)
            raise BusDown("nats://away", "it is away")
        return await enqueue(kind, job, id=id)

    monkeypatch.setattr(jobs, "enqueue", away_at_first)
    await run.work()
    going = run.go()
    await until(lambda: len(run.taken) == len(run.episodes))
    assert len(refused) == 6
    run.stop.set()
    await asyncio.wait_for(going, 20.0)


@pytest.mark.parametrize("lost", [True, False])
async def test_after_a_quiet_while_jobs_are_queued_again_only_if_they_were_lost(
    store, jobs, tmp_path, monkeypatch, lost: bool
):
    monkeypatch.setattr(coordinator, "QUEUE_AGAIN_S", 0.2)
    run = Run(store, jobs, tmp_path)
    counted = []
    waiting = jobs.waiting

    async def count(kind):
        counted.append(kind)
        return await waiting(kind)

    monkeypatch.setattr(jobs, "waiting", count)
    going = run.go()
    await until(lambda: run.seen)
    if lost:
        await until(lambda: counted)
        await jobs.forget()
        await run.work()
        await until(lambda: len(run.taken) == len(run.episodes))
    else:
        await until(lambda: len(counted) >= 6)
        assert await waiting("episode") == len(run.episodes)
    run.stop.set()
    await asyncio.wait_for(going, 20.0)
