"""What each way to fail is called, through either adapter, over real HTTP."""

import pytest

from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed, ModelUnavailable
from events.minds import ModelSpec
from tests.actors.models.conftest import SpecOf, question
from tests.support.servers.stub_llm import StubServer, StubSettings

STATUSES = [
    (401, "", "unauthorized", True),
    (402, "", "quota", True),
    (403, "", "forbidden", True),
    (404, "", "not_found", True),
    (429, "insufficient_quota", "quota", True),
    (429, "", "rate_limited", False),
    (500, "", "server_error", False),
    (503, "", "server_error", False),
    (400, "", "refused", False),
    (422, "", "refused", False),
    (413, "", "too_long", False),
    (400, "context_length_exceeded", "too_long", False),
    (400, "content_filter", "filtered", False),
]


@pytest.mark.parametrize(("status", "code", "reason", "lasting"), STATUSES)
async def test_each_refusal_has_its_reason_and_is_repeated_only_where_it_may_pass(
    caller: ModelCaller, spec_of: SpecOf, status: int, code: str, reason: str, lasting: bool
):
    async with StubServer(StubSettings(status=status, error_code=code)) as stub:
        spec = spec_of(stub.url, retries=1)
        with pytest.raises(CallFailed) as failed:
            await caller.call(spec, question(spec), purpose="act")
    error = failed.value
    assert (error.reason, error.status, error.lasting) == (reason, status, lasting)
    assert error.retries == (1 if reason in ("rate_limited", "server_error") else 0)
    assert str(status) in error.detail


@pytest.mark.parametrize(
    ("status", "code", "reason", "lasting"),
    [case for case in STATUSES if case[2] != "rate_limited"],
)
async def test_a_probe_finds_out_with_one_request_and_says_what_to_do(
    caller: ModelCaller, spec_of: SpecOf, status: int, code: str, reason: str, lasting: bool
):
    async with StubServer(StubSettings(status=status, error_code=code)) as stub:
        spec = spec_of(stub.url)
        with pytest.raises(ModelUnavailable) as gone:
            await caller.probe(spec)
    # What refuses a tiny harmless request refuses all.
    assert gone.value.lasting == (lasting or reason in ("refused", "too_long", "filtered"))
    assert (gone.value.reason, gone.value.status, gone.value.model) == (reason, status, spec.name)
    assert str(gone.value).startswith(f"{spec.name} ")
    assert gone.value.remedy in str(gone.value)
    assert "\n" not in str(gone.value)


async def test_a_probe_finds_out_what_nobody_answers(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer(StubSettings(hang=1.0)) as stub:
        with pytest.raises(ModelUnavailable) as late:
            await caller.probe(spec_of(stub.url, timeout_s=0.2))
    assert (late.value.reason, late.value.lasting) == ("timeout", False)
    with pytest.raises(ModelUnavailable) as gone:
        await caller.probe(spec_of(stub.url))
    assert (gone.value.reason, gone.value.lasting) == ("connection", False)
    assert stub.url in gone.value.remedy


async def test_a_probe_that_is_answered_or_told_to_wait_a_little_finds_nothing(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer() as stub:
        await caller.probe(spec_of(stub.url))
    async with StubServer(StubSettings(status=429, retry_after="1")) as stub:
        await caller.probe(spec_of(stub.url))
    assert stub.stats.requests == 1


async def test_a_probe_that_is_told_to_wait_for_an_hour_says_so(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(status=429, retry_after="3600")) as stub:
        with pytest.raises(ModelUnavailable, match="wait 60 minutes") as gone:
            await caller.probe(spec_of(stub.url))
    assert gone.value.lasting


async def test_a_probe_looks_for_the_key_before_anything_is_sent(
    caller: ModelCaller, spec_of: SpecOf, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("STUB_KEY", raising=False)
    async with StubServer() as stub:
        with pytest.raises(ModelUnavailable, match="set the environment variable STUB_KEY") as gone:
            await caller.probe(spec_of(stub.url, api_key_env="STUB_KEY"))
    assert (gone.value.reason, gone.value.lasting, stub.stats.requests) == ("no_key", True, 0)


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-3-5-sonnet-20240620", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-1.5-pro", "GEMINI_API_KEY"),
    ],
)
async def test_a_providers_own_key_that_is_missing_is_named(
    caller: ModelCaller, model: str, variable: str, monkeypatch: pytest.MonkeyPatch
):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelUnavailable, match=variable) as gone:
        await caller.probe(ModelSpec(name=model))
    assert (gone.value.reason, gone.value.lasting) == ("no_key", True)


async def test_a_name_without_a_provider_is_not_found(caller: ModelCaller):
    with pytest.raises(ModelUnavailable, match="check the model's name") as gone:
        await caller.probe(ModelSpec(name="nobody-knows-this-one"))
    assert (gone.value.reason, gone.value.lasting) == ("not_found", True)


async def test_an_address_that_is_none_is_not_found(caller: ModelCaller):
    with pytest.raises(ModelUnavailable) as gone:
        await caller.probe(ModelSpec(name="m", adapter="direct", base_url="localhost"))
    assert (gone.value.reason, gone.value.lasting) == ("not_found", True)


async def test_a_redirect_is_not_followed(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer(StubSettings(status=302)) as stub:
        with pytest.raises(ModelUnavailable) as gone:
            await caller.probe(spec_of(stub.url))
    assert gone.value.reason == "not_found"
