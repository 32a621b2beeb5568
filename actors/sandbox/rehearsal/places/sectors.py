"""Sectors of a town, as they are known: those who live in a large town know as much of most of
them, and share it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from sys import intern
from typing import Final

_PRIVATE: Final = re.compile(
    r"\b(?:house|home|apartment|flat|cottage|dorm|bedroom|bathroom|co-living|cabin|farmhouse)\b"
    r"|['’]s? (?:\w+ )?(?:room|rooms)\b",
    re.IGNORECASE,
)
_THINGS: Final = frozenset(("bookshel", "fireside", "bench", "reading table", "counter"))
"""Words by which an object is found in any place; others name places alone."""
_MOST_SECTORS: Final = 16384
"""Of which it is kept what is called by the same words."""


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
def sector_of(address: str) -> str:
    """That of an address; empty for the town's own."""
    return wholes(address)[0] if ":" in address else ""


@lru_cache(maxsize=4096)
def arenas_of(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The arenas of some addresses, in the order of their names."""
    return tuple(sorted({wholes(one)[1] for one in addresses}))


@lru_cache(maxsize=16384)
def called(address: str, words: tuple[str, ...]) -> bool:
    """Whether one of some words is in a place's name."""
    name = address.rpartition(":")[2].lower()
    return any(word in name for word in words)


class Sector:
    """What somebody knows of a sector: one for all who know the same of it, since those who live in
    a large town know as much of most places."""

    __slots__ = ("addresses", "arenas", "known", "name", "private", "rooms")

    def __init__(self, name: str, addresses: tuple[str, ...]) -> None:
        self.name, self.addresses = name, tuple(dict.fromkeys(addresses))
        self.known = frozenset(addresses)
        self.private = private(name)
        arenas: dict[str, list[str]] = {}
        for address in self.addresses:
            level = len(parts(address))
            if level > 2:
                objects = arenas.setdefault(wholes(address)[1], [])
                if level > 3:
                    objects.append(address)
        self.arenas = {arena: tuple(objects) for arena, objects in arenas.items()}
        """By arena its objects; an arena without known objects has none."""
        self.rooms = tuple(self.arenas)
        """Its arenas."""

    def out(self, words: tuple[str, ...]) -> Iterable[str]:
        """As ``Places.out``, of this sector."""
        things = tuple(word for word in words if word in _THINGS)
        for arena, objects in self.arenas.items():
            if private(arena):
                continue
            if called(arena, words) or called(self.name, words):
                yield from objects or (arena,)
            else:
                yield from (address for address in objects if called(address, things))


@lru_cache(maxsize=16384)
def sector_known(name: str, addresses: tuple[str, ...]) -> Sector:
    """What somebody knows who knows these places of a sector, in this order."""
    return Sector(name, addresses)


_latest: Final[dict[str, tuple[str, ...]]] = {}
"""By sector the places that somebody learned of together last."""


def by_sector(addresses: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Those that follow each other in one sector, and which it is. Most who live in a town learn of
    the same places together: their names are looked at once for all."""
    begin = 0
    while begin < len(addresses):
        sector = sector_of(addresses[begin])
        latest = _latest.get(sector, ())
        end = begin + len(latest)
        if (
            not latest
            or addresses[begin:end] != latest
            or (end < len(addresses) and sector_of(addresses[end]) == sector)
        ):
            end = begin + 1
            while end < len(addresses) and sector_of(addresses[end]) == sector:
                end += 1
            if len(_latest) >= _MOST_SECTORS:
                _latest.clear()
            latest = _latest[sector] = addresses[begin:end]
        yield sector, latest
        begin = end


class _Called(dict[Sector, tuple[str, ...]]):
    """What is called by some words, by sector: found by a plain look-up, for whoever learns a place
    looks through all sectors again."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words

    def __missing__(self, sector: Sector) -> tuple[str, ...]:
        if len(self) >= _MOST_SECTORS:
            self.clear()
        found = self[sector] = tuple(sector.out(self._words))
        return found


@lru_cache(maxsize=256)
def _called(words: tuple[str, ...]) -> _Called:
    return _Called(words)


class PublicPlaces:
    """Sectors that are nobody's home: one for all who know the same of them."""

    __slots__ = ("_found", "_sectors")

    def __init__(self, sectors: tuple[Sector, ...]) -> None:
        self._sectors = sectors
        self._found: dict[tuple[str, ...], tuple[str, ...]] = {}

    @property
    def arenas(self) -> tuple[str, ...]:
        """All of them but those that look like homes."""
        return tuple(
            arena for sector in self._sectors for arena in sector.arenas if not private(arena)
        )

    def out(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """As ``Places.out``."""
        found = self._found.get(words)
        if found is None:
            all_ = chain.from_iterable(map(_called(words).__getitem__, self._sectors))
            found = self._found[words] = tuple(all_)
        return found


@lru_cache(maxsize=256)
def public_places(sectors: tuple[Sector, ...]) -> PublicPlaces:
    """All of some sectors."""
    return PublicPlaces(sectors)


@lru_cache(maxsize=16384)
def kept(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The same tuple for all who know the same."""
    return addresses
