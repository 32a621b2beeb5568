"""Where things can be done: the places that somebody knows, found by words."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final, NamedTuple

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
def private(address: str) -> bool:
    """Whether a place looks like somebody's home."""
    return bool(_PRIVATE.search(address))


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(text))


class Places:
    """What one character knows of the town. Only ever grows."""

    def __init__(self, name: str, home: str, known: Sequence[str]) -> None:
        self.name, self.home = name, home
        self.home_sector = ":".join(parts(home)[:2])
        self._known: set[str] = set()
        self._arenas: dict[str, list[str]] = {}
        """By arena its objects; an arena without known objects has none. Of what is not in
        ``_town``."""
        self._sectors: dict[str, list[str]] = {}
        """By sector its arenas; of what is not in ``_town``."""
        self._found: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._named: dict[str, str] = {}
        before, own, after = _apart(tuple(dict.fromkeys(known)), self.home_sector)
        self._town = town_of(before + after)
        """What others know as well."""
        self._after = self._town.first[len(before)]
        """How many of its sectors and arenas come before one's home."""
        self.learn(own)
        self._at_first = len(self._sectors), len(self._arenas)
        """How many of one's own stand there, between those; others come last."""

    def learn(self, addresses: Sequence[str]) -> None:
        """To know more places from now on."""
        fresh = [one for one in dict.fromkeys(addresses) if not self.knows(one)]
        if not fresh:
            return
        if any(":".join(parts(one)[:2]) in self._town.sectors for one in fresh):
            self._keep_apart()
        for address in fresh:
            self._known.add(address)
            _add(address, self._sectors, self._arenas)
        self._found.clear()
        self._named.clear()

    def _keep_apart(self) -> None:
        """Share nothing with others from now on."""
        sectors = {sector: list(self.arenas_of(sector)) for sector in self._all_sectors()}
        arenas = {arena: list(self.objects_of(arena)) for arena in self._all_arenas()}
        self._known |= self._town.known
        self._sectors, self._arenas = sectors, arenas
        self._town, self._after, self._at_first = town_of(()), (0, 0), (0, 0)

    def arenas_of(self, sector: str) -> Sequence[str]:
        """Those that one knows of a sector."""
        found = self._sectors.get(sector)
        return self._town.sectors.get(sector, ()) if found is None else found

    def objects_of(self, arena: str) -> Sequence[str]:
        """Those that one knows of an arena."""
        found = self._arenas.get(arena)
        return self._town.arenas.get(arena, ()) if found is None else found

    def _all_sectors(self) -> Iterator[str]:
        """In the order in which one came to know them."""
        return _between(self._town.sectors, self._after[0], self._sectors, self._at_first[0])

    def _all_arenas(self) -> Iterator[str]:
        """In the order in which one came to know them."""
        return _between(self._town.arenas, self._after[1], self._arenas, self._at_first[1])

    def knows(self, address: str) -> bool:
        """Whether one can go there."""
        return address in self._town.known or address in self._known

    def at_home(self, *words: str) -> tuple[str, ...]:
        """Objects of one's home that are called so: of one's own room first."""
        key = ("home", *words)
        found = self._found.get(key)
        if found is None:
            mine = self.name.lower()
            arenas = [self.home]
            for arena in self.arenas_of(self.home_sector):
                name = arena.rpartition(":")[2].lower()
                # What is called somebody's is theirs.
                if arena != self.home and (not _OWNED.search(name) or mine in name):
                    arenas.append(arena)
            found = self._found[key] = tuple(
                address
                for arena in arenas
                for address in self.objects_of(arena)
                if _called(address, words)
            )
        return found

    def out(self, *words: str) -> tuple[str, ...]:
        """Objects of places that are nobody's home, where the object or its place is called so;
        arenas that have none."""
        return self._with_own(("out", *words), lambda places: tuple(places.out(words)))

    def public(self) -> tuple[str, ...]:
        """The arenas that are nobody's home."""
        return self._with_own(("public",), lambda places: tuple(places.public()))

    def _with_own(
        self, key: tuple[str, ...], find: Callable[["Shown"], tuple[str, ...]]
    ) -> tuple[str, ...]:
        """What is found in places that are nobody's home."""
        found = self._found.get(key)
        if found is None:
            others = self._town.found.get(key)
            if others is None:
                others = self._town.found[key] = find(Shown(self._town.sectors, self._town.arenas))
            own = find(Shown(self._sectors, self._arenas, self.home_sector))
            found = self._found[key] = others + own if own else others
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
        for sector in self._all_sectors():
            name = _plain_name(sector.partition(":")[2])
            if len(name) > length and name in lowered:
                best, length = sector, len(name)
        best = best or self._like(text)
        if not best:
            return self._arena_named(lowered, self._all_arenas())
        return self._arena_named(lowered, self.arenas_of(best)) or best

    def _arena_named(self, lowered: str, arenas: Iterable[str]) -> str:
        best, length = "", 3
        for arena in arenas:
            name = _plain_name(arena.rpartition(":")[2])
            if len(name) > length and name not in _PLAIN and _holds(lowered, name):
                best, length = arena, len(name)
        return best

    def _like(self, text: str) -> str:
        """A sector with which a text shares a name: ``Hobbs Coffee`` is ``Hobbs Cafe``."""
        named = {
            word.lower().replace("’", "'") for word in re.findall(r"\b[A-Z][\w'’]+", text)
        } - _PLAIN
        best, most = "", 0
        for sector in self._all_sectors():
            words = words_of(sector.partition(":")[2])
            shared = sum(word in named for word in words if word not in _PLAIN)
            if shared > most and words and (words[0] in named or (words[0] == "the" and shared)):
                best, most = sector, shared
        return best

    def inside_arena(self, address: str, words: Sequence[str]) -> str:
        """The arena of a place with most of what is called so."""
        if len(parts(address)) >= 3:
            return ":".join(parts(address)[:3])
        arenas = self.arenas_of(address)

        def count(arena: str) -> int:
            return sum(_called(one, tuple(words)) for one in self.objects_of(arena))

        return max(arenas, key=count, default=address)

    def inside(self, address: str, lot: int) -> str:
        """Something to be at there: one of the objects of a place, or the place itself."""
        names = parts(address)
        if len(names) >= 4:
            return address
        if len(names) == 3:
            objects = self.objects_of(address)
            objects = [one for one in objects if for_guests(one)] or objects
            return objects[lot % len(objects)] if objects else address
        arenas = self.arenas_of(address)
        if not arenas:
            return address
        rooms = [arena for arena in arenas if not private(arena)] or arenas
        # Who comes together at a place does so in its first room, wherever in it one sits.
        return self.inside(rooms[0], lot)


class Town(NamedTuple):
    """Places that several people know."""

    sectors: dict[str, list[str]]
    """By sector its arenas."""
    arenas: dict[str, list[str]]
    """By arena its objects."""
    known: frozenset[str]
    first: tuple[tuple[int, int], ...]
    """How many sectors and arenas so many of the addresses name."""
    found: dict[tuple[str, ...], tuple[str, ...]]
    """What was looked for there before."""


@lru_cache(maxsize=64)
def town_of(known: tuple[str, ...]) -> Town:
    """The places of some addresses; the same for the same addresses."""
    sectors: dict[str, list[str]] = {}
    arenas: dict[str, list[str]] = {}
    first = [(0, 0)]
    for address in known:
        _add(address, sectors, arenas)
        first.append((len(sectors), len(arenas)))
    return Town(sectors, arenas, frozenset(known), tuple(first), {})


def _add(address: str, sectors: dict[str, list[str]], arenas: dict[str, list[str]]) -> None:
    names = parts(address)
    if len(names) < 2:
        return
    known = sectors.setdefault(":".join(names[:2]), [])
    if len(names) < 3:
        return
    arena = ":".join(names[:3])
    objects = arenas.get(arena)
    if objects is None:
        objects = arenas[arena] = []
        known.append(arena)
    if len(names) > 3:
        objects.append(address)


class Shown(NamedTuple):
    """Sectors and arenas in which something is looked for."""

    sectors: dict[str, list[str]]
    arenas: dict[str, list[str]]
    home: str = ""
    """The sector in which nothing is."""

    def public(self) -> Iterator[str]:
        """The arenas that are nobody's home."""
        for sector, arenas in self.sectors.items():
            if sector != self.home and not private(sector):
                yield from (arena for arena in arenas if not private(arena))

    def out(self, words: tuple[str, ...]) -> Iterator[str]:
        """Objects of these where the object or its place is called so; arenas that have none."""
        things = tuple(word for word in words if word in _THINGS)
        for arena in self.public():
            objects = self.arenas[arena]
            if _called(arena, words) or _called(arena.rpartition(":")[0], words):
                yield from objects or (arena,)
            elif things:
                yield from (address for address in objects if _called(address, things))


def _apart(
    known: tuple[str, ...], sector: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What comes before a sector's addresses, these, and what comes after them; where they do not
    stand together, all are taken for such."""
    inside = [place for place, one in enumerate(known) if _is_in(one, sector)]
    if not inside:
        return known, (), ()
    begin, end = inside[0], inside[-1] + 1
    if end - begin != len(inside):
        return (), known, ()
    return known[:begin], known[begin:end], known[end:]


def _is_in(address: str, sector: str) -> bool:
    return address.startswith(sector) and (address == sector or address[len(sector)] == ":")


def _between(others: Iterable[str], after: int, own: Iterable[str], at_first: int) -> Iterator[str]:
    """Others, with the first of one's own after some of them and the rest last."""
    rest, mine = iter(others), iter(own)
    return chain(islice(rest, after), islice(mine, at_first), rest, mine)


@lru_cache(maxsize=65536)
def _plain_name(name: str) -> str:
    return name.lower().replace("’", "'")


def _holds(text: str, name: str) -> bool:
    """Whether a text holds a name, and not only as a part of a word."""
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None


@lru_cache(maxsize=65536)
def _called(address: str, words: tuple[str, ...]) -> bool:
    name = address.rpartition(":")[2].lower()
    return any(word in name for word in words)
