"""A model that keeps failing: its calls wait, one at a time looks, and patience ends."""

import asyncio
from collections.abc import Callable

import pytest
from prometheus_client import REGISTRY

from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed, ModelError
from actors.models.limits.backoff import Backoff
from actors.models.limits.circuit_breaker import LEAST, WINDOW
from actors.models.port import ModelReply, ModelRequest
from actors.models.registry import Models
from events.minds import ModelSpec
from tests.actors.models.conftest import SpecOf, question
from tests.support.servers.stub_llm import StubServer, StubSettings

SPEC = ModelSpec(name="held", retries=0)
FAILS = ModelError("server_error", "the server answered 500", status=500, may_pass=True)


class Switched:
    """A model that fails with ``error`` while there is one, and waits for ``gate`` before each
    end."""

    def __init__(self, error: ModelError | None = FAILS) -> None:
        self.error, self.gate = error, asyncio.Event()
        self.gate.set()
        self.requests = self.inflight = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests += 1
        self.inflight += 1
        try:
            await self.gate.wait()
        finally:
            self.inflight -= 1
        if self.error is not None:
            raise self.error
        return ModelReply(text="yes")


def caller_of(model: Switched, patience_s: float = 60.0) -> ModelCaller:
    backoff = Backoff(first_s=0.01, longest_s=0.02, longest_asked_s=5.0, patience_s=patience_s)
    return ModelCaller(Models({"litellm": lambda _: model}), backoff)


def calls(caller: ModelCaller, count: int) -> list[asyncio.Task[str]]:
    async def call() -> str:
        return (await caller.call(SPEC, question(SPEC), purpose="act")).reply.text

    return [asyncio.create_task(call()) for _ in range(count)]


async def until(met: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not met():
            await asyncio.sleep(0.001)


async def held(model: Switched, caller: ModelCaller, waiting: int) -> list[asyncio.Task[str]]:
    """Calls that wait for a model whose breaker they have opened."""
    await asyncio.gather(*calls(caller, LEAST - 1), return_exceptions=True)
    assert caller.breakers == []
    tasks = calls(caller, waiting)
    await until(lambda: caller.breakers)
    return tasks


async def test_calls_wait_for_a_model_that_keeps_failing_and_go_on_at_its_first_answer():
    model = Switched()
    caller = caller_of(model)
    tasks = await held(model, caller, 40)
    await until(lambda: model.requests > LEAST + 45)
    assert not any(task.done() for task in tasks)
    (one,) = caller.breakers
    assert (one.model, one.reason, one.detail) == ("held", "server_error", FAILS.detail)
    assert one.since > 0
    model.error = None
    assert await asyncio.gather(*tasks) == ["yes"] * 40
    assert caller.breakers == []


async def test_one_call_at_a_time_looks_whether_the_model_is_well_again():
    model = Switched()
    caller = caller_of(model)
    tasks = await held(model, caller, 40)
    await until(lambda: caller.breakers[0].waiting >= 39)
    model.gate.clear()
    await until(lambda: model.inflight)
    for _ in range(50):
        await asyncio.sleep(0.001)
        assert model.inflight == 1
    assert caller.breakers[0].waiting == 39
    model.error = None
    model.gate.set()
    await asyncio.gather(*tasks)


async def test_who_has_waited_for_too_long_is_told_that_it_lasts():
    model = Switched()
    caller = caller_of(model, patience_s=0.1)
    tasks = await held(model, caller, 5)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    for failure in found:
        assert isinstance(failure, CallFailed)
        assert (failure.reason, failure.status, failure.lasting) == ("server_error", 500, True)
    assert caller.breakers == []


@pytest.mark.parametrize("rests_s", [0.01, 3600.0])
async def test_who_waits_is_let_go_at_once_when_the_process_ends(rests_s: float):
    model = Switched()
    backoff = Backoff(first_s=rests_s, longest_s=rests_s)
    caller = ModelCaller(Models({"litellm": lambda _: model}), backoff)
    tasks = await held(model, caller, 4)
    await until(lambda: caller.breakers[0].waiting >= 3)
    caller.let_go()
    tasks += calls(caller, 2)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    for failure in found:
        assert isinstance(failure, CallFailed)
        assert (failure.reason, failure.lasting) == ("server_error", False)
        assert "this process ends" in failure.detail


async def test_an_answer_that_comes_in_the_end_lets_the_others_ask():
    model = Switched()
    caller = caller_of(model)
    tasks = await held(model, caller, 5)
    model.gate.clear()
    await until(lambda: model.inflight)
    model.error = None
    caller.let_go()
    model.gate.set()
    assert "yes" in await asyncio.gather(*tasks, return_exceptions=True)
    assert await asyncio.gather(*calls(caller, 3)) == ["yes"] * 3


async def test_a_call_that_is_given_up_while_it_looks_leaves_that_to_another():
    model = Switched()
    caller = caller_of(model)
    tasks = await held(model, caller, 3)
    await until(lambda: caller.breakers[0].waiting >= 2)
    model.gate.clear()
    await until(lambda: model.inflight)
    model.error = None
    while len(tasks) > 1:
        # Whichever of them looks, in the end one is left.
        tasks.pop().cancel()
        await asyncio.sleep(0.005)
    model.gate.set()
    assert await tasks[0] == "yes"


async def test_an_error_that_no_wait_mends_is_heard_by_every_call_for_itself():
    model = Switched()
    caller = caller_of(model)
    tasks = await held(model, caller, 5)
    await until(lambda: caller.breakers[0].waiting)
    model.error = ModelError("unauthorized", "not known", status=401, may_pass=False)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [error.reason for error in found if isinstance(error, CallFailed)] == [
        "unauthorized"
    ] * 5


async def test_a_model_that_fails_now_and_then_is_not_held():
    model = Switched(None)
    caller = caller_of(model)
    for number in range(3 * WINDOW):
        model.error = FAILS if number % 2 else None
        await asyncio.gather(*calls(caller, 1), return_exceptions=True)
        assert caller.breakers == []


async def test_requests_that_are_refused_say_nothing_about_the_model():
    model = Switched(ModelError("refused", "not like this", status=400, may_pass=False))
    caller = caller_of(model)
    await asyncio.gather(*calls(caller, 3 * WINDOW), return_exceptions=True)
    assert caller.breakers == []


async def test_held_models_and_who_waits_for_them_are_measured():
    def seen(name: str) -> float:
        return REGISTRY.get_sample_value(f"troupe_llm_breaker_{name}", {"model": "held"}) or 0.0

    openings, before = seen("openings_total"), seen("open")
    model = Switched()
    caller = caller_of(model)
    tasks = await held(model, caller, 5)
    await until(lambda: seen("waiting_requests") >= 4)
    assert (seen("open"), seen("openings_total")) == (before + 1, openings + 1)
    model.error = None
    await asyncio.gather(*tasks)
    assert (seen("open"), seen("waiting_requests")) == (before, 0)


async def test_a_server_that_comes_back_answers_all_who_waited(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(status=503)) as stub:
        # More retries than it takes to open the breaker, so that whoever asks ends up waiting.
        spec = spec_of(stub.url, retries=LEAST)
        await caller.form_for(spec)
        asked = [
            asyncio.create_task(caller.call(spec, question(spec, f"{n}"), purpose="act"))
            for n in range(8)
        ]
        await until(lambda: caller.breakers and caller.breakers[0].waiting >= 5)
        stub.settings = StubSettings()
        answers = await asyncio.gather(*asked)
    assert all(answer.reply.text for answer in answers)


@pytest.mark.parametrize("patience_s", [None, 7.0])
def test_patience_is_the_callers_own_where_it_is_given(patience_s: float | None):
    caller = ModelCaller(Models(), Backoff(patience_s=5.0), patience_s=patience_s)
    assert caller._backoff.patience_s == (patience_s or 5.0)
