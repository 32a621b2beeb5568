"""Who is where at which step, and who is in whose view, for all of a town at once."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from actors.same import Same
from actors.sandbox import many
from actors.sandbox.grid import Grid
from actors.sandbox.setup import Tile
from actors.sandbox.world import Walk

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

DIRECTIONS: Final[dict[str, Tile]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""The letters of ways."""
_STEPS: Final = np.zeros((256, 2), np.int32)
for _letter, _step in DIRECTIONS.items():
    _STEPS[ord(_letter)] = _step


FEW: Final = 64
"""So many people are looked at all at once, since each look costs more than what is looked at."""


@lru_cache(maxsize=8192)
def path(tile: Tile, way: str) -> Ints:
    """The tiles of a way, ``[steps + 1, 2]``, the first one among them."""
    steps = _STEPS[np.frombuffer(way.encode("ascii", "replace"), np.uint8)]
    return np.concatenate((np.array([tile], np.int32), steps)).cumsum(0, dtype=np.int32)


def end_of(tile: Tile, way: str) -> Tile:
    """Where a way leads."""
    count = way.count
    return (tile[0] + count("E") - count("W"), tile[1] + count("S") - count("N"))


def tile_at(walk: Walk, step: int) -> Tile:
    """Where somebody is at a step."""
    if step >= walk.arrives:
        return walk.end
    gone = walk.way[: max(0, step - walk.left)]
    return end_of(walk.tile, gone)


class Spot:
    """Where all are at a step: by seat."""

    __slots__ = ("_seen", "arena", "x", "y")

    def __init__(self, x: Ints, y: Ints, arena: Ints) -> None:
        """``arena``: -1 for none, which counts as one: the open."""
        self.x, self.y, self.arena = x, y, arena
        self._seen: dict[int, Bools] = {}

    def views(self, seats: Ints, radius: int) -> Bools:
        """``[seat, other]``: who is in whose view; nobody in their own."""
        if len(self.x) > FEW:
            return many.views(self, seats, radius)
        if radius not in self._seen:
            self._seen[radius] = self._views(np.arange(len(self.x), dtype=np.int32), radius)
        return self._seen[radius][seats]

    def _views(self, seats: Ints, radius: int) -> Bools:
        x, y, arena = self.x, self.y, self.arena
        seen: Bools = np.abs(x[seats, None] - x) <= radius
        seen &= np.abs(y[seats, None] - y) <= radius
        seen &= arena[seats, None] == arena
        seen[np.arange(len(seats)), seats] = False
        return seen

    def nearest(self, seat: int, seen: Bools, most: int) -> tuple[int, ...]:
        """Of those in view the nearest, by straight distance and then by seat."""
        others = seen.nonzero()[0]
        if len(others) > 1:
            away = (self.x[others] - self.x[seat]) ** 2 + (self.y[others] - self.y[seat]) ** 2
            others = others[np.argsort(away, kind="stable")[:most]]
        return tuple(others.tolist())


class Movement:
    """The walks of all of a town."""

    def __init__(self, walks: tuple[Walk, ...], grid: Grid) -> None:
        self._grid = grid
        self._ends = np.array([walk.end for walk in walks], np.int32).reshape(-1, 2)
        # They hold from when the last of them was begun; who had arrived by then goes nowhere.
        since = max(walk.left for walk in walks)
        self._walkers = [
            (seat, walk.left, walk.arrives, path(walk.tile, walk.way))
            for seat, walk in enumerate(walks)
            if walk.arrives > since
        ]
        self._spots: dict[int, Spot] = {}

    def spot(self, step: int) -> Spot:
        """Where all are at a step."""
        spot = self._spots.get(step)
        if spot is None:
            xy = self._ends
            going = [one for one in self._walkers if one[2] > step]
            if going:
                xy = xy.copy()
                for seat, left, _, tiles in going:
                    xy[seat] = tiles[max(0, step - left)]
            spot = self._spots[step] = self._at(xy[:, 0], xy[:, 1])
        return spot

    def _at(self, x: Ints, y: Ints) -> Spot:
        return Spot(x, y, self._grid.arena[y, x].astype(np.int32))

    def changes(self, begin: int, end: int, radius: int, attention: int) -> Iterator[int]:
        """The steps from ``begin`` + 1 to ``end`` at which somebody may perceive others than at the
        step before; that there is none such among the rest is certain."""
        going = [one for one in self._walkers if one[2] > begin]
        if not going:
            return
        times = np.arange(begin, end + 1)
        seats = np.array([one[0] for one in going])
        xy = np.repeat(self._ends[None], len(times), axis=0)
        for seat, left, _, tiles in going:
            xy[:, seat] = tiles[np.clip(times - left, 0, len(tiles) - 1)]
        x, y = xy[:, :, 0], xy[:, :, 1]
        arena = self._grid.arena[y, x]
        together = arena[:, seats, None] == arena[:, None]
        seen = together & (np.abs(x[:, seats, None] - x[:, None]) <= radius)
        seen &= np.abs(y[:, seats, None] - y[:, None]) <= radius
        came = (seen[1:] & ~seen[:-1]).any((1, 2))
        if len(self._ends) > attention + 1:
            crowded = (together.sum(2) > attention + 1).any(1)
            came |= crowded[1:] | crowded[:-1]
        yield from (begin + 1 + came.nonzero()[0]).tolist()


@lru_cache(maxsize=16)
def _movement(same: Same[tuple[Walk, ...]], grid: Grid) -> Movement:
    return Movement(same.value, grid)


def movement_of(walks: tuple[Walk, ...], grid: Grid) -> Movement:
    """Kept for the tuples seen last."""
    return _movement(Same(walks), grid)
