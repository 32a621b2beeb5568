"""Values of the closed JSON Schemas that models are held to, and the words of those schemas."""

import warnings
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.errors import NonInteractiveExampleWarning

WORDS: Final = {
    "object": {"type", "properties", "required", "additionalProperties"},
    "array": {"type", "items", "minItems", "maxItems"},
    "string": {"type", "enum", "pattern", "description"},
    "integer": {"type", "enum", "description"},
    "boolean": {"type"},
    "null": {"type"},
}
"""What a schema may say of each type. Texts have a pattern with their length in it, or are listed;
whole numbers are listed."""


def faults(schema: dict[str, Any], place: str = "answer") -> list[str]:
    """What in a schema is outside the closed subset, and where."""
    if "anyOf" in schema:
        found = [] if schema.keys() == {"anyOf"} else [f"{place}: anyOf stands beside others"]
        for number, one in enumerate(schema["anyOf"]):
            found += faults(one, f"{place}/{number}")
        return found
    kind = schema.get("type", "")
    if kind not in WORDS:
        return [f"{place}: type {kind!r}"]
    found = [f"{place}: {word}" for word in sorted(schema.keys() - WORDS[kind])]
    if kind == "object":
        if schema.get("additionalProperties") is not False:
            found.append(f"{place}: other fields are allowed")
        if schema.get("required") != list(schema["properties"]):
            found.append(f"{place}: not every field is required")
        for name, of in schema["properties"].items():
            found += faults(of, f"{place}.{name}")
    elif kind == "array":
        if not {"minItems", "maxItems"} <= schema.keys():
            found.append(f"{place}: the list has no bound")
        found += faults(schema["items"], f"{place}[]")
    elif kind == "string" and not schema.keys() & {"enum", "pattern"}:
        found.append(f"{place}: the text has no bound")
    elif kind == "integer" and "enum" not in schema:
        found.append(f"{place}: the number is not listed")
    elif "enum" in schema and not all(one != "" for one in schema["enum"]):
        found.append(f"{place}: an empty text is listed")
    return found


class Filling:
    """Values of schemas: any that they allow."""

    def __init__(self, random: Random, text: Callable[[str], str]) -> None:
        self._random, self._text = random, text
        """A text of a pattern."""

    def value(self, schema: dict[str, Any]) -> Any:
        """One of all that a schema allows."""
        if "anyOf" in schema:
            return self.value(self._random.choice(schema["anyOf"]))
        if "enum" in schema:
            return self._random.choice(schema["enum"])
        match schema["type"]:
            case "object":
                return {name: self.value(of) for name, of in schema["properties"].items()}
            case "array":
                count = self._random.randint(schema["minItems"], schema["maxItems"])
                return [self.value(schema["items"]) for _ in range(count)]
            case "string":
                return self._text(schema["pattern"])
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
            case "integer":
                low, high = schema["minimum"], schema["maximum"]
                return self._random.choice([low, high, self._random.randint(low, high)])
            case "number":
                low, high = schema["minimum"], schema["maximum"]
                return self._random.choice([low, high, self._random.uniform(low, high)])
        raise AssertionError(schema)


def value_of(schema: dict[str, Any], random: Random) -> Any:
    """One of all that a schema allows."""
    return Filling(random, lambda pattern: random.choice(_some(pattern))).value(schema)


def seeded(seed: int) -> Filling:
    """The same values for the same seed."""
    random = Random(seed)
    return Filling(random, lambda pattern: random.choice(_some(pattern)))


def drawn(data: st.DataObject) -> Filling:
    """Values that Hypothesis draws; of each pattern a few texts, which come again."""
    random = data.draw(st.randoms(use_true_random=False))
    texts: defaultdict[str, list[str]] = defaultdict(list)

    def text(pattern: str) -> str:
        known = texts[pattern]
        if len(known) < 3:
            known.append(data.draw(texts_of(pattern)))
        return random.choice(known)

    return Filling(random, text)


@cache  # to take a pattern apart takes much longer than to draw from it
def texts_of(pattern: str) -> st.SearchStrategy[str]:
    """Texts of a pattern, as a store can hold them; with a letter, where the pattern is to bring
    one: a class of characters tells letters from signs only roughly, and signs alone are taken for
    a copied form."""
    whole = st.from_regex(pattern[:-1] + r"\Z")
    stored = whole.filter(lambda text: not any("\ud800" <= one <= "\udfff" for one in text))
    if "A-Za-z" not in pattern:
        return stored
    return stored.filter(lambda text: not text or any(map(str.isalpha, text)))


@cache
def _some(pattern: str) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NonInteractiveExampleWarning)
        texts = texts_of(pattern)  # draws many at once, and keeps them for the next call
        return [texts.example() for _ in range(12)]
