"""Where things can be done: the places that somebody knows, found by words."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from actors.sandbox.rehearsal.places.sectors import (
    PublicPlaces,
    Sector,
    by_sector,
    called,
    kept,
    parts,
    private,
    public_places,
    sector_known,
    sector_of,
)

_WORD: Final = re.compile(r"[a-zà-ÿ0-9]+(?:['’][a-zà-ÿ]+)?", re.IGNORECASE)
_PLAIN: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "and",
        "at",
        "in",
        "to",
        "for",
        "my",
        "our",
        "your",
        "on",
        "house",
        "home",
        "room",
        "family",
        "store",
        "shop",
        "main",
        "old",
        "new",
        "apartment",
        "street",
        "lane",
        "common",
    ]
)
"""Words that tell no place from another."""
_OWNED: Final = re.compile(r"['’]s?\b")
_NOT_FOR_GUESTS: Final = (
    "behind", "oven", "kneading", "flour", "sink", "refrigerator", "cooking", "toilet", "weight",
    "blackboard", "podium", "teacher", "bed", "shower", "stove", "till", "cabinet", "parcel",
    "desk", "stage", "piano", "notice", "leaflet", "globe", "tool", "loom", "hive", "lamp",
    "wardrobe",
)  # fmt: skip
"""What of a place is for those who work there, or for nobody to sit at."""


@lru_cache(maxsize=65536)
def for_guests(address: str) -> bool:
    """Whether somebody who only drops in would be at it."""
    name = address.rpartition(":")[2].lower()
    return not any(word in name for word in _NOT_FOR_GUESTS)


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(text))


class Places:
    """What one character knows of the town. Only ever grows."""

    def __init__(self, name: str, home: str, known: Iterable[str]) -> None:
        self.name, self.home = name, home
        self.home_sector = ":".join(parts(home)[:2])
        self._sectors: dict[str, Sector] = {}
        self._worlds: set[str] = set()
        self._arenas: list[tuple[str, ...]] = []
        """All arenas, in the order in which they came to be known."""
        self._public_known: PublicPlaces | None = None
        self._found: dict[tuple[str, ...], tuple[str, ...]] = {}
        """Of what is at home."""
        self._named: dict[str, str] = {}
        self.learn(known)

    def learn(self, addresses: Iterable[str]) -> None:
        """To know more places from now on."""
        fresh = False
        for sector, some in by_sector(tuple(addresses)):
            if not sector:
                fresh = True
                self._worlds.update(some)
                continue
            known = self._sectors.get(sector)
            new = some if known is None else tuple([one for one in some if one not in known.known])
            if new:
                fresh = True
                self._extend(sector, known, new)
        if fresh:
            self._public_known = None
            self._found.clear()
            self._named.clear()

    def _extend(self, sector: str, known: Sector | None, new: tuple[str, ...]) -> None:
        if known is None:
            now = self._sectors[sector] = sector_known(sector, new)
            arenas = now.rooms
        else:
            now = self._sectors[sector] = sector_known(sector, (*known.addresses, *new))
            arenas = kept(now.rooms[len(known.rooms) :])
        if arenas:
            self._arenas.append(arenas)

    def knows(self, address: str) -> bool:
        """Whether one can go there."""
        sector = self._sectors.get(sector_of(address))
        return address in (self._worlds if sector is None else sector.known)

    def arenas(self, sector: str) -> Sequence[str]:
        """Those of a sector that one knows."""
        known = self._sectors.get(sector)
        return () if known is None else known.rooms

    def objects(self, arena: str) -> Sequence[str]:
        """Those of an arena that one knows."""
        known = self._sectors.get(sector_of(arena))
        return () if known is None else known.arenas.get(arena, ())

    def at_home(self, *words: str) -> tuple[str, ...]:
        """Objects of one's home that are called so: of one's own room first."""
        found = self._found.get(words)
        if found is None:
            mine = self.name.lower()
            arenas = [self.home]
            for arena in self.arenas(self.home_sector):
                name = arena.rpartition(":")[2].lower()
                # What is called somebody's is theirs.
                if arena != self.home and (not _OWNED.search(name) or mine in name):
                    arenas.append(arena)
            found = self._found[words] = tuple(
                address
                for arena in arenas
                for address in self.objects(arena)
                if called(address, words)
            )
        return found

    def out(self, *words: str) -> tuple[str, ...]:
        """Objects of places that are nobody's home, where the object or its place is called so;
        arenas that have none."""
        return self._public().out(words)

    def public(self) -> tuple[str, ...]:
        """The arenas that are nobody's home."""
        return self._public().arenas

    def _public(self) -> PublicPlaces:
        if self._public_known is None:
            home = self.home_sector
            sectors = self._sectors.values()
            self._public_known = public_places(
                tuple([one for one in sectors if not one.private and one.name != home])
            )
        return self._public_known

    def named(self, text: str) -> str:
        """The place that a text names, as exactly as it does: a sector or an arena; empty: none
        that one knows."""
        found = self._named.get(text)
        if found is None:
            found = self._named[text] = self._name_in(text)
        return found

    def _name_in(self, text: str) -> str:
        lowered = text.lower().replace("’", "'")
        best, length = "", 0
        for sector in self._sectors:
            name = _called_in_talks(sector)
            if len(name) > length and name in lowered:
                best, length = sector, len(name)
        best = best or self._like(text)
        if not best:
            return self._arena_named(lowered, chain.from_iterable(self._arenas))
        return self._arena_named(lowered, self.arenas(best)) or best

    def _arena_named(self, lowered: str, arenas: Iterable[str]) -> str:
        best, length = "", 3
        for arena in arenas:
            name = _called_in_talks(arena)
            if len(name) > length and name not in _PLAIN and _holds(lowered, name):
                best, length = arena, len(name)
        return best

    def _like(self, text: str) -> str:
        """A sector with which a text shares a name: ``Hobbs Coffee`` is ``Hobbs Cafe``."""
        named = {
            word.lower().replace("’", "'") for word in re.findall(r"\b[A-Z][\w'’]+", text)
        } - _PLAIN
        best, most = "", 0
        for sector in self._sectors:
            words = words_of(sector.partition(":")[2])
            shared = sum(word in named for word in words if word not in _PLAIN)
            if shared > most and words and (words[0] in named or (words[0] == "the" and shared)):
                best, most = sector, shared
        return best

    def inside_arena(self, address: str, words: Sequence[str]) -> str:
        """The arena of a place with most of what is called so."""
        if len(parts(address)) >= 3:
            return ":".join(parts(address)[:3])

        def count(arena: str) -> int:
            return sum(called(one, tuple(words)) for one in self.objects(arena))

        return max(self.arenas(address), key=count, default=address)

    def inside(self, address: str, lot: int) -> str:
        """Something to be at there: one of the objects of a place, or the place itself."""
        names = parts(address)
        if len(names) >= 4:
            return address
        if len(names) == 3:
            objects = self.objects(address)
            objects = [one for one in objects if for_guests(one)] or objects
            return objects[lot % len(objects)] if objects else address
        arenas = self.arenas(address)
        if not arenas:
            return address
        rooms = [arena for arena in arenas if not private(arena)] or arenas
        # Who comes together at a place does so in its first room, wherever in it one sits.
        return self.inside(rooms[0], lot)


@lru_cache(maxsize=65536)
def _called_in_talks(address: str) -> str:
    """The name of a place, as it is looked for in what is said."""
    return address.rpartition(":")[2].lower().replace("’", "'")


def _holds(text: str, name: str) -> bool:
    """Whether a text holds a name, and not only as a part of a word."""
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None
