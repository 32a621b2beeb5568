"""Who is where, and in whose view, where many live: all are looked at together, in arrays."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from actors.sandbox import many
from actors.sandbox.geometry import Ints, path
from actors.sandbox.grid import Grid
from actors.sandbox.many import Bools, Spot
from actors.sandbox.walking import Entered, Walking
from actors.sandbox.world import Walk


class MovementOfMany(Walking[Ints]):
    """A ``Movement`` for any number of people."""

    def __init__(self, walks: tuple[Walk, ...], grid: Grid, radius: int, attention: int) -> None:
        super().__init__(walks, path)
        self._grid, self._radius, self._attention = grid, radius, attention
        self._ends = np.array([walk.end for walk in walks], np.int32).reshape(-1, 2)
        self._spots: dict[int, Spot] = {}
        self._entering: dict[int, dict[int, Entered]] = {}

    def changes(self, begin: int, end: int) -> Iterator[int]:
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
        seen = together & (np.abs(x[:, seats, None] - x[:, None]) <= self._radius)
        seen &= np.abs(y[:, seats, None] - y[:, None]) <= self._radius
        came = (seen[1:] & ~seen[:-1]).any((1, 2))
        if len(self._ends) > self._attention + 1:
            crowded = (together.sum(2) > self._attention + 1).any(1)
            came |= crowded[1:] | crowded[:-1]
        yield from (begin + 1 + came.nonzero()[0]).tolist()

    def entering(self, step: int) -> dict[int, Entered]:
        """Who begins to be perceived at a step, by the seat that perceives them."""
        found = self._entering.get(step)
        if found is None:
            before, now = self._spot(step - 1), self._spot(step)
            found = many.entering(before, now, self._radius, self._attention)
            self._entering[step] = found
        return found

    def perceived(self, step: int, viewers: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Whom each of some seats perceives at a step, the nearest first."""
        spot = self._spot(step)
        seen = many.views(spot, np.array(viewers, np.int32), self._radius)
        return {
            viewer: _nearest(spot, viewer, seen[row], self._attention)
            for row, viewer in enumerate(viewers)
        }

    def viewers(self, step: int, seats: Collection[int]) -> list[int]:
        """Who has one of some seats in view at a step."""
        seen = many.views(self._spot(step), np.array(list(seats), np.int32), self._radius)
        contact: Bools = np.any(seen, axis=0)
        found: list[int] = contact.nonzero()[0].tolist()
        return found

    def perceived_of(
        self, step: int, viewers: Sequence[int], seats: Collection[int]
    ) -> dict[int, tuple[int, ...]]:
        """Whom of some seats each viewer perceives at a step, the nearest first."""
        spot, most = self._spot(step), self._attention
        seen = many.views(spot, np.array(viewers, np.int32), self._radius)
        wanted = np.zeros(len(self._ends), np.bool_)
        wanted[list(seats)] = True
        crowded = seen.sum(1) > most
        found = {}
        for row, viewer in enumerate(viewers):
            new = seen[row] & wanted
            nearest = _nearest(spot, viewer, seen[row] if crowded[row] else new, most)
            found[viewer] = tuple(one for one in nearest if new[one])
        return found

    def _spot(self, step: int) -> Spot:
        spot = self._spots.get(step)
        if spot is None:
            xy = self._ends
            going = [one for one in self._walkers if one[2] > step]
            if going:
                xy = xy.copy()
                for seat, left, _, tiles in going:
                    xy[seat] = tiles[max(0, step - left)]
            x, y = xy[:, 0], xy[:, 1]
            spot = self._spots[step] = Spot(x, y, self._grid.arena[y, x].astype(np.int32))
        return spot


def _nearest(spot: Spot, viewer: int, seen: Bools, most: int) -> tuple[int, ...]:
    return tuple(many.nearest(spot, viewer, seen.nonzero()[0], most))
