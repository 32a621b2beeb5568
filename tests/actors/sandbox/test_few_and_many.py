"""Few people are looked at one by one, many all together: what is found is the same."""

import random

from actors.sandbox.geometry import end_of
from actors.sandbox.grid import Grid, grid_of
from actors.sandbox.movement_of_few import MovementOfFew
from actors.sandbox.movement_of_many import MovementOfMany
from actors.sandbox.world import Walk
from tests.actors.sandbox.small_town import small_town
from tests.actors.sandbox.wandering import arenas_of

NOW = 20
"""The step at which the last of them went."""


def some_walk(draw: random.Random, grid: Grid, seat: int) -> Walk:
    """From somewhere to somewhere, begun of late; or somebody stands."""
    tile = draw.choice(grid.standing(draw.choice(arenas_of(grid))))
    way = draw.choice((grid.way(tile, draw.choice(arenas_of(grid)), seat) or "", ""))
    left = NOW if seat == 0 else draw.randint(0, NOW)
    return Walk(tile=tile, way=way, left=left, end=end_of(tile, way), arrives=left + len(way))


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
