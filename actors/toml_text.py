"""Parses TOML from untrusted or hand-written files (plans, judges, catalogs) within bounds.

``tomllib`` accepts any depth and any integer: a key of 20,000 parts takes seconds, deeply nested
brackets end in a ``RecursionError``, and the result may be larger than an event can hold. So the
text is scanned once before it is parsed, in linear time, and the values are checked once
afterwards.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, Final

from actors.toml_lines import TOKEN, Place, dotted, line_of, lines_of
from events.untrusted.safe_text import shortened
from store.files.regular_files import FileTooLarge, NotRegular, absence, read_regular

MOST_BYTES: Final = 2**20
"""Of one file. The largest plan that anybody needs has some kilobytes."""
DEEPEST: Final = 32
"""Arrays and inline tables inside each other, and parts of a dotted key."""
_WIDEST: Final = 2**63
"""Integers are below this and no less than its negative, as TOML and events have them."""
_WIDEST_WRITTEN: Final = 256
"""Bits of an integer that can be told in an error, whatever reads it."""
_INTEGER: Final = "an integer from -2**63 to 2**63 - 1"

_AT: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")
_MANY_DIGITS: Final = re.compile(r"[0-9_]{1000,}")


class NotToml(ValueError):
    """Text that cannot be used: why, and where."""

    def __init__(self, why: str, line: int = 0, column: int = 0, field: str = "") -> None:
        super().__init__(f"line {line}: {shortened(why, 1_000)}" if line else why)
        self.why = why
        self.line, self.column = line, column
        """From 1; 0: the whole text."""
        self.field = field
        """The path of a value, such as ``minds.gpt.seed``; empty: it is about no single one."""


class TooLarge(NotToml):
    """A file of more bytes than are read."""


def read_text(path: Path) -> str:
    """The text of a file, without a byte order mark. Raises ``NotToml``."""
    return decoded(read_bytes(path))


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """What is in a regular file, or in the one a link leads to, if it is at most ``most`` bytes.
    Raises ``NotToml``, ``TooLarge``."""
    try:
        return read_regular(path, most)
    except FileTooLarge as error:
        raise TooLarge(error.why) from None
    except NotRegular as error:
        raise NotToml(error.why) from None
    except FileNotFoundError:
        raise NotToml(absence(path)) from None
    except IsADirectoryError:
        raise NotToml("is a folder; name a file in it") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise NotToml(f"cannot be read: {why}") from error


def decoded(data: bytes) -> str:
    """UTF-8 as text, without a byte order mark. Raises ``NotToml``."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotToml("is not UTF-8 text; save it as UTF-8", line) from None


def parsed(text: str) -> dict[str, Any]:
    """The values of a TOML text. Raises ``NotToml``."""
    _look_through(text)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_valid(str(error)) from None
    for place, value in _values(table, ()):
        if isinstance(value, int) and value.bit_length() > _WIDEST_WRITTEN:
            raise _at(text, place, f"is beyond 64 bits; give {_INTEGER}")
    return table


def check_values(text: str, table: Mapping[str, object]) -> None:
    """Raises ``NotToml`` where a text holds a value that no setting takes, though TOML has it, or
    that cannot be stored."""
    for place, value in _values(table, ()):
        match value:
            case str() if "\0" in value:
                raise _at(text, place, "holds the character U+0000; take it out")
            case int() if not -_WIDEST <= value < _WIDEST:
                raise _at(text, place, f"is beyond 64 bits; give {_INTEGER}")
            case float() if not isfinite(value):
                raise _at(text, place, f"must be a finite number, is {value}")


def _at(text: str, place: Place, why: str) -> NotToml:
    return NotToml(why, line_of(lines_of(text), place), field=shortened(dotted(place)))


def _not_valid(message: str) -> NotToml:
    found = _AT.search(message)
    words = message[: found.start()] if found else message
    why = f"is not valid TOML: {shortened(words[:1].lower() + words[1:])}"
    return NotToml(why, int(found[1]), int(found[2])) if found else NotToml(why)


def _look_through(text: str) -> None:
    """Raises ``NotToml`` where something is nested deeper, or longer, than it may be."""
    depth = parts = 0
    for token in TOKEN.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
                parts = 0
            case "]" | "}":
                depth -= 1
            case ".":
                parts += 1
            case "=" | "," | "\n":
                parts = 0
            case word if token.lastgroup == "word" and (digits := _MANY_DIGITS.search(word)):
                why = f"a number has {len(digits[0]):,} digits; give {_INTEGER}"
                raise NotToml(why, _line(text, token.start()))
        if depth > DEEPEST or parts >= DEEPEST:
            what = "key has more than" if parts >= DEEPEST else "value is nested deeper than"
            unit = "parts" if parts >= DEEPEST else "levels"
            why = f"a {what} {DEEPEST} {unit}; nothing that is read here needs so many"
            raise NotToml(why, _line(text, token.start()))


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _values(value: object, place: Place) -> Iterator[tuple[Place, object]]:
    """All keys and all values but tables and arrays, in their order."""
    match value:
        case dict():
            for key, inner in value.items():
                yield (*place, key), key
                yield from _values(inner, (*place, key))
        case list():
            for number, inner in enumerate(value):
                yield from _values(inner, (*place, number))
        case _:
            yield place, value
