"""Draws character sheets at random, with a seed (AntEval, section 3.1)."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Final, get_args

import msgspec

from actors.seeded_draws import SeededDraws
from actors.tabletop.catalog_items import Ability, AbilityScores, CharacterSheet
from actors.tabletop.skills import Skill
from actors.toml_file import read_toml

ABILITIES: Final[tuple[Ability, ...]] = get_args(Ability)
STANDARD_ARRAY: Final = (15, 14, 13, 12, 10, 8)
LEAST_TOLD: Final = 80
MOST_TOLD: Final = 150
"""Words of a description (section 3.1)."""
_VOWELS: Final = "aeiou"


class Race(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A race and what it adds to ability scores."""

    name: str
    bonuses: dict[Ability, int] = {}
    languages: tuple[str, ...] = ("Common",)


class Subrace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of a race, which adds more."""

    name: str
    race: str
    bonuses: dict[Ability, int] = {}


class Class(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A class: how many skills it chooses, among which."""

    name: str
    choose: Annotated[int, msgspec.Meta(ge=1, le=8)]
    skills: Annotated[tuple[Skill, ...], msgspec.Meta(min_length=1)]


class CharacterBackground(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A background, with what a character of it may be like."""

    name: str
    skills: tuple[Skill, ...] = ()
    traits: Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]
    ideals: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    bonds: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    flaws: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class Lists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What characters are drawn from."""

    races: Annotated[tuple[Race, ...], msgspec.Meta(min_length=1)]
    subraces: tuple[Subrace, ...] = ()
    classes: Annotated[tuple[Class, ...], msgspec.Meta(min_length=1)]
    backgrounds: Annotated[tuple[CharacterBackground, ...], msgspec.Meta(min_length=1)]
    alignments: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    languages: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    first_names: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ()
    last_names: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ()


@cache
def own_lists() -> Lists:
    """Those that come with Troupe. Raises ``BadFile``."""
    return read_toml(Path(__file__).parent / "catalog" / "lists.toml", Lists)


def draw_character(lists: Lists, number: int, seed: int = 0) -> CharacterSheet:
    """The character of a number, from 1, that belongs to a seed."""
    draw = SeededDraws("tabletop-character", str(seed), str(number))
    race = lists.races[draw.below("race", len(lists.races))]
    kinds = [one for one in lists.subraces if one.race == race.name]
    kind = kinds[draw.below("subrace", len(kinds))] if kinds else None
    role = lists.classes[draw.below("class", len(lists.classes))]
    past = lists.backgrounds[draw.below("background", len(lists.backgrounds))]
    trained = draw.some("skills", role.skills, role.choose)
    skills = dict.fromkeys((*past.skills, *trained))
    more = [one for one in lists.languages if one not in race.languages]
    name = f"{draw.one('first', lists.first_names)} {draw.one('last', lists.last_names)}"
    character = CharacterSheet(
        id=f"c{number}",
        name=name,
        race=kind.name if kind else race.name,
        role=role.name,
        background=past.name,
        alignment=draw.one("alignment", lists.alignments),
        scores=_scores(draw, race, kind),
        skills=tuple(sorted(skills)),
        languages=(*race.languages, *draw.some("languages", more, 1)),
        traits=tuple(draw.some("traits", past.traits, 2)),
        ideal=draw.one("ideal", past.ideals),
        bond=draw.one("bond", past.bonds),
        flaw=draw.one("flaw", past.flaws),
    )
    return msgspec.structs.replace(character, description=described(character, draw))


def _scores(draw: SeededDraws, race: Race, kind: Subrace | None) -> AbilityScores:
    left, scores = list(STANDARD_ARRAY), {}
    for ability in ABILITIES:
        scores[ability] = left.pop(draw.below(ability, len(left)))
    for bonuses in (race.bonuses, kind.bonuses if kind else {}):
        for ability, more in bonuses.items():
            scores[ability] += more
    return AbilityScores(**scores)


def described(character: CharacterSheet, draw: SeededDraws) -> str:
    """80 to 150 words about a character, from the words of its sheet."""
    assert character.scores is not None, "a drawn character has scores"
    order = sorted(ABILITIES, key=lambda ability: -getattr(character.scores, ability))
    best, worst = _OF_ABILITY[order[0]][0], _OF_ABILITY[order[-1]][1]
    first = character.name.split()[0]
    kin, role = character.race.lower(), character.role.lower()
    past = f"{_a(character.background)} {character.background.lower()}"
    born, trade = f"{_a(kin)} {kin}", f"{_a(role)} {role}"
    opening = draw.one(
        "opening",
        (
            f"{character.name} is {born} and {trade} who came to the road from the life of {past}.",
            f"Before {first} became {trade}, there were years as {past}; few who met {born} called "
            f"{character.name} have forgotten it.",
            f"{born.capitalize()} by birth, {trade} by choice, {character.name} still has the "
            f"habits of {past}.",
        ),
    )
    middle = draw.one(
        "middle",
        (
            f"At the table {first} is known as {best}, though {worst}.",
            f"Friends would call {first} {best}; they would add that {first} is {worst}.",
        ),
    )
    language = character.languages[-1]
    closing = draw.one(
        "closing",
        (
            f"When nobody is to understand, {first} speaks {language}.",
            f"What is left of an evening goes into stories told in {language}.",
        ),
    )
    own = [f"{first} would say of it: “{trait}”" for trait in character.traits[:1]]
    rest = [f"And, on another evening: “{trait}”" for trait in character.traits[1:]]
    creed = f"What {first} believes in is put in few words: “{character.ideal}”"
    bond = f"What leaves {first} no rest is another matter: “{character.bond}”"
    flaw = f"There is a weakness, too: “{character.flaw}”"
    parts = [opening, middle, *own, *rest, creed, bond, flaw, closing]
    for less in (*rest, closing, bond, *own, creed, flaw):
        # Lists of others have longer sentences; all of them stand in the sheet itself.
        if words_of(" ".join(parts)) > MOST_TOLD:
            parts.remove(less)
    for more in _more(character, first):
        if words_of(" ".join(parts)) < LEAST_TOLD:
            parts.append(more)
    return " ".join(parts)


def words_of(text: str) -> int:
    """How many words a text has."""
    return len(text.split())


def _more(character: CharacterSheet, first: str) -> Iterator[str]:
    """What else could be said of it, for lists with short sentences."""
    if character.skills:
        yield f"Asked for help, {first} is of use in {_listed(character.skills)}."
    yield f"The tongues {first} gets along in are {_listed(character.languages)}."
    yield (
        f"Those who have travelled with {first} for a while tell of long marches without a word of "
        "complaint, of a share of every meal that went to whoever had none, and of a laugh that is "
        "heard too seldom."
    )
    yield (
        f"Where the road leads next, {first} does not say; there is a letter in the pack that "
        "nobody has seen opened, and a name in it, people think, that has not been spoken since "
        "the last winter at home."
    )


def _listed(names: Sequence[str]) -> str:
    *all_but, last = names
    return f"{', '.join(all_but)} and {last}" if all_but else last


def _a(word: str) -> str:
    return "an" if word[:1].lower() in _VOWELS else "a"


_OF_ABILITY: Final[dict[Ability, tuple[str, str]]] = {
    "strength": ("as strong as a draught horse", "no great hand at lifting anything"),
    "dexterity": ("quick and sure of foot", "always the one who knocks over the cups"),
    "constitution": ("tireless in all weathers", "easily out of breath"),
    "intelligence": ("well read and quick to see how things fit", "bored by books"),
    "wisdom": ("slow to be fooled", "slow to notice what is under everybody's nose"),
    "charisma": ("good company in any room", "not one for many words"),
}
