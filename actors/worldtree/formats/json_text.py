"""Files of JSON from anybody, read as plain values.

Bounded: a tree is decoded whole and has at most ``MOST_TREE_BYTES``; a list is decoded an entry at
a time.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from events.harmless import shortened
from events.limits import MIB, MOST_MARKS

MOST_TREE_BYTES: Final = 4 * MIB
"""Of a file with one tree. Published ones have 170 KiB at most."""
MOST_LIST_BYTES: Final = 96 * MIB
"""Of a file with a list of trees or samples."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MARKS: Final = (b",", b"[", b"{")
_BLANK: Final = re.compile(r"[ \t\r\n]*")


class NotJson(ValueError):
    """A text that is no JSON, or more of it than is read."""

    def __init__(self, why: str, kind: str = "not_json") -> None:
        super().__init__(why)
        self.why, self.kind = why, kind


class Oddities:
    """What JSON allows and no tree needs, as it was found while decoding."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        """Keys that stand twice in one object; the last holds."""
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=lambda name: NotNumber(name)
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and len(self.repeated) < 100:
            keys = [key for key, _ in pairs]
            self.repeated.extend({key for key in keys if keys.count(key) > 1})
        return found


class NotNumber:
    """``NaN`` or an infinity, which are no JSON."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def read_text(path: Path) -> str:
    """A file's text. Raises ``NotJson``, ``OSError``."""
    size = path.stat().st_size
    if size > MOST_LIST_BYTES:
        raise NotJson(f"has {size:,} bytes; at most {MOST_LIST_BYTES:,} are read", "too_large")
    with path.open("rb") as file:
        data = file.read(MOST_LIST_BYTES + 1)
    if len(data) > MOST_LIST_BYTES:
        raise NotJson(f"has more than {MOST_LIST_BYTES:,} bytes", "too_large")
    if len(data) > MOST_TREE_BYTES and (marks := sum(map(data.count, _MARKS))) > MOST_MARKS:
        why = f"has some {marks:,} values; at most {MOST_MARKS:,} are read"
        raise NotJson(why, "too_large")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = f"is no text in UTF-8: byte {error.start + 1:,}, in line {line}, is none of it"
        raise NotJson(why) from error


def is_list(text: str) -> bool:
    """Whether it begins like a list."""
    return text[_start(text) : _start(text) + 1] == "["


def decoded(text: str, oddities: Oddities) -> Any:
    """The value of a whole text. Raises ``NotJson``."""
    if len(text) > MOST_TREE_BYTES:
        why = f"has {len(text):,} characters; a tree has at most {MOST_TREE_BYTES:,}"
        raise NotJson(why, "too_large")
    value, end = _value(text, _start(text), oddities)
    if (end := _start(text, end)) < len(text):
        raise _at(text, end, "there is something behind the end")
    return value


def entries(text: str, oddities: Oddities) -> Iterator[Any]:
    """The entries of a list, each decoded when it is its turn. Raises ``NotJson``."""
    at = _start(text, _start(text) + 1)
    if text[at : at + 1] == "]":
        at += 1
    else:
        while True:
            value, at = _value(text, at, oddities)
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


def clean(text: str) -> str:
    """Without halves of surrogate pairs, which cannot be stored."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _value(text: str, at: int, oddities: Oddities) -> tuple[Any, int]:
    try:
        return oddities.decoder.raw_decode(text, at)
    except RecursionError:
        raise NotJson("is nested too deeply to be read") from None
    except json.JSONDecodeError as error:
        raise _at(text, error.pos, error.msg) from error
    except ValueError as error:
        raise NotJson(f"holds a number that cannot be read: {shortened(str(error))}") from error


def _start(text: str, at: int = 0) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _at(text: str, at: int, why: str) -> NotJson:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return NotJson(f"is no JSON: line {line}, column {column}: {why}")
