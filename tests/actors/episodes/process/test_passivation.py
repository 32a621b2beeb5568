"""Episodes that wait for remote seats only leave memory, and nobody notices."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from actors.runs.execution.coordinator import Work, carry_out, pause_run
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.social.actions import Action
from actors.social.setup import EpisodeRules, TurnOrder
from events.base import Event, replace
from events.episode import (
    ActionTaken,
    EpisodeEnded,
    EpisodePaused,
    PeopleRules,
    SeatReleased,
    SeatTaken,
)
from events.minds import MindSpec
from events.run import RunPaused
from events.serialization.codec import encode, event_of
from events.wire import subjects
from events.wire.messages import ContinueEpisode, GoOn, PlayEpisode
from gateway.process.process_limits import Tuning
from gateway.process.worker_node import WorkerNode
from store.log.event_store import NEW, EventStore
from store.read_model import queries
from tests.faults.plain_client import Player
from tests.support.builders import mind, opened, started
from tests.support.managed_episodes import open_at
from tests.support.runs import (
    REHEARSAL_MINDS,
    REMOTE_MINDS,
    chain_plan,
    events_of,
    plan,
    record,
    settings_of,
    state_of,
)
from tests.support.servers.nats_server import until

FAR, NEAR = mind("far", kind="remote"), mind("near")
ACK_WAIT_S = 2.0
"""A process that stands still for longer forgets what rests in it: it will be somebody else's."""


class Benches:
    """Processes on one store and one NATS server, each as a worker has it."""

    def __init__(self, folder: Path, store: EventStore, server: EmbeddedNats, space: str) -> None:
        self.store, self.server, self.space = store, server, space
        settings = settings_of(folder, store, server, space)
        tuning = Tuning(ack_wait_s=ACK_WAIT_S, grace_s=2.0)
        self.settings = msgspec.structs.replace(settings, tuning=tuning)

    @asynccontextmanager
    async def worker(self, after_s: float = 0.0, slots: int = 4) -> AsyncIterator[WorkerNode]:
        """One that takes jobs; episodes rest after so many seconds of silence."""
        async with WorkerNode(self.settings, self.store) as bench:
            bench.episodes.passivation.after_s = after_s
            await bench.work(slots)
            yield bench

    async def begin(
        self,
        bench: WorkerNode,
        episode: str,
        *minds: MindSpec,
        turn_cap: int = 6,
        order: TurnOrder = "round_robin",
    ) -> None:
        """Queue an episode that has started."""
        rules = EpisodeRules(turn_cap=turn_cap, stale_turns=0, order=order)
        self.store.append(f"episode-{episode}", NEW, [started(minds=minds, rules=rules)])
        await bench.jobs.enqueue("episode", ContinueEpisode(episode=episode), id=episode)

    async def player(self, episode: str, seat: int = 0) -> Player:
        """A program in a seat."""
        return await Player.join(self.server.url, self.server.token, self.space, episode, seat)


@pytest.fixture
def benches(tmp_path: Path, store: EventStore, nats_server: EmbeddedNats, space: str) -> Benches:
    return Benches(tmp_path, store, nats_server, space)


def actions(store: EventStore, episode: str) -> list[tuple[int, int, str]]:
    """Turn, seat and text of each action."""
    return [
        (event.turn, event.seat, event.action.text)
        for event in events_of(store, f"episode-{episode}")
        if isinstance(event, ActionTaken)
    ]


async def rested(bench: WorkerNode, *episodes: str) -> None:
    """These have left memory, which they look for whenever it is time to ask again."""

    def they_have() -> bool:
        bench.episodes.redeliver()
        resting = bench.episodes.passivation
        return all(id_ in resting and ("episode", id_) not in bench.host for id_ in episodes)

    await until(they_have)


async def ended(store: EventStore, episode: str) -> list[Event]:
    """Its events once it is over."""
    stream = f"episode-{episode}"
    await until(lambda: isinstance(event_of(store.read(stream)[-1]), EpisodeEnded))
    return events_of(store, stream)


async def test_time_runs_for_a_person_while_their_episode_rests(benches, store):
    person = MindSpec(name="person", kind="person")
    people = PeopleRules(deadline_s=1.0, late="takeover", substitute=mind("stand-in"))
    rules = EpisodeRules(turn_cap=2, stale_turns=0)
    begun = replace(started(minds=(person, NEAR), rules=rules), people=people)
    taken = SeatTaken(seat=0, participant="p-ann", mind=person)
    async with benches.worker() as bench:
        store.append("episode-e1", NEW, [begun, opened(1, (0,)), taken])
        await bench.jobs.enqueue("episode", ContinueEpisode(episode="e1"), id="e1")
        await rested(bench, "e1")
        events = await ended(store, "e1")
    (released,) = [event for event in events if isinstance(event, SeatReleased)]
    assert (released.mind.name, released.reason) == ("stand-in", "late")
    assert [seat for _, seat, _ in actions(store, "e1")] == [0, 1]


async def test_a_paused_episode_rests_and_goes_on_when_it_is_told_to(benches, store):
    rules = EpisodeRules(turn_cap=2, stale_turns=0)
    begun = started(minds=(NEAR, NEAR), rules=rules)
    async with benches.worker() as bench:
        store.append("episode-e1", NEW, [begun, opened(1, (0,)), EpisodePaused(by="r")])
        await bench.jobs.enqueue("episode", ContinueEpisode(episode="e1"), id="e1")
        await rested(bench, "e1")
        assert actions(store, "e1") == []
        bench.bus.publish(subjects.command(bench.bus.space, "episode", "e1"), encode(GoOn(by="r")))
        await ended(store, "e1")
    assert [turn for turn, _, _ in actions(store, "e1")] == [1, 2]


async def test_of_an_episode_that_rests_no_actor_no_task_and_no_place_is_left(benches):
    async with benches.worker(slots=1) as bench:
        for number in range(5):
            await benches.begin(bench, f"e{number}", FAR, NEAR)
        # With one place they could not all wait if waiting took one.
        await rested(bench, *(f"e{number}" for number in range(5)))
        assert len(bench.host) == 0
        assert not bench.episodes.endings
        assert not bench.episodes.seats.tables
        await until(lambda: bench.jobs.report().episodes == 0)
        assert await bench.jobs.held("episode") == {f"e{number}" for number in range(5)}


async def test_an_episode_that_rests_is_answered_late_and_goes_on_to_its_end(benches, store):
    async with benches.worker() as bench:
        await benches.begin(bench, "e1", FAR, NEAR, turn_cap=4)
        await rested(bench, "e1")
        player = await benches.player("e1")
        assert (await player.act(1, "Here I am at last."))["type"] == "Accepted"
        seen = await player.asked(1)
        await rested(bench, "e1")
        assert (seen["type"], seen["turn"]) == ("Observation", 3)
        assert (await player.act(3, "And again."))["type"] == "Accepted"
        assert (await player.asked(3))["type"] == "EpisodeOver"
        await player.leave()
        events = await ended(store, "e1")
        await until(lambda: not bench.episodes.endings)
        assert await until_done(bench) == set()
    assert [text for turn, seat, text in actions(store, "e1") if seat == 0] == [
        "Here I am at last.",
        "And again.",
    ]
    assert sum(isinstance(event, EpisodeEnded) for event in events) == 1


async def until_done(bench: WorkerNode) -> set[str] | None:
    """The jobs that are held once none is, as it should come to be."""
    async with asyncio.timeout(60):
        while held := await bench.jobs.held("episode"):
            await asyncio.sleep(0.01)
    return held


async def test_who_asks_what_there_is_to_do_wakes_the_episode_and_is_told_all(benches):
    async with benches.worker() as bench:
        await benches.begin(bench, "e1", FAR, NEAR)
        await rested(bench, "e1")
        bench.episodes.passivation.after_s = 60.0
        player = await benches.player("e1")
        assert (await player.look())["type"] == "Accepted"
        assert (await player.asked())["background"]["goal"]
        await until(lambda: "e1" in bench.episodes.endings)
        assert "e1" not in bench.episodes.passivation
        await player.leave()


async def test_who_comes_late_and_only_listens_is_asked_again_and_the_episode_rests_on(benches):
    async with benches.worker() as bench:
        await benches.begin(bench, "e1", FAR, FAR)
        await rested(bench, "e1")
        player = await benches.player("e1")
        await player.client.flush()
        asking = asyncio.ensure_future(
            bench.episodes.passivation.keep_asking(bench.episodes.ask_again, every_s=0.01)
        )
        for _ in range(3):
            seen = await player.asked()
            assert (seen["turn"], bool(seen["background"])) == (1, True)
        asking.cancel()
        await rested(bench, "e1")
        assert bench.jobs.report().episodes == 0
        await player.leave()


async def test_what_rests_is_silent_for_so_long_and_no_sooner(benches):
    async with benches.worker(after_s=60.0) as bench:
        await benches.begin(bench, "e1", FAR, NEAR)
        await until(lambda: benches.store.version("episode-e1") == 1)
        bench.episodes.redeliver()
        player = await benches.player("e1")
        assert (await player.look())["type"] == "Accepted"
        bench.episodes.redeliver()
        assert (await player.look())["type"] == "Accepted"
        assert "e1" in bench.episodes.endings
        bench.episodes.passivation.after_s = 0.0
        bench.episodes.redeliver()
        await rested(bench, "e1")
        await player.leave()


async def test_an_episode_that_waits_for_a_local_mind_does_not_rest(benches, store):
    async with benches.worker() as bench:
        held = asyncio.Event()

        class Slow:
            async def decide(self, scene, calls):
                await held.wait()
                raise AssertionError("never set")

        bench.episodes.make_mind = lambda *_: Slow()
        await benches.begin(bench, "e1", NEAR, FAR)
        await until(lambda: ("agent", "e1.0") in bench.host)
        bench.episodes.redeliver()
        player = await benches.player("e1", 1)
        assert (await player.look())["type"] == "Accepted"
        assert "e1" in bench.episodes.endings
        await player.leave()


async def test_an_episode_that_rested_in_a_process_that_died_goes_on_elsewhere(benches, store):
    async with benches.worker() as first:
        await benches.begin(first, "e1", FAR, NEAR, turn_cap=2)
        await rested(first, "e1")
        # It says and hears nothing any more.
        await first.bus.close()
        async with benches.worker() as second:
            await rested(second, "e1")
            player = await benches.player("e1")
            assert (await player.act(1, "Is anybody there?"))["type"] == "Accepted"
            await player.leave()
            await ended(store, "e1")
    assert actions(store, "e1")[0] == (1, 0, "Is anybody there?")
    assert len(actions(store, "e1")) == 2


async def test_what_rests_in_a_process_that_is_to_end_is_handed_over_at_once(benches, store):
    async with benches.worker() as first:
        for number in range(3):
            await benches.begin(first, f"e{number}", FAR, NEAR, turn_cap=2)
        await rested(first, "e0", "e1", "e2")
        await first.drain()
        assert len(first.episodes.passivation) == 0
        async with benches.worker() as second:
            await rested(second, "e0", "e1", "e2")
            player = await benches.player("e1")
            assert (await player.act(1, "Hello again."))["type"] == "Accepted"
            await player.leave()
            await ended(store, "e1")
            # Handed over, not lost: nothing was counted against them.
            assert second.jobs._workers[0].counts.dead == 0


def deafen(bench: WorkerNode) -> None:
    """From now on the queue takes a process for dead, which lives on."""
    bench.jobs._workers[0]._tasks[1].cancel()


async def test_of_two_processes_in_which_an_episode_rests_exactly_one_goes_on(benches, store):
    async with benches.worker() as first, benches.worker() as second:
        await benches.begin(first, "e1", FAR, NEAR, turn_cap=8)
        await until(
            lambda: "e1" in first.episodes.passivation or "e1" in second.episodes.passivation
        )
        if "e1" in second.episodes.passivation:
            first, second = second, first
        await rested(first, "e1")
        deafen(first)
        await rested(second, "e1")
        assert "e1" in first.episodes.passivation
        player = await benches.player("e1")
        seen = await player.asked() if (await player.look())["type"] == "Accepted" else {}
        while seen["type"] == "Observation":
            turn = seen["turn"]
            reply = await player.act(turn, f"It is turn {turn}.")
            # Who has lost the race may be the first to answer.
            assert reply["type"] == "Accepted" or "lost its ownership" in reply["reason"]
            seen = await player.asked(turn)
        await player.leave()
        events = await ended(store, "e1")
        await until(lambda: not (first.episodes.endings or second.episodes.endings))
    taken = [event for event in events if isinstance(event, ActionTaken)]
    assert [event.turn for event in taken] == list(range(1, 9))


async def test_a_process_lets_go_of_what_another_went_on_with_while_it_rested(benches, store):
    async with benches.worker() as first:
        await benches.begin(first, "e1", FAR, NEAR)
        await rested(first, "e1")
        taken = ActionTaken(turn=1, seat=0, action=Action(kind="speak", text="Taken elsewhere."))
        store.append("episode-e1", 1, [taken, opened(2, (1,))])
        first.episodes.ask_again("e1")
        await until(lambda: "e1" not in first.episodes.passivation)
        # Its job is given to whoever comes next, and goes on from there.
        await until(lambda: len(actions(store, "e1")) == 2)
    assert actions(store, "e1")[0] == (1, 0, "Taken elsewhere.")


async def test_an_episode_of_a_chain_rests_and_is_remembered_once_it_is_over(
    benches, store, tmp_path
):
    minds = REHEARSAL_MINDS + REMOTE_MINDS
    pairings = '[["far", "generous"]]'
    text = chain_plan(length=2, pairs=1, minds=minds, pairings=pairings, turn_cap=3)
    run = record(store, tmp_path, text)
    work = Work.of(run, state_of(store, run))
    first, second = work.playing
    async with benches.worker() as bench:
        carrying_out = asyncio.ensure_future(
            carry_out(store, bench.jobs, work, stop=asyncio.Event(), on_progress=lambda _: None)
        )
        for episode in (first, second):
            player = await benches.player(episode)
            for turn in (1, 3):
                await until(lambda turn=turn, id_=episode: len(actions(store, id_)) == turn - 1)
                await rested(bench, episode)
                await until(lambda: not bench.chains.playing)
                assert (await player.act(turn, f"It is {turn}."))["type"] == "Accepted"
            await player.leave()
        assert (await carrying_out).done
    (chain,) = queries.chains(store, run=run)
    assert (chain.done, chain.failed) == (2, 0)
    memories = queries.memories(store, chain.id)
    assert {(row.seat, row.index) for row in memories} == {(0, 0), (0, 1), (1, 0), (1, 1)}


async def test_an_answer_to_an_episode_of_a_paused_run_is_kept_and_goes_no_further(
    benches, store, tmp_path
):
    text = plan(REHEARSAL_MINDS + REMOTE_MINDS, tasks=1, pairings='[["far", "generous"]]')
    run = record(store, tmp_path, text)
    (episode,) = (planned.id for planned in state_of(store, run).episodes)
    async with benches.worker() as bench:
        job = PlayEpisode(run=run, episode=episode)
        await bench.jobs.enqueue("episode", job, id=episode)
        await rested(bench, episode)
        pause_run(store, run, RunPaused(reason="stopped"))
        player = await benches.player(episode)
        assert (await player.act(1, "Better late than never."))["type"] == "Accepted"
        assert await until_done(bench) == set()
        await until(lambda: len(bench.host) == 0)
        assert not bench.episodes.seats.tables
        assert (await player.look())["code"] == "not_playing"
        await player.leave()
    assert actions(store, episode)[0] == (1, 0, "Better late than never.")


async def play_out(player: Player, bench: WorkerNode | None) -> None:
    """Answer every turn with its number, until it is over; each once the episode rests, where a
    process is given in which it does."""
    seen = await player.asked()
    while seen["type"] == "Observation":
        turn = seen["turn"]
        if bench is not None:
            await rested(bench, "e1")
        assert (await player.act(turn, f"Seat {player.seat}, turn {turn}."))["type"] == "Accepted"
        seen = await player.asked(turn)
    await player.leave()


async def played(benches: Benches, after_s: float, *minds: MindSpec, order: TurnOrder) -> int:
    """Play an episode with programs in all remote seats; how often it rested."""
    async with benches.worker(after_s) as bench:
        add, rests = bench.episodes.passivation.add, 0

        def counting(*rest: Any) -> None:
            nonlocal rests
            rests += 1
            add(*rest)

        bench.episodes.passivation.add = counting  # type: ignore[method-assign]
        remote = [seat for seat, one in enumerate(minds) if one.kind == "remote"]
        players = [await benches.player("e1", seat) for seat in remote]
        await asyncio.gather(*(player.client.flush() for player in players))
        await benches.begin(bench, "e1", *minds, order=order)
        resting = bench if after_s == 0 else None
        await asyncio.gather(*(play_out(player, resting) for player in players))
        await ended(benches.store, "e1")
    return rests


def as_a_set_of_turns(events: list[Event]) -> list[Event]:
    """Those who act in the same turn may do so in any order."""
    return sorted(
        events,
        key=lambda one: (one.turn, one.seat) if isinstance(one, ActionTaken) else (0, 0),
    )


@pytest.mark.parametrize(
    ("minds", "order"),
    [
        ((FAR, NEAR), "round_robin"),
        ((NEAR, FAR), "round_robin"),
        ((FAR, NEAR), "random"),
        ((FAR, FAR), "round_robin"),
        # Not with a local mind: what it says may depend on who of the two is the first to act.
        ((FAR, FAR), "simultaneous"),
    ],
)
async def test_the_events_are_those_of_an_episode_that_never_rested(
    benches, tmp_path, nats_server, space, minds, order
):
    (tmp_path / "awake").mkdir()
    store = open_at(tmp_path / "awake")
    awake = Benches(tmp_path / "awake", store, nats_server, f"{space}-awake")
    assert await played(awake, 60.0, *minds, order=order) == 0
    assert await played(benches, 0.0, *minds, order=order) > 0
    expected = as_a_set_of_turns(events_of(store, "episode-e1"))
    store.close()
    assert len([event for event in expected if isinstance(event, ActionTaken)]) >= 6
    assert as_a_set_of_turns(events_of(benches.store, "episode-e1")) == expected
