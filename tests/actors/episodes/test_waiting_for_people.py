"""Episodes that wait for people take no place and no share: others are played meanwhile."""

import asyncio

from msgspec import msgpack

from actors.episodes.rules.people import PERSON
from actors.runs.execution.coordinator import Work, carry_out
from actors.runs.execution.queue_view import QueueView
from actors.runtime.jobs.queue import JobQueue
from events.episode import ActionTaken, EpisodeEnded
from events.wire.messages import Job, PlayEpisode
from gateway.process.worker_node import WorkerNode
from store.log.event_store import EventStore
from store.read_model import queries
from tests.actors.episodes.process.test_passivation import (
    FAR,
    NEAR,
    Benches,
    actions,
    benches,
    ended,
)
from tests.actors.runs.conftest import jobs
from tests.support.runs import REHEARSAL_MINDS, events_of, plan, record, state_of
from tests.support.servers.nats_server import until

__all__ = ["benches", "jobs"]

PEOPLE = """
[minds.someone]
kind = "person"
"""
LATER_S = 60.0
"""Nothing leaves memory by itself while a test lasts."""


def awake(node: WorkerNode, episodes: list[str]) -> int:
    """How many of them are in memory."""
    return sum(("episode", episode) in node.host for episode in episodes)


async def sit_down(benches: Benches, episode: str, *, cap: int) -> None:
    """Have a person take the first seat and speak in every turn of theirs, to the end."""
    player = await benches.player(episode)
    me = {"participant": f"p-{episode}"}
    command = {"type": "TakeSeat", "seat": 0, **me}
    assert (await player.send(msgpack.encode(command)))["type"] == "Accepted"
    for turn in range(1, cap + 1, 2):
        await until(lambda turn=turn: len(actions(benches.store, episode)) == turn - 1)
        assert (await player.act(turn, f"It is {turn}.", me))["type"] == "Accepted"
    await player.leave()


async def test_with_as_many_that_wait_as_there_are_places_models_play_to_the_end(benches, store):
    async with benches.worker(after_s=LATER_S, slots=2) as node:
        for number in range(2):
            await benches.begin(node, f"people{number}", PERSON, NEAR, turn_cap=4)
        await until(lambda: all(store.version(f"episode-people{n}") == 1 for n in range(2)))
        await benches.begin(node, "models", NEAR, NEAR)
        await ended(store, "models")
        assert node.jobs.report().episodes <= 2
        # Nothing was lost by it: when people come both are played, too.
        await asyncio.gather(*(sit_down(benches, f"people{number}", cap=4) for number in range(2)))
        for number in range(2):
            await ended(store, f"people{number}")
        await until(lambda: node.jobs.report().waiting == {})


async def test_programs_elsewhere_take_their_place_until_they_have_been_silent(benches, store):
    async with benches.worker(after_s=LATER_S, slots=1) as node:
        await benches.begin(node, "program", FAR, NEAR)
        await until(lambda: store.version("episode-program") == 1)
        assert (await (await benches.player("program")).look())["type"] == "Accepted"
        assert node.jobs.report().waiting == {}
        assert node.jobs.report().episodes == 1


async def test_only_so_many_that_wait_stay_in_memory_and_all_go_on_when_people_answer(
    benches, store
):
    episodes = [f"e{number}" for number in range(6)]
    async with benches.worker(after_s=LATER_S, slots=2) as node:
        node.episodes.passivation.most_awake = 2
        for episode in episodes:
            await benches.begin(node, episode, PERSON, NEAR, turn_cap=4)
        await until(lambda: node.jobs.report().waiting == {"": 6})
        await until(lambda: awake(node, episodes) == 2)
        assert len(node.episodes.passivation) == 4
        await asyncio.gather(*(sit_down(benches, episode, cap=4) for episode in episodes))
        for episode in episodes:
            assert sum(isinstance(one, EpisodeEnded) for one in await ended(store, episode)) == 1
            assert [turn for turn, _, _ in actions(store, episode)] == [1, 2, 3, 4]
        await until(lambda: node.jobs.report().waiting == {} and not node.episodes.endings)
        await until(lambda: awake(node, episodes) == 0)


async def test_of_a_run_what_waits_for_people_leaves_room_for_what_does_not(
    benches, store, tmp_path
):
    pairings = '[["someone", "generous"], ["generous", "stubborn"]]'
    text = plan(REHEARSAL_MINDS + PEOPLE, tasks=4, pairings=pairings, concurrency=1)
    run = record(store, tmp_path, text)
    planned = state_of(store, run)
    of_models = {one.id for one in planned.episodes if "someone" not in one.minds}
    assert 0 < len(of_models) < len(planned.episodes)
    stop = asyncio.Event()
    async with benches.worker(after_s=LATER_S, slots=1) as node:
        work = Work.of(run, planned)
        going = asyncio.ensure_future(
            carry_out(
                store, node.jobs, work, stop=stop, on_progress=lambda _: None, reconcile_s=0.1
            )
        )

        def models_are_done() -> bool:
            rows = queries.episodes(store, run=run)
            return of_models <= {row.id for row in rows if row.status == "ended"}

        await until(models_are_done, 60.0)
        stop.set()
        await going
    said = [
        event
        for one in planned.episodes
        if one.id not in of_models
        for event in events_of(store, f"episode-{one.id}")
    ]
    assert not [event for event in said if isinstance(event, ActionTaken) and event.seat == 0]


async def test_a_run_that_waits_for_people_leaves_its_share_to_the_others(
    store: EventStore, jobs: JobQueue, tmp_path
):
    def work_of(name: str) -> Work:
        (tmp_path / name).mkdir()
        run = record(store, tmp_path / name, plan(tasks=4, concurrency=100))
        return Work.of(run, state_of(store, run))

    people, models = work_of("people"), work_of("models")
    models.line_up()
    view = QueueView(store, jobs)

    async def wait(job: Job) -> None:
        assert isinstance(job, PlayEpisode)
        jobs.set_aside("episode", job.episode, True)
        await asyncio.Event().wait()

    await jobs.work("episode", wait, concurrency=8)
    with view.taking_part(people), view.taking_part(models):
        for episode in people.playing:
            await jobs.enqueue("episode", PlayEpisode(run=people.run, episode=episode), id=episode)
            people.queued["episode"][episode] = 0.0
        await until(lambda: jobs.report().waiting == {people.run: len(people.playing)})
        await view.ask_fleet(0.0)
        assert view.window(models, "episode") == 10, "all places are for who can use them"
        assert view.window(people, "episode") == 5 + len(people.playing)
