"""How a language model is asked to translate, and how its answer is read."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from actors.episodes.environment import Prompt
from actors.models.errors import Unreadable
from actors.models.structured import AnswerReader
from actors.templates import Templates
from actors.worldtree.translating.script import NO_LINE
from actors.worldtree.translating.setup import (
    Named,
    NameThem,
    PieceKind,
    Render,
    Rendered,
    Seen,
    SeenNames,
    SeenPassage,
    TranslationView,
)
from actors.worldtree.translating.sight import LANGUAGES
from actors.worldtree.tree import Line

TEMPLATE: Final = "translate-1"
_KINDS: Final[Mapping[PieceKind, str]] = {
    "title": "title",
    "scenario": "situation",
    "identity": "part in the story",
    "public": "known to all",
    "private": "known to it alone",
    "goal": "goal",
    "narration": "narration",
    "turn": "said",
    "option": "option",
    "question": "question",
    "distractor": "distractor",
    "aside": "another line",
}
_TOLD: Final = ("narration", "turn")


class Text(msgspec.Struct, frozen=True):
    """A text of an answer."""

    number: int
    role: str
    text: str


class Texts(msgspec.Struct, frozen=True):
    """What a model answers for a passage."""

    texts: list[Text]


class Names(msgspec.Struct, frozen=True):
    """What a model answers for the glossary."""

    names: list[str]


NAMES, TEXTS = AnswerReader(Names), AnswerReader(Texts)


class Writer:
    """Asks for one translation."""

    def __init__(self, background: TranslationView) -> None:
        self._shown = background
        self._names: tuple[tuple[str, str], ...] = background.names
        self._passages = {one.scene: one for one in background.kept}
        self._read = 0

    def prompt(self, question: NameThem | Render, noticed: Sequence[Seen], turn: int) -> Prompt:
        """The glossary's question, or a passage with what it needs to be understood."""
        del turn
        self._take(noticed)
        words = {"from": LANGUAGES[self._shown.language], "to": LANGUAGES[self._shown.to]}
        found = _templates()
        if isinstance(question, NameThem):
            user = found.block(TEMPLATE, "names", {**words, "names": question.names})
        else:
            user = found.block(TEMPLATE, "passage", {**words, **self._words(question)})
        system = found.block(TEMPLATE, "system", words)
        return Prompt(system, user, found.version(TEMPLATE))

    def _take(self, noticed: Sequence[Seen]) -> None:
        for seen in noticed[self._read :]:
            if isinstance(seen, SeenNames):
                self._names = seen.names
            elif isinstance(seen, SeenPassage):
                self._passages[seen.scene] = seen
        self._read = len(noticed)

    def _words(self, question: Render) -> dict[str, Any]:
        frame = self._passages.get(0) if question.scene else None
        situation = (
            [
                line.text
                for piece, line in zip(frame.pieces, frame.lines, strict=True)
                if piece.kind == "scenario"
            ]
            if frame
            else []
        )
        return {
            "glossary": self._names,
            "situation": "\n".join(situation),
            "before": self._before(question),
            "comment": question.comment,
            "refused": question.refused,
            "pieces": question.pieces,
            "kinds": _KINDS,
            "roles": [json.dumps(piece.role, ensure_ascii=False) for piece in question.pieces[:2]],
        }

    def _before(self, question: Render) -> list[Line]:
        """The scenes on the way to a passage, each with the line that was chosen at its end."""
        scenes: list[list[Line]] = []
        at: Render | SeenPassage = question
        while at.after and at.after in self._passages:
            parent = self._passages[at.after]
            both = zip(parent.pieces, parent.lines, strict=True)
            lines = [line for piece, line in both if piece.kind in _TOLD]
            if at.by != NO_LINE:
                lines.append(parent.lines[at.by])
            scenes.append(lines)
            at = parent
        return [line for lines in reversed(scenes) for line in lines]


def read(question: NameThem | Render, text: str, label: str) -> Named | Rendered:
    """The glossary or the texts in an answer. Raises ``Unreadable``."""
    if isinstance(question, NameThem):
        return Named(names=tuple(name.strip() for name in NAMES.read(text, label).names))
    texts = TEXTS.read(text, label).texts
    for place, one in enumerate(texts, 1):
        if one.number != place:
            raise Unreadable(f"text {place} has the number {one.number}; keep the order", text)
    lines = [Line(role=one.role.strip(), text=one.text.strip()) for one in texts]
    return Rendered(lines=tuple(lines))


def schema(question: NameThem | Render) -> dict[str, Any]:
    """The shape of the answer."""
    return (NAMES if isinstance(question, NameThem) else TEXTS).schema


@cache
def _templates() -> Templates:
    return Templates("actors.worldtree.translating.prompts")
