"""Where many live it is found who sees whom as one would look for each."""

import numpy as np
import pytest
from numpy.typing import NDArray

from actors.sandbox.movement.view_matrix import Spot, entering, views

PEOPLE = 90


def some_spots(seed: int, far: int) -> tuple[Spot, Spot]:
    """Before and after some have gone a step, in arenas of which one is crowded."""
    lots = np.random.default_rng(seed)
    x = far + lots.integers(0, 40, PEOPLE, np.int32)
    y = lots.integers(0, 12, PEOPLE, np.int32)
    moved = lots.random(PEOPLE) < 0.2
    x_now = (x + moved * lots.integers(-1, 2, PEOPLE)).clip(0).astype(np.int32)
    return Spot(x, y, _arena(x - far)), Spot(x_now, y, _arena(x_now - far))


def _arena(x: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.where(x < 20, -1, x // 4).astype(np.int32)


def seen_by(spot: Spot, seat: int, radius: int) -> list[int]:
    """Whom somebody sees, the nearest first."""
    x, y, arena = spot.x.tolist(), spot.y.tolist(), spot.arena.tolist()
    away = {
        one: (x[one] - x[seat]) ** 2 + (y[one] - y[seat]) ** 2
        for one in range(PEOPLE)
        if one != seat
        and arena[one] == arena[seat]
        and abs(x[one] - x[seat]) <= radius
        and abs(y[one] - y[seat]) <= radius
    }
    return sorted(away, key=lambda one: (away[one], one))


@pytest.mark.parametrize("far", [0, 70_000])
@pytest.mark.parametrize("seed", range(4))
def test_whoever_begins_to_be_perceived_is_found(seed: int, far: int):
    radius, most = 4, 6
    before, now = some_spots(seed, far)
    expected = {}
    for seat in range(PEOPLE):
        saw, see = seen_by(before, seat, radius), seen_by(now, seat, radius)
        new = tuple((one, one not in saw) for one in see[:most] if one not in saw[:most])
        if new:
            expected[seat] = new
    assert entering(before, now, radius, most) == expected
    assert any(len(seen_by(now, seat, radius)) > most for seat in expected)


@pytest.mark.parametrize("radius", [0, 8, 40_000])
def test_a_view_is_a_square_in_ones_own_arena(radius: int):
    spot, _ = some_spots(1, far=0)
    seats = np.array([3, 0, 89])
    found = [row.nonzero()[0].tolist() for row in views(spot, seats, radius)]
    assert found == [sorted(seen_by(spot, seat, radius)) for seat in seats.tolist()]
