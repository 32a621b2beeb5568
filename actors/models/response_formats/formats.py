"""The formats in which answers are requested, from the strictest to free text."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import msgspec

from actors.models.errors import ModelError
from actors.models.port import ModelRequest
from actors.models.replies.thoughts import parted
from actors.models.response_formats.schemas import Schema
from store.model_abilities import AnswerForm

FORMS: Final[tuple[AnswerForm, ...]] = ("schema", "simple", "json", "none")
LOWER: Final = dict(pairwise(FORMS))
"""What is tried where a form is refused or does not hold."""
_BOUNDS: Final = frozenset(
    {
        *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    }
)


def in_form(request: ModelRequest, form: AnswerForm, schema: Schema) -> ModelRequest:
    """A request whose answer is held to ``schema`` as far as a form does."""
    match form:
        case "schema":
            return msgspec.structs.replace(request, json_schema=schema, json_mode=False)
        case "simple":
            plain = simple(schema)
            return msgspec.structs.replace(request, json_schema=plain, json_mode=False)
        case "json":
            return msgspec.structs.replace(request, json_schema=None, json_mode=True)
        case "none":
            return msgspec.structs.replace(request, json_schema=None, json_mode=False)


def in_every_form(request: ModelRequest, schema: Schema) -> Iterator[ModelRequest]:
    """The same request in all forms; the one that it has among them."""
    for form in FORMS:
        yield in_form(request, form, schema)


def simple(schema: Schema) -> Schema:
    """A schema without bounds of lengths, counts and numbers."""
    out: Schema = {name: value for name, value in schema.items() if name not in _BOUNDS}
    if "properties" in schema:
        # By field: one may be called like a bound.
        out["properties"] = {name: simple(one) for name, one in schema["properties"].items()}
    if "items" in schema:
        out["items"] = simple(schema["items"])
    if "anyOf" in schema:
        out["anyOf"] = [simple(one) for one in schema["anyOf"]]
    return out


def names_form(error: ModelError) -> bool:
    """Whether a refusal is about the form."""
    words = ("response_format", "json_schema", "json_object", "grammar")
    return error.reason == "refused" and any(word in error.detail for word in words)


def is_object(text: str) -> bool:
    """Whether a model's text, without its thoughts, is a whole JSON object."""
    try:
        return isinstance(msgspec.json.decode(parted(text).answer), dict)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return False
