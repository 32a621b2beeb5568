"""JSON Schemas of answers in the closed form that servers with constrained output require.

What all of them take (OpenAI's strict mode, vLLM, SGLang, llama.cpp): the answer is an object,
every object names all its fields, all are required and no others are allowed, and nothing is
referred to. Integers are enumerated, since not every server enforces their bounds.

The length of a text is part of its ``pattern``: beside one, llama.cpp and xgrammar drop
``maxLength``, and vLLM refuses both together. llama.cpp matches a pattern against the text as it
stands in the JSON, others against its value. One that holds for both allows neither a straight
quotation mark nor a backslash nor a control character.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from events.untrusted.safe_text import shortened

Schema = dict[str, Any]

_PREFIX = "#/$defs/"
_KEPT = (
    *("type", "enum", "description", "pattern", "format", "multipleOf", "minItems", "maxItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)
_MOST_LISTED: Final = 64
"""Whole numbers of a range that are listed; a longer one keeps its bounds."""
_LETTER: Final = "A-Za-zÀ-῿ぁ-﷿"
"""Letters, as far as a class of characters tells them from signs."""
_LETTERS: Final = "A-Za-zÀ-ɏͰ-ԯ\u0590-ۿऀ-\u0dffก-๛ぁ-ヿ㐀-鿿가-힣"
"""Letters alone."""
_MOST_REPEATED: Final = 1000
"""Repetitions of a class of characters that llama.cpp takes at once."""
MOST_VALUES: Final = 25
"""Values of a judge's scale that are listed; a longer one keeps its bounds."""
_OPENING: Final = " '(*~¿¡“‘«「『《（0-9€$£—-"
"""What may stand before the first of them: a number is, but no row of them, which small models
write without end. The three dots of a form are not among it."""
_CONTROL: Final = r"\x00-\x1f\x7f"
SAID: Final = 600
"""Characters of what is said or done, as a model is held to them."""
EXPLAINED: Final = 400
"""The same, of a reason or an explanation."""
DENSER: Final = 5
"""So much shorter is a text in Chinese, whose characters cost as many tokens as several letters."""


class NoClosedSchema(TypeError):
    """A type whose values no closed schema describes."""

    def __init__(self, kind: object, why: str) -> None:
        name = getattr(kind, "__name__", str(kind))
        super().__init__(f"{name} has no closed JSON Schema: {shortened(why, 1_000)}")
        self.kind, self.why = kind, why


def schema_of(kind: object) -> Schema:
    """The closed schema of a struct, or of a union of structs with tags.

    Defaults are left out, since every field is required: a model says ``null`` or an empty list
    where the struct would do without. Raises ``NoClosedSchema``.
    """
    (schema,), named = msgspec.json.schema_components((kind,), ref_template=_PREFIX + "{name}")

    def closed(of: Schema, inside: tuple[str, ...]) -> Schema:
        if (ref := of.get("$ref")) is not None:
            name = ref.removeprefix(_PREFIX)
            if name in inside:
                raise NoClosedSchema(kind, f"{name} holds itself")
            # Docstrings of structs are for readers of the code, not for models.
            target = {key: value for key, value in named[name].items() if key != "description"}
            return closed(target, (*inside, name))
        out: Schema = {key: value for key, value in of.items() if key in _KEPT}
        numbers = _range_of(of)
        if numbers is not None:
            return choice_schema(numbers) | (
                {"description": of["description"]} if "description" in of else {}
            )
        if "maxLength" in of and not out.keys() & {"pattern", "format", "enum"}:
            out |= text_schema(of["maxLength"], empty=not of.get("minLength"))
        elif "enum" in of:
            out = {key: value for key, value in out.items() if key not in ("minimum", "maximum")}
            out["type"] = "integer" if isinstance(of["enum"][0], int) else "string"
        if "anyOf" in of:
            out["anyOf"] = [closed(one, inside) for one in of["anyOf"]]
        elif of.get("type") == "object":
            if "properties" not in of:
                raise NoClosedSchema(kind, "the fields of one of its objects have no names")
            out |= object_schema({k: closed(v, inside) for k, v in of["properties"].items()})
        elif of.get("type") == "array":
            if "items" not in of or "prefixItems" in of:
                raise NoClosedSchema(kind, "the items of one of its arrays have not one type")
            out["items"] = closed(of["items"], inside)
        elif not out:
            raise NoClosedSchema(kind, "it holds a value of any type")
        return out

    return closed(schema, ())


def object_schema(properties: Mapping[str, Schema]) -> Schema:
    """The closed schema of an object with these fields."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def or_null(schema: Schema) -> Schema:
    """The schema of a value that may be missing."""
    return {"anyOf": [schema, {"type": "null"}]}


def text_schema(longest: int, *, empty: bool = False, without: str = "") -> Schema:
    """The schema of a text of at most so many characters that says something: it begins with a
    letter, behind a few opening signs or a number. ``empty``: it may be left out; ``without``:
    signs that it must not hold."""
    pattern = f"[{_OPENING}]{{0,5}}[{_LETTER}]{_rest(longest - 6, without)}"
    return {"type": "string", "pattern": f"^({pattern})?$" if empty else f"^{pattern}$"}


def wording(longest: int) -> Schema:
    """The same of a text that begins with a letter, as a reason or a note does."""
    return {"type": "string", "pattern": f"^[{_LETTERS}]{_rest(longest - 1)}$"}


def _rest(most: int, without: str = "") -> str:
    """At most so many characters that stand in JSON as they are."""
    whole, rest = divmod(most, _MOST_REPEATED)
    times = [_MOST_REPEATED] * whole + [rest] * bool(rest)
    return "".join(f'[^"\\\\{_CONTROL}{without}]{{0,{count}}}' for count in times)


def sign_schema() -> Schema:
    """The schema of an emoji or two, or none."""
    return {"type": "string", "pattern": r"^[^\x00-\x7f]{0,4}$"}


def choice_schema(values: Iterable[str] | Iterable[int]) -> Schema:
    """The schema of one of some texts, or of some whole numbers; at least one."""
    listed = list(values)
    return {"type": "string" if isinstance(listed[0], str) else "integer", "enum": listed}


def list_schema(items: Schema, most: int, least: int = 0) -> Schema:
    """The schema of a list of so many; it is empty where its items would have no value."""
    if items.get("enum") == []:
        items, most, least = {"type": items["type"]}, 0, 0
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def any_schema(shapes: Sequence[Schema]) -> Schema:
    """The schema of an answer of one of some shapes; of several, it is the one field ``answer`` of
    an object, since OpenAI takes no choice at the top."""
    return shapes[0] if len(shapes) == 1 else object_schema({"answer": {"anyOf": list(shapes)}})


def with_fields(schema: Schema, fields: Mapping[str, Schema]) -> Schema:
    """A schema in which fields of some names, wherever they stand, have these schemas."""
    out = dict(schema)
    if "properties" in schema:
        out["properties"] = {
            name: fields.get(name) or with_fields(of, fields)
            for name, of in schema["properties"].items()
        }
    if "items" in schema:
        out["items"] = with_fields(schema["items"], fields)
    if "anyOf" in schema:
        out["anyOf"] = [with_fields(one, fields) for one in schema["anyOf"]]
    return out


def says_something(text: str) -> bool:
    """Whether a text holds a letter of any script, or a digit. The three dots of a form do not."""
    return _SAYING.search(text) is not None or any(one.isalnum() for one in text)


def whole_number(low: int, high: int) -> Schema:
    """The schema of an integer from ``low`` to ``high``, every one listed where they are few."""
    if high - low < MOST_VALUES:
        return choice_schema(range(low, high + 1))
    return {"type": "integer", "minimum": low, "maximum": high}


_SAYING: Final = re.compile(f"[{_LETTER}]")


def _range_of(of: Schema) -> range | None:
    """The whole numbers between the bounds of a schema, where they are few."""
    if of.get("type") != "integer" or "enum" in of or not {"minimum", "maximum"} <= of.keys():
        return None
    found = range(of["minimum"], of["maximum"] + 1)
    return found if len(found) <= _MOST_LISTED and "multipleOf" not in of else None
