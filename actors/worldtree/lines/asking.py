"""How a language model is asked for a line, and how its answer is read."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from actors.episodes.environment import Prompt
from actors.models.structured import AnswerReader, renamed
from actors.worldtree.abilities import ABILITIES
from actors.worldtree.lines.ability_names import MEANT, name_in
from actors.worldtree.lines.setup import WriteLine, WritingView, Written, Wrote
from actors.worldtree.prompt_writer import StoryWriter

_LANGUAGES: Final = {"en": {"zh": "Chinese", "en": "English"}, "zh": {"zh": "中文", "en": "英文"}}
_UNITS: Final = {"en": {"zh": "characters", "en": "words"}, "zh": {"zh": "个字", "en": "个单词"}}


class Answer(msgspec.Struct, frozen=True):
    """What a model answers."""

    line: str
    why: str = ""
    abilities: list[str] = []


class Form(msgspec.Struct, frozen=True):
    """What it is asked for, the explanation first."""

    why: str
    abilities: list[str]
    line: str


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


def _prepared(fields: dict[str, Any]) -> dict[str, Any]:
    found = renamed(fields, _NAMES)
    named = found.get("abilities")
    if named is None or isinstance(named, str):
        found["abilities"] = [named] if named else []
    return {name: value for name, value in found.items() if value is not None}


READER: Final = AnswerReader(Answer, _prepared)
SCHEMA: Final = AnswerReader(Form).schema


class LineWriter(StoryWriter):
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


def read(text: str, label: str, name: str) -> Wrote:
    """The line that an answer holds, without the name of who says it; abilities that are none of
    the 32 are left out. Raises ``Unreadable``."""
    answer = READER.read(text, label)
    known = [MEANT[one.strip().casefold()] for one in answer.abilities if _known(one)]
    return Wrote(
        text=without_name(answer.line, name),
        abilities=tuple(dict.fromkeys(known)),
        why=answer.why.strip(),
    )


def without_name(line: str, name: str) -> str:
    """A line without ``Name:`` before it, or quotation marks around it."""
    line = line.strip()
    for colon in (":", "："):
        head, found, rest = line.partition(colon)
        if found and head.strip() == name:
            line = rest.strip()
            break
    for left, right in (('"', '"'), ("“", "”"), ("「", "」")):
        inner = line[1:-1]
        if len(line) > 2 and line[0] == left and line[-1] == right:
            return line if left in inner or right in inner else inner.strip()
    return line


def _known(ability: str) -> bool:
    return ability.strip().casefold() in MEANT
