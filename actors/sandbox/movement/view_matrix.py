"""Who sees whom in a town with many inhabitants; if few of them act, only these are computed."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actors.sandbox.map.geometry import Ints
from actors.sandbox.movement.walks import Entered

Bools = NDArray[np.bool_]


class Spot(NamedTuple):
    """Where all are at a step: by seat."""

    x: Ints
    """Columns."""
    y: Ints
    """Rows."""
    arena: Ints
    """Their arenas; -1 for none, which counts as one: the open."""


def seen_by(spot: Spot, seats: NDArray[Any], radius: int) -> tuple[Bools, NDArray[np.intp]]:
    """``[seat, place]``: who is in whose view, and the seats that the places stand for: only those
    in the arenas of who looks are looked at."""
    others = _within(spot, spot.arena[seats]).nonzero()[0]
    there = Spot(spot.x[others], spot.y[others], spot.arena[others])
    return views(there, np.searchsorted(others, seats), radius), others


def _within(spot: Spot, arenas: Ints) -> Bools:
    """Who is in one of some arenas."""
    wanted = np.zeros(int(spot.arena.max()) + 2, np.bool_)
    wanted[arenas[arenas < len(wanted) - 1] + 1] = True
    within: Bools = wanted[spot.arena + 1]
    return within


def views(spot: Spot, seats: NDArray[Any], radius: int) -> Bools:
    """``[seat, other]``: who is in whose view; nobody in their own. Whom one sees sees one, too."""
    if not len(seats):
        return np.zeros((0, len(spot.x)), np.bool_)
    seen: Bools = _near(spot.x, seats, radius)
    seen &= _near(spot.y, seats, radius)
    arena = spot.arena.astype(np.int16)
    seen &= arena[seats, None] == arena
    seen[np.arange(len(seats)), seats] = False
    return seen


def _near(place: Ints, seats: NDArray[Any], radius: int) -> Bools:
    # Without a sign, what is too far to the left is as far to the right: one comparison for two.
    # Of half of the bits for a town of usual size, which takes half of the time.
    small = int(place.max()) + 2 * radius < 1 << 15
    unsigned: NDArray[Any] = place.astype(np.uint16 if small else np.uint64)
    near: Bools = unsigned - (unsigned[seats, None] - unsigned.dtype.type(radius)) <= 2 * radius
    return near


def entering(before: Spot, now: Spot, radius: int, most: int) -> dict[int, Entered]:
    """Who begins to be perceived because some have moved, by the seat that perceives them: the
    nearest first, and whether they have just come into view. One perceives the ``most`` nearest."""
    moved = ((before.x != now.x) | (before.y != now.y)).nonzero()[0]
    if not len(moved):
        return {}
    # Nothing changes in arenas in which nobody moves.
    arenas = np.concatenate((before.arena[moved], now.arena[moved]))
    touched = (_within(before, arenas) | _within(now, arenas)).nonzero()[0]
    seats: list[int] = touched.tolist()
    before, now = (Spot(*(column[touched] for column in spot)) for spot in (before, now))
    found = _entering(before, now, np.searchsorted(touched, moved), radius, most)
    return {
        seats[viewer]: tuple([(seats[one], came) for one, came in entered])
        for viewer, entered in found.items()
    }


def _entering(
    before: Spot, now: Spot, moved: NDArray[np.intp], radius: int, most: int
) -> dict[int, Entered]:
    saw, see = views(before, moved, radius), views(now, moved, radius)
    came = see & ~saw
    # Of those who did not move themselves, these have somebody new in view.
    entered: Bools = np.any(came, axis=0)
    entered[moved] = came.any(1)
    contact: Bools = np.any(saw | see, axis=0)
    contact[moved] = True
    crowded = (contact & (_crowd(before, most) | _crowd(now, most))).nonzero()[0]
    saw_all, see_all = views(before, crowded, radius), views(now, crowded, radius)
    packed = (see_all.sum(1) > most) | (saw_all.sum(1) > most)
    rows = dict(zip(crowded[packed].tolist(), packed.nonzero()[0].tolist(), strict=True))
    own = dict(zip(moved.tolist(), range(len(moved)), strict=True))
    entered[list(rows)] = True
    found: dict[int, Entered] = {}
    for viewer in entered.nonzero()[0].tolist():
        row = rows.get(viewer)
        if row is None:
            new = came[own[viewer]].nonzero()[0] if viewer in own else moved[came[:, viewer]]
            found[viewer] = tuple([(one, True) for one in nearest(now, viewer, new, most)])
            continue
        had = nearest(before, viewer, saw_all[row].nonzero()[0], most)
        seen = nearest(now, viewer, see_all[row].nonzero()[0], most)
        if fresh := tuple([(one, not bool(saw_all[row, one])) for one in seen if one not in had]):
            found[viewer] = fresh
    return found


def nearest(spot: Spot, viewer: int, others: NDArray[Any], most: int) -> Sequence[int]:
    """Of some seats, in their order, the nearest to another, by straight distance and then by
    seat."""
    if len(others) > 1:
        x, y = spot.x, spot.y
        away = (x[others] - x[viewer]) ** 2 + (y[others] - y[viewer]) ** 2
        others = others[np.argsort(away, kind="stable")[:most]]
    kept: list[int] = others.tolist()
    return kept


def _crowd(spot: Spot, most: int) -> Bools:
    """Who is in an arena with more than so many others."""
    crowd: Bools = np.bincount(spot.arena + 1)[spot.arena + 1] > most + 1
    return crowd
