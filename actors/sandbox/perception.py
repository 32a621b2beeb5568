"""What everybody perceives (STSS, section 3: within a square, in one's own arena, the nearest
events): of others, what they do; of the town, the places along a way.

An event is what somebody does: who, text and address. It is noticed where it begins to be among
the ``attention`` nearest in view, and is none of the last ``retention`` that were noticed. Who is
asleep perceives nobody.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from actors.same import Same
from actors.sandbox import many
from actors.sandbox.geometry import FEW, Bools, end_of, movement_of
from actors.sandbox.grid import Grid, grid_of
from actors.sandbox.setup import Noticed, Seen
from actors.sandbox.world import Doing, Knowing, Walk, World

Entered = tuple[tuple[int, bool], ...]
"""Who is perceived anew, the nearest first: the seat, and whether they have just come into view."""


def noticed(world: World, step: int) -> dict[int, Noticed]:
    """What is noticed at a step because somebody has moved since the one before, by seat."""
    found = {
        viewer: notice
        for viewer, entered in entering(world, step).items()
        if (notice := _notice(world, world.doings, viewer, entered)) is not None
    }
    for seat, walk in enumerate(world.walks):
        if walk.way and walk.arrives == step:
            found.update(_learning(world, seat, step, found.get(seat)))
    return found


def entering(world: World, step: int) -> dict[int, Entered]:
    """Who begins to be perceived at a step, by the seat that perceives them, whatever they do and
    asleep or not."""
    settings = world.town.settings
    grid = grid_of(world.town.map)
    return _entering(Same(world.walks), grid, step, settings.radius, settings.attention)


@lru_cache(maxsize=16)
def _entering(
    same: Same[tuple[Walk, ...]], grid: Grid, step: int, radius: int, attention: int
) -> dict[int, Entered]:
    movement = movement_of(same.value, grid)
    before, now = movement.spot(step - 1), movement.spot(step)
    if len(before.x) > FEW:
        return many.entering(before, now, radius, attention)
    moved = ((before.x != now.x) | (before.y != now.y)).nonzero()[0].astype(np.int32)
    if not len(moved):
        return {}
    contact: Bools = np.any(before.views(moved, radius) | now.views(moved, radius), axis=0)
    contact[moved] = True
    viewers = contact.nonzero()[0].astype(np.int32)
    seen_before, seen = before.views(viewers, radius), now.views(viewers, radius)
    came = seen & ~seen_before
    crowded = (seen.sum(1) > attention) | (seen_before.sum(1) > attention)
    found: dict[int, Entered] = {}
    for row in (came.any(1) | crowded).nonzero()[0].tolist():
        viewer = int(viewers[row])
        perceived = now.nearest(viewer, seen[row], attention)
        had: Iterable[int] = ()
        if crowded[row]:
            had = before.nearest(viewer, seen_before[row], attention)
        else:
            perceived = tuple(one for one in perceived if came[row, one])
        entered = tuple((one, bool(came[row, one])) for one in perceived if one not in had)
        if entered:
            found[viewer] = entered
    return found


def noticed_of_doings(world: World, doings: Sequence[Doing]) -> dict[int, Noticed]:
    """What is noticed because some do something else from now on, ``doings``, by seat."""
    settings = world.town.settings
    changed, woken = [], set[int]()
    for seat, (old, new) in enumerate(zip(world.doings, doings, strict=True)):
        if old is new:
            continue
        if (old.text, old.address) != (new.text, new.address):
            changed.append(seat)
        if old.asleep and not new.asleep:
            woken.add(seat)
    if not changed:
        return {}
    spot = movement_of(world.walks, grid_of(world.town.map)).spot(world.at)
    news = np.zeros(len(doings), np.bool_)
    news[changed] = True
    contact: Bools = np.any(spot.views(np.array(changed, np.int32), settings.radius), axis=0)
    contact[list(woken)] = True
    viewers = contact.nonzero()[0].astype(np.int32)
    seen, found = spot.views(viewers, settings.radius), dict[int, Noticed]()
    crowded = seen.sum(1) > settings.attention
    for row, viewer in enumerate(viewers.tolist()):
        if doings[viewer].asleep:
            continue
        new = seen[row] if viewer in woken else seen[row] & news
        perceived = spot.nearest(viewer, seen[row] if crowded[row] else new, settings.attention)
        entered = tuple((one, False) for one in perceived if new[one])
        notice = _notice(world, doings, viewer, entered)
        if notice is not None:
            found[viewer] = notice
    return found


def in_view(world: World, seats: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Whom each of some seats perceives now, the nearest first; asleep or not."""
    spot = movement_of(world.walks, grid_of(world.town.map)).spot(world.at)
    viewers, settings = np.array(seats, np.int32), world.town.settings
    seen = spot.views(viewers, settings.radius)
    return {
        viewer: spot.nearest(viewer, seen[row], settings.attention)
        for row, viewer in enumerate(seats)
    }


def _notice(world: World, doings: Sequence[Doing], viewer: int, entered: Entered) -> Noticed | None:
    if doings[viewer].asleep:
        return None
    recent = world.knowings[viewer].recent
    seen = []
    for seat, came in entered:
        doing = doings[seat]
        if doing.text and (seat, doing.text, doing.address) not in recent:
            seen.append(Seen(seat=seat, text=doing.text, address=doing.address, came=came))
    return Noticed(seat=viewer, seen=tuple(seen)) if seen else None


def learned(world: World, seat: int, step: int) -> tuple[str, ...]:
    """Places that somebody has seen for the first time on the way they are on, up to a step."""
    walk, radius = world.walks[seat], world.town.settings.radius
    grid, known = grid_of(world.town.map), world.knowings[seat].known
    seen = 0
    for gone in range(max(0, min(step, walk.arrives) - walk.left) + 1):
        seen |= grid.seen_from(end_of(walk.tile, walk.way[:gone]), radius)
    return tuple(places_in(grid, seen & ~known))


def places_in(grid: Grid, mask: int) -> Iterator[str]:
    """The addresses of some places, in the order of their ids."""
    octets = np.frombuffer(mask.to_bytes(-(-mask.bit_length() // 8), "little"), np.uint8)
    ids = np.unpackbits(octets, bitorder="little").nonzero()[0]
    return map(grid.places.__getitem__, ids.tolist())


def _learning(world: World, seat: int, step: int, notice: Noticed | None) -> dict[int, Noticed]:
    places = learned(world, seat, step)
    if not places:
        return {}
    return {seat: Noticed(seat=seat, seen=notice.seen if notice else (), learned=places)}


def remembered(
    knowing: Knowing, notice: Noticed, retention: int
) -> tuple[tuple[int, str, str], ...]:
    """What somebody noticed last, after one more notice."""
    new = tuple((one.seat, one.text, one.address) for one in notice.seen)
    recent = (*knowing.recent, *new)
    return recent[-retention:] if retention else ()
