"""Reads the character lists of the fifth-edition SRD, as the project 5e-database publishes them.

Of backgrounds the SRD has one, so those that come with Troupe are drawn from beside it.
"""

from pathlib import Path
from typing import Final, TypeVar

import msgspec

from actors.episodes.formats import PublishedCatalog
from actors.tabletop.catalog.starter import catalog_of
from actors.tabletop.catalog_items import Ability
from actors.tabletop.characters import CharacterBackground, Class, Lists, Race, Subrace, own_lists
from actors.tabletop.skills import SKILLS, skill_of
from events.serialization.struct_types import decodable

T = TypeVar("T")
_SKILL: Final = "Skill: "
_BACKGROUNDS: Final = "5e-SRD-Backgrounds.json"


class BadLists(ValueError):
    """A file of lists that cannot be used."""


class _Named(msgspec.Struct):
    index: str
    name: str


class _Score(msgspec.Struct):
    index: str
    full_name: str


class _Bonus(msgspec.Struct):
    ability_score: _Named
    bonus: int


class _Race(msgspec.Struct):
    name: str
    index: str
    ability_bonuses: list[_Bonus]
    languages: list[_Named]


class _Subrace(msgspec.Struct):
    name: str
    race: _Named
    ability_bonuses: list[_Bonus]


class _Option(msgspec.Struct):
    item: _Named | None = None


class _Options(msgspec.Struct):
    options: list[_Option] = []


class _Choice(msgspec.Struct):
    choose: int
    from_: _Options = msgspec.field(name="from", default_factory=_Options)


class _Class(msgspec.Struct):
    name: str
    proficiency_choices: list[_Choice]


class _Text(msgspec.Struct):
    string: str = ""
    desc: str = ""


class _TextOptions(msgspec.Struct):
    options: list[_Text] = []


class _TextChoice(msgspec.Struct):
    from_: _TextOptions = msgspec.field(name="from", default_factory=_TextOptions)

    def texts(self) -> tuple[str, ...]:
        return tuple(one.string or one.desc for one in self.from_.options if one.string or one.desc)


class _Background(msgspec.Struct):
    name: str
    starting_proficiencies: list[_Named]
    personality_traits: _TextChoice
    ideals: _TextChoice
    bonds: _TextChoice
    flaws: _TextChoice


def read_lists(folder: Path) -> Lists:
    """The lists in a folder, with our backgrounds and names. Raises ``BadLists``."""
    abilities = {one.index: _ability(one) for one in _read(folder, "Ability-Scores", list[_Score])}

    def bonuses(given: list[_Bonus]) -> dict[Ability, int]:
        return {abilities[one.ability_score.index]: one.bonus for one in given}

    races = _read(folder, "Races", list[_Race])
    names = {race.index: race.name for race in races}
    own = own_lists()
    try:
        return msgspec.structs.replace(
            own,
            races=tuple(
                [
                    Race(
                        name=race.name,
                        bonuses=bonuses(race.ability_bonuses),
                        languages=tuple([one.name for one in race.languages]),
                    )
                    for race in races
                ]
            ),
            subraces=tuple(
                [
                    Subrace(
                        name=one.name,
                        race=names[one.race.index],
                        bonuses=bonuses(one.ability_bonuses),
                    )
                    for one in _read(folder, "Subraces", list[_Subrace])
                ]
            ),
            classes=tuple([_class(one) for one in _read(folder, "Classes", list[_Class])]),
            backgrounds=(*own.backgrounds, *_backgrounds(folder)),
            alignments=tuple([one.name for one in _read(folder, "Alignments", list[_Named])]),
            languages=tuple([one.name for one in _read(folder, "Languages", list[_Named])]),
        )
    except KeyError as error:
        why = f"{folder}: {error} is named and listed nowhere; the files are of one release"
        raise BadLists(why) from error


def read_catalog(folder: Path, name: str) -> PublishedCatalog:
    """Our scenes, knowledge and tables with characters drawn from the folder's lists. Raises
    ``BadLists``."""
    lists = read_lists(folder)
    counts = (
        f"{len(lists.races)} races, {len(lists.subraces)} subraces, {len(lists.classes)} classes, "
        f"{len(lists.backgrounds)} backgrounds, {len(lists.alignments)} alignments, "
        f"{len(lists.languages)} languages"
    )
    notes = (f"characters are drawn from {counts}; scenes and knowledge are those of the starter",)
    return PublishedCatalog(catalog_of(lists, name=name), notes)


def _read(folder: Path, what: str, kind: type[T]) -> T:
    if not folder.is_dir():
        why = "is no folder; name the one with the files 5e-SRD-….json of 5e-bits/5e-database"
        raise BadLists(f"{folder} {why} on GitHub")
    path = folder / f"5e-SRD-{what}.json"
    try:
        found = msgspec.json.decode(path.read_bytes(), type=decodable(kind))
    except OSError as error:
        raise BadLists(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadLists(f"{path}: it is not a list as 5e-database has it: {error}") from error
    if not found:
        raise BadLists(f"{path}: the list is empty")
    return found


def _ability(score: _Score) -> Ability:
    return score.full_name.lower()  # type: ignore[return-value]


def _class(given: _Class) -> Class:
    for choice in given.proficiency_choices:
        named = [one.item.name for one in choice.from_.options if one.item is not None]
        skills = [skill_of(one.removeprefix(_SKILL)) for one in named if one.startswith(_SKILL)]
        known = tuple([skill for skill in skills if skill is not None])
        if known:
            return Class(name=given.name, choose=choice.choose, skills=known)
    raise BadLists(
        f"class {given.name!r} chooses among no skills; they are called {_SKILL}{SKILLS[0]}"
    )


def _backgrounds(folder: Path) -> tuple[CharacterBackground, ...]:
    if not (folder / _BACKGROUNDS).exists():
        return ()
    return tuple(
        [
            CharacterBackground(
                name=one.name,
                skills=tuple(
                    [
                        skill
                        for item in one.starting_proficiencies
                        if (skill := skill_of(item.name.removeprefix(_SKILL))) is not None
                    ]
                ),
                traits=one.personality_traits.texts(),
                ideals=one.ideals.texts(),
                bonds=one.bonds.texts(),
                flaws=one.flaws.texts(),
            )
            for one in _read(folder, "Backgrounds", list[_Background])
        ]
    )
