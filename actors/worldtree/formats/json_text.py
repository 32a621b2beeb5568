"""Files of JSON from anybody, read as plain values.

Bounded: a tree is decoded whole and has at most ``MOST_TREE_BYTES``; a list is decoded an entry at
a time.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Final

from events.untrusted.json_values import NotJson, value_of
from events.untrusted.limits import MIB, MOST_MARKS
from store.files.regular_files import FileTooLarge, read_regular

MOST_TREE_BYTES: Final = 4 * MIB
"""Of a file with one tree. Published ones have 170 KiB at most."""
MOST_BYTES: Final = 96 * MIB
"""Of all files that are read together. All that SocialEval asks has 40 MiB."""
MOST_REPEATED: Final = 20
"""Keys of a file that are named for standing twice in an object."""
_MARKS: Final = (b",", b"[", b"{")


class Oddities:
    """What JSON allows and no tree needs, as it was found while decoding."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        """Keys that stand twice in one object; the last holds."""
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=lambda name: NotNumber(name)
        )

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs) and len(self.repeated) < MOST_REPEATED:
            often = Counter(key for key, _ in pairs)
            self.repeated += [key for key, count in often.items() if count > 1][:MOST_REPEATED]
        return found


class NotNumber:
    """``NaN`` or an infinity, which are no JSON."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class SizeBudget:
    """What can still be read, of all files together."""

    def __init__(self) -> None:
        self.bytes = MOST_BYTES
        self.values = MOST_MARKS
        """There are at most as many values as commas and opening brackets, and few more."""

    def full(self) -> NotJson:
        """What is wrong with a file that has more bytes."""
        why = f"has too many bytes; at most {MOST_BYTES:,} are read, of all files together"
        return NotJson(why, "too_large")

    def take(self, data: bytes) -> None:
        """Read some more. Raises ``NotJson``."""
        values = sum(map(data.count, _MARKS))
        if values > self.values:
            why = f"has some {values:,} values; at most {MOST_MARKS:,} are read, of all files"
            raise NotJson(f"{why} together", "too_large")
        self.bytes -= len(data)
        self.values -= values


def read_text(path: Path, room: SizeBudget) -> str:
    """A file's text. Raises ``NotJson``, ``OSError``."""
    try:
        data = read_regular(path, room.bytes)
    except FileTooLarge:
        raise room.full() from None
    room.take(data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = f"is no text in UTF-8: byte {error.start + 1:,}, in line {line}, is none of it"
        raise NotJson(why) from error


def decoded(text: str, oddities: Oddities) -> object:
    """The value of a whole text. Raises ``NotJson``."""
    if len(text) > MOST_TREE_BYTES:
        why = f"has {len(text):,} characters; a tree has at most {MOST_TREE_BYTES:,}"
        raise NotJson(why, "too_large")
    return value_of(text, oddities.decoder)
