"""Decides which characters are asked what at the current instant."""

from actors.sandbox.clock import clock_of
from actors.sandbox.conversation.meetings import meetings, near
from actors.sandbox.map.geometry import tile_at
from actors.sandbox.map.grid import grid_of
from actors.sandbox.setup import WhatToDo, WhatToSay, Why
from actors.sandbox.world import World
from events.episode import Asked


def questions(world: World) -> tuple[Asked, ...]:
    """Those of this step that are not asked yet, in the order of seats."""
    at, rounds = world.at, world.town.settings.rounds
    found: dict[int, WhatToDo | WhatToSay] = {
        talk.speaker: WhatToSay(at=at, talk=talk.id, to=talk.listener, left=rounds - talk.said // 2)
        for talk in world.talks
    }
    talking = {seat for talk in world.talks for seat in talk.seats} if found else set[int]()
    first = world.asked_at != at
    met = meetings(world, at) if first and at else {}
    day = first and clock_of(world.town.settings).begins_day(at)
    done = set[int]()
    if min(world.untils) <= at:
        done = {seat for seat, until in enumerate(world.untils) if until <= at} - talking
    around = near(world, done) if first and at else {}
    seats = set(range(len(world.doings))) if day else done | met.keys()
    asked = seats - talking
    if not (asked or found):
        return ()
    grid = grid_of(world.town.map)
    for seat in asked:
        if (why := _why(world, seat, seat in done, day, seat in met)) is None:
            continue
        who = met.get(seat, ())
        others = tuple([one for one in around.get(seat, ()) if one not in who])
        place = grid.address(tile_at(world.walks[seat], at))
        found[seat] = WhatToDo(at=at, why=why, met=who, near=others, place=place)
    return tuple([Asked(seat=seat, question=found[seat]) for seat in sorted(found)])


def _why(world: World, seat: int, done: bool, day: bool, met: bool) -> Why | None:
    """Why a seat is asked what it does; None: it is not."""
    doing = world.doings[seat]
    if done and not doing.text:
        return "begins"
    if day and (done or not doing.conversing):
        return "day"
    if done:
        return "parted" if doing.conversing else "done"
    return "met" if met else None
