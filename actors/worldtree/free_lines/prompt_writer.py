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
        return Wrote(text=text.strip())


PROMPTS: Final = LinePrompts()


CHINESE: Final[dict[str, str]] = {
    "Task Management": "任务管理",
    "Time Management": "时间管理",
    "Detail Management": "细节管理",
    "Organizational Skill": "条理能力",
    "Responsibility Management": "责任管理",
    "Capacity for Consistency": "坚持不变的能力",
    "Goal Regulation": "目标调节",
    "Rule-following Skill": "遵守规则的能力",
    "Decision-Making Skill": "决策能力",
    "Adaptability": "适应能力",
    "Capacity for Independence": "独立能力",
    "Self-Reflection Skill": "自我反思能力",
    "Leadership Skill": "领导能力",
    "Persuasive Skill": "说服能力",
    "Conversational Skill": "交谈能力",
    "Expressive Skill": "表达能力",
    "Energy Regulation": "精力调节",
    "Teamwork Skill": "团队合作能力",
    "Capacity for Trust": "信任能力",
    "Perspective-Taking Skill": "换位思考能力",
    "Capacity for Social Warmth": "待人热情的能力",
    "Ethical Competence": "道德能力",
    "Stress Regulation": "压力调节",
    "Capacity for Optimism": "保持乐观的能力",
    "Anger Management": "愤怒管理",
    "Confidence Regulation": "自信调节",
    "Impulse Regulation": "冲动调节",
    "Abstract Thinking Skill": "抽象思维能力",
    "Creative Skill": "创造能力",
    "Artistic Skill": "艺术能力",
    "Cultural Competence": "文化能力",
    "Information Processing Skill": "信息处理能力",
}


def name_in(ability: str, language: Language) -> str:
    """How prompts in a language call an ability: in Chinese with the English name beside."""
    return ability if language == "en" else f"{CHINESE[ability]} ({ability})"


MEANT: Final = {
    **{ability.casefold(): ability for ability in ABILITIES},
    **{chinese: ability for ability, chinese in CHINESE.items()},
    **{name_in(ability, "zh").casefold(): ability for ability in ABILITIES},
}
"""By what an answer may call it."""
