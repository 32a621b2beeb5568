"""Who is where, and in whose view, where many live: all are looked at together, in arrays."""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.geometry import Ints, path
from actors.sandbox.map.grid import Grid
from actors.sandbox.movement import view_matrix
from actors.sandbox.movement.view_matrix import Spot
from actors.sandbox.movement.walks import Entered
from actors.sandbox.world import WalkUnderWay


class MovementOfMany:
    """A ``Movement`` for any number of people."""

    def __init__(
        self,
        walks: tuple[WalkUnderWay, ...],
        grid: Grid,
        radius: int,
        attention: int,
        before: "MovementOfMany | None" = None,
    ) -> None:
        """``before``: the movement of other walks of the same people; only what differs is read."""
        self._walks = walks
        self._grid, self._radius, self._attention = grid, radius, attention
        if before is None:
            self._ends = np.array([walk.end for walk in walks], np.int32).reshape(-1, 2)
            self._left = np.array([walk.left for walk in walks], np.int32)
            self._arrives = np.array([walk.arrives for walk in walks], np.int32)
            self._paths = [path(walk.tile, walk.way) for walk in walks]
        else:
            self._ends, self._left = before._ends.copy(), before._left.copy()
            self._arrives, self._paths = before._arrives.copy(), before._paths.copy()
            for seat, (old, new) in enumerate(zip(before._walks, walks, strict=True)):
                if old is not new:
                    self._ends[seat] = new.end
                    self._left[seat], self._arrives[seat] = new.left, new.arrives
                    self._paths[seat] = path(new.tile, new.way)
        self._walkers = (self._arrives > self._left.max()).nonzero()[0]
        self._spots: dict[int, Spot] = {}
        self._entering: dict[int, dict[int, Entered]] = {}

    def after(self, walks: tuple[WalkUnderWay, ...]) -> "MovementOfMany":
        return MovementOfMany(walks, self._grid, self._radius, self._attention, self)

    @cached_property
    def _tracks(self) -> tuple[Ints, NDArray[np.intp], NDArray[np.intp]]:
        """The tiles of all who walk, one after the other; where those of each begin, and how many
        steps each goes."""
        tracks = [self._paths[seat] for seat in self._walkers.tolist()]
        steps = np.array([len(track) for track in tracks], np.intp) - 1
        begin = np.cumsum(steps + 1) - steps - 1
        return np.concatenate(tracks), begin, steps

    def _tiles(self, going: NDArray[np.intp], step: int | Ints) -> Ints:
        """Where some of the walkers are at a step, by their places among them; ``step`` may be a
        column of several."""
        tracks, begin, steps = self._tracks
        gone = np.clip(step - self._left[self._walkers[going]], 0, steps[going])
        found: Ints = tracks[begin[going] + gone]
        return found

    def next_arrival(self, step: int) -> int | None:
        arrivals = self._arrives[self._walkers]
        late = arrivals[arrivals > step]
        return int(late.min()) if len(late) else None

    def arriving(self, step: int) -> list[int]:
        found: list[int] = self._walkers[self._arrives[self._walkers] == step].tolist()
        return found

    def changes(self, begin: int, end: int) -> Iterator[int]:
        """The steps from ``begin`` + 1 to ``end`` at which somebody may perceive others than at the
        step before; that there is none such among the rest is certain."""
        going = (self._arrives[self._walkers] > begin).nonzero()[0]
        if not len(going):
            return
        seats, times = self._walkers[going], np.arange(begin, end + 1, dtype=np.int32)
        xy = np.repeat(self._ends[None], len(times), axis=0)
        xy[:, seats] = self._tiles(going, times[:, None])
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
        found = self._entering.get(step)
        if found is None:
            before, now = self._spot(step - 1), self._spot(step)
            found = view_matrix.entering(before, now, self._radius, self._attention)
            self._entering[step] = found
        return found

    def perceived(self, step: int, viewers: Sequence[int]) -> dict[int, tuple[int, ...]]:
        spot, most = self._spot(step), self._attention
        seen, others = view_matrix.seen_by(spot, _array(viewers), self._radius)
        return {
            viewer: tuple(view_matrix.nearest(spot, viewer, others[row.nonzero()[0]], most))
            for viewer, row in zip(viewers, seen, strict=True)
        }

    def viewers(self, step: int, seats: Collection[int]) -> list[int]:
        seen, others = view_matrix.seen_by(self._spot(step), _array(seats), self._radius)
        found: list[int] = others[seen.any(axis=0)].tolist()
        return found

    def perceived_of(
        self, step: int, viewers: Sequence[int], seats: Collection[int]
    ) -> dict[int, tuple[int, ...]]:
        spot, most = self._spot(step), self._attention
        seen, others = view_matrix.seen_by(spot, _array(viewers), self._radius)
        wanted = np.zeros(len(self._ends), np.bool_)
        wanted[_array(seats)] = True
        new = seen & wanted[others]
        crowded = (seen.sum(1) > most).tolist()
        found = {}
        for row, viewer in enumerate(viewers):
            there = others[(seen if crowded[row] else new)[row].nonzero()[0]]
            nearest = view_matrix.nearest(spot, viewer, there, most)
            if crowded[row]:
                nearest = [one for one in nearest if wanted[one]]
            found[viewer] = tuple(nearest)
        return found

    def _spot(self, step: int) -> Spot:
        spot = self._spots.get(step)
        if spot is None:
            xy = self._ends
            going = (self._arrives[self._walkers] > step).nonzero()[0]
            if len(going):
                xy = xy.copy()
                xy[self._walkers[going]] = self._tiles(going, step)
            x, y = xy[:, 0], xy[:, 1]
            spot = self._spots[step] = Spot(x, y, self._grid.arena[y, x].astype(np.int32))
        return spot


def _array(seats: Collection[int]) -> NDArray[np.intp]:
    return np.array(list(seats), np.intp)
