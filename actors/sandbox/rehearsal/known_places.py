"""Where things can be done: the places that somebody knows, found by words."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import Final

from rapidfuzz import fuzz, process

from actors.sandbox.rehearsal.language.intents import plain

_PRIVATE: Final = re.compile(
    r"\b(?:house|home|apartment|flat|cottage|dorm|bedroom|bathroom|co-living|cabin|farmhouse)\b"
    r"|['’]s? (?:\w+ )?(?:room|rooms)\b",
    re.IGNORECASE,
)
_OWNED: Final = re.compile(r"['’]s?\b")
_THINGS: Final = frozenset(("bookshel", "fireside", "bench", "reading table", "counter"))
"""Words by which an object is found in any place; others name places alone."""
_NAMELESS: Final = frozenset((" room ", " home ", " house ", " shop ", " store ", " street "))
"""Arenas that are called as others are."""
_ALIKE: Final = 80
"""How alike a sector's name and what it is called are, 0 to 100, at the least."""
_NOT_FOR_GUESTS: Final = (
    "behind", "oven", "kneading", "flour", "sink", "refrigerator", "cooking", "toilet", "weight",
    "blackboard", "podium", "teacher", "bed", "shower", "stove", "till", "cabinet", "parcel",
    "desk", "stage", "piano", "notice", "leaflet", "globe", "tool", "loom", "hive", "lamp",
    "wardrobe",
)  # fmt: skip
"""What of a place is for those who work there, or for nobody to sit at."""


@lru_cache(maxsize=65536)
def wholes(address: str) -> tuple[str, str]:
    """The sector and the arena of an address, as far as it goes: the same strings for all who
    ask."""
    names = address.split(":")
    return intern(":".join(names[:2])), intern(":".join(names[:3]))


@lru_cache(maxsize=65536)
def for_guests(address: str) -> bool:
    """Whether somebody who only drops in would be at it."""
    return not called(address, _NOT_FOR_GUESTS)


@lru_cache(maxsize=65536)
def called(address: str, words: tuple[str, ...]) -> bool:
    """Whether one of some words is in a place's own name."""
    name = address.rpartition(":")[2].lower()
    return any(word in name for word in words)


@lru_cache(maxsize=65536)
def _private(address: str) -> bool:
    """Whether a place looks like somebody's home."""
    return bool(_PRIVATE.search(address))


@lru_cache(maxsize=65536)
def _spoken(address: str) -> str:
    """The name of a place, as it is looked for in what is said."""
    return plain(address.rpartition(":")[2])


def _held(said: str, addresses: Iterable[str]) -> str:
    """The address with the longest name that a plain text holds; empty: none."""
    named = (one for one in addresses if (name := _spoken(one)) in said and name not in _NAMELESS)
    return max(named, key=lambda one: len(_spoken(one)), default="")


def _no_arenas() -> dict[str, list[str]]:
    return defaultdict(list)


class Places:
    """What one character knows of the town. Only ever grows."""

    def __init__(self, name: str, home: str, known: Iterable[str]) -> None:
        self.home, self.home_sector = home, wholes(home)[0]
        self._name = name.lower()
        self._known: set[str] = set()
        self._sectors: dict[str, dict[str, list[str]]] = defaultdict(_no_arenas)
        """By sector its arenas, by arena its objects."""
        self._public: tuple[str, ...] | None = None
        self._found: dict[tuple[str, ...], tuple[str, ...]] = {}
        """By words what is called so; by words with ``home`` before them what of it is there."""
        self._named: dict[str, str] = {}
        self.learn(known)

    def learn(self, addresses: Iterable[str]) -> None:
        """To know more places from now on."""
        fresh = [one for one in dict.fromkeys(addresses) if one not in self._known]
        self._known.update(fresh)
        for address in fresh:
            sector, arena = wholes(address)
            if ":" in address:
                arenas = self._sectors[sector]
                if arena != sector:
                    objects = arenas[arena]
                    if address != arena:
                        objects.append(address)
        if fresh:
            self._public = None
            self._found.clear()
            self._named.clear()

    def knows(self, address: str) -> bool:
        """Whether one can go there."""
        return address in self._known

    def arenas(self, sector: str) -> Sequence[str]:
        """Those of a sector that one knows."""
        return tuple(self._sectors.get(sector, ()))

    def objects(self, arena: str) -> Sequence[str]:
        """Those of an arena that one knows."""
        return self._sectors.get(wholes(arena)[0], {}).get(arena, ())

    def at_home(self, *words: str) -> tuple[str, ...]:
        """Objects of one's home that are called so: of one's own room first; what is called
        somebody else's is theirs."""
        found = self._found.get(("home", *words))
        if found is None:
            objects = [*self.objects(self.home)]
            for arena in self.arenas(self.home_sector):
                name = arena.rpartition(":")[2].lower()
                if arena != self.home and (not _OWNED.search(name) or self._name in name):
                    objects += self.objects(arena)
            found = tuple([one for one in objects if called(one, words)])
            self._found["home", *words] = found
        return found

    def public(self) -> tuple[str, ...]:
        """The arenas that are nobody's home."""
        if self._public is None:
            away = [
                arena
                for sector, arenas in self._sectors.items()
                if sector != self.home_sector and not _private(sector)
                for arena in arenas
            ]
            self._public = tuple([arena for arena in away if not _private(arena)])
        return self._public

    def out(self, *words: str) -> tuple[str, ...]:
        """Objects of places that are nobody's home, where the object or its place is called so;
        arenas that have none."""
        found = self._found.get(words)
        if found is None:
            found = self._found[words] = tuple(self._out(words))
        return found

    def _out(self, words: tuple[str, ...]) -> Iterable[str]:
        things = tuple(word for word in words if word in _THINGS)
        for arena in self.public():
            objects = self.objects(arena)
            if called(arena, words) or called(wholes(arena)[0], words):
                yield from objects or (arena,)
            elif things:
                yield from (one for one in objects if called(one, things))

    def named(self, text: str) -> str:
        """The place that a text names, as exactly as it does: a sector or an arena; empty: none
        that one knows."""
        found = self._named.get(text)
        if found is None:
            found = self._named[text] = self._name_in(text)
        return found

    def _name_in(self, text: str) -> str:
        said = plain(text)
        sector = _held(said, self._sectors)
        if sector:
            return _held(said, self.arenas(sector)) or sector
        names = {one: _spoken(one) for one in self._sectors}
        like = process.extractOne(said, names, scorer=fuzz.token_set_ratio, score_cutoff=_ALIKE)
        arenas = chain.from_iterable(self._sectors.values())
        return _held(said, arenas) or (like[2] if like else "")

    def inside_arena(self, address: str, words: tuple[str, ...]) -> str:
        """The arena of a place with most of what is called so."""
        if address.count(":") > 1:
            return wholes(address)[1]

        def count(arena: str) -> int:
            return sum(called(one, words) for one in self.objects(arena))

        return max(self.arenas(address), key=count, default=address)

    def inside(self, address: str, lot: int) -> str:
        """Something to be at there: one of the objects of a place, or the place itself. Those who
        come together at a place do so in its first room, wherever in it they sit."""
        if address.count(":") > 2:
            return address
        rooms = [one for one in self.arenas(address) if not _private(one)] or self.arenas(address)
        arena = address if address.count(":") == 2 else next(iter(rooms), address)
        objects = self.objects(arena)
        objects = [one for one in objects if for_guests(one)] or objects
        return objects[lot % len(objects)] if objects else arena
