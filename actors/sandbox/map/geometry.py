"""Tiles and ways."""

from functools import lru_cache
from itertools import accumulate, repeat
from typing import Final

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.setup import Tile
from actors.sandbox.world import WalkUnderWay

Ints = NDArray[np.int32]

DIRECTIONS: Final[dict[str, Tile]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The letters of ways."""
_RIGHT: Final = {letter: step[0] for letter, step in DIRECTIONS.items()}
_DOWN: Final = {letter: step[1] for letter, step in DIRECTIONS.items()}


@lru_cache(maxsize=8192)
def path(tile: Tile, way: str) -> Ints:
    """As ``tiles_along``, ``[steps + 1, 2]``."""
    return np.array(tiles_along(tile, way), np.int32)


@lru_cache(maxsize=512)
def tiles_along(tile: Tile, way: str) -> tuple[Tile, ...]:
    """The tiles of a way, the first one among them."""
    x, y = tile
    return tuple(
        zip(
            accumulate(map(_RIGHT.get, way, repeat(0)), initial=x),
            accumulate(map(_DOWN.get, way, repeat(0)), initial=y),
            strict=True,
        )
    )


def end_of(tile: Tile, way: str) -> Tile:
    """Where a way leads."""
    count = way.count
    return (tile[0] + count("E") - count("W"), tile[1] + count("S") - count("N"))


def tile_at(walk: WalkUnderWay, step: int) -> Tile:
    """Where somebody is at a step."""
    if step >= walk.arrives:
        return walk.end
    gone = walk.way[: max(0, step - walk.left)]
    return end_of(walk.tile, gone)
