"""What may be wrong with a town's map, and where: layer, row, column."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from actors.sandbox.map.grid import Grid, grid_of, town_digest
from actors.sandbox.map.layers import tiles_of
from actors.sandbox.map.town_map import Layer, TownMap
from actors.sandbox.setup import Tile
from events.untrusted.safe_text import shortened

MOST_TILES: Final = 1_000_000
_MOST_TOLD: Final = 20
"""Faults of one sort that are told."""
_LEVELS: Final = {"sectors": 1, "arenas": 2, "objects": 1, "spawns": 3}
_SHAPES: Final = {
    "sectors": "the sector's name",
    "arenas": "sector:arena",
    "objects": "the object's own name",
    "spawns": "sector:arena:mark",
}


class MapFault(NamedTuple):
    """Something wrong with a map."""

    layer: str
    """Empty: the map as a whole."""
    tile: Tile | None
    """None: the layer as a whole."""
    why: str

    def __str__(self) -> str:
        """In a sentence; rows and columns count from 1."""
        cell = f", row {self.tile[1] + 1}, column {self.tile[0] + 1}" if self.tile else ""
        return f"layer {self.layer}{cell}: {self.why}" if self.layer else self.why


def map_faults(town: TownMap) -> Iterator[MapFault]:
    """All that is wrong with a map; what cannot be looked at because of it is left out."""
    found = list(_shape_faults(town)) or [*_name_faults(town), *_digest_faults(town)]
    if not found:
        found = list(_tile_faults(town))
    if not found:
        try:
            found = list(_sealed(town, grid_of(town)))
        except ValueError as error:
            found = [MapFault("", None, str(error))]
    yield from found


def _shape_faults(town: TownMap) -> Iterator[MapFault]:
    size = town.width * town.height
    if town.width < 1 or town.height < 1 or size > MOST_TILES:
        why = f"has {town.width:,} x {town.height:,} tiles; there must be 1 to {MOST_TILES:,}"
        yield MapFault("", None, why)
        return
    for name in ("solid", *_LEVELS):
        layer: Layer = getattr(town, name)
        try:
            tiles_of(layer, town.width, town.height)
        except ValueError as error:
            yield MapFault(name, None, str(error))
        if layer.codes and len(layer.codes) != len(layer.names):
            why = f"has {len(layer.codes):,} codes for {len(layer.names):,} names"
            yield MapFault(name, None, why)


def _digest_faults(town: TownMap) -> Iterator[MapFault]:
    if town.digest and town.digest != town_digest(town):
        yield MapFault("", None, "the map's digest is not its own; leave it out")


def _name_faults(town: TownMap) -> Iterator[MapFault]:
    if (why := odd_name(town.world)) or ":" in town.world:
        yield MapFault("", None, f"the world {shortened(town.world)!r} {why or 'holds a colon'}")
    for name, level in _LEVELS.items():
        seen: set[str] = set()
        for full in getattr(town, name).names:
            parts = full.split(":")
            why = next(filter(None, map(odd_name, parts)), "")
            if len(parts) != level:
                why = f"must be {_SHAPES[name]}"
            elif full in seen:
                why = "is there twice"
            seen.add(full)
            if why:
                yield MapFault(name, None, f"the name {shortened(full)!r} {why}")


def odd_name(name: str) -> str:
    """Why a name of a place or a person cannot be part of an address; empty: it can."""
    if not name or name != name.strip() or not name.isprintable():
        return "is empty, or has blanks around it or characters that cannot be seen"
    return "holds an @, which ends an action's text" if "@" in name else ""


def _tile_faults(town: TownMap) -> Iterator[MapFault]:
    size = (town.width, town.height)
    sectors, arenas = tiles_of(town.sectors, *size), tiles_of(town.arenas, *size)
    sector_names = np.array(["", *town.sectors.names], object)
    of_arena = np.array(["", *(name.partition(":")[0] for name in town.arenas.names)], object)
    odd = np.argwhere((arenas > 0) & (of_arena[arenas] != sector_names[sectors]))
    for y, x in odd[:_MOST_TOLD].tolist():
        arena, sector = town.arenas.names[arenas[y, x] - 1], sector_names[sectors[y, x]]
        where = f"of sector {shortened(sector)!r}" if sector else "of no sector"
        yield MapFault("arenas", (x, y), f"the tile is {where}, but {shortened(arena)!r} is not")
    objects, spawns = tiles_of(town.objects, *size), tiles_of(town.spawns, *size)
    for y, x in np.argwhere((objects > 0) & (arenas == 0))[:_MOST_TOLD].tolist():
        name = shortened(town.objects.names[objects[y, x] - 1])
        yield MapFault("objects", (x, y), f"{name!r} stands in no arena")
    homes = np.array(["", *(n.rpartition(":")[0] for n in town.spawns.names)], object)
    arena_names = np.array(["", *town.arenas.names], object)
    for y, x in np.argwhere(spawns > 0).tolist():
        mark, home = town.spawns.names[spawns[y, x] - 1], homes[spawns[y, x]]
        if home != arena_names[arenas[y, x]]:
            yield MapFault("spawns", (x, y), f"{shortened(mark)!r} is not in {shortened(home)!r}")


def _sealed(town: TownMap, grid: Grid) -> Iterator[MapFault]:
    if not grid.reached.any():
        yield MapFault("solid", None, "all tiles are solid")
    layers = {1: "sectors", 2: "arenas", 3: "objects"}
    closed: set[int] = set()
    for id_, address in enumerate(grid.places):
        if grid.level(id_) == 0 or grid.standing(address):
            continue
        closed.add(id_)
        if grid.parents[id_] in closed:
            continue
        y, x = divmod(int(grid.tiles_in(id_).min()), grid.width)
        why = f"nobody can get to {shortened(address)!r}: it is walled off from the rest"
        yield MapFault(layers[grid.level(id_)], (x, y), why)
    spawns = tiles_of(town.spawns, grid.width, grid.height)
    for y, x in np.argwhere((spawns > 0) & ~grid.reached).tolist():
        mark = shortened(town.spawns.names[spawns[y, x] - 1])
        yield MapFault("spawns", (x, y), f"nobody can stand at {mark!r}, or get away from it")
