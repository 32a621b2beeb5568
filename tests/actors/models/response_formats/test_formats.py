"""What a server takes: asked with tiny requests, once, and remembered."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from actors.models.answers.ask import Answered, ModelQuestion, ask
from actors.models.caller import Backoff, ModelCaller
from actors.models.port import ModelReply, Msg, request_hash, request_of
from actors.models.recording.recorded_call import recorded_call
from actors.models.registry import Models
from actors.models.response_formats import model_formats
from actors.models.response_formats.formats import in_every_form, in_form, simple
from actors.models.response_formats.model_formats import BROKEN_IN_A_ROW
from actors.models.response_formats.probe import PROBE_SCHEMA, PROBE_TOKENS, held
from actors.models.response_formats.schemas import object_schema
from events.agent import ModelAsked
from events.minds import ModelSpec
from store.log.event_store import EventStore
from store.model_abilities import AnswerForm, ModelAbilities
from tests.actors.models.conftest import SpecOf
from tests.evaluators.scripted import Stream
from tests.support.servers.stub_llm import StubServer, StubSettings

SCHEMA = object_schema({"kind": {"type": "string", "enum": ["tea"], "maxLength": 9}})
PROSE = {"message": {"content": "Yes, of course."}}


@pytest.fixture
def abilities(store: EventStore) -> ModelAbilities:
    return ModelAbilities(store)


@pytest.fixture
async def caller(abilities: ModelAbilities) -> AsyncIterator[ModelCaller]:
    """One that remembers."""
    caller = new(abilities)
    yield caller
    await caller.close()


def new(abilities: ModelAbilities) -> ModelCaller:
    """Another process's."""
    return ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02), abilities=abilities)


def question(reasks: int = 0) -> ModelQuestion[str]:
    def read(text: str, _: str) -> str:
        return text

    return ModelQuestion(
        messages=(Msg("user", 'What will it be? Answer with "kind".'),),
        read=read,
        again=" ".join,
        purpose="act",
        json_schema=SCHEMA,
        reasks=reasks,
    )


async def form_sent(caller: ModelCaller, spec: ModelSpec) -> Any:
    """The ``response_format`` that a question would be sent with."""
    request = in_form(request_of(spec, ()), await caller.form_for(spec), SCHEMA)
    return request.json_schema or ("json" if request.json_mode else None)


@pytest.mark.parametrize(
    ("settings", "form", "sent", "requests"),
    [
        (StubSettings(), "schema", SCHEMA, 1),
        (StubSettings(takes="simple"), "simple", simple(SCHEMA), 2),
        (StubSettings(takes="json"), "json", "json", 3),
        # It takes what it pays no heed to: its model is one that writes JSON when asked to.
        (StubSettings(takes="ignored"), "json", "json", 2),
        (StubSettings(takes="ignored", choice=PROSE), "none", None, 2),
        (StubSettings(refuse_schema=True), "none", None, 4),
        (StubSettings(refuse="response_format", refuse_status=422), "none", None, 4),
    ],
)
async def test_each_server_is_asked_once_for_what_it_takes(
    caller: ModelCaller,
    abilities: ModelAbilities,
    spec_of: SpecOf,
    settings: StubSettings,
    form: AnswerForm,
    sent: object,
    requests: int,
):
    async with StubServer(settings) as stub:
        spec = spec_of(stub.url, retries=0)
        await caller.probe(spec)
        # LiteLLM itself repeats what was answered 422.
        assert len(stub.stats.by_body) == requests
        requests = stub.stats.requests
        assert await form_sent(caller, spec) == sent
        assert await form_sent(caller, spec_of(stub.url, temperature=0.1)) == sent
        (known,) = abilities.all()
        assert (known.name, known.base_url, known.form) == (spec.name, stub.url, form)
        assert bool(known.why) == (form != "schema")
        assert known.found_at
        # The next process looks whether it is there, in the form that it uses, and no more.
        second = new(abilities)
        assert await form_sent(second, spec) == sent
        assert stub.stats.requests == requests
        await second.probe(spec)
        assert stub.stats.requests == requests + 1
        assert abilities.all() == [known]
        await second.close()


async def test_what_other_processes_found_is_looked_up_once_in_some_seconds(
    abilities: ModelAbilities, spec_of: SpecOf, monkeypatch: pytest.MonkeyPatch
):
    looked: list[tuple[str, ...]] = []
    monkeypatch.setattr(abilities, "find", lambda *account: looked.append(account))
    spec = spec_of("http://127.0.0.1:9/v1")
    for look_again_s, times in ((model_formats.LOOK_AGAIN_S, 1), (0.0, 3)):
        monkeypatch.setattr(model_formats, "LOOK_AGAIN_S", look_again_s)
        forms = model_formats.AnswerForms(abilities)
        looked.clear()
        for _ in range(3):
            await forms.load(spec, again=True)
        assert len(looked) == times


async def test_what_may_pass_is_no_word_on_forms_that_is_remembered(
    caller: ModelCaller, abilities: ModelAbilities, spec_of: SpecOf
):
    # Some servers say 500 to what they do not know; others are failing for a moment.
    settings = StubSettings(refuse="response_format", refuse_status=500)
    async with StubServer(settings) as stub:
        spec = spec_of(stub.url, retries=0)
        await caller.probe(spec)
        assert await form_sent(caller, spec) is None
        assert abilities.all() == []
        stub.settings = StubSettings()
        await caller.probe(spec)
        assert await form_sent(caller, spec) == SCHEMA
    assert [one.form for one in abilities.all()] == ["schema"]


@pytest.mark.parametrize(
    "fields",
    [{"max_tokens": 500}, {"max_completion_tokens": 4000}, {"extra": '{"thinking": {}, "k": 1}'}],
)
async def test_a_probe_is_tiny_in_truth(
    caller: ModelCaller, spec_of: SpecOf, fields: dict[str, Any]
):
    async with StubServer() as stub:
        await caller.probe(spec_of(stub.url, reasoning_effort="high", **fields))
    (body,) = stub.bodies
    limits = [body[name] for name in ("max_tokens", "max_completion_tokens") if name in body]
    assert limits == [PROBE_TOKENS]
    assert PROBE_TOKENS <= 16
    assert not {"thinking", "reasoning_effort"} & {*body, *body.get("extra_body", {})}
    schema = body["response_format"]["json_schema"]["schema"]
    # A server may take simple schemas and refuse what is in those of answers.
    for part in ("enum", "maxLength", "pattern", "anyOf", "maxItems"):
        assert part in str(schema)


async def test_what_a_plan_says_decides_by_itself(
    caller: ModelCaller, abilities: ModelAbilities, spec_of: SpecOf
):
    async with StubServer(StubSettings(takes="json")) as stub:
        await caller.probe(spec_of(stub.url))
        assert await form_sent(caller, spec_of(stub.url)) == "json"
        assert await form_sent(caller, spec_of(stub.url, structured_output=True)) == SCHEMA
        plain = spec_of(stub.url, structured_output=False)
        assert await form_sent(caller, plain) is None
        before = stub.stats.requests
        await caller.probe(plain)
        assert stub.stats.requests == before + 1
        assert "response_format" not in stub.bodies[-1]
    assert [one.form for one in abilities.all()] == ["json"]


async def test_a_forgotten_table_costs_a_probe_and_nothing_else(
    caller: ModelCaller, abilities: ModelAbilities, spec_of: SpecOf, store: EventStore
):
    async with StubServer(StubSettings(takes="json")) as stub:
        spec = spec_of(stub.url, retries=0)
        await caller.probe(spec)
        with store.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE model_abilities")
        second = new(abilities)
        await second.probe(spec)
        assert await form_sent(second, spec) == "json"
        await second.close()


async def test_a_server_that_refuses_later_is_asked_in_a_lower_form(
    caller: ModelCaller, abilities: ModelAbilities, spec_of: SpecOf
):
    async with StubServer() as stub:
        spec = spec_of(stub.url, retries=0)
        await caller.probe(spec)
        stub.settings = StubSettings(takes="simple")
        answer = await ask(question(), turn=1, model=spec, caller=caller, calls=Stream())
        assert isinstance(answer, Answered)
        assert await form_sent(caller, spec) == simple(SCHEMA)
    (lowered,) = caller.forms.lowered
    assert (lowered.before, lowered.now) == ("schema", "simple")
    assert "maxLength" in lowered.why
    assert [one.form for one in abilities.all()] == ["simple"]


async def test_a_form_that_does_not_hold_is_lowered_after_some_answers_in_a_row(
    caller: ModelCaller, abilities: ModelAbilities, spec_of: SpecOf
):
    async with StubServer() as stub:
        spec = spec_of(stub.url, retries=0)
        await caller.probe(spec)

        async def answered(text: str) -> None:
            request = in_form(request_of(spec, ()), await caller.form_for(spec), SCHEMA)
            await caller.came(spec, request, text, read=False)

        for _ in range(BROKEN_IN_A_ROW - 1):
            await answered('{"kind": "te')
        # What has the form is no fault of the form, whatever its answer is worth.
        await answered('{"kind": "water"}')
        for _ in range(BROKEN_IN_A_ROW - 1):
            await answered("Tea, please.")
        assert await form_sent(caller, spec) == SCHEMA
        await answered("Tea, please.")
        assert await form_sent(caller, spec) == "json"
        second = new(abilities)
        assert await form_sent(second, spec) == "json"
        await second.close()
    (lowered,) = caller.forms.lowered
    assert (lowered.before, lowered.now) == ("schema", "json")
    # Looked at again, it is what the server takes.
    async with StubServer() as stub:
        assert (await caller.probe(spec_of(stub.url), again=True)) == ()


async def test_what_was_paid_for_in_one_form_is_found_in_every_other():
    spec = ModelSpec(name="m")
    plain = request_of(spec, (Msg("user", "?"),))
    forms: tuple[AnswerForm, ...] = ("schema", "simple", "json", "none")
    hashes = {request_hash(spec, in_form(plain, form, SCHEMA)) for form in forms}
    assert len(hashes) == len(forms)
    for before in forms:
        for now in forms:
            assert in_form(plain, before, SCHEMA) in in_every_form(
                in_form(plain, now, SCHEMA), SCHEMA
            )


async def test_resuming_in_another_form_pays_nothing_twice(
    caller: ModelCaller, abilities: ModelAbilities, spec_of: SpecOf
):
    async with StubServer() as stub:
        spec = spec_of(stub.url, retries=0)
        calls = Stream()
        plain = await ask(question(), turn=1, model=spec, caller=caller, calls=calls)
        await caller.probe(spec)
        asked = stub.stats.requests
        held_to = await ask(question(), turn=1, model=spec, caller=caller, calls=calls)
        stub.settings = StubSettings(takes="json")
        await caller.probe(spec)
        asked += 3
        in_json = await ask(question(), turn=1, model=spec, caller=caller, calls=calls)
        assert plain == held_to == in_json
        assert stub.stats.requests == asked
        later = await ask(question(), turn=2, model=spec, caller=caller, calls=calls)
        assert isinstance(later, Answered)
        assert stub.stats.requests == asked + 1
    last = [event for event in calls.events if isinstance(event, ModelAsked)][-1]
    assert last.parameters["json_mode"] is True
    assert stub.bodies[-1]["response_format"] == {"type": "json_object"}
    again = await recorded_call(
        caller,
        calls,
        turn=2,
        attempt=0,
        purpose="act",
        spec=spec,
        request=request_of(spec, question().messages),
        schema=SCHEMA,
    )
    assert again == later.calls[0]


@pytest.mark.parametrize(
    ("form", "text", "has"),
    [
        ("schema", '{\n  "kind": "yes",\n  "n', True),
        ("schema", '{"ki', True),
        ("schema", '{"to": []', True),
        ("schema", "", True),
        ("schema", "<think>So the user wants", True),
        ("schema", "yes", False),
        ("schema", '{"answer": "yes"}', False),
        ("schema", '```json\n{"kind": "yes"', False),
        ("json", '{"a', True),
        ("json", "Sure! {", False),
        ("none", "Sure!", True),
    ],
)
def test_the_beginning_of_an_answer_tells_whether_it_is_held(
    form: AnswerForm, text: str, has: bool
):
    assert held(form, ModelReply(text=text)) is has


def test_a_simple_schema_keeps_its_shape():
    whole = simple(PROBE_SCHEMA)
    assert whole["properties"].keys() == PROBE_SCHEMA["properties"].keys()
    for gone in ("maxLength", "pattern", "maxItems", "minimum"):
        assert gone not in str(whole)
    # A field may be called like a bound.
    named = object_schema({"format": {"type": "string", "maxLength": 3}})
    assert simple(named)["properties"] == {"format": {"type": "string"}}


@pytest.mark.parametrize(
    ("models", "props", "context"),
    [
        ({"data": [{"id": "stub", "max_model_len": 8192}]}, {}, 8192),
        ({"data": [{"id": "a", "max_model_len": 1}, {"id": "stub", "max_model_len": 2}]}, {}, 2),
        ({"data": [{"id": "a", "max_model_len": 1}, {"id": "b", "max_model_len": 2}]}, {}, 0),
        (
            {"data": [{"id": "x.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 8192}}]},
            {"default_generation_settings": {"n_ctx": 4096}},
            4096,
        ),
        ({"data": [{"id": "x.gguf", "owned_by": "llamacpp", "meta": None}]}, {}, 0),
        ({"data": "nonsense"}, {}, 0),
        ({}, {}, 0),
    ],
)
async def test_the_server_says_what_fits_into_a_prompt(
    caller: ModelCaller,
    abilities: ModelAbilities,
    models: dict[str, Any],
    props: dict[str, Any],
    context: int,
):
    async with StubServer(StubSettings(models=models, props=props)) as stub:
        await caller.probe(ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url))
    assert [one.context for one in abilities.all()] == [context]
