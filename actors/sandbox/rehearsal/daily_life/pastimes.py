"""What people of the town do, as its data files say it."""

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from actors.sandbox.rehearsal.language.intents import plain
from events.base import Value
from events.serialization.struct_types import decodable

_HERE: Final = Path(__file__).parent


class PastimeDeed(NamedTuple):
    text: str
    emoji: str


class Pastime(Value, frozen=True, kw_only=True):
    """What is done at places of a kind, or at events."""

    where: tuple[str, ...] = ()
    """Words of the places."""
    words: tuple[str, ...] = ()
    """Words of the events."""
    do: tuple[str, ...]
    """Each with its sign before it."""


class Occupation(Value, frozen=True, kw_only=True):
    """What somebody works."""

    names: tuple[str, ...]
    """How it is called."""
    where: tuple[str, ...]
    """Words of the workplace; empty: at home."""
    at: tuple[str, ...]
    """Words of what one works at there."""
    hours: tuple[int, int]
    """From which to which."""
    do: tuple[str, ...]
    """Each with its sign before it."""
    says: tuple[str, ...]
    """What comes up in a talk."""


@lru_cache(maxsize=4096)
def deed(line: str) -> PastimeDeed:
    """What a line of the files says to do."""
    emoji, _, text = line.partition(" ")
    return PastimeDeed(text, emoji)


@cache
def pastimes() -> dict[str, Pastime]:
    """By kind: ``home.wash``, ``out.coffee``, ``event.party``."""
    data = tomllib.loads((_HERE / "pastimes.toml").read_text(encoding="utf-8"))
    areas = msgspec.convert(data, decodable(dict[str, dict[str, Pastime]]))
    return {f"{area}.{kind}": one for area, kinds in areas.items() for kind, one in kinds.items()}


@cache
def occupations() -> tuple[Occupation, ...]:
    """All there are; the last is nobody's in particular."""
    data = tomllib.loads((_HERE / "occupations.toml").read_text(encoding="utf-8"))
    return tuple(msgspec.convert(data, decodable(dict[str, Occupation])).values())


@lru_cache(maxsize=4096)
def occupation_of(said: str, described: str) -> Occupation:
    """What somebody works: by what it is called, else the first that a description names."""
    for text in map(plain, (said, described)):
        named = (
            (text.find(f" {name}"), -len(name), index)
            for index, one in enumerate(occupations())
            for name in one.names
        )
        found = min((one for one in named if one[0] >= 0), default=None)
        if found is not None:
            return occupations()[found[2]]
    return occupations()[-1]


@lru_cache(maxsize=4096)
def event_deeds(what: str) -> tuple[PastimeDeed, ...]:
    """What one does at an event, ``wine party``."""
    kinds = [one for name, one in pastimes().items() if name.startswith("event.")]
    fit = (one for one in kinds if any(word in what.lower() for word in one.words))
    kind = next(fit, kinds[-1])
    return tuple(deed(line.replace("{what}", what)) for line in kind.do)
