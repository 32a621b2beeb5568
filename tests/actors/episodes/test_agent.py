"""The agent in a seat: what it answers, what it says again, what it lets pass."""

import asyncio

import pytest

from actors.episodes.agent import AgentActor, Seat
from actors.episodes.delivery.wire import wire_of
from actors.episodes.mind import Decision, Scene
from actors.models.errors import BudgetSpent, ModelUnavailable
from actors.models.limits.halts import Halt
from actors.models.recording.call_log import CallRecorder
from actors.runtime.bus.nats_bus import Received
from actors.social.actions import ACT, Action
from actors.social.environment import GAME
from actors.social.sight import background
from events.agent import ModelAnswered, ModelAsked
from events.base import replace
from events.serialization.codec import decode_command
from events.wire import subjects
from events.wire.messages import EpisodeOver, Look, Observation, Posed, TakeAction, TakeActions
from store.log.event_store import NEW
from tests.support.builders import started
from tests.support.runs import events_of
from tests.support.servers.nats_server import until

SEAT = Seat("e1", 0)
FIRST = Observation(
    episode="e1",
    seat=0,
    turn=1,
    news=(),
    background=background("e1", started(), 0),
    questions=(Posed(question=ACT),),
)


class Waiting:
    """A mind that asks a model twice a turn; answers come when the test lets them."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.answer = asyncio.Event()
        self.error: Exception | None = None

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Ask, wait, speak."""
        turn = scene.turn
        for attempt in (0, 1):
            if calls.answers_to(turn, attempt):
                continue
            self.asked.append((turn, attempt))
            asked = ModelAsked(
                turn=turn, attempt=attempt, purpose="act", model="m", request_hash="hash"
            )
            await calls.record(asked)
            await self.answer.wait()
            if self.error is not None:
                raise self.error
            answered = ModelAnswered(turn=turn, attempt=attempt, request_hash="hash", text="Hm.")
            await calls.record(answered)
        return Decision(action=Action(kind="speak", text=f"Turn {turn}."))


class AtOnce:
    """A mind that waits with all its answers until the test lets it go on."""

    at_once = True

    def __init__(self, failing: int | None = None) -> None:
        self.asked: set[int] = set()
        self.answer = asyncio.Event()
        self.failing = failing

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        self.asked.add(scene.question_id)
        await self.answer.wait()
        if scene.question_id == self.failing:
            raise BudgetSpent("r1", "usd", 1.0, 1.0)
        return Decision(action=Action(kind="speak", text=f"Answer {scene.question_id}."))


class Table:
    """The environment as an agent knows it: what it is sent."""

    def __init__(self, store, bus) -> None:
        self.store, self.bus = store, bus
        self.commands: list[TakeAction | Look] = []
        self.together = 0
        """How often several answers came in one message."""
        self.halts: list[Halt] = []
        self.mind = Waiting()
        self.agents: list[AgentActor] = []

    def halted(self, seat: Seat, why: Halt) -> None:
        assert seat == SEAT
        self.halts.append(why)

    def heard(self, received: Received) -> None:
        command = decode_command(received.data)
        if isinstance(command, TakeActions):
            self.together += 1
            for one in command.answers:
                action = wire_of("social").action(one.action)
                self.commands.append(
                    TakeAction(
                        seat=command.seat, turn=command.turn, question=one.question, action=action
                    )
                )
            return
        if isinstance(command, TakeAction):
            command = replace(command, action=wire_of("social").action(command.action))
        self.commands.append(command)

    def seat(self) -> AgentActor:
        """A new agent, as after a restart."""
        agent = AgentActor(self.store, self.bus, SEAT, self.mind, GAME, 2, self.halted)
        agent.launch()
        self.agents.append(agent)
        return agent

    @property
    def calls(self) -> list[str]:
        """The kinds of events in the agent's stream."""
        return [type(event).__name__ for event in events_of(self.store, "agent-e1.0")]


@pytest.fixture
async def table(store, bus):
    table = Table(store, bus)
    await bus.subscribe(subjects.inbox(bus.space, "episode", "e1"), table.heard)
    yield table
    for agent in table.agents:
        if agent.actor_ref.is_alive():
            await agent.actor_ref.stop(block=False)


def action(turn: int) -> TakeAction:
    return TakeAction(
        seat=0, turn=turn, question=0, action=Action(kind="speak", text=f"Turn {turn}.")
    )


async def test_it_answers_once_and_says_it_again_when_asked_again(table: Table):
    table.mind.answer.set()
    agent = table.seat()
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.commands == [action(1)])
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.commands == [action(1), action(1)])
    assert table.mind.asked == [(1, 0), (1, 1)]


async def test_a_mind_that_can_is_asked_all_questions_of_a_turn_at_once(table: Table):
    table.mind = AtOnce()
    agent = table.seat()
    three = tuple(Posed(id=number, question=ACT) for number in range(3))
    agent.actor_ref.tell(replace(FIRST, questions=three))
    await until(lambda: table.mind.asked == {0, 1, 2})
    assert not table.commands
    table.mind.answer.set()
    await until(lambda: len(table.commands) == 3)
    said = {(one.question, one.action.text) for one in table.commands}
    assert said == {(number, f"Answer {number}.") for number in range(3)}
    assert table.together == 1


async def test_what_was_asked_beside_a_question_that_failed_is_answered(table: Table):
    table.mind = AtOnce(failing=1)
    table.mind.answer.set()
    agent = table.seat()
    three = tuple(Posed(id=number, question=ACT) for number in range(3))
    agent.actor_ref.tell(replace(FIRST, questions=three))
    await until(lambda: table.halts and len(table.commands) == 2)
    assert sorted(one.question for one in table.commands) == [0, 2]
    table.mind.failing = None
    agent.actor_ref.tell(replace(FIRST, questions=three[1:2]))
    await until(lambda: len(table.commands) == 3)
    assert table.commands[-1].question == 1


async def test_a_repeat_while_it_thinks_changes_nothing(table: Table):
    agent = table.seat()
    for _ in range(3):
        agent.actor_ref.tell(FIRST)
    await until(lambda: table.calls == ["ModelAsked"])
    table.mind.answer.set()
    await until(lambda: table.commands)
    assert table.commands == [action(1)]
    assert table.mind.asked == [(1, 0), (1, 1)]


async def test_without_a_past_it_looks_first(table: Table):
    agent = table.seat()
    agent.actor_ref.tell(replace(FIRST, background=None, turn=3))
    await until(lambda: table.commands == [Look(seat=0)])
    assert table.mind.asked == []


async def test_what_was_answered_before_a_restart_is_not_asked_again(table: Table):
    table.mind.answer.set()
    first = table.seat()
    first.actor_ref.tell(FIRST)
    await until(lambda: table.commands)
    await first.actor_ref.stop(block=False)
    second = table.seat()
    second.actor_ref.tell(FIRST)
    await until(lambda: len(table.commands) == 2)
    assert table.commands == [action(1), action(1)]
    assert table.mind.asked == [(1, 0), (1, 1)]
    assert table.calls == ["ModelAsked", "ModelAnswered"] * 2


async def test_dismissed_while_it_asks_it_records_the_answer_and_asks_no_more(table: Table):
    agent = table.seat()
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.calls == ["ModelAsked"])
    agent.actor_ref.tell(EpisodeOver(episode="e1", seat=0, reason="over"))
    await until(lambda: agent.dismissed)
    assert not agent.actor_stopped.is_set()
    table.mind.answer.set()
    await until(lambda: agent.actor_stopped.is_set())
    assert table.calls == ["ModelAsked", "ModelAnswered"]
    assert table.mind.asked == [(1, 0)]
    assert table.commands == []


async def test_dismissed_while_it_waits_it_goes_at_once(table: Table):
    agent = table.seat()
    agent.actor_ref.tell(EpisodeOver(episode="e1", seat=0, reason="over"))
    await until(lambda: agent.actor_stopped.is_set())
    assert table.store.version("agent-e1.0") == NEW


@pytest.mark.parametrize(
    "why",
    [
        BudgetSpent("r1", "usd", 2.0, 2.0),
        ModelUnavailable("m", "quota", "", lasting=True, remedy="pay"),
        ModelUnavailable("m", "timeout", "", lasting=False, remedy="wait"),
    ],
    ids=["budget", "lasting", "passing"],
)
async def test_what_cannot_be_asked_now_is_no_action_and_can_be_asked_again(
    table: Table, why: Halt
):
    table.mind.error = why
    table.mind.answer.set()
    agent = table.seat()
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.halts)
    assert table.commands == []
    table.mind.error = None
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.commands == [action(1)])


@pytest.mark.parametrize("wrong", [{"seat": 1}, {"episode": "e2"}])
async def test_an_observation_of_another_seat_is_let_pass(table: Table, wrong: dict):
    table.mind.answer.set()
    agent = table.seat()
    agent.actor_ref.tell(replace(FIRST, turn=99, **wrong))
    agent.actor_ref.tell(FIRST)
    await until(lambda: table.commands)
    assert table.commands == [action(1)]
