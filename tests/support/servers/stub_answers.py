"""What the stub server answers: the shape that was asked for, filled in by a hash.

The shape is taken from ``response_format``, else from what the prompt says of it. Understood are
the prompts of Troupe's minds and judges and those of SOTOPIA, so that both can be measured on the
same server.
"""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from tests.support.servers.stub_thoughts import thought

_TEXT = "well then perhaps you and I can meet halfway on this if that suits both of us today"
WORDS = tuple(_TEXT.split())
LENGTH = 40
_STRICT = {
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"),
    *("description", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "pattern", "format", "minItems", "maxItems"),
}
"""What a closed schema is written with."""
"""Words of an utterance."""

_SCORED_SEAT = re.compile(r'^ *"(seat_\d+)": \{$', re.MULTILINE)
_RUBRIC = re.compile(
    r"^- (\w+), a (?:whole )?number from (-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)\.", re.M
)
_CHECKPOINT = re.compile(r"^- (\w+), a checkpoint\.", re.M)
_NAMED_SEAT = re.compile(r"^## (seat_\d+): (.+)$", re.M)
_SAID = re.compile(r"^\[(\d+)\] turn \d+, (.+?) said: (.+)$", re.M)
_NOTE = re.compile(r"The (?:text has|\w+ texts together have) (\d+) to (\d+) words")
_NOTE_PART = re.compile(r'"(overview|strategies|knowledge)": "…"')
_POINTS = re.compile(r"to (?:exactly|at most) (\d+) (?:key )?points")
_PAIRS = '{"pairs": [{"answer":'
_SCRIPT = "Your script as one JSON object"
_AGENTS = re.compile(r"exactly (\d+) agents")


def answer_to(question: dict[str, Any], seed: int) -> str:
    """The text of the answer to a request; always the same for the same request and seed."""
    prompt = "\n".join(
        message["content"]
        for message in question["messages"]
        if isinstance(message["content"], str)
    )
    draw = _Draws(f"{seed}/{prompt}")
    if (answer := thought(prompt, draw)) is not None:
        return json.dumps(answer)
    if _SCRIPT in prompt:
        lines = [{"who": n, "kind": "speak", "text": draw.words(LENGTH)} for n in (1, 2, 1)]
        return json.dumps({"lines": lines})
    response_format = question.get("response_format") or {}
    schema = response_format.get("json_schema", {}).get("schema")
    if schema is not None:
        filled = _Filler(schema, draw, agents=int((_AGENTS.search(prompt) or [0, 2])[1]))
        return json.dumps(filled.value(schema))
    if _SCORED_SEAT.search(prompt):
        return json.dumps(_scores(prompt, draw))
    if note := _NOTE.search(prompt):
        return json.dumps(_note(_NOTE_PART.findall(prompt), int(note[1]), int(note[2]), draw))
    if points := _POINTS.search(prompt):
        said = [f"{draw.words(6)} {number}" for number in range(int(points[1]))]
        return json.dumps({"points": said})
    if _PAIRS in prompt:
        return json.dumps({"pairs": [{"answer": n, "key": n} for n in range(1, 3)]})
    if '"kind"' in prompt:
        return json.dumps({"kind": "speak", "text": draw.words(LENGTH), "to": []})
    if "action_type" in prompt:
        return json.dumps({"action_type": "speak", "argument": draw.words(LENGTH)})
    return draw.words(LENGTH)


def with_texts(answer: str, change: Callable[[list[str]], list[str]]) -> str:
    """An answer with the words of each text in its JSON object changed."""
    fields = json.loads(answer)
    for name, value in fields.items():
        if isinstance(value, str):
            fields[name] = " ".join(change(value.split()))
    return json.dumps(fields)


def open_place(schema: dict[str, Any]) -> str:
    """What in a schema OpenAI's strict mode would refuse; empty where it is closed."""
    if unknown := schema.keys() - _STRICT:
        return f"{sorted(unknown)} not permitted"
    parts = [*schema.get("anyOf", ()), *schema.get("properties", {}).values()]
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return "additionalProperties must be false"
        if schema.get("required") != list(schema.get("properties", {})):
            return "required must name every property"
    elif schema.get("type") == "array":
        parts.append(schema["items"])
    elif "anyOf" not in schema and "type" not in schema:
        return "a type is missing"
    return next(filter(None, map(open_place, parts)), "")


def _note(parts: list[str], low: int, high: int, draw: "_Draws") -> dict[str, Any]:
    words = draw.number(low, high)
    each = words // len(parts)
    texts = {part: draw.words(each) for part in parts[:-1]}
    texts[parts[-1]] = draw.words(words - each * (len(parts) - 1))
    return {**texts, "importance": draw.number(0, 10) / 10}


def _scores(prompt: str, draw: "_Draws") -> dict[str, Any]:
    seats = dict(_NAMED_SEAT.findall(prompt))
    episode = prompt[prompt.rfind("<episode>") :]
    said = [(int(number), who, text) for number, who, text in _SAID.findall(episode)]
    return {
        seat: {
            name: {
                "reason": draw.words(8),
                "evidence": [],
                "score": draw.number(round(float(low)), round(float(high))),
            }
            for name, low, high in _RUBRIC.findall(prompt)
        }
        | {
            name: _checkpoint([one for one in said if one[1] == seats.get(seat)], draw)
            for name in _CHECKPOINT.findall(prompt)
        }
        for seat in dict.fromkeys(_SCORED_SEAT.findall(prompt))
    }


def _checkpoint(said: list[tuple[int, str, str]], draw: "_Draws") -> dict[str, Any]:
    """Mostly passed; where it is failed, with something that the character said."""
    if not said or draw.number(0, 5):
        return {"reason": draw.words(8), "quotes": [], "evidence": [], "passed": True}
    number, _, text = said[draw.number(0, len(said) - 1)]
    return {"reason": draw.words(8), "quotes": [text], "evidence": [number], "passed": False}


class _Draws:
    """Numbers and words that follow from a text."""

    def __init__(self, text: str) -> None:
        self._bytes = hashlib.blake2b(text.encode()).digest()
        self._used = 0

    def number(self, low: int, high: int) -> int:
        """A whole number between two bounds, both included."""
        self._used += 1
        return low + self._bytes[self._used % len(self._bytes)] % (high - low + 1)

    def words(self, count: int) -> str:
        """Some words."""
        return " ".join(WORDS[self.number(0, len(WORDS) - 1)] for _ in range(count))


class _Filler:
    """A value that fits a JSON Schema, as far as the schemas of this domain go."""

    def __init__(self, root: dict[str, Any], draw: _Draws, agents: int) -> None:
        self._root, self._draw, self._agents = root, draw, agents

    def value(self, schema: dict[str, Any]) -> Any:
        """A value that fits."""
        if "$ref" in schema:
            return self.value(self._root["$defs"][schema["$ref"].rpartition("/")[2]])
        if "enum" in schema:
            return "speak" if "speak" in schema["enum"] else schema["enum"][0]
        if "anyOf" in schema:
            return self.value(schema["anyOf"][0])
        match schema.get("type"):
            case "object" if "properties" in schema:
                return {name: self.value(of) for name, of in schema["properties"].items()}
            case "object":
                of = schema.get("additionalProperties") or {"type": "string"}
                return {f"agent_{number + 1}": self.value(of) for number in range(self._agents)}
            case "array":
                return [self.value(of) for of in schema.get("prefixItems", ())]
            case "integer" | "number":
                # Without bounds 0: in range for every dimension of SOTOPIA.
                low = round(schema.get("minimum", 0))
                return self._draw.number(low, round(schema.get("maximum", low)))
            case "boolean":
                return False
            case "null":
                return None
        return self._draw.words(LENGTH)
