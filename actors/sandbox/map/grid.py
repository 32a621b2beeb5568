"""What rules need of a town's map, worked out once a map: addresses, where one can stand, what is
seen from where, and ways.

A tile is (column, row) from the upper left; arrays are ``[row, column]``.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.layers import tiles_of
from actors.sandbox.map.paths import Paths, parts_of
from actors.sandbox.map.town_map import TownMap
from actors.sandbox.setup import Tile
from events.base import replace

NONE: Final = -1
MOST_PLACES: Final = 32_000
"""Of a town: their ids are kept in 16 bits."""
_MOST_GRIDS: Final = 16
_grids: OrderedDict[str, "Grid"] = OrderedDict()


def town_digest(town: TownMap) -> str:
    """The fingerprint of all of a map but its fingerprint: 32 hexadecimal digits."""
    plain = msgspec.msgpack.encode(replace(town, digest=""))
    return blake2b(plain, digest_size=16).hexdigest()


def with_digest(town: TownMap) -> TownMap:
    """The map with its fingerprint."""
    same: TownMap = replace(town, digest=town_digest(town))
    return same


def grid_of(town: TownMap) -> "Grid":
    """The map's grid. Kept by fingerprint: a map that has its ``digest`` is found at once.

    Raises ``ValueError`` where the map's layers do not fit its size or it has too many places;
    ``map_faults`` says all that may be wrong with one, and where.
    """
    digest = town.digest or town_digest(town)
    grid = _grids.get(digest)
    if grid is None:
        grid = _grids[digest] = Grid(town)
        if len(_grids) > _MOST_GRIDS:
            _grids.popitem(last=False)
    _grids.move_to_end(digest)
    return grid


class Grid:
    """A town's tiles as arrays. Nothing of it changes but what it keeps to be faster."""

    def __init__(self, town: TownMap) -> None:
        self.town = town
        self.width, self.height = town.width, town.height
        size = (town.width, town.height)
        self.free: NDArray[np.bool_] = tiles_of(town.solid, *size) == 0
        """Tiles that are not solid."""
        sectors, arenas = tiles_of(town.sectors, *size), tiles_of(town.arenas, *size)
        objects = tiles_of(town.objects, *size)
        arena_sector = _sectors_of_arenas(town)
        within = arena_sector[arenas]
        sectors = np.where(within > 0, within, sectors)
        objects = np.where(arenas > 0, objects, 0)
        numbered = _numbered(town, sectors, arenas, objects)
        self.places: tuple[str, ...] = numbered.places
        """All addresses at every level, the world's first; parts right after their whole."""
        self.index: dict[str, int] = {address: id_ for id_, address in enumerate(self.places)}
        """The ids of places: where they stand in ``places``."""
        self.parents: tuple[int, ...] = numbered.parents
        """By id, the place it is part of; of the world -1."""
        self.place: NDArray[np.int16] = numbered.place
        """``[row, column]``: the most exact place of each tile."""
        self.arena: NDArray[np.int16] = numbered.arena
        """``[row, column]``: the arena's id, -1 for none: that counts as one, the open."""
        self.reached: NDArray[np.bool_] = _main_part(self.free, self.arena)
        """Free tiles of the part in which people live: nobody comes from one part to another."""
        self.paths = Paths(self.reached)
        tiles = self.place.ravel()
        self._tiles: NDArray[np.intp] = np.argsort(tiles, kind="stable")
        """All tiles, counted row by row, in the order of their places."""
        self._begin: NDArray[np.intp] = np.searchsorted(
            tiles[self._tiles], np.arange(len(self.places) + 1)
        )
        """By id, where its tiles begin in ``_tiles``."""
        self._masks = _masks(self.parents)
        self._ends = _ends(self.parents)
        self._standing: dict[str, tuple[Tile, ...]] = {}
        self._grounds: dict[str, frozenset[Tile]] = {}
        self._seen: dict[tuple[int, int, int], int] = {}
        self._same: dict[int, int] = {}
        self._spawns = self._marks()

    @cached_property
    def arena_rows(self) -> list[list[int]]:
        """``arena``, for who asks for one tile at a time."""
        rows: list[list[int]] = self.arena.tolist()
        return rows

    def address(self, tile: Tile) -> str:
        """The most exact address of a tile."""
        return self.places[int(self.place[tile[1], tile[0]])]

    def level(self, id_: int) -> int:
        """0: the world, 1: a sector, 2: an arena, 3: an object."""
        return self._masks[id_].bit_count() - 1

    def within(self, id_: int) -> range:
        """The ids of a place and of all its parts."""
        return range(id_, self._ends[id_])

    def bit(self, address: str) -> int:
        """A place and all that it is part of, as ``seen_from`` says it; 0 where there is none."""
        id_ = self.index.get(address)
        return 0 if id_ is None else self._masks[id_]

    def seen_from(self, tile: Tile, radius: int) -> int:
        """The places in the square around a tile, ``radius`` tiles to each side, and all that
        they are part of: the bit ``1 << id`` for each."""
        x, y = tile
        key = (x, y, radius)
        seen = self._seen.get(key)
        if seen is None:
            left, top = max(0, x - radius), max(0, y - radius)
            square = self.place[top : y + radius + 1, left : x + radius + 1]
            seen = 0
            for id_ in set(square.ravel().tolist()):
                seen |= self._masks[id_]
            seen = self._seen[key] = self._same.setdefault(seen, seen)
        return seen

    def seen_along(self, tiles: Sequence[Tile], radius: int) -> int:
        """The places around any of some tiles."""
        known, seen = self._seen, 0
        for tile in tiles:
            key = (*tile, radius)
            seen |= known[key] if key in known else self.seen_from(tile, radius)
        return seen

    def spawn(self, home: str, number: int = 0) -> Tile:
        """Where those begin who live at an address: at its marks, one after the other
        (``number``: how many live there before them), else anywhere there.

        Raises ``KeyError`` where nobody can stand there.
        """
        tiles = self._spawns.get(home) or self.standing(home)
        if not tiles:
            raise KeyError(home)
        return tiles[number % len(tiles)]

    def standing(self, address: str) -> tuple[Tile, ...]:
        """The tiles on which one is at an address, row by row; none where there is no such place
        or nobody can get there. To be at an object that stands on solid tiles is to stand beside
        it: on the nearest tiles of its arena."""
        tiles = self._standing.get(address)
        if tiles is None:
            tiles = self._standing[address] = self._found(address)
        return tiles

    def way(self, tile: Tile, address: str, key: int) -> str | None:
        """The way from a tile to an address, a letter (``N``, ``E``, ``S``, ``W``) a step; empty:
        one is there already; None: there is no such place, or no way.

        ``key`` spreads people over a place's tiles: the same tile for the same key.
        """
        tiles = self.standing(address)
        if not tiles or not self.reached[tile[1], tile[0]]:
            return None
        ground = self._grounds.get(address)
        if ground is None:
            ground = self._grounds[address] = frozenset(tiles)
        if tile in ground:
            return ""
        return self.paths.way(tile, tiles[_spread(key, len(tiles))])

    def _found(self, address: str) -> tuple[Tile, ...]:
        id_ = self.index.get(address)
        if id_ is None:
            return ()
        inside = self.tiles_in(id_)
        there = self._reached_of(inside)
        if not len(there) and self.level(id_) == 3:
            there = _beside(inside, self._reached_of(self.tiles_in(self.parents[id_])), self.width)
        rows, columns = np.divmod(np.sort(there), self.width)
        return tuple(zip(columns.tolist(), rows.tolist(), strict=True))

    def tiles_in(self, id_: int) -> NDArray[np.intp]:
        """The tiles of a place and of all its parts, counted row by row."""
        return self._tiles[self._begin[id_] : self._begin[self._ends[id_]]]

    def _reached_of(self, tiles: NDArray[np.intp]) -> NDArray[np.intp]:
        return tiles[self.reached.ravel()[tiles]]

    def _marks(self) -> dict[str, tuple[Tile, ...]]:
        """The marks of each home, in the order of their names."""
        town, marks = self.town, self.town.spawns.names
        tiles = tiles_of(town.spawns, town.width, town.height)
        found: dict[str, list[tuple[str, Tile]]] = {}
        for y, x in np.argwhere((tiles > 0) & self.reached).tolist():
            home, _, mark = marks[tiles[y, x] - 1].rpartition(":")
            found.setdefault(f"{town.world}:{home}", []).append((mark, (x, y)))
        return {home: tuple(tile for _, tile in sorted(all_)) for home, all_ in found.items()}


class _Numbered(msgspec.Struct, frozen=True):
    places: tuple[str, ...]
    parents: tuple[int, ...]
    place: NDArray[np.int16]
    arena: NDArray[np.int16]


def _sectors_of_arenas(town: TownMap) -> NDArray[np.int32]:
    """For each arena, from 1, its sector's place in the names of sectors, from 1."""
    sectors = {name: number for number, name in enumerate(town.sectors.names, 1)}
    found = (sectors.get(name.partition(":")[0], 0) for name in town.arenas.names)
    return np.array([0, *found], np.int32)


def _numbered(
    town: TownMap,
    sectors: NDArray[np.int32],
    arenas: NDArray[np.int32],
    objects: NDArray[np.int32],
) -> _Numbered:
    """All places that some tile belongs to, by sector, arena and object."""
    triples, tiles = np.unique(
        np.column_stack((sectors.ravel(), arenas.ravel(), objects.ravel())),
        axis=0,
        return_inverse=True,
    )
    ids: dict[tuple[int, int, int], int] = {(0, 0, 0): 0}
    places, parents = [town.world], [NONE]
    most_exact, arena_ids = [], []
    for sector, arena, object_ in triples.tolist():
        at = 0
        chain = [(sector, 0, 0)]
        chain += [(sector, arena, 0)] if arena else []
        chain += [(sector, arena, object_)] if object_ else []
        for key in chain:
            if key not in ids:
                ids[key] = len(places)
                places.append(f"{places[at]}:{_own_name(town, key)}")
                parents.append(at)
            at = ids[key]
        most_exact.append(at)
        arena_ids.append(ids[sector, arena, 0] if arena else NONE)
    if len(places) > MOST_PLACES:
        why = f"has {len(places):,} places; at most {MOST_PLACES:,} can be told apart"
        raise ValueError(why)
    shape = (town.height, town.width)
    return _Numbered(
        places=tuple(places),
        parents=tuple(parents),
        place=np.array(most_exact, np.int16)[tiles].reshape(shape),
        arena=np.array(arena_ids, np.int16)[tiles].reshape(shape),
    )


def _own_name(town: TownMap, key: tuple[int, int, int]) -> str:
    sector, arena, object_ = key
    if object_:
        return town.objects.names[object_ - 1]
    if arena:
        return town.arenas.names[arena - 1].partition(":")[2]
    return town.sectors.names[sector - 1]


def _main_part(free: NDArray[np.bool_], arena: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Of the four-connected parts that from which most arenas can be entered; the larger one of
    several."""
    parts, count = parts_of(free)
    if count == 0:
        return free.copy()
    size = np.bincount(parts.ravel(), minlength=count + 1)
    entered = np.unique(np.column_stack((parts[free], arena[free])), axis=0)
    arenas = np.bincount(entered[entered[:, 1] != NONE][:, 0], minlength=count + 1)
    best = max(range(1, count + 1), key=lambda part: (arenas[part], size[part]))
    return np.asarray(parts == best)


def _masks(parents: tuple[int, ...]) -> tuple[int, ...]:
    """For each place the bits of it and of all that it is part of."""
    masks: list[int] = []
    for id_, parent in enumerate(parents):
        masks.append(1 << id_ | (masks[parent] if parent != NONE else 0))
    return tuple(masks)


def _ends(parents: tuple[int, ...]) -> tuple[int, ...]:
    """For each place the first id after it that is no part of it: parts follow their whole."""
    ends = list(range(1, len(parents) + 1))
    for id_ in range(len(parents) - 1, 0, -1):
        ends[parents[id_]] = max(ends[parents[id_]], ends[id_])
    return tuple(ends)


def _beside(inside: NDArray[np.intp], ground: NDArray[np.intp], width: int) -> NDArray[np.intp]:
    """The tiles of the ground that are nearest to any of those inside, in steps as the crow
    walks."""
    if not len(ground):
        return ground
    from scipy.spatial import KDTree

    def points(tiles: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.column_stack(np.divmod(tiles, width))

    far: NDArray[np.float64] = KDTree(points(inside)).query(points(ground), p=1)[0]
    nearest: NDArray[np.intp] = ground[far == far.min()]
    return nearest


def _spread(key: int, count: int) -> int:
    """One of ``count`` tiles: neighbouring keys come far from each other."""
    return (key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) * count >> 64
