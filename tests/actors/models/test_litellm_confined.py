"""What is asked through LiteLLM goes where it is meant to go, and takes nothing else along."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from actors.models.caller import ModelCaller
from actors.models.errors import KeyNotBound, ModelError
from actors.models.key_allow_list import PROVIDERS
from actors.models.litellm.adapter import LiteLLMModel, ready_litellm
from actors.models.litellm.transport import _AtOnce, _Later, _wrapping
from actors.models.litellm.visible_environment import narrowed
from actors.models.port import ModelReply, ModelRequest, Msg, request_of
from actors.models.registry import Models
from events.minds import ModelSpec
from tests.actors.models.canaries import KEY, values

ROOT = Path(__file__).parents[3]


@pytest.mark.timeout(300)
async def test_no_value_of_the_environment_but_the_named_key_reaches_a_server(tmp_path: Path):
    """By every provider that LiteLLM has: all variables that its sources name are set."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.actors.models.canaries"),
        env={**kept, **values(), "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,  # Some variables name folders, which are made where the process works.
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    out, _ = await process.communicate()
    came = json.loads(out.splitlines()[-1])
    asked = {who: arrived for who, arrived in came.items() if arrived is not None}
    assert len(asked) > 150, "most can be made to ask a server at an address"
    assert {who: arrived for who, arrived in asked.items() if set(arrived) - {KEY}} == {}
    assert {who for who, arrived in asked.items() if arrived} <= {w for w in asked if KEY in w}
    assert asked[f"openai/m {KEY}"] == [KEY]


def test_the_environment_is_narrowed_in_a_calls_own_context_alone(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org")
    monkeypatch.setenv("GROQ_API_KEY", "gsk")
    with narrowed():
        assert os.environ.get("OPENAI_ORG_ID") is None
        assert os.getenv("PATH")
        assert "GROQ_API_KEY" not in {*os.environ}
        assert len(os.environ) == len(dict(os.environ))
    with narrowed("groq"):
        assert (os.getenv("GROQ_API_KEY"), os.getenv("OPENAI_ORG_ID")) == ("gsk", None)
    assert (os.getenv("GROQ_API_KEY"), os.environ["OPENAI_ORG_ID"]) == ("gsk", "org")


@pytest.fixture
async def sent(monkeypatch: pytest.MonkeyPatch) -> list[httpx.Request]:
    """The requests that would have left, none of which does."""
    await ready_litellm()
    found: list[httpx.Request] = []

    class Nowhere(httpx.MockTransport):
        def __init__(self) -> None:
            super().__init__(self.take)

        def take(self, request: httpx.Request) -> httpx.Response:
            found.append(request)
            raise httpx.ConnectError("there is no network")

    for client, wrapper in ((httpx.AsyncClient, _Later), (httpx.Client, _AtOnce)):
        transport = _wrapping(lambda *_: Nowhere(), wrapper)
        monkeypatch.setattr(client, "_transport_for_url", transport)
    return found


ASKED = [
    (called, name)
    for name, provider in PROVIDERS.items()
    if provider.hosts
    for called in (name, *provider.also)
]
"""LiteLLM's names of providers, and ours."""


def _telling(request: httpx.Request) -> bool:
    return "tell-tale" in f"{request.url} {request.headers.raw}"


@pytest.mark.parametrize(("called", "name"), ASKED)
@pytest.mark.parametrize("model", ["m", "org/m"])
async def test_a_providers_key_goes_to_the_hosts_that_it_is_bound_to(
    sent: list[httpx.Request], monkeypatch: pytest.MonkeyPatch, called: str, name: str, model: str
):
    monkeypatch.delenv("TROUPE_KEYS", raising=False)
    variable = PROVIDERS[name].variables[0]
    for other, provider in PROVIDERS.items():
        for each in provider.variables:
            monkeypatch.setenv(each, "tell-tale" if other == name else "of-another")
    for named in (variable, ""):
        spec = ModelSpec(name=f"{called}/{model}", api_key_env=named, timeout_s=10.0)
        sent.clear()
        with pytest.raises(ModelError) as failed:
            await LiteLLMModel(spec).complete(request_of(spec, (Msg("user", "hi"),)))
        telling = [request for request in sent if _telling(request)]
        # LiteLLM's own client connects once more; whatever else is asked again is asked by us.
        assert len(telling) <= 2
        assert {request.url.host for request in telling} <= set(PROVIDERS[name].hosts)
        assert all(request.url.scheme == "https" for request in telling)
        assert not any("of-another" in str(one.headers.raw) for one in sent)
        if called == "ai21":
            # Of most models LiteLLM does not know where they are, and would ask OpenAI.
            assert not sent
            assert not named or isinstance(failed.value, KeyNotBound)
        else:
            assert telling or (called, model) == ("huggingface", "m"), "which is no name there"


async def test_what_litellm_would_send_to_another_host_is_refused_with_what_to_do(
    sent: list[httpx.Request], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("TROUPE_KEYS", raising=False)
    monkeypatch.setenv("AI21_API_KEY", "tell-tale")
    monkeypatch.setenv("OPENAI_API_KEY", "tell-tale")
    spec = ModelSpec(name="ai21/jamba-mini", api_key_env="AI21_API_KEY")
    with pytest.raises(KeyNotBound) as refused:
        await LiteLLMModel(spec).complete(request_of(spec, (Msg("user", "hi"),)))
    assert "would ask api.openai.com:443 for ai21/jamba-mini" in str(refused.value)
    assert "base_url" in refused.value.remedy
    assert sent == []


@pytest.mark.parametrize(
    ("name", "keys", "variables", "asked"),
    [
        ("openai/m", "usual", {}, "api.openai.com"),
        # Whoever set the key set the address, too.
        ("openai/m", "usual", {"OPENAI_API_BASE": "http://gate.lab:8000/v1"}, "gate.lab"),
        (
            "azure/m",
            "usual, MINE@azure",
            {"AZURE_API_BASE": "https://mine.example"},
            "mine.example",
        ),
        ("nebius/m", "usual, MINE@nebius", {}, ""),
        ("nebius/m", "usual, MINE@other.example:443", {}, ""),
        ("nebius/m", "usual, MINE@api.studio.nebius.ai", {}, "api.studio.nebius.ai"),
    ],
)
async def test_a_key_is_bound_by_the_address_that_is_asked(
    sent: list[httpx.Request],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    keys: str,
    variables: dict[str, str],
    asked: str,
):
    monkeypatch.setenv("TROUPE_KEYS", keys)
    monkeypatch.setenv("MINE", "tell-tale")
    monkeypatch.setenv("OPENAI_API_KEY", "tell-tale")
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    spec = ModelSpec(name=name, api_key_env="MINE" if "MINE" in keys else "OPENAI_API_KEY")
    with pytest.raises(ModelError) as failed:
        await LiteLLMModel(spec).complete(request_of(spec, (Msg("user", "hi"),)))
    assert {request.url.host for request in sent if _telling(request)} <= {asked}
    assert isinstance(failed.value, KeyNotBound) == (not asked), failed.value
    assert bool(sent) == bool(asked)


async def test_nothing_is_loaded_between_the_last_look_and_the_first_request():
    """It took a second, in which the question could become another process's."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.actors.models.first_call"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    out, _ = await process.communicate()
    loaded = json.loads(out.splitlines()[-1])
    of_clients = [name for name in loaded if name.startswith(("litellm", "openai", "httpx"))]
    assert of_clients == []


async def test_a_question_that_became_anothers_meanwhile_is_not_put_again_without_its_schema():
    class Refusing:
        asked = 0

        async def complete(self, request: ModelRequest) -> ModelReply:
            self.asked += 1
            raise ModelError("refused", "response_format is not known", may_pass=False)

    model = Refusing()
    caller = ModelCaller(Models({"direct": lambda _: model}))
    spec = ModelSpec(name="m", adapter="direct", base_url="http://h/v1", retries=0)
    request = request_of(spec, (Msg("user", "hi"),), json_schema={"type": "object"})

    async def confirm() -> None:
        if model.asked:
            raise LookupError("it is another's")

    with pytest.raises(LookupError):
        await caller.call(spec, request, purpose="act", confirm=confirm)
    assert model.asked == 1
    await caller.close()
