"""How people are asked questions at a keyboard, and how their typed answers are read.

This is the default for environments that define nothing of their own; it follows the JSON Schema of
their answers.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.base import Value
from events.environments import Question
from events.untrusted.safe_text import shortened


class Wording(Value, frozen=True, kw_only=True):
    lead: str
    """What is asked."""
    options: tuple[tuple[str, str], ...] = ()
    """What can be chosen from: what is to be typed, and what it means."""
    hint: str = ""
    """How it is answered otherwise."""


def plain_line(notice: Any) -> str:
    """What was noticed as a line: its fields with their names, without what is not set."""
    fields = msgspec.to_builtins(notice)
    name = str(fields.pop("type", "")).rpartition(".")[2]
    said = [
        f"{field.replace('_', ' ')} {value if isinstance(value, str) else _json(value)}"
        for field, value in fields.items()
        if field not in ("number", "turn") and value not in ("", None, [], {})
    ]
    return ", ".join(([name] if name else []) + said)


def plain_wording(question: Question, schema: Mapping[str, Any] | None) -> Wording:
    """The question's name and fields. An answer of one field is typed as it is, another one as
    JSON."""
    fields = msgspec.to_builtins(question)
    name = str(fields.pop("type", "")).rpartition(".")[2] or type(question).__name__
    said = ", ".join(f"{field} {_json(value)}" for field, value in fields.items())
    lead = f"{name}: {said}" if said else name
    only = _only_field(schema)
    if only is not None:
        choices = [str(one) for one in only[1].get("enum", ())]
        return Wording(lead=lead, hint=f"{only[0]}: {_one_of(choices)}" if choices else only[0])
    shape = {field: _shape(of) for field, of in _properties(schema).items()}
    return Wording(lead=lead, hint=f"as JSON: {_json(shape)}" if shape else "as JSON")


def answer_text(text: str, schema: Mapping[str, Any] | None) -> str:
    """What was typed, as a model would have answered. Raises ``ValueError`` where it is none of the
    words that there are."""
    only = _only_field(schema)
    if only is None or text.lstrip().startswith("{"):
        return text
    field, of = only
    value: Any = text.strip()
    if words := [str(one) for one in of.get("enum", ())]:
        if value.casefold() not in map(str.casefold, words):
            raise ValueError(f"{shortened(value)!r} is none of {', '.join(words)}")
        value = next(one for one in words if one.casefold() == value.casefold())
    if of.get("type") in ("integer", "number"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return text
    return _json({field: value})


def _properties(schema: Mapping[str, Any] | None) -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = (schema or {}).get("properties", {})
    return found


def _only_field(schema: Mapping[str, Any] | None) -> tuple[str, Mapping[str, Any]] | None:
    """The one field of an answer, if it is a text, a number or one of some words."""
    fields = list(_properties(schema).items())
    plain = ("string", "integer", "number")
    return fields[0] if len(fields) == 1 and fields[0][1].get("type") in plain else None


def _shape(of: Mapping[str, Any]) -> Any:
    if "enum" in of:
        return " | ".join(map(str, of["enum"]))
    return {"array": [], "object": {}, "integer": 0, "number": 0, "boolean": False}.get(
        of.get("type", ""), "…"
    )


def _one_of(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
