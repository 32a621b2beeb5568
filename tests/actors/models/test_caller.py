"""Asking a model over real HTTP, through either adapter."""

import asyncio
import subprocess
import sys

import pytest
from prometheus_client import REGISTRY

from actors.models.caller import MOST_LANES, ModelCaller
from actors.models.direct.adapter import DirectModel, SharedSession
from actors.models.errors import CallFailed
from actors.models.registry import Models
from events.base import replace
from events.minds import ModelSpec
from tests.actors.models.conftest import SpecOf, question
from tests.support.servers.stub_llm import StubServer, StubSettings


async def test_an_answer_comes_with_what_it_used(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer() as stub:
        spec = spec_of(stub.url, input_usd_per_million=1.0, output_usd_per_million=10.0)
        answer = await caller.call(spec, question(spec), purpose="act")
    assert '"speak"' in answer.reply.text
    assert answer.reply.model.endswith("stub")
    assert answer.reply.finish_reason == "stop"
    used = answer.reply.input_tokens, answer.reply.output_tokens
    assert all(used)
    assert answer.reply.cost_usd == pytest.approx((used[0] + 10 * used[1]) / 1e6)
    assert answer.retries == 0


async def test_the_request_holds_the_parameters(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer() as stub:
        spec = spec_of(stub.url, temperature=0.3, max_tokens=77)
        await caller.call(spec, question(spec, "hello"), purpose="act")
    (body,) = stub.bodies
    assert body["model"] == "stub"
    assert body["messages"] == [{"role": "user", "content": "hello"}]
    assert (body["temperature"], body["max_tokens"]) == (0.3, 77)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("rate_limited", "rate_limited"), ("server_error", "server_error"), ("hang", "timeout")],
)
async def test_a_fault_that_passes_is_retried_and_counted(
    caller: ModelCaller, spec_of: SpecOf, fault: str, reason: str
):
    labels = {"model": "openai/stub", "reason": reason}
    before = REGISTRY.get_sample_value("troupe_llm_retries_total", labels) or 0.0
    async with StubServer(StubSettings(first=(fault, fault))) as stub:
        spec = spec_of(stub.url, timeout_s=0.5 if fault == "hang" else 60.0)
        answer = await caller.call(spec, question(spec), purpose="act")
    assert answer.retries == 2
    assert answer.reply.text
    assert (stub.stats.requests, stub.stats.answers) == (3, 1)
    assert REGISTRY.get_sample_value("troupe_llm_retries_total", labels) == before + 2


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (StubSettings(rate_limited=1.0), "rate_limited"),
        (StubSettings(server_error=1.0), "server_error"),
        (StubSettings(hang=1.0), "timeout"),
    ],
)
async def test_a_fault_that_stays_fails_after_the_last_retry(
    caller: ModelCaller, spec_of: SpecOf, settings: StubSettings, reason: str
):
    async with StubServer(settings) as stub:
        spec = spec_of(stub.url, timeout_s=0.3 if reason == "timeout" else 60.0, retries=2)
        with pytest.raises(CallFailed) as failed:
            await caller.call(spec, question(spec), purpose="act")
    assert (failed.value.reason, failed.value.retries) == (reason, 2)
    assert stub.stats.requests == 3


async def test_a_reply_that_is_no_completion_is_asked_for_again(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(first=("broken_reply",))) as stub:
        spec = spec_of(stub.url)
        answer = await caller.call(spec, question(spec), purpose="act")
    assert (answer.retries, stub.stats.requests) == (1, 2)


async def test_the_wait_that_the_server_asks_for_is_kept(caller: ModelCaller, spec_of: SpecOf):
    settings = StubSettings(first=("rate_limited",) * 3, retry_after="0.2")
    async with StubServer(settings) as stub:
        spec = spec_of(stub.url)
        await caller.call(spec, question(spec), purpose="act")
    assert (stub.stats.requests, stub.stats.too_early) == (4, 0)


async def test_a_server_that_asks_for_too_long_a_wait_is_not_asked_again(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(rate_limited=1.0, retry_after="3600")) as stub:
        spec = spec_of(stub.url)
        with pytest.raises(CallFailed) as failed:
            await caller.call(spec, question(spec), purpose="act")
    assert (failed.value.retry_after, failed.value.retries) == (3600.0, 0)
    assert stub.stats.requests == 1


async def test_a_refused_request_is_not_repeated_and_keeps_the_key_to_itself(
    caller: ModelCaller, spec_of: SpecOf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("STUB_KEY", "correct-horse-battery")
    async with StubServer(StubSettings(key="another", echo_key=True)) as stub:
        spec = spec_of(stub.url, api_key_env="STUB_KEY")
        with pytest.raises(CallFailed) as failed:
            await caller.call(spec, question(spec), purpose="act")
    assert (failed.value.reason, failed.value.status) == ("unauthorized", 401)
    assert (failed.value.lasting, stub.stats.requests) == (True, 1)
    assert stub.keys == {"Bearer correct-horse-battery"}
    assert "401" in failed.value.detail
    assert "correct-horse" not in f"{failed.value} {failed.value.detail}"


async def test_a_key_that_is_not_set_is_named_and_nothing_is_sent(
    caller: ModelCaller, spec_of: SpecOf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("STUB_KEY", raising=False)
    async with StubServer() as stub:
        spec = spec_of(stub.url, api_key_env="STUB_KEY")
        with pytest.raises(CallFailed, match="STUB_KEY"):
            await caller.call(spec, question(spec), purpose="act")
    assert stub.stats.requests == 0


async def test_a_providers_key_is_not_sent_to_a_server_of_ones_own(
    caller: ModelCaller, spec_of: SpecOf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "for-the-provider-only")
    async with StubServer() as stub:
        spec = spec_of(stub.url)
        await caller.call(spec, question(spec), purpose="act")
    assert not any("for-the-provider-only" in key for key in stub.keys)


async def test_a_server_that_is_not_there_is_a_failed_connection(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer() as stub:
        gone = stub.url
    spec = spec_of(gone, retries=1)
    with pytest.raises(CallFailed) as failed:
        await caller.call(spec, question(spec), purpose="act")
    assert (failed.value.reason, failed.value.retries) == ("connection", 1)


async def test_no_more_requests_are_under_way_than_allowed(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer(StubSettings(latency_s=0.02)) as stub:
        spec = spec_of(stub.url, max_concurrency=3)
        await asyncio.gather(
            *(caller.call(spec, question(spec, f"{n}"), purpose="act") for n in range(12))
        )
    assert (stub.stats.requests, stub.stats.peak) == (12, 3)


async def test_specifications_of_one_model_share_its_limits(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer(StubSettings(latency_s=0.02)) as stub:
        specs = [spec_of(stub.url, max_concurrency=2, temperature=t) for t in (0.0, 0.5, 1.0)]
        await asyncio.gather(*(caller.call(s, question(s), purpose="act") for s in specs * 3))
    assert (stub.stats.requests, stub.stats.peak) == (9, 2)


async def test_specifications_without_number_share_limits_and_are_not_all_remembered():
    made = []

    def adapter(spec: ModelSpec) -> DirectModel:
        made.append(spec.seed)
        return DirectModel(spec, SharedSession())

    caller = ModelCaller(Models({"direct": adapter}))
    spec = ModelSpec(name="openai/stub", adapter="direct", base_url="http://model.test")
    for seed in (*range(2 * MOST_LANES), 2 * MOST_LANES - 1, 0):
        await caller.form_for(replace(spec, seed=seed))
    assert made == [*range(2 * MOST_LANES), 0]
    await caller.close()


async def test_attempts_and_tokens_are_measured(caller: ModelCaller, spec_of: SpecOf):
    def seen(name: str, **labels: str) -> float:
        return sum(
            sample.value
            for family in REGISTRY.collect()
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    duration = "gen_ai_client_operation_duration_seconds_count"
    names = [
        (duration, {"error_type": ""}),
        (duration, {"error_type": "server_error"}),
        ("gen_ai_client_token_usage_count", {"token_type": "input"}),
        ("troupe_llm_cost_usd_total", {"purpose": "judge"}),
    ]
    before = [seen(name, **labels) for name, labels in names]
    async with StubServer(StubSettings(first=("server_error",))) as stub:
        spec = spec_of(stub.url, input_usd_per_million=0.0, output_usd_per_million=1e6)
        answer = await caller.call(spec, question(spec), purpose="judge")
    grown = [seen(n, **ls) - old for (n, ls), old in zip(names, before, strict=True)]
    assert grown == pytest.approx([1, 1, 1, answer.reply.output_tokens])
    assert seen("troupe_llm_inflight_requests", model="openai/stub") == 0


def test_litellm_is_not_imported_before_it_is_used():
    code = (
        "import sys, actors.minds.model, actors.models.registry as r\n"
        "r.Models()\n"
        "sys.exit('litellm' in sys.modules or 'openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
