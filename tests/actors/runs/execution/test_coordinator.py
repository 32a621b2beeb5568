"""Carrying out a run: what is queued, when it is done, what a lost job or a paused run does."""

import asyncio
from pathlib import Path

import pytest

from actors.runs.execution import coordinator
from actors.runs.execution.coordinator import (
    Progress,
    Work,
    carry_out,
    end_run,
    evaluation_job,
    pause_run,
)
from actors.runtime.bus.errors import BusDown
from actors.runtime.jobs.queue import JobQueue
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.episode import EpisodeEnded, EpisodeFailed
from events.evaluation import Dimension, EvaluationEnded, JudgeSpec
from events.run import PlannedChain, RunEnded, RunPaused, RunResumed
from events.wire.messages import ContinueEpisode, Job, PlayEpisode
from store.log.event_store import ANY, NEW
from tests.support.builders import opened, started
from tests.support.runs import chain_plan, events_of, plan, record, state_of
from tests.support.servers.nats_server import until

ENDED = EpisodeEnded(reason="left", turn=1)
SCORED = EvaluationEnded(scored=0, failed=0, abstained=0)
JUDGE = JudgeSpec(name="j", kind="rehearsal", dimensions=(Dimension(name="goal", low=0, high=1),))


class Run:
    """A run of a few episodes, whose jobs the test itself does."""

    def __init__(self, store, jobs: JobQueue, folder: Path, *, text: str = "") -> None:
        self.store, self.jobs = store, jobs
        self.id = record(store, folder, text or plan(tasks=1))
        self.state = state_of(store, self.id)
        self.episodes = [planned.id for planned in self.state.episodes]
        self.taken: list[Job] = []
        self.stop = asyncio.Event()
        self.seen: list[int] = []

    @property
    def played(self) -> list[str]:
        """The episodes whose jobs were taken, as often as they were."""
        return [job.episode for job in self.taken if isinstance(job, PlayEpisode)]

    @property
    def playing_first(self) -> list[str]:
        """The episodes that may be played at once: of each chain the first one."""
        return [chain.episodes[0] for chain in self.state.chains] or self.episodes

    def go(self, reconcile_s: float = 60.0, *, work: Work | None = None) -> asyncio.Task[Progress]:
        """Carry it out, or a part of it."""
        work = work or Work.of(self.id, self.state)
        return asyncio.ensure_future(
            carry_out(
                self.store,
                self.jobs,
                work,
                stop=self.stop,
                on_progress=lambda progress: self.seen.append(progress.episodes_ended),
                reconcile_s=reconcile_s,
            )
        )

    async def take(self, job: Job) -> None:
        """Note a job, and do nothing about it."""
        self.taken.append(job)

    async def work(self) -> None:
        """Take the jobs of both kinds."""
        for kind in ("episode", "evaluation"):
            await self.jobs.work(kind, self.take, concurrency=20)

    async def queued(self, count: int) -> None:
        """Wait until so many episodes are in the queue, and no more."""
        async with asyncio.timeout(60):
            while await self.jobs.waiting("episode") != count:
                await asyncio.sleep(0.01)

    def advance(self, chain: PlannedChain, index: int) -> None:
        """Say that an episode of a chain is over and remembered."""
        event = ChainAdvanced(index=index, episode=chain.episodes[index], outcome="ended")
        self.end(f"chain-{chain.id}", event)

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
    progress = await asyncio.wait_for(going, 60.0)
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
    run = Run(store, jobs, tmp_path, text=plan(tasks=1, judges=judges))
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
    progress = await asyncio.wait_for(going, 60.0)
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
    assert not (await asyncio.wait_for(going, 60.0)).done


async def test_a_paused_run_is_left_where_it_is(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path)
    going = run.go()
    await until(lambda: run.seen)
    pause_run(store, run.id, RunPaused(reason="budget", detail="it has spent all it had"))
    progress = await asyncio.wait_for(going, 60.0)
    assert (progress.paused, progress.done) == ("it has spent all it had", False)
    pause_run(store, run.id, RunPaused(reason="stopped", detail="again"))
    assert len(events_of(store, f"run-{run.id}")) == 2


async def test_what_is_paused_before_it_was_begun_is_left_though_its_run_went_on(
    store, jobs, tmp_path
):
    run = Run(store, jobs, tmp_path)
    for episode in run.episodes:
        run.end(f"episode-{episode}", ENDED)
    pause_run(store, run.id, RunPaused(reason="budget", detail="it has spent all it had"))
    run.end(f"run-{run.id}", RunResumed())
    work = Work.scoring_only(run.id, [evaluation_job(id_, JUDGE, run.id) for id_ in run.episodes])
    work.progress.paused = "there is no money for a judge"
    progress = await asyncio.wait_for(run.go(work=work), 60.0)
    assert (progress.paused, progress.done) == ("there is no money for a judge", False)
    assert await jobs.held("evaluation") == set()


async def test_a_paused_run_is_scored_all_the_same(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path)
    run.end(f"episode-{run.episodes[0]}", ENDED)
    pause_run(store, run.id, RunPaused(reason="stopped"))
    await run.work()
    going = run.go(work=Work.scoring_only(run.id, [evaluation_job(run.episodes[0], JUDGE, run.id)]))
    await until(lambda: run.taken or going.done())
    (job,) = run.taken
    run.end(f"evaluation-{job.evaluation}", SCORED)
    assert (await asyncio.wait_for(going, 60.0)).done


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
    await asyncio.wait_for(going, 60.0)


async def test_of_a_chain_only_the_next_episode_is_in_the_queue(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=chain_plan(length=3, pairs=2))
    await run.work()
    going = run.go()
    one, other = run.state.chains
    await until(lambda: len(run.taken) == 2)
    assert run.played == [one.episodes[0], other.episodes[0]]
    for index in range(3):
        run.end(f"episode-{one.episodes[index]}", ENDED)
        run.advance(one, index)
        if index < 2:
            await until(lambda index=index: len(run.taken) == 3 + index)
            assert run.played[-1] == one.episodes[index + 1]
    run.end(f"chain-{one.id}", ChainEnded(ended=3, failed=0))
    await until(lambda: run.seen[-1] == 3)
    assert not going.done(), "the other chain is not over"
    assert run.played.count(other.episodes[0]) == 1
    # Given up in the middle, as ChainManager does it.
    for episode in other.episodes:
        run.end(f"episode-{episode}", EpisodeFailed(reason="its chain was given up", attempts=5))
    run.end(f"chain-{other.id}", ChainFailed(reason="it broke", attempts=5))
    progress = await asyncio.wait_for(going, 60.0)
    assert (progress.episodes_ended, progress.episodes_failed) == (3, 3)
    assert (progress.chains_ended, progress.chains_failed) == (1, 1)
    assert len(run.played) == 4


async def test_who_takes_over_a_run_goes_on_and_queues_nothing_twice(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=chain_plan(length=3, pairs=3))
    first, second, third = run.state.chains
    for index in range(2):
        run.end(f"episode-{first.episodes[index]}", ENDED)
        run.advance(first, index)
    run.end(f"episode-{second.episodes[0]}", ENDED)
    killed = run.go()
    await until(lambda: run.seen)
    await run.queued(3)
    killed.cancel()
    await asyncio.wait([killed])
    going = run.go()
    await until(lambda: len(run.seen) == 2)
    await run.work()
    await until(lambda: len(run.taken) == 3)
    # The second chain's first episode is over, but nobody has remembered it.
    assert set(run.played) == {first.episodes[2], second.episodes[0], third.episodes[0]}
    run.advance(second, 0)
    await until(lambda: len(run.taken) == 4)
    assert run.played[-1] == second.episodes[1]
    run.stop.set()
    await asyncio.wait_for(going, 60.0)
    assert len(set(run.played)) == len(run.played) == 4


@pytest.mark.parametrize("text", [plan(tasks=1), chain_plan(pairs=4)], ids=["tasks", "chains"])
async def test_a_job_that_was_lost_is_queued_again_while_others_are_under_way(
    store, jobs, tmp_path, text
):
    run = Run(store, jobs, tmp_path, text=text)
    lost: list[str] = []
    done = asyncio.Event()

    async def lose_the_first(job: Job) -> None:
        await run.take(job)
        if not lost:
            # Acknowledged, and nothing has come of it.
            lost.append(job.episode)
        elif job.episode not in lost:
            await done.wait()

    await jobs.work("episode", lose_the_first, concurrency=20)
    going = run.go(reconcile_s=0.2)
    await until(lambda: run.played.count(lost[0]) >= 3 if lost else False)
    held = len(run.playing_first)
    assert held == 4
    assert all(run.played.count(id_) == 1 for id_ in run.playing_first if id_ not in lost)
    done.set()
    run.stop.set()
    await asyncio.wait_for(going, 60.0)


async def test_an_evaluation_that_was_lost_is_queued_again(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=plan(tasks=1, judges='["rehearsal-strict"]'))
    for episode in run.episodes:
        run.end(f"episode-{episode}", ENDED)
    await run.work()
    going = run.go(reconcile_s=0.2)
    await until(lambda: len(run.taken) >= 2 * len(run.episodes))
    for job in run.taken[: len(run.episodes)]:
        run.end(f"evaluation-{job.evaluation}", SCORED)
    assert (await asyncio.wait_for(going, 60.0)).done


async def test_a_job_whose_stream_moves_is_not_lost(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=chain_plan(pairs=1))
    await run.work()
    going = run.go(reconcile_s=0.5)
    await until(lambda: run.taken)
    (chain,) = run.state.chains
    episode = chain.episodes[0]
    looked = []
    held = jobs.held

    async def look_and_move(kind):
        if kind == "episode":
            # A worker that has lost its job, and goes on.
            looked.append(store.version(f"episode-{episode}"))
            run.end(f"episode-{episode}", opened(len(looked), (0,)))
        return await held(kind)

    jobs.held = look_and_move
    await until(lambda: len(looked) > 4)
    assert run.played == [episode]
    del jobs.held
    await until(lambda: len(run.taken) > 1)
    assert run.played == [episode, episode], "now it is"
    run.stop.set()
    await asyncio.wait_for(going, 60.0)


async def test_no_more_is_queued_than_the_plan_allows_at_once(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=plan(tasks=3, concurrency=2))
    going = run.go()
    await run.queued(2)
    await run.work()
    for count in range(2, len(run.episodes)):
        await until(lambda count=count: len(run.taken) == count)
        run.end(f"episode-{run.played[count - 2]}", ENDED)
    await until(lambda: len(run.taken) == len(run.episodes))
    assert len(set(run.played)) == len(run.played)
    run.stop.set()
    await asyncio.wait_for(going, 60.0)


async def test_a_look_reads_only_what_is_new(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=plan(tasks=2))
    read = []
    read_all = store.read_all

    def remember(after=0, **options):
        found = read_all(after, **options)
        read.append((after, [envelope.position for envelope in found]))
        return found

    store.read_all = remember
    await run.work()
    going = run.go()
    await until(lambda: len(run.taken) == len(run.episodes))
    for episode in run.episodes:
        run.end(f"episode-{episode}", ENDED)
    await asyncio.wait_for(going, 60.0)
    positions = [position for _, found in read for position in found]
    assert len(positions) == len(run.episodes)
    assert positions == sorted(set(positions)), "each event once"
    assert all(after < min(found, default=after + 1) for after, found in read)


async def test_two_that_carry_out_the_same_run_queue_each_job_once(store, jobs, tmp_path):
    run = Run(store, jobs, tmp_path, text=chain_plan(length=3, pairs=3))
    await run.work()
    going = [run.go(), run.go()]
    await until(lambda: len(run.seen) >= 2)
    await until(lambda: len(run.taken) >= 3)
    for index in range(2):
        for chain in run.state.chains:
            run.end(f"episode-{chain.episodes[index]}", ENDED)
            run.advance(chain, index)
        await until(lambda index=index: len(run.taken) >= 3 * (index + 2))
    for chain in run.state.chains:
        run.end(f"episode-{chain.episodes[2]}", ENDED)
        run.advance(chain, 2)
        run.end(f"chain-{chain.id}", ChainEnded(ended=3, failed=0))
    for progress in await asyncio.wait_for(asyncio.gather(*going), 60.0):
        assert (progress.done, progress.chains_ended) == (True, 3)
    assert sorted(run.played) == sorted(run.episodes)


async def test_a_survey_ends_though_its_first_cancellation_was_lost():
    asked = asyncio.Event()

    async def survey() -> None:
        while True:
            try:
                asked.set()
                await asyncio.sleep(60.0)
            except asyncio.CancelledError:
                if not lost:
                    lost.append(True)
                    continue
                raise

    lost: list[bool] = []
    task = asyncio.ensure_future(survey())
    await asked.wait()
    await coordinator._end(task)
    assert lost
    assert task.cancelled()
