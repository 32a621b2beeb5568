"""Few people are looked at one by one, many all together: what is found is the same."""

import random

from actors.sandbox.map.geometry import end_of
from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.movement.few_seats import MovementOfFew
from actors.sandbox.movement.many_seats import MovementOfMany
from actors.sandbox.world import WalkUnderWay
from events.base import replace
from tests.actors.sandbox.small_town import small_town
from tests.actors.sandbox.wandering import arenas_of

NOW = 20
"""The step at which the last of them went."""


def some_walk(draw: random.Random, grid: Grid, seat: int) -> WalkUnderWay:
    """From somewhere to somewhere, begun of late; or somebody stands."""
    tile = draw.choice(grid.standing(draw.choice(arenas_of(grid))))
    way = draw.choice((grid.way(tile, draw.choice(arenas_of(grid)), seat) or "", ""))
    left = NOW if seat == 0 else draw.randint(0, NOW)
    return WalkUnderWay(
        tile=tile, way=way, left=left, end=end_of(tile, way), arrives=left + len(way)
    )


def test_few_see_as_many_do():
    draw, grid, found = random.Random(3), grid_of(small_town()), 0
    for people in (1, 3, 9, 14) * 3:
        walks = tuple(some_walk(draw, grid, seat) for seat in range(people))
        radius, attention = draw.choice((2, 3, 8)), draw.choice((1, 2, 8))
        few = MovementOfFew(walks, grid, radius, attention)
        many = MovementOfMany(walks, grid, radius, attention)
        for step in range(NOW + 1, NOW + 15):
            entering = few.entering(step)
            assert entering == many.entering(step)
            found += len(entering)
            assert few.arriving(step) == many.arriving(step)
            assert few.next_arrival(step) == many.next_arrival(step)
            seats = draw.sample(range(people), draw.randint(1, people))
            assert few.perceived(step, seats) == many.perceived(step, seats)
            viewers = few.viewers(step, seats)
            assert viewers == many.viewers(step, seats)
            news = few.perceived_of(step, viewers, seats)
            assert news == many.perceived_of(step, viewers, seats)
        last = NOW + 12
        assert set(few.changes(NOW, last)) <= set(many.changes(NOW, last))
    assert found > 30, "people come into view"


def test_movement_after_others_is_as_if_it_were_found_anew():
    draw, grid = random.Random(5), grid_of(small_town())
    walks = tuple(some_walk(draw, grid, seat) for seat in range(12))
    kept = MovementOfMany(walks, grid, 3, 2)
    for now in range(NOW, NOW + 6):
        going = draw.sample(range(12), draw.randint(1, 4))
        walks = tuple(
            replace(some_walk(draw, grid, 0), left=now) if seat in going else walk
            for seat, walk in enumerate(walks)
        )
        walks = tuple(replace(walk, arrives=walk.left + len(walk.way)) for walk in walks)
        kept, new = kept.after(walks), MovementOfMany(walks, grid, 3, 2)
        for step in range(now + 1, now + 9):
            assert kept.entering(step) == new.entering(step)
            assert kept.arriving(step) == new.arriving(step)
            assert kept.next_arrival(step) == new.next_arrival(step)
            assert kept.perceived(step, range(12)) == new.perceived(step, range(12))
        assert list(kept.changes(now, now + 5)) == list(new.changes(now, now + 5))
