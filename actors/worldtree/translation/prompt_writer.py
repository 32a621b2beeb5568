"""How a language model is asked to translate, and how its answer is read."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import msgspec

from actors.episodes.port.prompts import Prompt, Prompts
from actors.models.answers.structured import AnswerReader
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    Schema,
    choice_schema,
    list_schema,
    object_schema,
    says_something,
    text_schema,
)
from actors.templates import Templates
from actors.worldtree.translation.script import NO_LINE
from actors.worldtree.translation.setup import (
    Named,
    NameThem,
    Piece,
    PieceKind,
    Render,
    Rendered,
    Seen,
    SeenNames,
    SeenPassage,
    TranslationView,
)
from actors.worldtree.translation.sight import LANGUAGES
from actors.worldtree.trees.tree import Line
from events.environments import Action

TEMPLATE: Final = "translate-1"
LONGEST_NAME: Final = 80
"""Characters of a name, as a model is held to them."""
MOST_BOUNDED: Final = 1_900
"""Characters of a text. llama.cpp takes no pattern that repeats more than 2,000 times."""
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


class TranslatedText(msgspec.Struct, frozen=True):
    """A text of an answer."""

    number: int
    role: str
    text: str


class Texts(msgspec.Struct, frozen=True):
    """What a model answers for a passage: who says it stands with each text, or follows from its
    number."""

    texts: list[TranslatedText] | dict[str, str]


class Names(msgspec.Struct, frozen=True):
    """What a model answers for the glossary."""

    names: list[str]


NAMES, TEXTS = AnswerReader(Names), AnswerReader(Texts)


class TranslationPromptWriter:
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

    def _words(self, question: Render) -> dict[str, object]:
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
    if isinstance(texts, dict):
        numbers = [str(number) for number in range(1, len(question.pieces) + 1)]
        if sorted(texts) != sorted(numbers):
            raise Unreadable(f"texts have the numbers 1 to {len(numbers)}, each once", text)
        pairs = zip(numbers, question.pieces, strict=True)
        return Rendered(lines=tuple(Line(role=p.role, text=texts[n].strip()) for n, p in pairs))
    for place, one in enumerate(texts, 1):
        if one.number != place:
            raise Unreadable(f"text {place} has the number {one.number}; keep the order", text)
    lines = [Line(role=one.role.strip(), text=one.text.strip()) for one in texts]
    return Rendered(lines=tuple(lines))


def schema(question: NameThem | Render) -> Schema:
    """The JSON Schema of an answer: as many names as are asked for, or a text for each number."""
    if isinstance(question, NameThem):
        count = len(question.names)
        return object_schema({"names": list_schema(text_schema(LONGEST_NAME), count, count)})
    texts = {str(number): _text_of(piece) for number, piece in enumerate(question.pieces, 1)}
    return object_schema({"texts": object_schema(texts)})


def _text_of(piece: Piece) -> Schema:
    """What a piece may become. One without a word, such as dots alone, stays what it is."""
    if not says_something(piece.text):
        return choice_schema([piece.text.strip()])
    # In steps, so that a passage has few patterns.
    return text_schema(min(MOST_BOUNDED, 250 * (2 + len(piece.text) // 50)))


@cache
def _templates() -> Templates:
    return Templates("actors.worldtree.translation.prompts")


class TranslationPrompts(Prompts[NameThem | Render, Action, TranslationView, Seen]):
    """How names and passages are asked for."""

    def writer(self, background: TranslationView) -> TranslationPromptWriter:
        """Shows the glossary and what leads to a passage."""
        return TranslationPromptWriter(background)

    def read(
        self, question: NameThem | Render, background: TranslationView, text: str, label: str
    ) -> Named | Rendered:
        """The glossary, or the texts."""
        return read(question, text, label)

    def schema(self, question: NameThem | Render, background: TranslationView) -> Schema:
        """As many names as are asked for, or a text for each number."""
        return schema(question)


PROMPTS: Final = TranslationPrompts()
