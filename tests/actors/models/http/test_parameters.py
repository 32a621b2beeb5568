"""What is sent is what was chosen, what was not sent is not recorded as used, and fingerprints of
old questions stay what they were."""

import json
from typing import Any

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from actors.models.caller import ModelCaller
from actors.models.errors import ModelUnavailable
from actors.models.http.parameters import LEAST_MARKED, dropped, messages_of, parameters_of
from actors.models.litellm.provider_abilities import steering_names, wants_cache_marks
from actors.models.port import Msg, request_hash, request_of
from actors.models.recording.recorded_call import recorded_call
from actors.models.settings import ModelSettings
from events.agent import ModelAnswered, ModelAsked
from events.minds import ModelSpec
from tests.actors.models.conftest import SpecOf, question
from tests.evaluators.scripted import Stream
from tests.support.servers.stub_llm import StubServer, StubSettings

CHOSEN: dict[str, Any] = {
    "top_p": 0.9,
    "seed": 7,
    "stop": ("END", "\n\n"),
    "extra": '{"min_p":0.05,"chat_template_kwargs":{"enable_thinking":false}}',
}


async def recorded(
    caller: ModelCaller, spec: ModelSpec, text: str = "hello"
) -> tuple[ModelAsked, ModelAnswered]:
    calls = Stream()
    await recorded_call(
        caller,
        calls,
        turn=1,
        attempt=0,
        purpose="act",
        spec=spec,
        request=question(spec, text),
    )
    asked, answered = calls.events
    assert isinstance(asked, ModelAsked)
    assert isinstance(answered, ModelAnswered)
    return asked, answered


@pytest.mark.parametrize(
    ("messages", "fields", "fingerprint"),
    [
        (
            (Msg("system", "You count."), Msg("user", "How many? – ünï")),
            {},
            "5cc51cf2538e367cb4b65361e67118a7",
        ),
        (
            (Msg("user", "How many?"),),
            {"max_tokens": 9, "json_schema": {"type": "object", "properties": {}}},
            "3c760762e9446772b7ac92c6d0a332f9",
        ),
    ],
)
def test_a_question_that_chooses_nothing_new_has_the_fingerprint_it_always_had(
    messages: tuple[Msg, ...], fields: dict[str, Any], fingerprint: str
):
    # These were stored: with others, a run that is resumed would pay for its answers again.
    spec = ModelSpec(name="openai/stub", temperature=0.3, max_tokens=77)
    assert request_hash(spec, request_of(spec, messages, **fields)) == fingerprint
    cheaper = msgspec.structs.replace(spec, cache_marks=True, cached_usd_per_million=1.0)
    assert request_hash(cheaper, request_of(cheaper, messages, **fields)) == fingerprint


def test_every_parameter_that_is_chosen_is_part_of_the_fingerprint():
    plain = ModelSpec(name="m")
    chosen = {**CHOSEN, "max_completion_tokens": 900, "reasoning_effort": "low"}
    specs = [plain, *(msgspec.structs.replace(plain, **{k: v}) for k, v in chosen.items())]
    asked = (Msg("user", "hello"),)
    assert len({request_hash(spec, request_of(spec, asked)) for spec in specs}) == len(specs)


async def test_what_is_chosen_is_sent_and_recorded(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer() as stub:
        asked, answered = await recorded(caller, spec_of(stub.url, **CHOSEN))
    (body,) = stub.bodies
    assert (body["top_p"], body["seed"], body["stop"]) == (0.9, 7, ["END", "\n\n"])
    assert (body["min_p"], body["chat_template_kwargs"]) == (0.05, {"enable_thinking": False})
    assert asked.parameters == {
        "top_p": 0.9,
        "seed": 7,
        "stop": ("END", "\n\n"),
        "extra": {"min_p": 0.05, "chat_template_kwargs": {"enable_thinking": False}},
    }
    assert answered.dropped == ()


async def test_what_is_not_chosen_is_not_sent(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer() as stub:
        asked, _ = await recorded(caller, spec_of(stub.url))
    (body,) = stub.bodies
    assert body.keys() - {"extra_body"} == {"model", "messages", "temperature", "max_tokens"}
    assert asked.parameters == {}


async def test_a_model_that_reasons_has_a_limit_of_its_own(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer() as stub:
        spec = spec_of(stub.url, max_tokens=300, max_completion_tokens=4000)
        await recorded(caller, spec)
        longer = request_of(spec, (Msg("user", "a note"),), max_tokens=800)
        await caller.call(spec, longer, purpose="remember")
    first, second = stub.bodies
    assert "max_tokens" not in first
    # A longer answer does not take its room from the thoughts.
    assert (first["max_completion_tokens"], second["max_completion_tokens"]) == (4000, 4500)


async def test_an_effort_is_sent_where_the_server_is_to_judge_it(caller: ModelCaller):
    async with StubServer() as stub:
        spec = ModelSpec(name="r", adapter="direct", base_url=stub.url, reasoning_effort="low")
        await recorded(caller, spec)
    assert stub.bodies[0]["reasoning_effort"] == "low"


@pytest.mark.parametrize(
    ("model", "fields", "gone", "sent"),
    [
        ("openai/o3-mini", {"temperature": 0.7}, ("temperature",), {"reasoning_effort": "low"}),
        ("openai/o3-mini", {"temperature": 1.0, "top_p": 0.5}, ("top_p",), {"temperature": 1.0}),
        ("openai/gpt-4o", {}, ("reasoning_effort",), {"temperature": 0.7}),
    ],
)
async def test_what_the_provider_does_not_take_is_said_not_to_have_been_sent(
    caller: ModelCaller,
    model: str,
    fields: dict[str, Any],
    gone: tuple[str, ...],
    sent: dict[str, Any],
):
    async with StubServer() as stub:
        spec = ModelSpec(name=model, base_url=stub.url, reasoning_effort="low", **fields)
        _, answered = await recorded(caller, spec)
        # A probe asks for no thoughts.
        others = tuple(name for name in gone if name != "reasoning_effort")
        assert await caller.probe(spec) == others
    assert answered.dropped == gone
    body = stub.bodies[0]
    assert not set(gone) & body.keys()
    assert sent.items() <= body.items()
    # Their limit has another name, which LiteLLM knows.
    assert ("max_completion_tokens" in body) == model.startswith("openai/o3")


@pytest.mark.parametrize(
    ("sent", "gone"),
    [
        ({"generationConfig": {"temperature": 0.7, "topP": 0.9, "stopSequences": []}}, ("seed",)),
        (b'{"temperature": 0.7, "top_p": 0.9, "stop_sequences": [], "random_seed": 7}', ()),
        ({"messages": [{"seed": 7}], "top_p": 0.9, "stop": []}, ("temperature", "seed")),
        ("no body", ()),
        (None, ()),
    ],
)
def test_providers_names_for_parameters_are_known(sent: object, gone: tuple[str, ...]):
    spec = ModelSpec(name="m", top_p=0.9, seed=7, stop=("END",))
    assert dropped(request_of(spec, ()), sent) == gone


async def test_a_server_that_refuses_a_parameter_is_told_by_the_probe(caller: ModelCaller):
    async with StubServer(StubSettings(refuse="max_tokens")) as stub:
        spec = ModelSpec(name="m", adapter="direct", base_url=stub.url)
        with pytest.raises(ModelUnavailable, match="check the model's parameters") as gone:
            await caller.probe(spec)
        assert (gone.value.status, gone.value.lasting) == (400, True)
        await caller.probe(msgspec.structs.replace(spec, max_completion_tokens=1000))


@pytest.mark.parametrize(
    "name",
    ["model", "api_base", "base_url", "api_key", "extra_headers", "stream", "temperature", "n"],
)
def test_what_is_ours_or_leads_elsewhere_is_not_passed_through(name: str):
    settings = ModelSettings(model="m", extra={name: "x", "top_k": 40})
    ((field, why),) = settings.problems()
    assert field == "extra"
    assert repr(name) in why
    assert "top_k" not in why


def test_parameters_are_recorded_the_same_however_a_file_orders_them():
    one, other = ({"b": 1, "a": {"d": 2, "c": 3}}, {"a": {"c": 3, "d": 2}, "b": 1})
    specs = {ModelSettings(model="m", extra=extra).spec() for extra in (one, other)}
    (spec,) = specs
    assert json.loads(spec.extra) == one
    assert ModelSettings(model="m").spec() == ModelSpec(name="m")


async def test_what_steers_litellm_is_refused_where_it_would_be_an_argument(caller: ModelCaller):
    assert {"api_base", "api_key", "custom_llm_provider", "mock_response"} <= steering_names()
    spec = ModelSpec(name="anthropic/claude-sonnet-4-5", extra='{"mock_response": "yes"}')
    with pytest.raises(ModelUnavailable, match="'mock_response' may not be"):
        await caller.probe(spec)


def test_a_long_systems_message_is_marked_where_marks_are_wanted():
    short, long = Msg("system", "Be brief."), Msg("system", "Remember. " * LEAST_MARKED)
    asked, spec = Msg("user", "x" * LEAST_MARKED), ModelSpec(name="m")
    request = request_of(spec, (short, long, asked))
    assert list(messages_of(request, marked=False)) == [short, long, asked]
    first, second, third = messages_of(request, marked=True)
    assert (first, third) == (short, asked)
    assert isinstance(second, dict)
    (part,) = second["content"]
    assert (part["text"], part["cache_control"]) == (long.content, {"type": "ephemeral"})
    assert parameters_of(request) == {"temperature": 0.7, "max_tokens": 500}


@pytest.mark.parametrize("marks", [None, True, False])
async def test_marks_are_sent_as_the_specification_says(
    caller: ModelCaller, spec_of: SpecOf, marks: bool | None
):
    async with StubServer() as stub:
        spec = spec_of(stub.url, cache_marks=marks)
        messages = (Msg("system", "Remember. " * LEAST_MARKED), Msg("user", "hello"))
        await caller.call(spec, request_of(spec, messages), purpose="act")
    content = stub.bodies[0]["messages"][0]["content"]
    assert isinstance(content, list) == ("cache_control" in str(content)) == bool(marks)


async def test_a_provider_that_caches_what_is_marked_gets_marks_and_its_figures_are_read(
    caller: ModelCaller,
):
    bodies: list[dict[str, Any]] = []

    async def answer(request: web.Request) -> web.Response:
        bodies.append(await request.json())
        usage = {"input_tokens": 20, "output_tokens": 9, "cache_read_input_tokens": 900}
        return web.json_response(
            {
                "id": "1",
                "type": "message",
                "role": "assistant",
                "model": "claude-sonnet-4-5",
                "content": [
                    {"type": "thinking", "thinking": "She must not know.", "signature": "s"},
                    {"type": "text", "text": "Good evening."},
                ],
                "stop_reason": "max_tokens",
                "usage": usage | {"cache_creation_input_tokens": 80},
            }
        )

    app = web.Application()
    app.router.add_post("/v1/messages", answer)
    async with TestServer(app) as server:
        url = str(server.make_url("")).rstrip("/")
        spec = ModelSpec(
            name="anthropic/claude-sonnet-4-5",
            base_url=url,
            seed=7,
            stop=("END",),
            extra='{"top_k": 40}',
        )
        messages = (Msg("system", "Remember. " * LEAST_MARKED), Msg("user", "hello"))
        reply = (await caller.call(spec, request_of(spec, messages), purpose="act")).reply
    (body,) = bodies
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert (body["top_k"], body["stop_sequences"]) == (40, ["END"])
    assert reply.dropped == ("seed",)
    assert (reply.text, reply.reasoning) == ("Good evening.", "She must not know.")
    assert (reply.input_tokens, reply.cached_tokens, reply.cache_written_tokens) == (1000, 900, 80)
    assert (reply.output_tokens, reply.estimated, reply.finish_reason) == (9, False, "length")
    # 20 at 3, 900 read at 0.3 and 80 written at 3.75 dollars a million; 9 answered at 15.
    assert reply.cost_usd == pytest.approx((20 * 3 + 900 * 0.3 + 80 * 3.75 + 9 * 15) / 1e6)


async def test_anthropics_models_want_marks_and_others_do_not(caller: ModelCaller):
    spec = ModelSpec(name="openai/gpt-4o")
    await caller.form_for(spec)
    assert wants_cache_marks("anthropic/claude-sonnet-4-5")
    assert wants_cache_marks("bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0")
    assert not wants_cache_marks("openai/gpt-4o")
    assert not wants_cache_marks("openai/claude-of-my-own")
