"""Reading files of JSON texts row by row."""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from actors.social.formats.faults import Faults
from actors.social.formats.texts import JsonText, texts_of
from events.serialization.struct_types import decodable

_PLACE = re.compile(r" - at `\$\.?(?P<field>.*?)`$")
_MISSING = re.compile(r"missing required field `(?P<field>[^`]*)`")
_BYTE = re.compile(r"\(byte (?P<offset>\d+)\)$")

Row = TypeVar("Row", bound=msgspec.Struct)


def read_rows(
    path: Path, kind: type[Row], faults: Faults, spellings: Mapping[str, type[Row]] | None = None
) -> Iterator[tuple[JsonText, Row]]:
    """The rows of a file, or of those in a folder; what cannot be read is a fault.

    ``spellings`` are kinds whose fields have other names in the file, by a name that no other
    kind has.
    """
    plain = msgspec.json.Decoder(decodable(kind))
    others = [
        (f'"{sign}"'.encode(), msgspec.json.Decoder(decodable(other)))
        for sign, other in (spellings or {}).items()
    ]
    for text in texts_of(path, faults):
        decoder = next((decoder for sign, decoder in others if sign in text.data), plain)
        try:
            text.data.decode()
            row = decoder.decode(text.data)
        except UnicodeDecodeError as error:
            line = text.line_at(error.start)
            faults.add(text.file, line, "", f"byte {error.start + 1} is not UTF-8")
        except (msgspec.MsgspecError, RecursionError) as error:
            _add(faults, text, str(error))
        else:
            yield text, row


def _add(faults: Faults, text: JsonText, message: str) -> None:
    """What the decoder says, with the place it says it of."""
    field, reason = _field_and_reason(message)
    byte = _BYTE.search(message)
    line = text.line_at(int(byte["offset"])) if byte else text.line_of(field)
    faults.add(text.file, line, field, reason)


def _field_and_reason(message: str) -> tuple[str, str]:
    missing = _MISSING.search(message)
    place = _PLACE.search(message)
    inside = place["field"] if place else ""
    if missing:
        return ".".join(filter(None, (inside, missing["field"]))), "is missing"
    reason = message[: place.start()] if place else message
    if reason.startswith("JSON"):
        return inside, reason
    return inside, reason[0].lower() + reason[1:]


class RowPlace:
    """A row of a file, for saying what is wrong with it."""

    def __init__(self, text: JsonText, faults: Faults) -> None:
        self._text, self._faults = text, faults

    def __str__(self) -> str:
        return f"{self._text.file}, line {self.line}"

    @property
    def line(self) -> int:
        return self._text.line

    def fault(self, field: str, reason: str, *, by: str = "") -> None:
        """Something is wrong with a field.

        ``by`` names the file that the field is held against. Where that has bad rows itself,
        those are the fault: what is missed here may be in one of them.
        """
        if by not in self._faults.files:
            line = self._text.line if self._faults.full else self._text.line_of(field)
            self._faults.add(self._text.file, line, field, reason)

    def knows(self, field: str, id_: str, known: Collection[str], what: str, file: str) -> bool:
        """Whether an id of ``file`` is known; if not, that is a fault."""
        if id_ not in known:
            self.fault(field, f"there is no {what} {id_!r}", by=file)
        return id_ in known
