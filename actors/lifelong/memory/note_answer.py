"""A model's answer as a note: its format, its faults, and how a note that is too long is cut."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, Any, Final

import msgspec

from actors.lifelong.memory.prompt_entries import words_of
from actors.models.answers.copied_phrases import is_copied
from actors.models.answers.structured import AnswerReader, Fields, renamed
from actors.models.response_formats.schemas import Schema, object_schema, wording
from events.base import replace
from events.memory import NOTE_PARTS, MemorySpec, Note, NotePart

_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*$")

_TEXTS = {
    1: "text has {} words",
    2: "two texts have {} words together",
    3: "three texts have {} words together",
}

CHARACTERS_A_WORD: Final = 8
"""With the space behind it; in English there are about 6."""
CHARACTERS_A_TOKEN: Final = 3
"""In English there are about 4."""
AROUND: Final = 60
"""Tokens of an answer around its texts."""
LEAST_TEXT: Final = 60
"""Characters."""

Importance = Annotated[float, msgspec.Meta(ge=0, le=1)]


class NoteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers when it is asked for a note."""

    overview: str
    strategies: str
    knowledge: str
    importance: Importance | None = None


_FIELDS: Mapping[str, str] = {
    "overview": "overview",
    "summary": "overview",
    "strategies": "strategies",
    "strategy": "strategies",
    "negotiation strategies": "strategies",
    "knowledge": "knowledge",
    "importance": "importance",
}


def _prepare(fields: Fields) -> Fields:
    out = renamed(fields, _FIELDS)
    for part in NOTE_PARTS:
        value = out.get(part)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            # Asked for what was observed, models like to make a list.
            out[part] = " ".join(value)
    if "importance" in out:
        out["importance"] = _in_range(out["importance"])
    return out


def _in_range(importance: object) -> float | None:
    """The nearest importance there is; none where it is no number. Nobody's note is lost to it."""
    if isinstance(importance, bool) or not isinstance(importance, int | float):
        return None
    return min(1.0, max(0.0, importance))


def schema(parts: Collection[NotePart], *, rated: bool, words_high: int, longest: int) -> Schema:
    """The JSON Schema of a note of at most ``words_high`` words in an answer of at most ``longest``
    tokens. Each part may have all the words, as far as the answer has room for as much in each."""
    room = CHARACTERS_A_TOKEN * (longest - AROUND) // len(parts)
    text = wording(max(LEAST_TEXT, min(CHARACTERS_A_WORD * words_high, room)))
    # In the order of all: what a model is held to is to be the same for the same parts.
    fields = {part: text for part in NOTE_PARTS if part in parts}
    tenths = {"type": "number", "enum": [tenth / 10 for tenth in range(11)]}
    importance = {"importance": tenths} if rated else {}
    return object_schema(fields | importance)


@cache
def reader(parts: tuple[NotePart, ...] = NOTE_PARTS, *, rated: bool = True) -> AnswerReader[Any]:
    """What reads notes with these parts; parts that were not asked for are left out. ``rated``:
    the importance may be there."""
    if rated and set(parts) == set(NOTE_PARTS):
        return AnswerReader(NoteAnswer, _prepare)
    # In the order of all: what a model is held to is to be the same for the same parts.
    fields: list[Any] = [(part, str) for part in NOTE_PARTS if part in parts]
    fields += [("importance", Importance | None, None)] * rated
    shape = msgspec.defstruct("NoteAnswer", fields, frozen=True, kw_only=True)
    return AnswerReader(shape, _prepare)


def note_of(answer: object, phrases: Collection[str] = frozenset()) -> Note:
    """The note that an answer gives, as ``reader`` reads it. A part that is copied from the form,
    of whose ``phrases`` it is one, is empty."""
    texts = {part: getattr(answer, part, "").strip() for part in NOTE_PARTS}
    texts = {part: "" if is_copied(text, phrases) else text for part, text in texts.items()}
    return Note(**texts, importance=getattr(answer, "importance", None))


def problems(note: Note, memory: MemorySpec) -> list[str]:
    """What is wrong with a note, in words for its writer."""
    found = [f"{part} has no words of its own" for part in memory.parts if not getattr(note, part)]
    words, low, high = words_of(note), memory.words_low, memory.words_high
    if excess(words, memory):
        change = "longer" if words < low else "shorter"
        told = _TEXTS[len(memory.parts)].format(words)
        found.append(f"its {told}; {low} to {high} are asked for, so make it {change}")
    return found


def excess(words: int, memory: MemorySpec) -> int:
    """By how many words a length is outside the bounds; 0: it is inside."""
    return max(0, memory.words_low - words, words - memory.words_high)


def shortened(note: Note, high: int) -> Note:
    """A note with at most ``high`` words. What is over is cut off each part by its share, after a
    sentence where one ends in the part's second half."""
    words = words_of(note)
    if words <= high:
        return note
    return replace(note, **{part: _cut(getattr(note, part), high / words) for part in NOTE_PARTS})


def _cut(text: str, share: float) -> str:
    words = text.split()
    kept = words[: int(len(words) * share)]
    for end in range(len(kept), len(kept) // 2, -1):
        if _SENTENCE_END.search(kept[end - 1]):
            return " ".join(kept[:end])
    return " ".join(kept)
