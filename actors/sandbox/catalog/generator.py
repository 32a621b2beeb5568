"""Generates random towns of any size; the same seed gives the same town.

Houses and public premises stand on lots of one size in rows along streets; people work nearby.
"""

from collections.abc import Sequence
from itertools import product
from math import ceil, sqrt
from random import Random
from typing import Final, NamedTuple

from actors.sandbox.catalog.generated_people import Job, inhabitants
from actors.sandbox.catalog.generated_words import HOUSE, KINDS, STREETS, WAYS, Premises
from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.map.grid import with_digest
from actors.sandbox.map.layers import layer_of
from actors.sandbox.map.town_map import TownMap
from actors.sandbox.setup import Tile

MOST_PEOPLE: Final = 5_000
_WIDTH, _HEIGHT = 8, 7
"""Tiles of a lot, walls included."""
_GAP: Final = 2
"""Tiles of street between two lots."""
_HOUSEHOLD: Final = 4
"""People of a house, at most; two share a bedroom."""
_NEAR: Final = 4
"""One works in one of so many of the nearest premises."""


class Lot(NamedTuple):
    """A place for a building: its upper left tile, and its address in the street."""

    x: int
    y: int
    name: str

    def steps_to(self, other: "Lot") -> int:
        """As the crow walks."""
        return abs(self.x - other.x) + abs(self.y - other.y)


def generated(
    seed: int, people: int, *, id_: str = "", streets: bool = True
) -> tuple[TownMap, tuple[Inhabitant, ...]]:
    """A town for so many people, from 1 to ``MOST_PEOPLE``, and who lives there.

    ``streets``: whether one meets in the streets, too, which then are arenas.
    """
    if not 1 <= people <= MOST_PEOPLE:
        raise ValueError(f"towns are made for 1 to {MOST_PEOPLE:,} people, not for {people:,}")
    chance = Random(f"town {seed} {people}")  # noqa: S311 - a town, no secret
    households = _households(chance, people)
    kinds = [*KINDS, *(chance.choice(KINDS) for _ in range(people // 10 - len(KINDS)))]
    drawing = _Drawing(chance, len(households) + len(kinds), streets=streets)
    lots = drawing.lots()
    chance.shuffle(lots)
    built = [
        (lot, kind, drawing.premises(lot, kind)) for lot, kind in zip(lots, kinds, strict=False)
    ]
    homes, jobs = list[str](), list[Job]()
    for lot, size in zip(lots[len(built) :], households, strict=False):
        bedrooms = drawing.house(lot)
        near = sorted(built, key=lambda one, lot=lot: one[0].steps_to(lot))[:_NEAR]  # type: ignore[misc]
        for number in range(size):
            homes.append(f"{drawing.world}:{bedrooms[number % 2]}")
            _, kind, room = chance.choice(near)
            jobs.append(Job(chance.choice(kind.occupations), f"{drawing.world}:{room}"))
    town = drawing.town(id_ or f"town-{seed}-{people}")
    return town, inhabitants(chance, homes, jobs, households)


def _households(chance: Random, people: int) -> list[int]:
    found, left = list[int](), people
    while left:
        found.append(min(left, chance.randint(1, _HOUSEHOLD)))
        left -= found[-1]
    return found


class _Drawing:
    """A map as it is being drawn: what each tile is called in each layer."""

    def __init__(self, chance: Random, count: int, *, streets: bool) -> None:
        self.chance = chance
        self.across = ceil(sqrt(count * _HEIGHT / _WIDTH))
        self.down = ceil(count / self.across)
        width = self.across * (_WIDTH + _GAP) + _GAP
        height = self.down * (_HEIGHT + _GAP) + _GAP
        self.solid, self.sectors, self.arenas, self.objects, self.spawns = (
            [[""] * width for _ in range(height)] for _ in range(5)
        )
        names = [f"{name} {way}" for way, name in product(WAYS, STREETS)]
        first = chance.randrange(len(STREETS))
        self.names = [names[(first + row) % len(names)] for row in range(self.down)]
        self.world = f"{STREETS[first]}ton"
        for row in range(self.down if streets else 0):
            top = row * (_HEIGHT + _GAP)
            self._room("the streets", self.names[row], (0, top), (width, _HEIGHT + _GAP))

    def lots(self) -> list[Lot]:
        """All of them, row by row."""
        steps = (_WIDTH + _GAP, _HEIGHT + _GAP)
        return [
            Lot(_GAP + x * steps[0], _GAP + y * steps[1], f"{x + 1} {self.names[y]}")
            for y, x in product(range(self.down), range(self.across))
        ]

    def premises(self, lot: Lot, kind: Premises) -> str:
        """Build public premises: two rooms one above the other. The first room's name."""
        sector = f"{kind.name} at {lot.name}"
        first, second = kind.rooms
        if kind.walled:
            self._walls(sector, lot)
        inner = _WIDTH - 2
        back = self._room(sector, second.name, (lot.x + 1, lot.y + 1), (inner, 2))
        front = self._room(sector, first.name, (lot.x + 1, lot.y + 4), (inner, 2))
        if kind.walled:
            self._door(sector, first.name, lot, 6)
            self._door(sector, second.name, lot, 3)
        else:
            self._room(sector, first.name, (lot.x + 1, lot.y + 3), (inner, 1))
        self._furnish(back, second.objects)
        self._furnish(front, first.objects)
        return f"{sector}:{first.name}"

    def house(self, lot: Lot) -> list[str]:
        """Build a house of three rooms. The bedrooms' names."""
        sector = lot.name
        self._walls(sector, lot)
        (common, things), *bedrooms = HOUSE
        front = self._room(sector, common, (lot.x + 1, lot.y + 4), (_WIDTH - 2, 2))
        self._furnish(front, things)
        self._door(sector, common, lot, 6)
        wall = self.chance.choice((3, 4))
        found = []
        for (name, objects), (left, right) in zip(
            bedrooms, ((1, wall), (wall + 1, _WIDTH - 1)), strict=True
        ):
            tiles = self._room(sector, name, (lot.x + left, lot.y + 1), (right - left, 2))
            self._door(sector, name, lot, 3, (left, right))
            for mark, (x, y) in zip(("first", "second"), tiles[-2:], strict=True):
                self.spawns[y][x] = f"{sector}:{name}:{mark}"
            self._furnish(tiles[:-2], objects)
            found.append(f"{sector}:{name}")
        return found

    def town(self, id_: str) -> TownMap:
        return with_digest(
            TownMap(
                id=id_,
                world=self.world,
                width=len(self.solid[0]),
                height=len(self.solid),
                solid=layer_of(self.solid),
                sectors=layer_of(self.sectors),
                arenas=layer_of(self.arenas),
                objects=layer_of(self.objects),
                spawns=layer_of(self.spawns),
            )
        )

    def _room(self, sector: str, name: str, corner: Tile, size: tuple[int, int]) -> list[Tile]:
        """Make a rectangle an arena; its tiles, row by row."""
        (left, top), (width, height) = corner, size
        tiles = [(x, y) for y in range(top, top + height) for x in range(left, left + width)]
        for x, y in tiles:
            self.solid[y][x], self.sectors[y][x] = "", sector
            self.arenas[y][x] = f"{sector}:{name}"
        return tiles

    def _walls(self, sector: str, lot: Lot) -> None:
        for x, y in self._room(sector, "", (lot.x, lot.y), (_WIDTH, _HEIGHT)):
            self.solid[y][x], self.arenas[y][x] = "wall", ""

    def _door(
        self, sector: str, name: str, lot: Lot, row: int, between: tuple[int, int] = (1, _WIDTH - 1)
    ) -> None:
        self._room(sector, name, (lot.x + self.chance.randrange(*between), lot.y + row), (1, 1))

    def _furnish(self, tiles: Sequence[Tile], objects: Sequence[str]) -> None:
        """Put each object onto a tile of its own, as far as there are tiles."""
        places = self.chance.sample(tiles, min(len(tiles), len(objects)))
        for (x, y), name in zip(places, objects, strict=False):
            self.objects[y][x] = name
