"""Where things can be done: the places that somebody knows, found by words."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import Final

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
_PRIVATE: Final = re.compile(
    r"\b(?:house|home|apartment|flat|cottage|dorm|bedroom|bathroom|co-living|cabin|farmhouse)\b"
    r"|['’]s? (?:\w+ )?(?:room|rooms)\b",
    re.IGNORECASE,
)
_OWNED: Final = re.compile(r"['’]s?\b")
_THINGS: Final = frozenset(("bookshel", "fireside", "bench", "reading table", "counter"))
"""Words by which an object is found in any place; others name places alone."""
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
def parts(address: str) -> tuple[str, ...]:
    """World, sector, arena, object, as far as it goes."""
    return tuple(address.split(":"))


@lru_cache(maxsize=65536)
def wholes(address: str) -> tuple[str, str]:
    """The sector and the arena of an address: the same strings for all who ask."""
    names = parts(address)
    return intern(":".join(names[:2])), intern(":".join(names[:3]))


@lru_cache(maxsize=65536)
def private(address: str) -> bool:
    """Whether a place looks like somebody's home."""
    return bool(_PRIVATE.search(address))


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(text))


class Places:
    """What one character knows of the town. Only ever grows."""

    def __init__(self, name: str, home: str, known: Iterable[str]) -> None:
        self.name, self.home = name, home
        self.home_sector = ":".join(parts(home)[:2])
        self.arenas: dict[str, list[str]] = {}
        """By arena its objects; an arena without known objects has none."""
        self.sectors: dict[str, list[str]] = {}
        """By sector its arenas."""
        self._known: set[str] = set()
        self._found: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._named: dict[str, str] = {}
        self.learn(known)

    def learn(self, addresses: Iterable[str]) -> None:
        """To know more places from now on."""
        fresh = False
        for address in addresses:
            if address in self._known:
                continue
            fresh = True
            self._known.add(address)
            names = parts(address)
            if len(names) < 2:
                continue
            sector, arena = wholes(address)
            arenas = self.sectors.setdefault(sector, [])
            if len(names) < 3:
                continue
            objects = self.arenas.get(arena)
            if objects is None:
                objects = self.arenas[arena] = []
                arenas.append(arena)
            if len(names) > 3:
                objects.append(address)
        if fresh:
            self._found.clear()
            self._named.clear()

    def knows(self, address: str) -> bool:
        """Whether one can go there."""
        return address in self._known

    def at_home(self, *words: str) -> tuple[str, ...]:
        """Objects of one's home that are called so: of one's own room first."""
        key = ("home", *words)
        found = self._found.get(key)
        if found is None:
            mine = self.name.lower()
            arenas = [self.home]
            for arena in self.sectors.get(self.home_sector, ()):
                name = arena.rpartition(":")[2].lower()
                # What is called somebody's is theirs.
                if arena != self.home and (not _OWNED.search(name) or mine in name):
                    arenas.append(arena)
            found = self._found[key] = tuple(
                address
                for arena in arenas
                for address in self.arenas.get(arena, ())
                if _called(address, words)
            )
        return found

    def out(self, *words: str) -> tuple[str, ...]:
        """Objects of places that are nobody's home, where the object or its place is called so;
        arenas that have none."""
        key = ("out", *words)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = tuple(self._out(words))
        return found

    def _out(self, words: Sequence[str]) -> Iterable[str]:
        for sector, arenas in self.sectors.items():
            if sector == self.home_sector or private(sector):
                continue
            for arena in arenas:
                if private(arena):
                    continue
                objects = self.arenas[arena]
                if _called(arena, words) or _called(sector, words):
                    yield from objects or (arena,)
                else:
                    things = tuple(word for word in words if word in _THINGS)
                    yield from (address for address in objects if _called(address, things))

    def public(self) -> tuple[str, ...]:
        """The arenas that are nobody's home."""
        found = self._found.get(("public",))
        if found is None:
            found = self._found[("public",)] = tuple(
                arena
                for sector, arenas in self.sectors.items()
                if sector != self.home_sector and not private(sector)
                for arena in arenas
                if not private(arena)
            )
        return found

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
        for sector in self.sectors:
            name = sector.partition(":")[2].lower().replace("’", "'")
            if len(name) > length and name in lowered:
                best, length = sector, len(name)
        best = best or self._like(text)
        if not best:
            return self._arena_named(lowered, self.arenas)
        return self._arena_named(lowered, self.sectors[best]) or best

    def _arena_named(self, lowered: str, arenas: Iterable[str]) -> str:
        best, length = "", 3
        for arena in arenas:
            name = arena.rpartition(":")[2].lower().replace("’", "'")
            if len(name) > length and name not in _PLAIN and _holds(lowered, name):
                best, length = arena, len(name)
        return best

    def _like(self, text: str) -> str:
        """A sector with which a text shares a name: ``Hobbs Coffee`` is ``Hobbs Cafe``."""
        named = {
            word.lower().replace("’", "'") for word in re.findall(r"\b[A-Z][\w'’]+", text)
        } - _PLAIN
        best, most = "", 0
        for sector in self.sectors:
            words = words_of(sector.partition(":")[2])
            shared = sum(word in named for word in words if word not in _PLAIN)
            if shared > most and words and (words[0] in named or (words[0] == "the" and shared)):
                best, most = sector, shared
        return best

    def inside_arena(self, address: str, words: Sequence[str]) -> str:
        """The arena of a place with most of what is called so."""
        if len(parts(address)) >= 3:
            return ":".join(parts(address)[:3])
        arenas = self.sectors.get(address, [])

        def count(arena: str) -> int:
            return sum(_called(one, tuple(words)) for one in self.arenas[arena])

        return max(arenas, key=count, default=address)

    def inside(self, address: str, lot: int) -> str:
        """Something to be at there: one of the objects of a place, or the place itself."""
        names = parts(address)
        if len(names) >= 4:
            return address
        if len(names) == 3:
            objects = self.arenas.get(address, ())
            objects = [one for one in objects if for_guests(one)] or objects
            return objects[lot % len(objects)] if objects else address
        arenas = self.sectors.get(address, ())
        if not arenas:
            return address
        rooms = [arena for arena in arenas if not private(arena)] or arenas
        # Who comes together at a place does so in its first room, wherever in it one sits.
        return self.inside(rooms[0], lot)


def _holds(text: str, name: str) -> bool:
    """Whether a text holds a name, and not only as a part of a word."""
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None


@lru_cache(maxsize=65536)
def _called(address: str, words: tuple[str, ...]) -> bool:
    name = address.rpartition(":")[2].lower()
    return any(word in name for word in words)
