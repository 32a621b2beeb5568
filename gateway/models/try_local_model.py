"""One question to a local model, to see that it answers."""

import time
from typing import Final

import msgspec

from actors.models.caller import ModelCaller
from actors.models.port import Msg, request_of
from actors.models.registry import Models
from actors.models.settings import ModelSettings
from events.base import Value
from events.serialization.struct_types import decodable
from gateway.errors import BadArgument

QUESTION: Final = "You meet your neighbour Mira on the stairs. What do you say to her?"
_SCHEMA: Final = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 200}},
    "required": ["text"],
    "additionalProperties": False,
}
_FORM: Final = 'Answer with a JSON object that has one field, "text": what you say, one sentence.'


class Tried(Value, frozen=True, kw_only=True):
    model: str
    question: str
    text: str
    """What it says; where it is not in the form that was asked for, the answer as it came."""
    fault: str
    """What is wrong with the form; empty: nothing is."""
    input_tokens: int
    output_tokens: int
    seconds: float
    """From the question to the answer, of the second time: the first has the server started."""


class _Said(msgspec.Struct):
    text: str


async def try_model(models: Models, name: str) -> Tried:
    """Ask it, and close the models. Raises ``BadArgument``, ``ModelUnavailable``."""
    settings = ModelSettings(model=name, max_tokens=120, temperature=0.0, retries=0)
    for _, why in settings.problems():
        raise BadArgument("--model", name, why)
    spec = settings.spec()
    if not spec.is_local:
        raise BadArgument("--model", name, "is no local model: local/smollm2 is one")
    caller = ModelCaller(models)
    try:
        await caller.probe(spec)
        request = request_of(spec, (Msg("user", f"{QUESTION}\n{_FORM}"),), json_schema=_SCHEMA)
        began = time.perf_counter()
        reply = (await caller.call(spec, request, purpose="probe")).reply
        seconds = time.perf_counter() - began
    finally:
        await caller.close()
    try:
        text, fault = msgspec.json.decode(reply.text, type=decodable(_Said)).text, ""
    except msgspec.MsgspecError as error:
        text, fault = reply.text, str(error)
    return Tried(
        model=name,
        question=QUESTION,
        text=text,
        fault=fault,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        seconds=seconds,
    )
