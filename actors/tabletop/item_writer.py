"""Names and descriptions of characters, and knowledge, written by a language model (AntEval,
section 3.1) and checked: what does not fit is asked for again."""

from collections.abc import Collection, Sequence
from typing import Final, get_args

import msgspec

from actors.models.answers.copied_phrases import is_copied
from actors.models.answers.recorded_questions import Asking, StoredCalls
from actors.models.answers.structured import AnswerReader, Fields, renamed
from actors.models.caller import ModelCaller
from actors.models.port import Msg
from actors.models.response_formats.schemas import (
    Schema,
    list_schema,
    object_schema,
    text_schema,
    wording,
)
from actors.tabletop.catalog_items import (
    LEAST_POINTS,
    MOST_POINTS,
    CharacterSheet,
    KeyPoint,
    KnowledgeKind,
    KnowledgeSheet,
)
from actors.tabletop.characters import LEAST_TOLD, MOST_TOLD, words_of
from actors.tabletop.key_points import points_in
from actors.tabletop.render import facts
from actors.templates import Templates
from events.base import replace
from events.ids import derived_number
from events.minds import ModelSpec

CHARACTER: Final = "character-1"
KNOWLEDGE: Final = "knowledge-1"
SHEETS_FROM: Final = 100_000
"""Turns of the calls from which on knowledge is written; characters come before."""
_KINDS: Final[tuple[KnowledgeKind, ...]] = get_args(KnowledgeKind)
_INITIALS: Final = "ABCDEFGHIJKLMNOPRSTUVW"
_LONGEST_LINE: Final = 300
_LONGEST_TERM: Final = 60
_MOST_TERMS: Final = 3
_templates = Templates("actors.tabletop.prompts")


class WrittenCharacter(msgspec.Struct, frozen=True):
    """What a model writes of a character."""

    name: str
    description: str


class WrittenPoint(msgspec.Struct, frozen=True):
    """A fact with the words by which it is recognized."""

    text: str
    terms: list[str]


class WrittenKnowledge(msgspec.Struct, frozen=True):
    """What a model writes of something to be found out."""

    title: str
    points: list[WrittenPoint]


def _character(fields: Fields) -> Fields:
    return renamed(fields, {"name": "name", "full name": "name", "description": "description"})


def _knowledge(fields: Fields) -> Fields:
    return renamed(fields, {"title": "title", "name": "title", "points": "points"})


CHARACTER_SCHEMA: Final = object_schema({"name": wording(60), "description": wording(1_400)})


def knowledge_schema(k: int) -> Schema:
    """A title and exactly ``k`` points."""
    terms = list_schema(text_schema(_LONGEST_TERM), _MOST_TERMS, 1)
    point = object_schema({"text": text_schema(_LONGEST_LINE), "terms": terms})
    return object_schema({"title": wording(80), "points": list_schema(point, k, k)})


class ItemWriter:
    """Asks one model for one item after the other."""

    def __init__(self, model: ModelSpec, caller: ModelCaller, calls: StoredCalls) -> None:
        self._characters: Asking[WrittenCharacter] = Asking(
            _templates.version(CHARACTER),
            AnswerReader(WrittenCharacter, _character),
            model,
            caller,
            calls,
        )
        self._sheets: Asking[WrittenKnowledge] = Asking(
            _templates.version(KNOWLEDGE),
            AnswerReader(WrittenKnowledge, _knowledge),
            model,
            caller,
            calls,
        )

    async def character(
        self, number: int, drawn: CharacterSheet, taken: Collection[str]
    ) -> CharacterSheet:
        """A drawn character, with a name that is none of ``taken`` and a description. ``number``:
        from 0, among all. Raises ``NoUsableAnswer``."""
        told = tuple(one for one in facts(drawn) if one[0] != "Description")
        initials = " and ".join(part[0] for part in drawn.name.split() if part[:1].isalpha())
        words: Fields = {
            "facts": told,
            "initials": initials or "of your choice",
            "least": LEAST_TOLD,
            "most": MOST_TOLD,
        }

        def use(answer: WrittenCharacter) -> CharacterSheet:
            return written(drawn, answer, taken)

        return await self._characters.ask(
            number, _messages(CHARACTER, words), CHARACTER_SCHEMA, use
        )

    async def sheet(
        self, number: int, k: int, taken: Collection[str], seed: int = 0
    ) -> KnowledgeSheet:
        """Knowledge with ``k`` key points and a title that is none of ``taken``. ``number``: from
        0, among all. Raises ``NoUsableAnswer``."""
        kind = _KINDS[number % len(_KINDS)]
        drawn = derived_number("tabletop-written-knowledge", str(seed), str(number))
        words: Fields = {"kind": kind, "k": k, "initial": _INITIALS[drawn % len(_INITIALS)]}

        def use(answer: WrittenKnowledge) -> KnowledgeSheet:
            return knowledge_of(f"w{number + 1}", kind, k, answer, taken)

        return await self._sheets.ask(
            SHEETS_FROM + number, _messages(KNOWLEDGE, words), knowledge_schema(k), use
        )


def _messages(template: str, words: Fields) -> tuple[Msg, ...]:
    return (
        Msg("system", _templates.block(template, "system", words)),
        Msg("user", _templates.block(template, "user", words)),
    )


def written(
    drawn: CharacterSheet, answer: WrittenCharacter, taken: Collection[str]
) -> CharacterSheet:
    """The character as a model wrote it. Raises ``ValueError`` with what is to be mended."""
    name, told = " ".join(answer.name.split()), " ".join(answer.description.split())
    if is_copied(name) or len(name) > _LONGEST_LINE:
        raise ValueError(f"name is to be a name of at most {_LONGEST_LINE} characters")
    if name.casefold() in {one.casefold() for one in taken}:
        raise ValueError(f"another character is called {name} already; choose another name")
    count = words_of(told)
    if not LEAST_TOLD <= count <= MOST_TOLD:
        raise ValueError(
            f"description has {count} words; it is to have {LEAST_TOLD} to {MOST_TOLD}"
        )
    return replace(drawn, name=name, description=told)


def knowledge_of(
    id_: str, kind: KnowledgeKind, k: int, answer: WrittenKnowledge, taken: Collection[str]
) -> KnowledgeSheet:
    """The sheet as a model wrote it. Raises ``ValueError`` with what is to be mended."""
    title = " ".join(answer.title.split())
    if is_copied(title) or len(title) > _LONGEST_LINE:
        raise ValueError("title is to be a few words")
    if title.casefold() in {one.casefold() for one in taken}:
        raise ValueError(f"there is knowledge about {title} already; choose another thing")
    if len(answer.points) != k:
        raise ValueError(f"it has {len(answer.points)} points; there are to be exactly {k}")
    points = [_point(number, one) for number, one in enumerate(answer.points, 1)]
    if fault := indistinct(points):
        raise ValueError(fault)
    return KnowledgeSheet(id=id_, kind=kind, title=title, points=tuple(points))


def _point(number: int, given: WrittenPoint) -> KeyPoint:
    text = " ".join(given.text.split())
    terms = tuple(dict.fromkeys(" ".join(one.split()) for one in given.terms if one.strip()))
    if is_copied(text) or len(text) > _LONGEST_LINE:
        raise ValueError(f"point {number} is to be one sentence, of {_LONGEST_LINE} characters")
    if not terms:
        raise ValueError(f"point {number} has no terms; give words of its sentence")
    point = KeyPoint(text=text, terms=terms)
    if not points_in(text, (point,)):
        listed = ", ".join(terms)
        raise ValueError(f"not all terms of point {number} ({listed}) stand in its sentence")
    return point


def indistinct(points: Sequence[KeyPoint]) -> str:
    """Which two key points cannot be told apart, as a sentence; empty: none."""
    for number, point in enumerate(points, 1):
        for other in points_in(point.text, points):
            if other != number - 1:
                return (
                    f"the sentence of point {number} has all terms of point {other + 1}; "
                    "each point says something else"
                )
    return ""


def points_fault(k: int) -> str:
    """Why there cannot be ``k`` key points, as half a sentence; empty: there can."""
    if LEAST_POINTS <= k <= MOST_POINTS:
        return ""
    return f"a sheet has {LEAST_POINTS} to {MOST_POINTS} key points"
