"""Reads the data files beside this module, and has people of the social environment's own catalog
play, where that is installed."""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from actors.episodes.catalogs.reader import read_files
from actors.episodes.registry import environment_named
from actors.games.catalog_items import Catalog
from actors.games.setup import Player
from actors.toml_file import BadFile
from events.base import replace
from events.environments import installed
from events.serialization.struct_types import decodable

HERE: Final = Path(__file__).parent
SOCIAL: Final = "social"
"""An environment whose starter catalog has characters."""


class KnownCharacter(msgspec.Struct, frozen=True):
    """What is read of a character: what everybody may know."""

    id: str
    first_name: str
    last_name: str
    age: int
    pronouns: str
    occupation: str
    public_info: str


class KnownCast(msgspec.Struct, frozen=True):
    """What is read of a catalog with characters."""

    characters: tuple[KnownCharacter, ...]


@cache
def starter_catalog() -> Catalog:
    """The catalog that comes with Troupe. Raises ``BadFile`` where a data file is wrong."""
    files = sorted(HERE.glob("*.toml"))
    draft = read_files({file.name: file.read_text(encoding="utf-8") for file in files})
    for wrong in draft.errors:
        raise BadFile(wrong.file, f"line {wrong.line}" if wrong.line else "", wrong.why)
    assert isinstance(draft.catalog, Catalog), "without an error it was read"
    return replace(draft.catalog, players=social_players() or draft.catalog.players)


def social_players() -> tuple[Player, ...]:
    """The characters of the social environment as players; none where it is not installed."""
    if SOCIAL not in installed():
        return ()
    starter = environment_named(SOCIAL).starter()
    found = msgspec.convert(starter, decodable(KnownCast), from_attributes=True)
    return tuple(map(player_of, found.characters))


def player_of(one: KnownCharacter) -> Player:
    """A character as all at the table know them."""
    known = ", ".join(part for part in (str(one.age), one.occupation, one.pronouns) if part)
    return Player(
        id=one.id,
        name=f"{one.first_name} {one.last_name}".strip(),
        about=f"{known}. {one.public_info}".strip(),
    )
