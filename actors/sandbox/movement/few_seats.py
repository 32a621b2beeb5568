"""Who is where, and in whose view, where few live: seats are looked at one by one.

Arrays would cost more than what is worked out with them: most rooms have one or two people. What
is asked at each step of each walk makes no calls where somebody is alone.
"""

from collections.abc import Collection, Iterator, Sequence

from actors.sandbox.map.grid import Grid
from actors.sandbox.movement.walks import Entered, Walking
from actors.sandbox.setup import Tile
from actors.sandbox.world import WalkUnderWay

Seats = tuple[int, ...]


class _Spot:
    """Where all are at a step: by seat."""

    __slots__ = ("_radius", "_views", "arenas", "tiles", "together")

    def __init__(
        self, tiles: list[Tile], arenas: list[int], together: dict[int, Seats], radius: int
    ) -> None:
        """``together``: by arena who is there."""
        self.tiles, self.arenas, self.together = tiles, arenas, together
        self._radius = radius
        self._views: dict[int, Seats] = {}

    def view(self, seat: int) -> Seats:
        """Who is in a seat's view; nobody in their own."""
        if seat in self._views:
            return self._views[seat]
        tiles, radius = self.tiles, self._radius
        x, y = tiles[seat]
        seen = [
            other
            for other in self.together[self.arenas[seat]]
            if other != seat
            and -radius <= tiles[other][0] - x <= radius
            and -radius <= tiles[other][1] - y <= radius
        ]
        view = self._views[seat] = tuple(seen)
        return view

    def nearest(self, seat: int, seen: Collection[int], most: int) -> Seats:
        """Of those in view the nearest, by straight distance and then by seat."""
        if len(seen) < 2:
            return tuple(seen)
        tiles = self.tiles
        x, y = tiles[seat]
        away = [((tiles[one][0] - x) ** 2 + (tiles[one][1] - y) ** 2, one) for one in seen]
        away.sort()
        return tuple([one for _, one in away[:most]])


class MovementOfFew(Walking):
    """A ``Movement`` for so few people that each is looked at for themselves."""

    def __init__(
        self, walks: tuple[WalkUnderWay, ...], grid: Grid, radius: int, attention: int
    ) -> None:
        super().__init__(walks)
        arena_at = self._arena_at = grid.arena_rows
        self._grid, self._radius, self._attention = grid, radius, attention
        self._ends = [walk.end for walk in walks]
        self._arenas = [arena_at[y][x] for x, y in self._ends]
        self._standing: dict[int, Seats] = {}
        """By arena those who go nowhere."""
        walking = {one[0] for one in self._walkers}
        standing = self._standing
        for seat, arena in enumerate(self._arenas):
            if seat not in walking:
                standing[arena] = (*standing[arena], seat) if arena in standing else (seat,)
        self._spots: dict[int, _Spot] = {}
        self._entering: dict[int, dict[int, Entered]] = {}

    def after(self, walks: tuple[WalkUnderWay, ...]) -> "MovementOfFew":
        return MovementOfFew(walks, self._grid, self._radius, self._attention)

    def changes(self, begin: int, end: int) -> Iterator[int]:
        """The steps from ``begin`` + 1 to ``end`` at which somebody begins to be perceived."""
        for one in self._walkers:
            if one[2] > begin:
                break
        else:
            return
        for step in range(begin + 1, end + 1):
            if self.entering(step):
                yield step

    def entering(self, step: int) -> dict[int, Entered]:
        found = self._entering.get(step)
        if found is None:
            found = self._entering[step] = self._enter(step) if self._walkers else {}
        return found

    def _enter(self, step: int) -> dict[int, Entered]:
        """Only what has to do with those who moved is looked at; and all that somebody sees only
        where it may be more than there is attention for."""
        before, now = self._spot(step - 1), self._spot(step)
        there, here, most = before.together, now.together, self._attention
        came: dict[int, set[int]] = {}
        crowd: set[int] = set()
        for seat, _, arrives, _ in self._walkers:
            if arrives < step:
                continue
            old, new = before.arenas[seat], now.arenas[seat]
            left, met = len(there[old]), len(here[new])
            if (left == 1 and met == 1) or before.tiles[seat] == now.tiles[seat]:
                continue
            had = before.view(seat) if left > 1 else ()
            has = now.view(seat) if met > 1 else ()
            for other in has:
                if other not in had:
                    came.setdefault(seat, set()).add(other)
                    came.setdefault(other, set()).add(seat)
            if old != new:
                left = max(left, len(here.get(old, ())))
                met = max(met, len(there.get(new, ())))
            if left > most + 1 or met > most + 1:
                # There may be more in somebody's view than there is attention for.
                crowd.update(had, has, (seat,))
        if not came and not crowd:
            return {}
        found: dict[int, Entered] = {}
        for viewer in sorted(crowd):
            had, has = before.view(viewer), now.view(viewer)
            if len(had) > most or len(has) > most:
                fresh = came.pop(viewer, ())
                lately = before.nearest(viewer, had, most)
                nearest = now.nearest(viewer, has, most)
                entered = tuple([(one, one in fresh) for one in nearest if one not in lately])
                if entered:
                    found[viewer] = entered
        for viewer, seen in came.items():
            found[viewer] = tuple([(one, True) for one in now.nearest(viewer, seen, most)])
        return found

    def perceived(self, step: int, viewers: Sequence[int]) -> dict[int, Seats]:
        spot, most = self._spot(step), self._attention
        return {viewer: spot.nearest(viewer, spot.view(viewer), most) for viewer in viewers}

    def viewers(self, step: int, seats: Collection[int]) -> list[int]:
        spot = self._spot(step)
        return sorted({one for seat in seats for one in spot.view(seat)})

    def perceived_of(
        self, step: int, viewers: Sequence[int], seats: Collection[int]
    ) -> dict[int, Seats]:
        spot, most = self._spot(step), self._attention
        new: dict[int, list[int]] = {viewer: [] for viewer in viewers}
        for seat in seats:
            for viewer in spot.view(seat):
                if viewer in new:
                    new[viewer].append(seat)
        found = {}
        for viewer, wanted in new.items():
            if len(spot.together[spot.arenas[viewer]]) > most + 1:
                nearest = spot.nearest(viewer, spot.view(viewer), most)
                found[viewer] = tuple([one for one in nearest if one in wanted])
            else:
                found[viewer] = spot.nearest(viewer, wanted, most)
        return found

    def _spot(self, step: int) -> _Spot:
        spot = self._spots.get(step)
        if spot is None:
            spot = self._spots[step] = self._at(step)
        return spot

    def _at(self, step: int) -> _Spot:
        tiles, arenas, together = self._ends, self._arenas, self._standing
        if self._walkers:
            tiles, arenas, together = tiles.copy(), arenas.copy(), together.copy()
            for seat, left, arrives, track in self._walkers:
                if arrives > step:
                    x, y = tiles[seat] = track[step - left if step > left else 0]
                    arenas[seat] = self._arena_at[y][x]
                arena = arenas[seat]
                together[arena] = (*together[arena], seat) if arena in together else (seat,)
        return _Spot(tiles, arenas, together, self._radius)
