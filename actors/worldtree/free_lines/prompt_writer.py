"""How a language model is asked for a line, and how its answer is read."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.port.prompts import Prompt, Prompts
from actors.episodes.typed_answers import Wording
from actors.models.answers.structured import AnswerReader, Fields, renamed
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    DENSER,
    EXPLAINED,
    SAID,
    Schema,
    choice_schema,
    list_schema,
    object_schema,
    text_schema,
)
from actors.text.speech import without_name
from actors.worldtree.free_lines.ability_names import MEANT, name_in
from actors.worldtree.free_lines.setup import WriteLine, WritingView, Written, Wrote
from actors.worldtree.prompt_writer import StoryWriter
from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.tree import Language
from events.environments import Action

_LANGUAGES: Final = {"en": {"zh": "Chinese", "en": "English"}, "zh": {"zh": "中文", "en": "英文"}}
_UNITS: Final = {"en": {"zh": "characters", "en": "words"}, "zh": {"zh": "个字", "en": "个单词"}}


class LineAnswer(msgspec.Struct, frozen=True):
    """What a model answers."""

    line: str
    why: str = ""
    abilities: list[str] = []


_NAMES: Final = {
    **{name: name for name in ("line", "why", "abilities")},
    "reason": "why",
    "explanation": "why",
    "text": "line",
    "理由": "why",
    "能力": "abilities",
    "台词": "line",
    "ability": "abilities",
}


def _prepared(fields: Fields) -> Fields:
    found = renamed(fields, _NAMES)
    named = found.get("abilities")
    if named is None or isinstance(named, str):
        found["abilities"] = [named] if named else []
    return {name: value for name, value in found.items() if value is not None}


_NO_LINE: Final = '它不是所要求的 JSON 对象，其中 "why" 和 "line" 是文字，"abilities" 是列表'
READER: Final = AnswerReader(LineAnswer, _prepared)
MOST_ABILITIES: Final = 4
"""That a model names which is held to the schema."""


@cache
def schema(language: Language) -> Schema:
    """The JSON Schema of an answer, the explanation first. ``language``: of the prompt, which says
    how the abilities are called."""
    ability = choice_schema([name_in(one, language) for one in ABILITIES])
    return object_schema(
        {
            "why": text_schema(EXPLAINED if language == "en" else EXPLAINED // DENSER),
            "abilities": list_schema(ability, MOST_ABILITIES),
            "line": text_schema(SAID),
        }
    )


class LinePromptWriter(StoryWriter):
    """Asks for a line."""

    def __init__(self, background: WritingView) -> None:
        super().__init__(background)
        own, asked_in = background.language, background.prompts
        self._words = {
            "abilities": [name_in(ability, asked_in) for ability in ABILITIES],
            "unit": _UNITS[asked_in][own],
            "language": _LANGUAGES[asked_in][own],
        }

    def prompt(self, question: WriteLine, noticed: Sequence[Written], turn: int) -> Prompt:
        """All that leads to the node, and what is wanted."""
        del noticed, turn
        return self.written("line", (), {**self._words, "length": question.length})


def read(text: str, label: str, name: str, language: Language = "en") -> Wrote:
    """The line that an answer holds, without the name of who says it; abilities that are none of
    the 32 are left out. Raises ``Unreadable``, which tells the model what is wrong in the
    ``language`` that it was asked in."""
    try:
        answer = READER.read(text, label)
    except Unreadable as error:
        if language == "zh":
            raise Unreadable(_NO_LINE, error.raw, error.detail) from error
        raise
    known = [MEANT[one.strip().casefold()] for one in answer.abilities if _known(one)]
    return Wrote(
        text=without_name(answer.line, name),
        abilities=tuple(dict.fromkeys(known)),
        why=answer.why.strip(),
    )


def _known(ability: str) -> bool:
    return ability.strip().casefold() in MEANT


class LinePrompts(Prompts[WriteLine, Action, WritingView, Written]):
    """How a line is asked for."""

    def writer(self, background: WritingView) -> LinePromptWriter:
        """Tells all that leads to the node."""
        return LinePromptWriter(background)

    def read(self, question: WriteLine, background: WritingView, text: str, label: str) -> Wrote:
        """The line, without the name of who says it."""
        return read(text, label, background.protagonist.name, background.prompts)

    def schema(self, question: WriteLine, background: WritingView) -> Schema:
        """The explanation, the abilities, the line."""
        return schema(background.prompts)


class LinePeople(PeoplePrompts[WriteLine, Action, WritingView, Written]):
    """A line is typed as it is."""

    def wording(self, question: WriteLine, background: WritingView) -> Wording:
        """What does the protagonist say?"""
        unit = "words" if background.language == "en" else "characters"
        about = f"What does {background.protagonist.name} say or do next?"
        return Wording(lead=about, hint=f"one line, about {question.length} {unit}")

    def typed(self, question: WriteLine, background: WritingView, text: str) -> Wrote:
        """The line."""
        return Wrote(text=text.strip())


PROMPTS: Final = LinePrompts()
