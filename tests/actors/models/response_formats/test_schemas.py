"""JSON Schemas of answers: closed, and sent where a server can be held to them."""

from typing import Annotated, Any, Literal

import msgspec
import pytest

from actors.lifelong.memory import note_answer
from actors.models.answers.ask import Answered, ModelQuestion, ask
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed
from actors.models.port import Msg, request_hash, request_of
from actors.models.recording.recorded_call import recorded_call
from actors.models.registry import Models
from actors.models.response_formats.schemas import NoClosedSchema, object_schema, schema_of
from actors.social import answers
from actors.social.hard_scenarios import model_finder, model_writer
from events.minds import ModelSpec
from tests.actors.models.conftest import SpecOf
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.servers.stub_answers import open_place
from tests.support.servers.stub_llm import StubServer, StubSettings


class Cup(msgspec.Struct):
    """Docstrings are for readers of the code."""

    drink: Literal["tea", "coffee"]
    sugar: Annotated[int, msgspec.Meta(ge=0, le=3, description="lumps")] = 0
    milk: float | None = None


class Order(msgspec.Struct):
    cups: tuple[Cup, ...]


class Walk(msgspec.Struct, tag=True):
    to: str


class Wait(msgspec.Struct, tag=True):
    minutes: int


class Tree(msgspec.Struct):
    branches: tuple["Tree", ...] = ()


class Free(msgspec.Struct):
    anything: Any


class Scores(msgspec.Struct):
    by_name: dict[str, int]


class Pair(msgspec.Struct):
    both: tuple[int, str]


def test_every_field_is_required_no_other_is_allowed_and_nothing_is_referred_to():
    cup = {
        "type": "object",
        "properties": {
            "drink": {"type": "string", "enum": ["coffee", "tea"]},
            "sugar": {"type": "integer", "enum": [0, 1, 2, 3], "description": "lumps"},
            "milk": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        },
        "required": ["drink", "sugar", "milk"],
        "additionalProperties": False,
    }
    assert schema_of(Order) == object_schema({"cups": {"type": "array", "items": cup}})


def test_a_union_of_structs_with_tags_is_any_of_them():
    walk, wait = schema_of(Walk | Wait)["anyOf"]
    assert walk["properties"]["type"] == {"type": "string", "enum": ["Walk"]}
    assert wait["required"] == ["type", "minutes"]


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Tree, "Tree holds itself"),
        (Free, "any type"),
        (Scores, "have no names"),
        (Pair, "have not one type"),
    ],
)
def test_what_no_closed_schema_describes_is_refused_with_a_sentence(kind: type, why: str):
    with pytest.raises(NoClosedSchema, match=why):
        schema_of(kind)


@pytest.mark.parametrize(
    "reader",
    [
        answers.READER,
        note_answer.reader(),
        note_answer.reader(("knowledge",)),
        model_finder.READER,
        model_writer.READER,
    ],
)
def test_the_schema_of_every_answer_passes_the_strict_mode(reader: AnswerReader[Any]):
    assert open_place(reader.schema) == ""


# ---------------------------------------------------------------- sending

READER = AnswerReader(Cup)


def question() -> ModelQuestion[Cup]:
    return ModelQuestion(
        messages=(Msg("user", "What will it be?"),),
        read=READER.read,
        again=" ".join,
        purpose="act",
        json_schema=READER.schema,
    )


async def put(caller: ModelCaller, spec: ModelSpec, turn: int = 1) -> Cup:
    answer = await ask(question(), turn=turn, model=spec, caller=caller, calls=Stream())
    assert isinstance(answer, Answered)
    return answer.value


async def test_a_server_that_can_is_held_to_the_schema(caller: ModelCaller, spec_of: SpecOf):
    async with StubServer(StubSettings(check_schema=True)) as stub:
        cup = await put(caller, spec_of(stub.url, structured_output=True))
    assert cup.drink == "coffee"
    (body,) = stub.bodies
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": READER.schema},
    }


async def test_without_the_setting_an_unknown_model_is_sent_no_schema(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer() as stub:
        spec = spec_of(stub.url)
        await ask(question(), turn=1, model=spec, caller=caller, calls=Stream())
    assert all("response_format" not in body for body in stub.bodies)


async def test_a_server_that_refuses_is_asked_without_and_not_sent_one_again(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(refuse_schema=True)) as stub:
        spec = spec_of(stub.url, structured_output=True, retries=0)
        other = spec_of(stub.url, structured_output=True, retries=0, temperature=0.1)
        schema = request_of(spec, (Msg("user", 'a "kind"'),), json_schema=READER.schema)
        for one in (spec, spec, other):
            assert (await caller.call(one, schema, purpose="act")).reply.text
    assert stub.stats.faults["schema"] == 1
    assert (stub.stats.requests, stub.stats.answers) == (4, 3)
    assert all("response_format" not in body for body in stub.bodies)


async def test_another_refusal_is_not_taken_for_one_of_the_schema(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(key="right")) as stub:
        spec = spec_of(stub.url, structured_output=True, retries=0)
        request = request_of(spec, (Msg("user", "…"),), json_schema=READER.schema)
        with pytest.raises(CallFailed):
            await caller.call(spec, request, purpose="act")
    assert stub.stats.requests == 1


@pytest.mark.parametrize(
    ("spec", "takes"),
    [
        (ModelSpec(name="openai/gpt-4o"), True),
        (ModelSpec(name="openai/gpt-4o", structured_output=False), False),
        (ModelSpec(name="openai/nobody-knows-this-one"), False),
        (ModelSpec(name="nobody knows this either"), False),
        (ModelSpec(name="openai/gpt-4o", adapter="direct", base_url="http://x/v1"), False),
        (ModelSpec(name="x", adapter="direct", structured_output=True), True),
    ],
)
async def test_the_specification_says_who_is_sent_a_schema_and_else_the_list(
    spec: ModelSpec, takes: bool
):
    assert await Models().takes_schema(spec) is takes


async def test_a_schema_changes_the_hash_and_an_answer_recorded_without_one_is_found():
    spec = ModelSpec(name="m", structured_output=True)
    plain = request_of(spec, (Msg("user", "?"),))
    held = request_of(spec, (Msg("user", "?"),), json_schema=READER.schema)
    assert request_hash(spec, plain) != request_hash(spec, held)
    assert request_hash(spec, plain) == request_hash(ModelSpec(name="m"), plain)
    calls, caller = Stream(), caller_of(Scripted(["tea"]))
    more = {"turn": 1, "attempt": 0, "purpose": "act", "spec": spec}
    first = await recorded_call(caller, calls, request=plain, **more)  # type: ignore[arg-type]
    more["schema"] = READER.schema
    assert await recorded_call(caller, calls, request=held, **more) == first  # type: ignore[arg-type]


async def test_a_server_that_refuses_a_schema_with_422_is_asked_without(
    caller: ModelCaller, spec_of: SpecOf
):
    async with StubServer(StubSettings(refuse="response_format", refuse_status=422)) as stub:
        spec = spec_of(stub.url, structured_output=True, retries=0)
        schema = request_of(spec, (Msg("user", 'a "kind"'),), json_schema=READER.schema)
        assert (await caller.call(spec, schema, purpose="act")).reply.text
        before = stub.stats.requests
        assert (await caller.call(spec, schema, purpose="act")).reply.text
    assert stub.stats.requests == before + 1
