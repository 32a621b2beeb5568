"""JSON Schemas of answers, as servers that hold a model to one want them: closed, and written out.

What all of them take (OpenAI's strict mode, vLLM, SGLang, llama.cpp): every object names all its
fields, all are required and no others are allowed, and nothing is referred to.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.harmless import shortened

Schema = dict[str, Any]

_PREFIX = "#/$defs/"
_KEPT = (
    *("type", "enum", "description", "pattern", "format", "multipleOf", "minItems", "maxItems"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)


class NoClosedSchema(TypeError):
    """A type whose values no closed schema describes."""

    def __init__(self, kind: object, why: str) -> None:
        name = getattr(kind, "__name__", str(kind))
        super().__init__(f"{name} has no closed JSON Schema: {shortened(why, 1_000)}")
        self.kind, self.why = kind, why


def schema_of(kind: Any) -> Schema:
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
            # What a struct's docstring says is for whoever reads the code.
            target = {key: value for key, value in named[name].items() if key != "description"}
            return closed(target, (*inside, name))
        out: Schema = {key: value for key, value in of.items() if key in _KEPT}
        if "enum" in of:
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
