"""Reading files of JSON lines row by row: every bad row is named before anything is kept."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

SHOWN = 20
"""Bad rows that an error lists; the rest it counts."""

_PLACE = re.compile(r" - at `\$\.?(?P<field>.*?)`$")
_MISSING = re.compile(r"missing required field `(?P<field>[^`]*)`")

Row = TypeVar("Row", bound=msgspec.Struct)


class BadRow(NamedTuple):
    """What is wrong with a row of a file."""

    file: str
    line: int
    """From 1; 0 where the whole file is meant."""
    field: str
    """Empty where the whole row is meant."""
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}, {self.field}: {self.reason}" if self.field else f"{place}: {self.reason}"


class FileRefused(ValueError):
    """Files that were not imported, for some of their rows are bad. Nothing of them was kept."""

    what = "the file"

    def __init__(self, rows: tuple[BadRow, ...], count: int) -> None:
        """``rows``: the first bad rows; ``count``: how many there are in all."""
        rest = f"; and {count - len(rows)} more" if count > len(rows) else ""
        listed = "; ".join(map(str, rows))
        number = "1 bad row" if count == 1 else f"{count} bad rows"
        super().__init__(f"{self.what} was not imported, it has {number}: {listed}{rest}")
        self.rows, self.count = rows, count


class Faults:
    """Collects the bad rows of one import."""

    def __init__(self) -> None:
        self.rows: list[BadRow] = []
        self.count = 0
        self.files: set[str] = set()
        """Names of the files that have bad rows."""

    def add(self, file: str, line: int, field: str, reason: str) -> None:
        """One more bad row."""
        self.count += 1
        self.files.add(file)
        if len(self.rows) < SHOWN:
            self.rows.append(BadRow(file, line, field, reason))

    def refuse(self, error: type[FileRefused]) -> None:
        """Raises ``error`` with all that was collected, if anything was."""
        if self.count:
            raise error(tuple(self.rows), self.count)


def read_rows(path: Path, kind: type[Row], faults: Faults) -> list[tuple[int, Row]]:
    """The rows of a JSON-lines file with their line numbers; what cannot be read is a fault."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        faults.add(path.name, 0, "", f"cannot be read: {error.strerror or error}")
        return []
    decoder = msgspec.json.Decoder(kind)
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            line.decode()
            rows.append((number, decoder.decode(line)))
        except UnicodeDecodeError as error:
            faults.add(path.name, number, "", f"byte {error.start + 1} is not UTF-8")
        except msgspec.MsgspecError as error:
            faults.add(path.name, number, *_field_and_reason(str(error)))
    return rows


def _field_and_reason(message: str) -> tuple[str, str]:
    missing = _MISSING.search(message)
    place = _PLACE.search(message)
    inside = place["field"] if place else ""
    if missing:
        return ".".join(filter(None, (inside, missing["field"]))), "is missing"
    reason = message[: place.start()] if place else message
    return inside, reason[0].lower() + reason[1:]


class Place:
    """A row of a file, for saying what is wrong with it."""

    def __init__(self, file: str, line: int, faults: Faults) -> None:
        self._file, self._line, self._faults = file, line, faults

    def fault(self, field: str, reason: str, *, by: str = "") -> None:
        """Something is wrong with a field.

        ``by`` names the file that the field is held against. Where that has bad rows itself,
        those are the fault: what is missed here may be in one of them.
        """
        if by not in self._faults.files:
            self._faults.add(self._file, self._line, field, reason)

    def knows(self, field: str, id_: str, known: Collection[str], what: str, file: str) -> bool:
        """Whether an id of ``file`` is known; if not, that is a fault."""
        if id_ not in known:
            self.fault(field, f"there is no {what} {id_!r}", by=file)
        return id_ in known
