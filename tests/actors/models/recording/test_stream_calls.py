"""Calls of a stream that another process may go on with as well: one of them asks."""

import asyncio
import time
from collections.abc import Sequence

import msgspec
import pytest
import structlog
from pykka import ActorDeadError, ActorRegistry

from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed
from actors.models.limits.budget import BudgetKeeper
from actors.models.recording.call_log import LATE, CallLog
from actors.models.recording.stream_calls import StreamCalls
from actors.runtime.actors.dispatcher import LoopDispatcher
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.errors import OwnershipLost
from actors.runtime.ownership.lease import Lease
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.minds import ModelSpec
from events.run import Budget
from store.log.event_store import EventStore
from tests.actors.models.recording.test_recorded_call import ask
from tests.support.runs import events_of
from tests.support.servers.stub_llm import StubServer, StubSettings

STREAM = "agent-e1.0"
ASKED = ModelAsked(turn=1, attempt=0, purpose="act", model="m", request_hash="h")


class Asker(PersistentActor[CallLog]):
    """An owner of calls and nothing else."""

    beside = LATE

    def initial(self) -> CallLog:
        return CallLog()

    def evolve(self, state: CallLog, event: Event) -> CallLog:
        return state.evolve(event)

    def decide(self, state: CallLog, command: object) -> Sequence[Event]:
        return ()

    def on_start(self) -> None:
        self.calls = StreamCalls(lambda: self.state, self.record_soon, self.claim)


@pytest.fixture(autouse=True)
async def home():
    LoopDispatcher.default = LoopDispatcher.of(asyncio.get_running_loop())
    yield
    for stopped in ActorRegistry.stop_all(block=False):
        await stopped
    LoopDispatcher.default = None


async def asker(store: EventStore, *, lease: Lease | None = None, fresh: bool = False) -> Asker:
    """One that has read what there is."""
    actor = Asker(store, STREAM, fresh=fresh)
    actor.lease = lease
    actor.launch()
    await actor.actor_ref.proxy().version
    return actor


async def test_of_two_processes_that_go_on_with_a_stream_at_once_one_asks(
    store: EventStore, caller: ModelCaller
):
    async with StubServer(StubSettings(latency_s=0.05)) as stub:
        askers = [await asker(store) for _ in range(2)]
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        asked = [ask(caller, actor.calls, spec) for actor in askers]  # type: ignore[arg-type]
        came = await asyncio.gather(*asked, return_exceptions=True)
        assert stub.stats.requests == 1
    assert {type(one) for one in came} < {ModelAnswered, OwnershipLost, ActorDeadError}
    assert [type(event) for event in events_of(store, STREAM)] == [ModelAsked, ModelAnswered]


async def test_who_was_cut_off_asks_again_only_by_a_question_that_it_alone_can_store(
    store: EventStore,
):
    ago = 11.0
    lease = Lease(10.0, lambda: time.monotonic() - ago)
    lease.begin("episode")
    actor = await asker(store, lease=lease)
    actor.calls.record(ASKED)
    await actor.calls.confirm()
    assert len(events_of(store, STREAM)) == 1, "the question itself was the claim"
    ago = 0.0
    again = asyncio.ensure_future(actor.calls.confirm())
    await asyncio.sleep(0)
    store.append(STREAM, 0, [ASKED])  # another has taken it up meanwhile
    assert not again.done()
    lease.renew("episode", time.monotonic())
    with pytest.raises(OwnershipLost):
        await again


async def asked_of(stub: StubServer, requests: int = 1) -> None:
    """Returns when so many requests have come."""
    async with asyncio.timeout(10):
        while stub.stats.requests < requests:
            await asyncio.sleep(0.005)


async def stopped(actor: Asker) -> None:
    """Have it gone, with all that it was at."""
    await actor.actor_ref.stop(block=False)


async def test_an_answer_that_comes_after_its_owner_was_stopped_is_recorded_and_counted(
    store: EventStore, caller: ModelCaller
):
    budget = BudgetKeeper("r1", Budget())
    async with StubServer(StubSettings(latency_s=0.3)) as stub:
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        actor = await asker(store)
        waiting = actor.spawn(ask(caller, actor.calls, spec, budget=budget))  # type: ignore[arg-type]
        await asked_of(stub)
        await stopped(actor)
        assert not waiting.done(), "its actor is gone, and the call goes on"
        await caller.close(10)
        assert waiting.cancelled()
    asked, answered = events_of(store, STREAM)
    assert isinstance(asked, ModelAsked)
    assert isinstance(answered, ModelAnswered)
    assert budget.tokens == answered.input_tokens + answered.output_tokens > 0


async def test_of_calls_at_once_all_that_come_late_are_recorded(
    store: EventStore, caller: ModelCaller
):
    async def both(actor: Asker, spec: ModelSpec) -> None:
        calls = (ask(caller, actor.calls.apart(), spec, turn=turn) for turn in (1, 2))  # type: ignore[arg-type]
        await asyncio.gather(*calls)

    async with StubServer(StubSettings(latency_s=0.3)) as stub:
        actor = await asker(store)
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        waiting = actor.spawn(both(actor, spec))
        await asked_of(stub, 2)
        await stopped(actor)
        assert waiting.cancelled()
        await caller.close(10)
    tags = [type(event).__name__ for event in events_of(store, STREAM)]
    assert tags == 2 * ["ModelAsked"] + 2 * ["ModelAnswered"]


async def test_a_call_that_fails_late_is_recorded_and_nothing_comes_of_it(
    store: EventStore, caller: ModelCaller
):
    went_on = False

    async def asking(actor: Asker, spec: ModelSpec) -> None:
        nonlocal went_on
        try:
            await ask(caller, actor.calls, spec)  # type: ignore[arg-type]
        except CallFailed:
            went_on = True

    async with StubServer(StubSettings(latency_s=0.3, status=400)) as stub:
        actor = await asker(store)
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        waiting = actor.spawn(asking(actor, spec))
        await asked_of(stub)
        await stopped(actor)
        with structlog.testing.capture_logs() as logged:
            await caller.close(10)
    assert waiting.cancelled()
    assert not went_on
    assert [type(event) for event in events_of(store, STREAM)] == [ModelAsked, ModelFailed]
    assert [one["error_type"] for one in logged if one["event"] == "late_answer_not_had"] == [
        "CallFailed"
    ]


async def test_a_later_owner_goes_on_beside_an_answer_that_comes_late(
    store: EventStore, caller: ModelCaller
):
    async with StubServer(StubSettings(latency_s=0.3)) as stub:
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        before = await asker(store)
        before.spawn(ask(caller, before.calls, spec))  # type: ignore[arg-type]
        await asked_of(stub)
        await stopped(before)
        after = await asker(store)
        await after.calls.record(ASKED)
        await caller.close(10)
    await after.calls.record(msgspec.structs.replace(ASKED, turn=2))
    tags = [type(event).__name__ for event in events_of(store, STREAM)]
    assert tags == ["ModelAsked", "ModelAsked", "ModelAnswered", "ModelAsked"]
    assert after.version == 3


async def test_what_was_not_sent_yet_when_its_owner_stopped_is_not_sent(
    store: EventStore, caller: ModelCaller
):
    async with StubServer(StubSettings(latency_s=0.3)) as stub:
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url, max_concurrency=1)
        first, second = await asker(store), Asker(store, "agent-e1.1")
        second.launch()
        first.spawn(ask(caller, first.calls, spec))  # type: ignore[arg-type]
        await asked_of(stub)
        waiting = second.spawn(ask(caller, second.calls, spec))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        await stopped(second)
        assert waiting.cancelled()
        await caller.close(10)
        assert stub.stats.requests == 1


async def test_no_more_than_the_grace_is_waited_for_an_answer_that_nobody_waits_for(
    store: EventStore, caller: ModelCaller
):
    async with StubServer(StubSettings(latency_s=30)) as stub:
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        actor = await asker(store)
        actor.spawn(ask(caller, actor.calls, spec))  # type: ignore[arg-type]
        await asked_of(stub)
        await stopped(actor)
        async with asyncio.timeout(10):
            await caller.close(0.05)
    assert [type(event) for event in events_of(store, STREAM)] == [ModelAsked]
