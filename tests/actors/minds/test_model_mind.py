"""The model mind, over real HTTP to a server that misbehaves."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest

from actors.episodes.mind import Scene
from actors.minds.model import ModelMind, question_for
from actors.minds.recorded import RecordedMind
from actors.models.answers.ask import REASKS
from actors.models.caller import Backoff, ModelCaller
from actors.models.errors import BudgetSpent, ModelUnavailable, Unreadable
from actors.models.limits.budget import BudgetKeeper
from actors.models.recording.call_log import CallEvent, CallLog
from actors.models.registry import Models
from actors.social.actions import ACT, Action
from actors.social.catalog_items import Character
from actors.social.environment import GAME
from actors.social.views import Background, OtherSeat, SeenAction
from events.agent import ModelAnswered, ModelFailed
from events.episode import ActionFailure, ActionTaken
from events.minds import ModelSpec
from events.run import Budget
from tests.support.builders import opened
from tests.support.servers.stub_llm import StubServer, StubSettings


class Stream:
    """A recorder that keeps its events in a list and its state as an actor would."""

    def __init__(self) -> None:
        self.events: list[CallEvent] = []
        self.log = CallLog()

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self.log.answers_to(turn, attempt)

    async def record(self, event: CallEvent) -> None:
        self.events.append(event)
        self.log = self.log.evolve(event)

    async def confirm(self) -> None:
        """Nobody else writes here."""


@pytest.fixture
async def caller() -> AsyncIterator[ModelCaller]:
    caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
    yield caller
    await caller.close()


def scene(turn: int = 1) -> Scene:
    """A scene of a seat that has acted, and was answered, in every turn before."""
    return Scene(
        background=Background(
            episode="e1",
            seat=0,
            character=Character(id="ann", first_name="Ann", last_name="Lee", age=30),
            context="A café, late.",
            goal="Pay less than half.",
            others=(
                OtherSeat(seat=1, label="Bo Berg", relationship="friend"),
                OtherSeat(seat=2, label="Person 3", relationship="stranger"),
            ),
            turn_cap=20,
            order="round_robin",
            seed=0,
        ),
        seen=[
            SeenAction(number=n, turn=n, seat=0, label="Ann Lee", kind="speak", text=f"word {n}")
            for n in range(1, turn)
        ],
        turn=turn,
        question=ACT,
        seat=0,
        seats=3,
    )


def spec_of(stub: StubServer, **fields: object) -> ModelSpec:
    defaults: dict[str, object] = {"adapter": "direct", "timeout_s": 5.0, "retries": 2}
    return ModelSpec(name="openai/stub", base_url=stub.url, **(defaults | fields))


async def test_the_models_answer_becomes_the_action(caller: ModelCaller):
    async with StubServer() as stub:
        decision = await ModelMind(spec_of(stub), GAME, caller).decide(scene(3), Stream())
    assert (decision.action.kind, decision.failure) == ("speak", None)
    assert decision.action.text
    (body,) = stub.bodies
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    told = " ".join(message["content"] for message in body["messages"])
    assert "Pay less than half." in told
    assert "word 2" in told


async def test_the_questions_of_a_turn_are_calls_of_their_own_also_where_their_words_are_the_same(
    caller: ModelCaller,
):
    async with StubServer() as stub:
        calls, mind = Stream(), ModelMind(spec_of(stub), GAME, caller)
        first, second = scene(), scene()
        second.question_id = 1
        for asked in (first, second, first, second):
            await mind.decide(asked, calls)
    assert len(stub.bodies) == 2, "what was answered is not asked again"
    answers = [event for event in calls.events if isinstance(event, ModelAnswered)]
    assert len({(answer.turn, answer.attempt) for answer in answers}) == 2
    assert len({answer.request_hash for answer in answers}) == 1


@pytest.mark.parametrize("fault", ["truncated", "wrong_name", "empty"])
async def test_an_unreadable_answer_is_asked_again_with_the_reason(caller: ModelCaller, fault: str):
    async with StubServer(StubSettings(first=(fault,))) as stub:
        calls = Stream()
        mind = ModelMind(spec_of(stub), GAME, caller)
        deciding = asyncio.create_task(mind.decide(scene(), calls))
        while not stub.bodies:
            await asyncio.sleep(0)
        # What follows the first answer is a request of its own; it is to be answered well.
        stub.settings = StubSettings()
        decision = await deciding
    assert (decision.action.kind, decision.failure) == ("speak", None)
    first, again = stub.bodies
    # Byte for byte, so that what the server keeps of the prompt serves again.
    (system, question), (system_again, question_again) = first["messages"], again["messages"]
    assert system_again == system
    assert question_again["content"].startswith(question["content"])
    assert "could not be used" in question_again["content"].removeprefix(question["content"])


async def test_after_two_corrections_the_seat_does_nothing_and_the_answer_is_kept(
    caller: ModelCaller,
):
    calls = Stream()
    async with StubServer(StubSettings(wrong_name=1.0)) as stub:
        decision = await ModelMind(spec_of(stub), GAME, caller).decide(scene(), calls)
    assert decision.action == Action(kind="none")
    assert decision.failure is not None
    assert decision.failure.reason == "unreadable"
    assert "shout" in decision.failure.raw
    assert "shout" in decision.failure.detail
    answers = [event for event in calls.events if isinstance(event, ModelAnswered)]
    assert [answer.attempt for answer in answers] == list(range(REASKS + 1))


def saying(text: str, **fields: str) -> StubSettings:
    """Always the same action, as JSON that escapes what is not ASCII."""
    content = json.dumps({"kind": "speak", "text": text, **fields})
    return StubSettings(choice={"message": {"content": content}})


@pytest.mark.parametrize("adapter", ["direct", pytest.param("litellm", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (saying("ab " * 7_000), "at most 10,000 characters, this one has 20,999"),
        (saying("half a smile: \ud83d"), "half of a surrogate pair"),
        (saying("Hello.", **{"\ude00": "at the wrong place"}), "half of a surrogate pair"),
        (
            StubSettings(choice={"message": {"content": '{"kind": "speak", "text": "\ud83d"}'}}),
            "half of a surrogate pair",
        ),
    ],
)
async def test_what_cannot_be_taken_or_kept_is_asked_for_again_with_the_reason(
    caller: ModelCaller, adapter: str, settings: StubSettings, told: str
):
    calls = Stream()
    async with StubServer(settings) as stub:
        spec = spec_of(stub, adapter=adapter, timeout_s=60.0)
        decision = await ModelMind(spec, GAME, caller).decide(scene(), calls)
    assert len(stub.bodies) == REASKS + 1
    assert all(told in body["messages"][-1]["content"] for body in stub.bodies[1:])
    assert decision.action == Action(kind="none")
    assert decision.failure is not None
    assert decision.failure.reason == "unreadable"
    assert told in decision.failure.detail
    msgspec.msgpack.encode((calls.events, decision))  # all of it can be stored


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (StubSettings(server_error=1.0), "server_error"),
        (StubSettings(rate_limited=1.0), "rate_limited"),
        (StubSettings(hang=1.0), "timeout"),
        (StubSettings(status=401), "unauthorized"),
    ],
)
async def test_a_model_that_gives_no_answer_is_no_action(
    caller: ModelCaller, settings: StubSettings, reason: str
):
    calls = Stream()
    async with StubServer(settings) as stub:
        timeout_s = 0.2 if reason == "timeout" else 60.0
        mind = ModelMind(spec_of(stub, timeout_s=timeout_s, retries=1), GAME, caller)
        with pytest.raises(ModelUnavailable) as gone:
            await mind.decide(scene(), calls)
    assert gone.value.reason == reason
    assert isinstance(calls.events[-1], ModelFailed)


async def test_a_question_that_its_model_refuses_is_a_failure_of_the_turn(caller: ModelCaller):
    async with StubServer(StubSettings(status=400)) as stub:
        decision = await ModelMind(spec_of(stub), GAME, caller).decide(scene(), Stream())
    assert decision.action == Action(kind="none")
    assert decision.failure is not None
    assert decision.failure.reason == "refused"


@pytest.mark.parametrize("adapter", ["direct", pytest.param("litellm", marks=pytest.mark.long)])
async def test_every_turn_ends_on_a_server_that_misbehaves_and_no_answer_is_paid_for_twice(
    caller: ModelCaller, adapter: str
):
    faults = StubSettings(
        seed=7,
        rate_limited=0.1,
        server_error=0.1,
        hang=0.05,
        truncated=0.1,
        wrong_name=0.1,
        empty=0.1,
        retry_after="0.01",
    )
    calls = Stream()
    turns = 40
    async with StubServer() as sane:
        # LiteLLM loads parts of itself in its first call, which would not fit into the time-out.
        await ModelMind(spec_of(sane, adapter=adapter), GAME, caller).decide(scene(), Stream())
    async with StubServer(faults) as stub:
        spec = spec_of(stub, adapter=adapter, timeout_s=1.0, retries=8)
        mind = ModelMind(spec, GAME, caller)
        decisions = [await mind.decide(scene(turn), calls) for turn in range(1, turns + 1)]
    assert len(decisions) == turns
    assert all((d.action.kind == "speak") == (d.failure is None) for d in decisions)
    assert set(stub.stats.faults) == {
        "rate_limited",
        "server_error",
        "hang",
        "truncated",
        "wrong_name",
        "empty",
    }
    assert set(stub.stats.answers_by_body.values()) == {1}
    answered = sum(isinstance(event, ModelAnswered) for event in calls.events)
    assert answered == stub.stats.answers


async def test_a_turn_that_was_answered_is_decided_again_without_asking(caller: ModelCaller):
    calls = Stream()
    async with StubServer() as stub:
        spec = spec_of(stub)
        first = await ModelMind(spec, GAME, caller).decide(scene(5), calls)
        again = await ModelMind(spec, GAME, caller).decide(scene(5), calls)
    assert again == first
    assert stub.stats.requests == 1


async def test_a_spent_budget_is_not_a_failure_of_the_turn(caller: ModelCaller):
    async with StubServer() as stub:
        mind = ModelMind(spec_of(stub), GAME, caller, BudgetKeeper("r1", Budget(tokens=1)))
        await mind.decide(scene(1), Stream())
        with pytest.raises(BudgetSpent):
            await mind.decide(scene(2), Stream())
    assert stub.stats.requests == 1


async def test_a_recorded_mind_repeats_its_seats_actions_turn_by_turn():
    leave = Action(kind="leave", text="Goodbye.")
    failure = ActionFailure(reason="timeout")
    history = (
        opened(1, (0, 1)),
        ActionTaken(turn=1, seat=1, action=Action(kind="speak", text="Not mine.")),
        ActionTaken(turn=1, seat=0, action=leave),
        ActionTaken(turn=2, seat=0, action=Action(kind="none"), failure=failure),
    )
    mind = RecordedMind(GAME, history, seat=0)
    assert (await mind.decide(scene(1), Stream())).action == leave
    assert (await mind.decide(scene(2), Stream())).failure == failure
    beyond = await mind.decide(scene(3), Stream())
    assert beyond.action == Action(kind="none")
    assert beyond.failure is not None
    assert "seat 0 in turn 3" in beyond.failure.detail


async def test_an_environment_says_how_often_is_asked_again(
    caller: ModelCaller, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(GAME.limits, "reasks", lambda background: 0)
    async with StubServer(StubSettings(first=("truncated",))) as stub:
        decision = await ModelMind(spec_of(stub), GAME, caller).decide(scene(), Stream())
    assert len(stub.bodies) == 1
    assert decision.failure is not None


@pytest.mark.parametrize(
    ("text", "right"), [("…", False), ("...", False), ("—", False), ("50?", True), ("好", True)]
)
def test_a_form_that_was_copied_with_its_dots_is_no_answer(text: str, right: bool):
    at = scene()
    question = question_for(GAME, GAME.prompts.writer(at.background), at, ModelSpec(name="m"))
    answer = json.dumps({"kind": "speak", "text": text})
    if right:
        assert question.read(answer, "m").text == text
    else:
        with pytest.raises(Unreadable, match="text holds no word"):
            question.read(answer, "m")
    typed = GAME.prompts.read(ACT, at.background, answer, "person")
    assert typed.text == text, "a person may say so"
