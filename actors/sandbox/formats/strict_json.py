"""Text of JSON from anybody, as plain values: nothing in it can be read in two ways, and all of it
can be kept."""

import json
import re
from typing import Any, Final

from events.untrusted.safe_text import shortened

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_KEPT: Final = range(-(2**63), 2**63)
_MOST_DIGITS: Final = 20


class NotJson(ValueError):
    """A text that is no JSON, or none that can be kept."""

    def __init__(self, why: str) -> None:
        super().__init__(shortened(why, 1_000))
        self.why = why


def parsed(text: str) -> Any:
    """The value of a text. Raises ``NotJson`` where it is none; where a key stands twice in an
    object; where a number is too large to be kept, or none (``NaN``); and where a text holds half
    a character."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise NotJson(f"is no JSON: {where}: {error.msg}") from None
    except RecursionError:
        raise NotJson("is nested too deeply to be read") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotJson(f"has the key {shortened(key, 60)!r} twice in one object; leave one")
        found[key] = _whole(key, value)
        _whole(key, key)
    return found


def _whole(key: str, value: Any) -> Any:
    for one in value if isinstance(value, list) else (value,):
        if isinstance(one, str) and not one.isascii() and _SURROGATE.search(one):
            why = "holds half of a character (a surrogate without its pair); write it out"
            raise NotJson(f"{shortened(key, 60)!r} {why}")
    return value


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


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_number,
    parse_constant=_no_number,
)
