"""Calls as facts: nothing that was answered is asked, or paid for, again."""

import asyncio
from collections.abc import Sequence

import pytest

from actors.models.caller import ModelCaller
from actors.models.errors import BudgetSpent, CallFailed
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import ModelRequest, request_hash
from actors.models.recording import recorded_call as recording
from actors.models.recording.call_log import CallEvent, CallLog
from actors.models.recording.recorded_call import known_answer, recorded_call
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.minds import ModelSpec
from events.run import Budget
from tests.actors.models.conftest import SpecOf, question
from tests.support.builders import opened
from tests.support.servers.stub_llm import StubServer, StubSettings


class Stream:
    """A recorder that keeps its events in a list and its state as an actor would."""

    def __init__(self, events: tuple[CallEvent, ...] = ()) -> None:
        self.events = list(events)
        self.log = CallLog()
        for event in events:
            self.log = self.log.evolve(event)

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self.log.answers_to(turn, attempt)

    async def record(self, event: CallEvent) -> None:
        await asyncio.sleep(0)
        self.events.append(event)
        self.log = self.log.evolve(event)

    async def confirm(self) -> None:
        """Nobody else writes here."""

    @property
    def tags(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


class SlowStream(Stream):
    """A recorder whose answers become durable only when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.durable = asyncio.Event()
        self.waiting = asyncio.Event()

    async def record(self, event: CallEvent) -> None:
        await super().record(event)
        if isinstance(event, ModelAnswered):
            self.waiting.set()
            await self.durable.wait()


async def ask(
    caller: ModelCaller,
    calls: Stream,
    spec: ModelSpec,
    *,
    turn: int = 1,
    attempt: int = 0,
    budget: BudgetKeeper | None = None,
) -> ModelAnswered:
    return await recorded_call(
        caller,
        calls,
        turn=turn,
        attempt=attempt,
        purpose="act",
        spec=spec,
        request=question(spec, f"turn {turn}"),
        prompt_version="p-1",
        budget=budget,
    )


async def test_a_call_is_recorded_as_asked_and_then_answered(caller: ModelCaller, spec_of: SpecOf):
    calls = Stream()
    async with StubServer() as stub:
        spec = spec_of(stub.url)
        answer = await ask(caller, calls, spec)
    asked, answered = calls.events
    assert isinstance(asked, ModelAsked)
    assert (asked.model, asked.prompt_version, asked.purpose) == ("openai/stub", "p-1", "act")
    assert answered == answer
    assert (
        asked.request_hash == answered.request_hash == request_hash(spec, question(spec, "turn 1"))
    )
    assert answer.text
    assert answer.latency_s > 0


@pytest.mark.parametrize("crash_after", [0, 1, 2])
async def test_after_a_crash_an_answer_that_was_stored_is_not_asked_for_again(
    caller: ModelCaller, spec_of: SpecOf, crash_after: int
):
    async with StubServer() as stub:
        spec = spec_of(stub.url)
        before = Stream()
        first = await ask(caller, before, spec)
        resumed = Stream(tuple(before.events[:crash_after]))
        again = await ask(caller, resumed, spec)
    assert again.text == first.text
    assert stub.stats.requests == (1 if crash_after == 2 else 2)
    assert resumed.tags.count("ModelAnswered") == 1


async def test_another_question_in_the_same_turn_is_asked(caller: ModelCaller, spec_of: SpecOf):
    calls = Stream()
    async with StubServer() as stub:
        spec = spec_of(stub.url)
        await ask(caller, calls, spec)
        await ask(caller, calls, spec, attempt=1)
        await ask(caller, calls, spec)
    assert stub.stats.requests == 2


async def test_an_answer_is_durable_before_it_is_used(caller: ModelCaller, spec_of: SpecOf):
    calls = SlowStream()
    async with StubServer() as stub:
        asking = asyncio.create_task(ask(caller, calls, spec_of(stub.url)))
        await calls.waiting.wait()
        assert not asking.done()
        calls.durable.set()
        assert (await asking).text


async def test_a_call_without_an_answer_is_recorded_with_its_reason(
    caller: ModelCaller, spec_of: SpecOf
):
    calls = Stream()
    async with StubServer(StubSettings(server_error=1.0)) as stub:
        with pytest.raises(CallFailed):
            await ask(caller, calls, spec_of(stub.url, retries=1))
    assert calls.tags == ["ModelAsked", "ModelFailed"]
    failed = calls.events[1]
    assert isinstance(failed, ModelFailed)
    assert (failed.reason, failed.retries) == ("server_error", 1)


async def test_a_call_that_failed_may_be_made_again(caller: ModelCaller, spec_of: SpecOf):
    calls = Stream()
    async with StubServer(StubSettings(first=("server_error",))) as stub:
        spec = spec_of(stub.url, retries=0)
        with pytest.raises(CallFailed):
            await ask(caller, calls, spec)
        await ask(caller, calls, spec)
    assert calls.tags == ["ModelAsked", "ModelFailed", "ModelAsked", "ModelAnswered"]


async def test_a_spent_budget_stops_before_the_next_question(caller: ModelCaller, spec_of: SpecOf):
    calls = Stream()
    async with StubServer() as stub:
        spec = spec_of(stub.url, input_usd_per_million=0.0, output_usd_per_million=1e6)
        budget = BudgetKeeper("r1", Budget(usd=1.5))
        await ask(caller, calls, spec, turn=1, budget=budget)
        with pytest.raises(BudgetSpent) as spent:
            await ask(caller, calls, spec, turn=2, budget=budget)
        # What was paid for is still there to be used.
        await ask(caller, calls, spec, turn=1, budget=budget)
    assert (spent.value.run, spent.value.what, spent.value.limit) == ("r1", "usd", 1.5)
    assert stub.stats.requests == 1
    assert calls.tags == ["ModelAsked", "ModelAnswered"]


def test_a_budget_counts_tokens_and_what_was_spent_before():
    budget = BudgetKeeper("r1", Budget(tokens=100), tokens=90)
    budget.check()
    budget.add(
        ModelAnswered(turn=1, attempt=0, request_hash="h", text="", input_tokens=6, output_tokens=4)
    )
    assert budget.unpriced == 1
    with pytest.raises(BudgetSpent, match="run r1 has spent 100 of its 100 tokens"):
        budget.check()


def test_a_budget_without_limits_never_stops():
    BudgetKeeper("r1", Budget(), usd=1e9, tokens=10**12).check()


def test_the_log_keeps_the_answers_of_the_latest_turn_only():
    def answered(turn: int, attempt: int = 0) -> ModelAnswered:
        return ModelAnswered(turn=turn, attempt=attempt, request_hash="h", text=f"{turn}")

    log = CallLog()
    for event in (answered(1), answered(1, 1), opened(2, (0,))):
        log = log.evolve(event)
    assert log.answers_to(1, 1) == [answered(1, 1)]
    assert not log.answers_to(1, 2)
    assert not log.answers_to(2, 1)
    for event in (answered(2), answered(1)):
        log = log.evolve(event)
    assert log.answers == (answered(2),)


def test_the_hash_follows_what_is_sent_and_not_where():
    spec = ModelSpec(name="m", base_url="http://here/v1")
    request = question(spec)
    assert request_hash(spec, request) == request_hash(
        ModelSpec(name="m", base_url="http://there/v1"), request
    )
    assert request_hash(spec, request) != request_hash(ModelSpec(name="n"), request)
    assert request_hash(spec, request) != request_hash(spec, question(spec, "else"))
    warmer = ModelSpec(name="m", temperature=1.5)
    assert request_hash(warmer, question(warmer)) != request_hash(spec, request)


def test_a_fresh_question_is_not_fingerprinted_in_other_forms(monkeypatch: pytest.MonkeyPatch):
    spec, made = ModelSpec(name="m"), list[str]()

    def counted(of: ModelSpec, request: ModelRequest) -> str:
        made.append(request_hash(of, request))
        return made[-1]

    monkeypatch.setattr(recording, "request_hash", counted)
    asked, schema = question(spec), {"type": "object", "properties": {}}
    calls = Stream()
    assert known_answer(calls, 1, 0, spec, asked, schema) is None
    assert made == []
    calls.log = CallLog(
        1, (ModelAnswered(turn=1, attempt=0, request_hash=request_hash(spec, asked), text="a"),)
    )
    assert known_answer(calls, 1, 1, spec, asked, schema) is None
    assert made == []
    known = known_answer(calls, 1, 0, spec, asked, schema)
    assert known is not None
    assert known.text == "a"
