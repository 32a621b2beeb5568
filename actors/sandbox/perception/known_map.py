"""A town's map as somebody knows it who lives there."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.map.layers import layer_of, runs_of
from actors.sandbox.map.town_map import Layer, TownMap
from actors.sandbox.views import Ground
from events.base import replace


def known_map(town: TownMap, known: int) -> TownMap:
    """The map with the places in ``known`` alone, as ``Grid.seen_from`` says them. What belongs to
    another place is shut: nothing is told of it but that it is in the way."""
    grid = grid_of(town)
    names = [[""] * len(grid.places) for _ in range(3)]
    shut = np.zeros(len(grid.places), np.bool_)
    for id_, address in enumerate(grid.places):
        parts = address.split(":")[1:]
        if known >> id_ & 1:
            for level, part in enumerate(parts[:3]):
                names[level][id_] = ":".join(parts[:2]) if level == 1 else part
        elif parts:
            parent = grid.parents[id_]
            for level in range(3):
                names[level][id_] = names[level][parent]
            shut[id_] = len(parts) < 3 or shut[parent]
    sectors, arenas, objects = (
        layer_of([[of_place[id_] for id_ in row] for row in grid.place.tolist()])
        for of_place in names
    )
    return replace(
        town,
        solid=Layer(
            names=("shut",), runs=runs_of((~grid.free | shut[grid.place]).astype(np.int32))
        ),
        sectors=sectors,
        arenas=arenas,
        objects=objects,
        spawns=Layer(),
        digest="",
    )


def grounds(town: TownMap, addresses: Sequence[str]) -> tuple[Ground, ...]:
    """Where places are that somebody has come to know, as ``known_map`` has those known before;
    those that the town does not have are left out."""
    grid = grid_of(town)
    return tuple(_ground(grid, grid.index[one]) for one in addresses if one in grid.index)


@lru_cache(maxsize=4096)
def _ground(grid: Grid, id_: int) -> Ground:
    inside = np.sort(grid.tiles_in(id_))
    own = grid.place.ravel()[inside] == id_
    if grid.level(id_) == 2:
        own[:] = True  # what stands in a room that is known is in nobody's way
    free = inside[own & grid.free.ravel()[inside]]
    return Ground(address=grid.places[id_], inside=_runs(inside), free=_runs(free))


def _runs(tiles: NDArray[np.intp]) -> str:
    """Sorted tiles as runs."""
    if not len(tiles):
        return ""
    begins = np.flatnonzero(np.diff(tiles, prepend=tiles[0] - 2) != 1)
    counts = np.diff(begins, append=len(tiles))
    pairs = zip(tiles[begins].tolist(), counts.tolist(), strict=True)
    return " ".join(f"{first}:{count}" for first, count in pairs)
