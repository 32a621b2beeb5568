"""What a mind concludes: written before it is answered, and found again after a crash, by who sits
down later, and in forks."""

import asyncio
from collections.abc import Sequence

import pytest

from actors.episodes.journal import SharedPast, past_decisions
from actors.episodes.mind import Decision, Journal, Scene, decided_on
from actors.minds.rehearsal import Rehearsed
from actors.runtime.errors import OwnershipLost
from actors.social.actions import Action
from actors.social.environment import GAME
from events.base import Event, replace
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted
from events.ids import new_id
from events.minds import MindSpec
from events.thoughts import Decided, MemoryAdded
from events.wire.messages import EpisodeOver, Observation
from store.log.event_store import NEW
from tests.actors.episodes.test_agent import FIRST, Table, action, table
from tests.support.builders import mind, started
from tests.support.managed_episodes import Company
from tests.support.runs import events_of
from tests.support.servers.nats_server import until

__all__ = ["table"]

STREAM = "agent-e1.0"


def decided(turn: int, question: int = 0, text: str = "") -> Decided:
    spoken = Action(kind="speak", text=text or f"Turn {turn}.")
    return Decided(turn=turn, question=question, action=spoken)


class Thinker:
    """A mind that remembers one thing a decision, numbered over all it ever decided."""

    def __init__(self, voice: str = "") -> None:
        self.voice = voice
        self.thought = 0
        """Decisions that it made itself."""
        self.known: list[list[int]] = []
        """The turns it knew to be decided on, at each question."""

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        before = calls.decisions()
        self.known.append([one.turn for one in before])
        if (same := decided_on(scene, calls)) is not None:
            return same
        self.thought += 1
        spoken = Action(kind="speak", text=f"{self.voice}Turn {scene.turn}.")
        memory = MemoryAdded(id=len(before), kind="thought", text=spoken.text, at=0.0)
        concluded = decided(scene.turn, scene.question_id, spoken.text)
        calls.conclude(replace(concluded, thoughts=(memory,)))
        return Decision(action=spoken)


class Guarded:
    """A mind whose writing is refused, as an environment's rehearsal would meet it."""

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        await calls.conclude(decided(scene.turn))
        return Decision(action=Action(kind="speak", text="Never."))


def shown(turn: int) -> Observation:
    return replace(FIRST, turn=turn)


async def test_what_is_concluded_is_stored_before_it_is_answered(table: Table):
    table.mind = Thinker()
    agent = table.seat()
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.commands)
    assert events_of(table.store, STREAM) == [
        replace(decided(1), thoughts=(MemoryAdded(id=0, kind="thought", text="Turn 1.", at=0.0),))
    ]
    assert table.commands == [action(1)]
    await agent.actor_ref.stop(block=False)


async def test_what_was_decided_before_a_crash_is_answered_again(table: Table):
    table.store.append(STREAM, NEW, [decided(1), decided(2, text="As before.")])
    table.mind = Thinker()
    agent = table.seat()
    agent.actor_ref.tell(shown(2))
    await until(lambda: table.commands)
    assert [one.action.text for one in table.commands] == ["As before."]
    assert (table.mind.thought, table.mind.known) == (0, [[1, 2]])
    agent.actor_ref.tell(replace(shown(3), background=None))
    await until(lambda: len(table.commands) == 2)
    assert table.mind.known[-1] == [1, 2]
    assert table.store.version(STREAM) == 2
    await agent.actor_ref.stop(block=False)


async def test_a_question_of_a_turn_that_is_past_is_not_decided_on_anew(table: Table):
    table.store.append(STREAM, NEW, [decided(5)])
    table.mind = Thinker()
    agent = table.seat()
    agent.actor_ref.tell(shown(4))
    agent.actor_ref.tell(shown(6))
    await until(lambda: table.commands)
    assert [one.turn for one in table.commands] == [6]
    await agent.actor_ref.stop(block=False)


@pytest.mark.parametrize("guarded", [False, True], ids=["bare", "rehearsed"])
async def test_who_is_overtaken_answers_nothing_and_stops(
    table: Table, guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    table.mind = Guarded()
    if guarded:
        table.mind = Rehearsed(GAME, MindSpec(name="r", kind="rehearsal"))
        monkeypatch.setattr(GAME, "rehearsal", lambda *_: Guarded())
    agent = table.seat()
    await agent.actor_ref.proxy().version
    table.store.append(STREAM, NEW, [decided(1, text="Another was here first.")])
    agent.actor_ref.tell(FIRST)
    await until(lambda: agent.actor_stopped.is_set())
    assert table.commands == []
    assert isinstance(agent._cause, OwnershipLost)


async def test_a_mind_that_was_dismissed_concludes_nothing(table: Table):
    gone = asyncio.Event()

    class Slow(Thinker):
        async def decide(self, scene: Scene, calls: Journal) -> Decision:
            await gone.wait()
            return await super().decide(scene, calls)

    table.mind = Slow()
    agent = table.seat()
    agent.actor_ref.tell(FIRST)
    await until(lambda: agent.deciding)
    agent.actor_ref.tell(EpisodeOver(episode="e1", seat=0, reason="over"))
    await until(lambda: agent.dismissed)
    gone.set()
    await until(lambda: agent.actor_stopped.is_set())
    assert (table.commands, table.store.version(STREAM)) == ([], NEW)


def test_a_fork_shares_what_was_decided_before_its_first_question(store):
    first = [decided(1), decided(2), decided(2, 1), decided(2, 2), decided(3)]
    second = [decided(2, 1, "b"), decided(3, text="b"), decided(4, text="b")]
    store.append("agent-a.0", NEW, first)
    store.append("agent-b.0", NEW, second)
    answered = SharedPast("b", 3, {})
    asked = SharedPast("a", 2, {0: 1, 1: 0})
    assert list(past_decisions(store, 0, [asked])) == first[:2]
    assert list(past_decisions(store, 0, [asked, answered])) == [*first[:2], *second[:2]]
    assert list(past_decisions(store, 1, [asked])) == []


def turns(events: Sequence[Event], seat: int) -> list[int]:
    return [one.turn for one in events if isinstance(one, ActionTaken) and one.seat == seat]


async def test_forks_of_forks_know_what_they_share_and_nothing_else(store, bus):
    whole = started(minds=(mind(), mind()))

    async def play(first: EpisodeStarted | None, episode: str, voice: str) -> Thinker:
        thinker = Thinker(voice)
        async with Company(store, bus, thinker) as company:
            going = company.begin(first, episode) if first else company.go_on(episode)
            await going.ended()
        return thinker

    def fork(parent: str, at: int) -> str:
        episode = new_id("e")
        forked = EpisodeForked(parent=parent, at=at, minds=whole.minds)
        store.append(f"episode-{episode}", NEW, [forked])
        return episode

    await play(whole, "root", "")
    history = events_of(store, "episode-root")
    third = next(
        n for n, one in enumerate(history) if isinstance(one, ActionTaken) and one.turn == 3
    )
    child = fork("root", third - 1)
    mine = await play(None, child, "child: ")
    assert mine.known[0] == turns(history[:third], seat=0), "the open turn is decided on anew"
    one_more = len(history[: third + 3])
    grandchild = fork(child, one_more)
    hers = await play(None, grandchild, "grandchild: ")
    stored = [*store.read(f"agent-{child}.0"), *store.read(f"agent-{child}.1")]
    assert len(stored) == mine.thought
    assert len(hers.known[0]) > len(mine.known[0])
    sibling = fork(child, third - 1)
    assert (await play(None, sibling, "sibling: ")).known[0] == mine.known[0]
