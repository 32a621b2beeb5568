"""What a catalog of tabletop sessions holds."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from actors.tabletop.skills import Skill
from events.base import Value
from events.environments import Catalog as AnyCatalog

NAME: Final = "tabletop"
Ability = Literal["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"]
Kind = Literal["exchange", "intention"]
"""What a session is played for: information exchange (AntEval, section 4.1) or intention expression
(section 4.2)."""
KnowledgeKind = Literal["magic item", "weapon", "place", "person"]
LEAST_POINTS, MOST_POINTS = 3, 10
MOST_PLAYERS: Final = 8

Line = Annotated[str, Meta(min_length=1, max_length=300)]
Text = Annotated[str, Meta(min_length=1, max_length=2_000)]


class AbilityScores(Value, frozen=True, kw_only=True):
    """The six scores, race bonuses included; 10 is average."""

    strength: Annotated[int, Meta(ge=1, le=30)]
    dexterity: Annotated[int, Meta(ge=1, le=30)]
    constitution: Annotated[int, Meta(ge=1, le=30)]
    intelligence: Annotated[int, Meta(ge=1, le=30)]
    wisdom: Annotated[int, Meta(ge=1, le=30)]
    charisma: Annotated[int, Meta(ge=1, le=30)]


class CharacterSheet(Value, frozen=True, kw_only=True):
    """A character sheet. Name, race and class are what all at the table know; the rest is for who
    plays it."""

    id: str
    name: Line
    race: Line
    """With the subrace, where there is one: ``Hill Dwarf``."""
    role: Line
    """The class: ``Bard``."""
    background: str = ""
    alignment: str = ""
    scores: AbilityScores | None = None
    skills: tuple[Skill, ...] = ()
    """In which it is proficient."""
    languages: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    """Two personality traits."""
    ideal: str = ""
    bond: str = ""
    flaw: str = ""
    description: str = ""
    """80 to 150 words about it."""


class KeyPoint(Value, frozen=True, kw_only=True):
    """One of the facts of a sheet."""

    text: Line
    terms: tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...]
    """Words of which an answer that has the point has each; synonyms are parted by ``|``."""


class KnowledgeSheet(Value, frozen=True, kw_only=True):
    """What a non-player character knows of something, in key points."""

    id: str
    kind: KnowledgeKind
    title: Line
    """What it is about, as all at the table may know."""
    points: Annotated[tuple[KeyPoint, ...], Meta(min_length=LEAST_POINTS, max_length=MOST_POINTS)]


class OpeningScene(Value, frozen=True, kw_only=True):
    """Where a session begins."""

    id: str
    place: Line
    situation: Text
    hook: Line
    """What there is to be done about it."""


class Want(Value, frozen=True, kw_only=True):
    """A skill check as something that a character wants, in words that do not name it."""

    id: str
    skill: Skill
    text: Line
    """Goes on after the character's name: ``looks for a way to …``."""


class GameTable(Value, frozen=True, kw_only=True):
    """Sessions of one kind with so many players. Its tasks are ``<id>-1``, ``<id>-2``, …"""

    id: str
    kind: Kind
    players: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] = 4
    sessions: Annotated[int, Meta(ge=1, le=10_000)] = 50
    variant: bool = False
    """Whether plans choose it only by the tag that is its id, or by task."""


class Catalog(AnyCatalog, frozen=True, kw_only=True, tag=f"{NAME}.Catalog"):
    """What can be played at a table."""

    characters: tuple[CharacterSheet, ...] = ()
    sheets: tuple[KnowledgeSheet, ...] = ()
    scenes: tuple[OpeningScene, ...] = ()
    wants: tuple[Want, ...] = ()
    tables: tuple[GameTable, ...] = ()
