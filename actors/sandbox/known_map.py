"""A town's map as somebody knows it who lives there."""

import numpy as np

from actors.sandbox.grid import grid_of
from actors.sandbox.layers import layer_of, runs_of
from actors.sandbox.town_map import Layer, TownMap
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
    return replace(  # type: ignore[no-any-return]
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
