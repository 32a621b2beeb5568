"""Runs that want the same workers: each has its share, so that a small one need not wait."""

import asyncio
from pathlib import Path

import pytest

from actors.runs.execution.coordinator import Work, carry_out
from actors.runs.execution.queue_view import NO_LIMIT, QueueView
from events.episode import EpisodeEnded
from events.wire.messages import Job, PlayEpisode
from gateway.process.worker_node import WorkerNode
from store.log.event_store import NEW, EventStore
from tests.support.builders import started
from tests.support.runs import chain_plan, plan, record, settings_of, state_of
from tests.support.servers.nats_server import until

AT_ONCE = 4


def work_of(store: EventStore, folder: Path, text: str) -> Work:
    """All of a run that has just been planned."""
    run = record(store, folder, text)
    work = Work.of(run, state_of(store, run))
    work.line_up()
    return work


async def never(job: Job) -> None:
    """Do a job for ever."""
    await asyncio.Event().wait()


async def test_runs_share_the_fleet_by_priority(store, jobs, tmp_path):
    view = QueueView(store, jobs)
    low = work_of(store, tmp_path, chain_plan(pairs=5, concurrency=100))
    high = work_of(store, tmp_path, chain_plan(pairs=5, concurrency=100, priority=3))
    with view.taking_part(low):
        assert view.window(low, "episode") == 100, "nobody has said how large the fleet is"
        await jobs.work("episode", never, concurrency=16)
        await view.ask_fleet(0.0)
        assert view.window(low, "episode") == 20, "a quarter more than are done at once"
        with view.taking_part(high):
            assert (view.window(low, "episode"), view.window(high, "episode")) == (5, 15)
        assert view.window(low, "episode") == 20
        low.concurrency = 7
        assert view.window(low, "episode") == 7


async def test_even_the_smallest_share_is_one_job(store, jobs, tmp_path):
    view = QueueView(store, jobs)
    low = work_of(store, tmp_path, chain_plan())
    high = work_of(store, tmp_path, chain_plan(priority=100))
    await jobs.work("episode", never, concurrency=2)
    await view.ask_fleet(0.0)
    with view.taking_part(low), view.taking_part(high):
        assert view.window(low, "episode") == 1


async def test_only_who_has_something_to_be_done_takes_a_share(store, jobs, tmp_path):
    view = QueueView(store, jobs)
    scoring = work_of(store, tmp_path, chain_plan(judges='["rehearsal-strict"]', concurrency=100))
    playing = work_of(store, tmp_path, chain_plan(concurrency=100))
    await jobs.work("episode", never, concurrency=8)
    await jobs.work("evaluation", never, concurrency=4)
    await view.ask_fleet(0.0)
    with view.taking_part(scoring), view.taking_part(playing):
        assert view.window(scoring, "evaluation") == 5
        for chain in state_of(store, scoring.run).chains:
            for episode in chain.episodes:
                scoring.note(f"episode-{episode}", EpisodeEnded(reason="left", turn=1))
        scoring.chains.clear()
        scoring.line_up()
        assert view.window(playing, "episode") == 10, "all is for who plays"
        assert scoring.left("evaluation")
        assert not playing.left("evaluation")


async def test_what_no_plan_bounds_has_no_limit(store, jobs):
    view = QueueView(store, jobs)
    forks = Work.continuing(["e1"])
    with view.taking_part(forks):
        assert view.window(forks, "episode") == NO_LIMIT


async def test_runs_that_other_processes_carry_out_count_once_they_have_begun(
    store, jobs, tmp_path
):
    ours = work_of(store, tmp_path, chain_plan(concurrency=100))
    theirs = work_of(store, tmp_path, chain_plan(concurrency=100, priority=3))
    view = QueueView(store, jobs)
    await jobs.work("episode", never, concurrency=16)
    await view.ask_fleet(0.0)
    (episode, *_) = theirs.take("episode", 1)
    await jobs.enqueue("episode", PlayEpisode(run=theirs.run, episode=episode), id="one")
    with view.taking_part(ours):
        await view.ask_queue(0.0)
        assert view.held["episode"] == {episode}
        assert view.window(ours, "episode") == 20, "nobody knows whose it is"
        store.append(f"episode-{episode}", NEW, [started(run=theirs.run)], correlation=theirs.run)
        await view.ask_queue(0.0)
        assert view.window(ours, "episode") == 5
        await jobs.forget()
        # The consumer's own figures follow the queue's a moment later.
        async with asyncio.timeout(60):
            while view.window(ours, "episode") != 20:
                await view.ask_queue(0.0)


@pytest.mark.parametrize(
    ("large", "judges"),
    [
        (plan(tasks=30, repeats=2, concurrency=64, judges='["rehearsal-strict"]'), True),
        (chain_plan(pairs=12, length=10, concurrency=64), False),
    ],
    ids=["tasks", "chains"],
)
async def test_a_small_run_need_not_wait_for_a_large_one(
    store, nats_server, space, tmp_path, large: str, judges: bool
):
    settings = settings_of(tmp_path, store, nats_server, space)
    stop = asyncio.Event()
    async with WorkerNode(settings, store) as bench:
        await bench.work(AT_ONCE)
        view = QueueView(store, bench.jobs)

        def go(run: str) -> asyncio.Task:
            work = Work.of(run, state_of(store, run))
            return asyncio.ensure_future(
                carry_out(store, bench.jobs, work, stop=stop, on_progress=lambda _: None, view=view)
            )

        first = record(store, tmp_path, large)
        large_going = go(first)
        await until(lambda: len(endings(store, first)) >= 2 * AT_ONCE, 60.0)
        small = record(
            store, tmp_path, plan(tasks=1, judges='["rehearsal-strict"]' if judges else "[]")
        )
        asked_at = store.head()
        await asyncio.wait_for(go(small), 60.0)
        done_at = endings(store, small)[-1]
        stop.set()
        await asyncio.wait_for(large_going, 60.0)
    meanwhile = [position for position in endings(store, first) if asked_at < position < done_at]
    waited = len(state_of(store, first).episodes) - len(endings(store, first))
    assert waited > len(meanwhile), "most of the large run was still to be played"
    # What was in the queue before it, and then no more than its own share.
    assert len(meanwhile) <= 3 * AT_ONCE + 2 * len(state_of(store, small).episodes)


def endings(store: EventStore, run: str) -> list[int]:
    """Where in the log episodes of a run have ended."""
    return [
        envelope.position
        for envelope in store.read_all(tags=[EpisodeEnded.__name__])
        if envelope.correlation == run
    ]
