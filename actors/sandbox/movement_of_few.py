"""Who is where, and in whose view, where few live: whom one sees is a number with a bit a seat.

Arrays would cost more than what is worked out with them: most rooms have one or two people.
"""

from collections.abc import Collection, Iterator, Sequence

from actors.sandbox.geometry import tiles_along
from actors.sandbox.grid import Grid
from actors.sandbox.setup import Tile
from actors.sandbox.walking import Entered, Walking
from actors.sandbox.world import Walk


def _seats(bits: int) -> Iterator[int]:
    """Those of a number, in their order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class _Spot:
    """Where all are at a step: by seat."""

    __slots__ = ("_radius", "_views", "arenas", "tiles", "together")

    def __init__(
        self, tiles: list[Tile], arenas: list[int], together: dict[int, int], radius: int
    ) -> None:
        """``together``: by arena who is there."""
        self.tiles, self.arenas, self.together = tiles, arenas, together
        self._radius = radius
        self._views: dict[int, int] = {}

    def view(self, seat: int) -> int:
        """Who is in a seat's view; nobody in their own."""
        view = self._views.get(seat)
        if view is None:
            view = 0
            if others := self.together[self.arenas[seat]] & ~(1 << seat):
                tiles, radius = self.tiles, self._radius
                x, y = tiles[seat]
                for other in _seats(others):
                    right, down = tiles[other]
                    if -radius <= right - x <= radius and -radius <= down - y <= radius:
                        view |= 1 << other
            self._views[seat] = view
        return view

    def nearest(self, seat: int, seen: int, most: int) -> tuple[int, ...]:
        """Of those in view the nearest, by straight distance and then by seat."""
        if not seen & (seen - 1):
            return (seen.bit_length() - 1,) if seen else ()
        tiles = self.tiles
        x, y = tiles[seat]

        def away(other: int) -> int:
            right, down = tiles[other]
            return (right - x) ** 2 + (down - y) ** 2

        return tuple(sorted(_seats(seen), key=away)[:most])


class MovementOfFew(Walking[tuple[Tile, ...]]):
    """A ``Movement`` for so few people that each is looked at for themselves."""

    def __init__(self, walks: tuple[Walk, ...], grid: Grid, radius: int, attention: int) -> None:
        super().__init__(walks, tiles_along)
        self._arena_at, self._radius, self._attention = grid.arena_rows, radius, attention
        self._ends = [walk.end for walk in walks]
        self._arenas = [self._arena_at[y][x] for x, y in self._ends]
        self._standing: dict[int, int] = {}
        """By arena those who go nowhere."""
        walking = {one[0] for one in self._walkers}
        for seat, arena in enumerate(self._arenas):
            if seat not in walking:
                self._standing[arena] = self._standing.get(arena, 0) | 1 << seat
        self._spots: dict[int, _Spot] = {}
        self._entering: dict[int, dict[int, Entered]] = {}

    def changes(self, begin: int, end: int) -> Iterator[int]:
        """The steps from ``begin`` + 1 to ``end`` at which somebody begins to be perceived."""
        if any(one[2] > begin for one in self._walkers):
            for step in range(begin + 1, end + 1):
                if self.entering(step):
                    yield step

    def entering(self, step: int) -> dict[int, Entered]:
        """Who begins to be perceived at a step, by the seat that perceives them."""
        found = self._entering.get(step)
        if found is None:
            found = self._entering[step] = self._enter(step)
        return found

    def _enter(self, step: int) -> dict[int, Entered]:
        """Only what has to do with those who moved is looked at; and all that somebody sees only
        where it may be more than there is attention for."""
        going = [one[0] for one in self._walkers if one[2] >= step]
        if not going:
            return {}
        before, now = self._spot(step - 1), self._spot(step)
        came, crowd = dict[int, int](), 0
        for seat in going:
            if before.tiles[seat] == now.tiles[seat]:
                continue
            had, has = before.view(seat), now.view(seat)
            if new := has & ~had:
                came[seat] = came.get(seat, 0) | new
                for other in _seats(new):
                    came[other] = came.get(other, 0) | 1 << seat
            if self._is_crowded(before, now, before.arenas[seat]) or self._is_crowded(
                before, now, now.arenas[seat]
            ):
                crowd |= had | has | 1 << seat
        found: dict[int, Entered] = {}
        most = self._attention
        for viewer in _seats(crowd):
            had, has = before.view(viewer), now.view(viewer)
            if had.bit_count() > most or has.bit_count() > most:
                new = came.pop(viewer, 0)
                lately = before.nearest(viewer, had, most)
                entered = tuple(
                    [
                        (one, new >> one & 1 == 1)
                        for one in now.nearest(viewer, has, most)
                        if one not in lately
                    ]
                )
                if entered:
                    found[viewer] = entered
        for viewer, new in came.items():
            found[viewer] = tuple([(one, True) for one in now.nearest(viewer, new, most)])
        return found

    def _is_crowded(self, before: _Spot, now: _Spot, arena: int) -> bool:
        """Whether there may be more in somebody's view than there is attention for."""
        most = self._attention + 1
        here, there = now.together.get(arena, 0), before.together.get(arena, 0)
        return here.bit_count() > most or there.bit_count() > most

    def perceived(self, step: int, viewers: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Whom each of some seats perceives at a step, the nearest first."""
        spot, most = self._spot(step), self._attention
        return {viewer: spot.nearest(viewer, spot.view(viewer), most) for viewer in viewers}

    def viewers(self, step: int, seats: Collection[int]) -> list[int]:
        """Who has one of some seats in view at a step."""
        spot, found = self._spot(step), 0
        for seat in seats:
            found |= spot.view(seat)
        return list(_seats(found))

    def perceived_of(
        self, step: int, viewers: Sequence[int], seats: Collection[int]
    ) -> dict[int, tuple[int, ...]]:
        """Whom of some seats each viewer perceives at a step, the nearest first."""
        spot, most = self._spot(step), self._attention
        new = dict.fromkeys(viewers, 0)
        for seat in seats:
            for viewer in _seats(spot.view(seat)):
                if viewer in new:
                    new[viewer] |= 1 << seat
        found = {}
        for viewer, wanted in new.items():
            found[viewer] = spot.nearest(viewer, wanted, most)
            if spot.together[spot.arenas[viewer]].bit_count() > most + 1:
                nearest = spot.nearest(viewer, spot.view(viewer), most)
                found[viewer] = tuple([one for one in nearest if wanted >> one & 1])
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
                    x, y = tiles[seat] = track[max(0, step - left)]
                    arenas[seat] = self._arena_at[y][x]
                arena = arenas[seat]
                together[arena] = together.get(arena, 0) | 1 << seat
        return _Spot(tiles, arenas, together, self._radius)
