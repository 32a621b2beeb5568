"""A model's answer as a note: its form, what is wrong with it, and what is kept of one too long."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from actors.lifelong.memory.entries import words_of
from actors.models.structured import AnswerReader, renamed
from events.base import replace
from events.memory import MemorySpec, Note

PARTS: Final = ("overview", "strategies", "knowledge")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*$")

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


def _prepare(fields: dict[str, Any]) -> dict[str, Any]:
    out = renamed(fields, _FIELDS)
    for part in PARTS:
        value = out.get(part)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            # Asked for what was observed, models like to make a list.
            out[part] = " ".join(value)
    return out


READER = AnswerReader(NoteAnswer, _prepare)


def note_of(answer: NoteAnswer) -> Note:
    """The note that an answer gives."""
    return Note(
        overview=answer.overview.strip(),
        strategies=answer.strategies.strip(),
        knowledge=answer.knowledge.strip(),
        importance=answer.importance,
    )


def problems(note: Note, memory: MemorySpec) -> list[str]:
    """What is wrong with a note, in words for its writer."""
    found = [f"{part} is empty" for part in PARTS if not getattr(note, part)]
    words, low, high = words_of(note), memory.words_low, memory.words_high
    if excess(words, memory):
        change = "longer" if words < low else "shorter"
        found.append(
            f"its three texts have {words} words together; {low} to {high} are asked for, "
            f"so make it {change}"
        )
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
    short: Note = replace(note, **{part: _cut(getattr(note, part), high / words) for part in PARTS})
    return short


def _cut(text: str, share: float) -> str:
    words = text.split()
    kept = words[: int(len(words) * share)]
    for end in range(len(kept), len(kept) // 2, -1):
        if _SENTENCE_END.search(kept[end - 1]):
            return " ".join(kept[:end])
    return " ".join(kept)
