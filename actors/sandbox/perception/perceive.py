"""What everybody perceives (STSS, section 3: within a square, in one's own arena, the nearest
events): of others, what they do; of the town, the places along a way.

An event is what somebody does: who, text and address. It is noticed where it begins to be among
the ``attention`` nearest in view, and is none of the last ``retention`` that were noticed. Who is
asleep perceives nobody.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from actors.sandbox.map.geometry import tiles_along
from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.movement.positions import movement_of
from actors.sandbox.movement.walks import Entered
from actors.sandbox.setup import Noticed, Seen
from actors.sandbox.world import Doing, Knowing, World


def noticed(world: World, step: int) -> dict[int, Noticed]:
    """What is noticed at a step because somebody has moved since the one before, by seat."""
    found = {
        viewer: notice
        for viewer, entered in entering(world, step).items()
        if (notice := _notice(world, world.doings, viewer, entered)) is not None
    }
    for seat in movement_of(world).arriving(step):
        found.update(_learning(world, seat, step, found.get(seat)))
    return found


def entering(world: World, step: int) -> dict[int, Entered]:
    """Who begins to be perceived at a step, by the seat that perceives them, whatever they do and
    asleep or not."""
    return movement_of(world).entering(step)


def noticed_of_doings(
    world: World, doings: Sequence[Doing], begun: Iterable[int]
) -> dict[int, Noticed]:
    """What is noticed because some have ``begun`` something else, by seat. ``doings``: what all do
    from now on."""
    changed, woken = list[int](), set[int]()
    for seat in sorted(begun):
        old, new = world.doings[seat], doings[seat]
        if (old.text, old.address) != (new.text, new.address):
            changed.append(seat)
        if old.asleep and not new.asleep:
            woken.add(seat)
    if not changed:
        return {}
    movement, at = movement_of(world), world.at
    awake = [one for one in movement.viewers(at, changed) if not doings[one].asleep]
    perceived = movement.perceived_of(at, [one for one in awake if one not in woken], changed)
    if woken:
        perceived.update(movement.perceived(at, sorted(woken)))
    found = {}
    for viewer, seats in perceived.items():
        notice = _notice(world, doings, viewer, tuple([(one, False) for one in seats]))
        if notice is not None:
            found[viewer] = notice
    return found


def in_view(world: World, seats: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Whom each of some seats perceives now, the nearest first; asleep or not."""
    return movement_of(world).perceived(world.at, seats)


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
    tiles = tiles_along(walk.tile, walk.way)[: max(0, step - walk.left) + 1]
    new = grid.seen_along(tiles, radius) & ~known
    return tuple(places_in(grid, new)) if new else ()


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
    recent = (*knowing.recent, *[(one.seat, one.text, one.address) for one in notice.seen])
    return recent[-retention:] if retention else ()
