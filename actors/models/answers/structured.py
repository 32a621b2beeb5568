"""Decodes answers as structs; an answer that does not decode is repaired if the repair is
unambiguous."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Generic, TypeVar

import msgspec

from actors.models.answers.form_faults import form_fault
from actors.models.completion import encodable as storable
from actors.models.errors import Unreadable
from actors.models.metrics import PARSE_FAILURES
from actors.models.response_formats.schemas import Schema, schema_of
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

T = TypeVar("T")
Fields = dict[str, object]
"""Those of a JSON object, by name."""
Prepare = Callable[[Fields], Fields]

LONGEST = 50_000
"""Characters; a longer answer is not searched for something to repair."""
HALF_PAIR = (
    "a text in it holds half of a surrogate pair, such as \\ud83d without the \\ude00 that follows "
    "it in an emoji; write the whole character or leave it out"
)
"""What is wrong with an answer that no store can hold."""
MOST_TRIED = 200
"""Opening braces at which an object is looked for: an answer full of them must not take seconds."""

_FENCED = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_scanner = json.JSONDecoder(strict=False)


class AnswerReader(Generic[T]):
    """Reads a model's text as one kind of struct."""

    def __init__(self, kind: type[T], prepare: Prepare = lambda fields: fields) -> None:
        """``prepare`` maps other spellings of names and values to the struct's own; it must
        leave what it does not know as it is."""
        self._kind = decodable(kind)
        self._decoder = msgspec.json.Decoder(self._kind)
        self._prepare = prepare

    @cached_property
    def schema(self) -> Schema:
        """The JSON Schema of the struct. Raises ``NoClosedSchema``."""
        return schema_of(self._kind)

    def read(self, text: str, label: str) -> T:
        """The struct that the text holds; ``label`` is the model's in the metrics.

        Raises ``Unreadable`` where there is none, or more than one that differ, or where what it
        holds could not be stored.
        """
        # As half of a surrogate pair stands in JSON it is found below, with all else.
        text = storable(text)
        try:
            return self._decoder.decode(text)
        except (msgspec.MsgspecError, RecursionError) as error:
            PARSE_FAILURES.labels(label, "decode").inc()
            why = str(error)
        try:
            return self._repaired(text, why)
        except Unreadable:
            PARSE_FAILURES.labels(label, "repair").inc()
            raise

    def _repaired(self, text: str, why: str) -> T:
        if not text.strip():
            raise Unreadable("it was empty", text)
        if len(text) > LONGEST:
            raise Unreadable(f"it was longer than {LONGEST:,} characters", text)
        found: list[T] = []
        for fields in objects_in(text):
            try:
                value = msgspec.convert(self._prepare(encodable(fields)), self._kind)
            except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
                why = HALF_PAIR if isinstance(error, UnicodeEncodeError) else str(error)
                continue
            if value not in found:
                found.append(value)
        if len(found) == 1:
            return found[0]
        if found:
            raise Unreadable(f"it held {len(found)} different answers; give one", text)
        if why is not HALF_PAIR:
            why = shortened(form_fault(why, text))  # which may repeat any of its texts
        raise Unreadable(why, text)


def encodable(fields: Fields) -> Fields:
    """The fields as they are. Raises ``UnicodeEncodeError`` where one holds half a surrogate pair:
    Python's decoder takes what no text in a store can hold."""
    json.dumps(fields, ensure_ascii=False).encode()
    return fields


def objects_in(text: str) -> Iterator[Fields]:
    """The JSON objects in a text: in fences where there are any, else anywhere; well-formed ones
    where there are any, else what is between the outer braces, repaired.

    An answer that was cut off is not repaired: what is missing might have changed its meaning.
    """
    parts = [part for part in _FENCED.findall(text) if "{" in part] or [text]
    whole = [fields for part in parts for fields in _whole_objects(part)]
    if whole:
        yield from whole
        return
    for part in parts:
        begin, end = part.find("{"), part.rfind("}")
        if not 0 <= begin < end:
            continue
        import json_repair  # takes its time to load

        try:
            fields = json_repair.loads(part[begin : end + 1], skip_json_loads=True)
        except (ValueError, RecursionError):
            continue
        # Of several values in a row it makes a list; which of them was meant is not ours to guess.
        if isinstance(fields, dict) and fields:
            yield fields


def _whole_objects(text: str) -> Iterator[Fields]:
    """Each well-formed JSON object that is not inside another, in order."""
    place = text.find("{")
    for _ in range(MOST_TRIED):
        if place < 0:
            return
        try:
            fields, end = _scanner.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield fields
        place = text.find("{", end)


def renamed(fields: Mapping[str, object], names: Mapping[str, str]) -> Fields:
    """The fields under the names meant, whatever their case; ``names`` maps simple spellings
    (see ``simple``) to names. Unknown fields stay; one that would be given twice too."""
    out: Fields = {}
    for given, value in fields.items():
        name = names.get(simple(given), given)
        out[given if name in out else name] = value
    return out


def simple(text: str) -> str:
    """Letters in lower case with single spaces: ``Non-Verbal_Communication`` as
    ``non verbal communication``."""
    return " ".join(_BETWEEN_WORDS.split(text.casefold())).strip()
