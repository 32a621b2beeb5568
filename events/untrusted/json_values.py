"""Text of JSON from anybody, as plain values: whole, or a list an entry at a time.

What is read by ``STRICT`` cannot be read in two ways, and all of it can be kept.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from events.untrusted.safe_text import shortened

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_KEPT: Final = range(-(2**63), 2**63)
_MOST_DIGITS: Final = 20


class NotJson(ValueError):
    """A text that is no JSON, one that cannot be kept, or more of it than is read."""

    def __init__(self, why: str, kind: str = "not_json") -> None:
        super().__init__(shortened(why, 1_000))
        self.why, self.kind = why, kind


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotJson(f"has the key {shortened(key, 60)!r} twice in one object; leave one")
        found[key] = value
        for one in (key, *(value if isinstance(value, list) else (value,))):
            if isinstance(one, str) and not is_whole(one):
                why = "holds half of a character (a surrogate without its pair); write it out"
                raise NotJson(f"{shortened(key, 60)!r} {why}")
    return found


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS or (number := int(digits)) not in _KEPT:
        why = "is too large to be kept: whole numbers have at most 64 bits"
        raise NotJson(f"the number {shortened(digits, 30)} {why}")
    return number


def _number(digits: str) -> float:
    number = float(digits)
    if abs(number) == float("inf"):
        raise NotJson(f"the number {shortened(digits, 30)} is too large to be kept")
    return number


def _no_number(name: str) -> None:
    raise NotJson(f"holds {name}, which is no number")


STRICT: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_number,
    parse_constant=_no_number,
)
"""Refuses a key that stands twice in an object, a number that is too large to be kept or none
(``NaN``), and half a character."""


def value_of(text: str, decoder: json.JSONDecoder = STRICT) -> Any:
    """The value of a whole text. Raises ``NotJson``."""
    value, end = _value(text, _start(text), decoder)
    if (end := _start(text, end)) < len(text):
        raise _at(text, end, "there is something behind the end")
    return value


def is_list(text: str) -> bool:
    """Whether it begins like a list."""
    return text[_start(text) : _start(text) + 1] == "["


def entries(text: str, decoder: json.JSONDecoder) -> Iterator[Any]:
    """The entries of a list, each decoded when it is its turn. Raises ``NotJson``."""
    at = _start(text, _start(text) + 1)
    if text[at : at + 1] == "]":
        at += 1
    else:
        while True:
            value, at = _value(text, at, decoder)
            yield value
            at = _start(text, at)
            sign = text[at : at + 1]
            if sign not in (",", "]"):
                raise _at(text, at, "the list goes on with ',' or ends with ']'")
            at = _start(text, at + 1)
            if sign == "]":
                break
    if _start(text, at) < len(text):
        raise _at(text, at, "there is something behind the end")


def is_whole(text: str) -> bool:
    """Whether a text holds no half of a surrogate pair, which cannot be stored."""
    return text.isascii() or not _SURROGATE.search(text)


def made_whole(text: str) -> str:
    """With U+FFFD where there were halves."""
    return _SURROGATE.sub("\ufffd", text)


def _value(text: str, at: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, at)
    except RecursionError:
        raise NotJson("is nested too deeply to be read") from None
    except json.JSONDecodeError as error:
        raise _at(text, error.pos, error.msg) from error
    except NotJson:
        raise
    except ValueError as error:
        raise NotJson(f"holds a number that cannot be read: {shortened(str(error))}") from error


def _start(text: str, at: int = 0) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _at(text: str, at: int, why: str) -> NotJson:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return NotJson(f"is no JSON: line {line}, column {column}: {why}")
