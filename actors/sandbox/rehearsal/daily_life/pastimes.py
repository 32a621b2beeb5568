"""What people of the town do, as its data files say it."""

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

_HERE: Final = Path(__file__).parent


class PastimeDeed(NamedTuple):
    """Something to do."""

    text: str
    emoji: str


class Pastime(NamedTuple):
    """What is done at places of a kind."""

    where: tuple[str, ...]
    """Words of the places."""
    do: tuple[PastimeDeed, ...]


class Occupation(NamedTuple):
    """What somebody works."""

    name: str
    names: tuple[str, ...]
    """How it is called."""
    where: tuple[str, ...]
    """Words of the workplace; empty: at home."""
    at: tuple[str, ...]
    """Words of what one works at there."""
    start: int
    """Minutes after midnight."""
    end: int
    do: tuple[PastimeDeed, ...]
    says: tuple[str, ...]
    """What comes up in a talk."""


@cache
def pastimes() -> dict[str, Pastime]:
    """By kind: ``home.wash``, ``out.coffee``, ``event.party``."""
    data = tomllib.loads((_HERE / "pastimes.toml").read_text(encoding="utf-8"))
    return {
        f"{area}.{kind}": Pastime(tuple(one.get("where") or one["words"]), _deeds(one["do"]))
        for area, kinds in data.items()
        for kind, one in kinds.items()
    }


@cache
def occupations() -> tuple[Occupation, ...]:
    """All there are; the last is nobody's in particular."""
    data = tomllib.loads((_HERE / "occupations.toml").read_text(encoding="utf-8"))
    return tuple(
        Occupation(
            name,
            tuple(one["names"]),
            tuple(one["where"]),
            tuple(one["at"]),
            one["hours"][0] * 60,
            one["hours"][1] * 60,
            _deeds(one["do"]),
            tuple(one["says"]),
        )
        for name, one in data.items()
    )


@cache
def _begins(name: str) -> re.Pattern[str]:
    """Where a word begins as an occupation is called."""
    return re.compile(rf"\b{re.escape(name)}")


@lru_cache(maxsize=4096)
def occupation_of(said: str, described: str) -> Occupation:
    """What somebody works: by what it is called, else the first that a description names."""
    for text in (said, described):
        lowered = text.lower()
        found = min(
            (
                (at.start(), -len(name), index)
                for index, one in enumerate(occupations())
                for name in one.names
                if (at := _begins(name).search(lowered))
            ),
            default=None,
        )
        if found is not None:
            return occupations()[found[2]]
    return occupations()[-1]


@lru_cache(maxsize=4096)
def event_deeds(what: str) -> tuple[PastimeDeed, ...]:
    """What one does at an event, ``wine party``."""
    lowered = what.lower()
    kinds = pastimes()
    kind = next(
        (
            one
            for name, one in kinds.items()
            if name.startswith("event.") and any(word in lowered for word in one.where)
        ),
        kinds["event.any"],
    )
    return tuple(PastimeDeed(deed.text.replace("{what}", what), deed.emoji) for deed in kind.do)


def _deeds(lines: list[str]) -> tuple[PastimeDeed, ...]:
    deeds = []
    for line in lines:
        emoji, _, text = line.partition(" ")
        deeds.append(PastimeDeed(text, emoji))
    return tuple(deeds)
