"""Which keys go where: what the process that sends allows, and nothing else."""

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from actors.models.caller import ModelCaller
from actors.models.errors import KeyNotBound, ModelError, ModelUnavailable
from actors.models.key_allow_list import PROVIDERS, BadKeys, read_keys, refusal
from actors.models.keys import key_of
from actors.models.server_addresses import address_problem, destination
from actors.models.settings import ModelSettings
from events.minds import ModelSpec
from events.untrusted.redacted_urls import without_secrets
from tests.actors.models.conftest import SpecOf


def spec(key: str, url: str = "", name: str = "openai/m") -> ModelSpec:
    adapter = "direct" if url else "litellm"
    return ModelSpec(name=name, adapter=adapter, base_url=url, api_key_env=key)


@pytest.mark.parametrize(
    ("keys", "key", "url", "fine"),
    [
        ("usual", "OPENAI_API_KEY", "https://api.openai.com/v1", True),
        ("usual", "OPENAI_API_KEY", "https://API.OpenAI.com:443/v1", True),
        ("usual", "OPENAI_API_KEY", "http://api.openai.com/v1", False),
        ("usual", "OPENAI_API_KEY", "https://api.openai.com:8443/v1", False),
        ("usual", "OPENAI_API_KEY", "https://api.openai.com.evil.example/v1", False),
        ("usual", "OPENAI_API_KEY", "https://evil.example/api.openai.com/v1", False),
        ("usual", "OPENAI_API_KEY", "https://api.anthropic.com/v1", False),
        ("usual", "OPENAI_API_KEY", "http://openai/v1", False),
        ("usual", "GROQ_API_KEY", "https://groq:8000/v1", False),
        ("MY_KEY@openai:8000", "MY_KEY", "http://openai:8000/v1", True),
        ("usual", "HOME", "http://127.0.0.1:8000/v1", False),
        ("usual", "AWS_SECRET_ACCESS_KEY", "http://127.0.0.1:8000/v1", False),
        ("usual, MY_KEY@vllm.lab:8000", "MY_KEY", "http://vllm.lab:8000/v1", True),
        ("usual, MY_KEY@vllm.lab:8000", "MY_KEY", "http://vllm.lab:8001/v1", False),
        ("usual, MY_KEY@vllm.lab:8000", "OPENAI_API_KEY", "http://vllm.lab:8000/v1", False),
        ("MY_KEY@vllm.lab", "MY_KEY", "https://vllm.lab:9/v1", True),
        ("MY_KEY@vllm.lab", "MY_KEY", "https://x.vllm.lab/v1", False),
        ("MY_KEY@vllm.lab, MY_KEY@other", "MY_KEY", "https://other/v1", True),
        ("MY_KEY@[::1]:8000", "MY_KEY", "http://[::1]:8000/v1", True),
        ("MY_KEY@openai", "MY_KEY", "https://api.openai.com/v1", True),
        ("MY_KEY@api.openai.com", "MY_KEY", "https://api.openai.com/v1", True),
        ("MY_KEY@vllm.lab", "OPENAI_API_KEY", "https://api.openai.com/v1", False),
    ],
)
def test_a_key_goes_only_where_it_is_bound_to(monkeypatch, keys: str, key: str, url: str, fine):
    monkeypatch.setenv("TROUPE_KEYS", keys)
    monkeypatch.setenv(key, "secret")
    if fine:
        assert key_of(spec(key, url)) == "secret"
    else:
        with pytest.raises(KeyNotBound) as refused:
            key_of(spec(key, url))
        assert "secret" not in str(refused.value)


def test_a_providers_usual_variable_is_for_that_provider_alone(monkeypatch):
    monkeypatch.setenv("TROUPE_KEYS", "usual, MINE@groq")
    for name, provider in PROVIDERS.items():
        for variable in provider.variables:
            assert refusal(spec(variable), name) is None
            assert refusal(spec(variable), "openai" if name != "openai" else "groq")
    assert refusal(spec("MINE"), "groq") is None
    assert refusal(spec("MINE"), "openai")


def test_what_is_refused_says_what_to_set(monkeypatch):
    monkeypatch.delenv("TROUPE_KEYS")
    settings = ModelSettings(
        model="openai/m",
        adapter="direct",
        base_url="http://vllm.lab:8000/v1",
        api_key_env="MY_KEY",
    )
    [(field, why)] = settings.problems()
    assert field == "api_key_env"
    assert "MY_KEY may not be sent to vllm.lab:8000" in why
    assert 'TROUPE_KEYS="usual, MY_KEY@vllm.lab:8000"' in why
    monkeypatch.setenv("TROUPE_KEYS", "usual, MY_KEY@vllm.lab:8000")
    assert settings.problems() == []


@pytest.mark.parametrize("text", ["MY_KEY", "a b@host", "MY_KEY@", "MY_KEY@h:0", "K@http://h/"])
def test_a_setting_that_says_nothing_is_refused(text: str):
    with pytest.raises(BadKeys, match="TROUPE_KEYS must"):
        read_keys(text)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pass@host/v1",
        "http://:pass@host/v1",
        "http://host/v1?key=sk-123456",
        "http://host/v1?api_key=x",
        "http://host/v1#sk-123456",
    ],
)
def test_an_address_holds_no_secret_and_an_old_one_is_shown_without(url: str):
    [(field, why)] = ModelSettings(model="m", adapter="direct", base_url=url).problems()
    assert field == "base_url"
    assert "api_key_env" in why
    with pytest.raises(ModelError, match="api_key_env"):
        key_of(ModelSpec(name="m", adapter="direct", base_url=url))
    for text in (why, without_secrets(url), destination(ModelSpec(name="m", base_url=url))):
        assert not any(secret in text for secret in ("pass@", "sk-123456", "api_key=x", "user:"))


@pytest.mark.parametrize("url", ["http://", "ftp://h/", "http://[::1", "http://h:99999/", "h/v1"])
def test_what_is_no_address_is_refused(url: str):
    assert "must be an http or https address" in address_problem(url)


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "huggingface/https://evil.example/m"},
        # LiteLLM would send this machine's WATSONX_TOKEN there.
        {"name": "watsonx/m", "base_url": "http://evil.example"},
        {"name": "vertex_ai/gemini-2.0-flash", "base_url": "http://evil.example"},
        {"name": "m", "base_url": "http://api.groq.com/openai/v1"},
        {"name": "azure/m", "extra": '{"api_base": "http://evil.example"}'},
        {"name": "openai/m", "extra": '{"extra_headers": {"x": "y"}}'},
        {"name": "m", "base_url": "os.environ/HOME"},
    ],
)
def test_nothing_is_sent_as_a_stored_specification_must_not_say(fields: dict[str, str]):
    """Specifications come from events, too, and events from files that nobody has checked."""
    with pytest.raises(ModelError):
        key_of(ModelSpec(**fields))


async def test_no_redirect_takes_a_key_or_a_prompt_elsewhere(
    spec_of: SpecOf, caller: ModelCaller, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("STUB_KEY", "sk-of-this-machine")
    came: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        came.append(request.path)
        return web.json_response({})

    async def redirect(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(f"http://localhost:{there.port}{request.path}")

    servers = []
    for handler in (elsewhere, redirect):
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", handler)
        servers.append(TestServer(app, host="127.0.0.1"))
        await servers[-1].start_server()
    there, named = servers
    made = spec_of(f"http://127.0.0.1:{named.port}/v1", api_key_env="STUB_KEY", retries=0)
    names = ["openai/stub"] + ["anthropic/m", "gemini/m", "azure/m"] * (made.adapter == "litellm")
    for name in names:
        with pytest.raises(ModelUnavailable):
            await caller.probe(
                ModelSpec(
                    name=name,
                    adapter=made.adapter,
                    base_url=made.base_url,
                    api_key_env="STUB_KEY",
                )
            )
    assert came == []
    for server in servers:
        await server.close()
