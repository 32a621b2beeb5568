"""The JSON texts in files: one a line, or one a file, written over many lines."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from actors.social.formats.faults import Faults
from events.untrusted.limits import MOST_LINE_BYTES
from store.files.regular_files import open_regular

LONGEST: Final = MOST_LINE_BYTES
"""Bytes of a text; the longest published episode has some 100,000."""

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_array = msgspec.json.Decoder(list[msgspec.Raw])


class JsonText(NamedTuple):
    """One JSON text of a file."""

    file: str
    """The file's name."""
    line: int
    """Where the text begins, from 1."""
    data: bytes

    def line_at(self, offset: int) -> int:
        """The line of a byte of the text."""
        return self.line + self.data.count(b"\n", 0, offset)

    def line_of(self, field: str) -> int:
        """The line of a field such as ``messages[3]``, or of as much of that as is there."""
        return self.line_at(_offset_of(self.data, field)) if b"\n" in self.data else self.line


def texts_of(path: Path, faults: Faults) -> Iterator[JsonText]:
    """The texts of a file, or of the ``.json`` and ``.jsonl`` files in a folder, by name. A file
    that cannot be read, and a text beyond the limit, is a fault."""
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
        if not files:
            faults.add(path.name, 0, "", "holds no .json or .jsonl files")
        for file in files:
            yield from _in_file(file, faults)
    else:
        yield from _in_file(path, faults)


def _in_file(path: Path, faults: Faults) -> Iterator[JsonText]:
    try:
        with open_regular(path) as file:
            first = file.readline(LONGEST + 1)
            if path.suffix == ".json" or first.removeprefix(BOM_UTF8).strip() in (b"{", b"["):
                file.seek(0)
                yield from _checked(path, 1, file.read(LONGEST + 1).removeprefix(BOM_UTF8), faults)
                return
            number, line = 1, first.removeprefix(BOM_UTF8)
            while line:
                yield from _checked(path, number, line, faults)
                while len(line) > LONGEST and not line.endswith(b"\n"):
                    line = file.readline(LONGEST + 1)
                number, line = number + 1, file.readline(LONGEST + 1)
    except OSError as error:
        faults.add(path.name, 0, "", f"cannot be read: {error.strerror or error}")


def _checked(path: Path, line: int, data: bytes, faults: Faults) -> Iterator[JsonText]:
    if len(data) > LONGEST:
        faults.add(path.name, line, "", f"is longer than {LONGEST:,} bytes")
    elif data.strip():
        yield JsonText(path.name, line, data)


def _offset_of(data: bytes, field: str) -> int:
    """Where a field stands in a text; as far as the way there can be followed."""
    offset, value = 0, data
    for name, index in _STEP.findall(field):
        try:
            found = (
                _member(data, offset, value, name)
                if name
                else _item(data, offset, value, int(index))
            )
        except (msgspec.MsgspecError, RecursionError):
            break
        if found is None:
            break
        offset, value = found
    return offset


def _member(data: bytes, offset: int, value: bytes, wanted: str) -> tuple[int, bytes] | None:
    """Where a member's value begins, and the value."""
    for name, raw in _object.decode(value).items():
        # What was found so far ends before here, so the next such bytes are the member's own.
        key, member = msgspec.json.encode(name), bytes(raw)
        at = data.find(key, offset)
        if at < 0:
            break
        offset = data.find(member, at + len(key))
        if name == wanted:
            return offset, member
        offset += len(member)
    return None


def _item(data: bytes, offset: int, value: bytes, wanted: int) -> tuple[int, bytes] | None:
    """Where an item begins, and the item."""
    offset += 1
    for number, raw in enumerate(_array.decode(value)):
        item = bytes(raw)
        offset = data.find(item, offset)
        if number == wanted:
            return offset, item
        offset += len(item)
    return None
