"""Who may talk to whom (STSS, section 3)."""

from collections.abc import Collection

from actors.sandbox.clock import clock_of
from actors.sandbox.perception.perceive import entering, in_view
from actors.sandbox.world import World


def hour_allows(world: World, step: int) -> bool:
    """Whether talks begin at this time of day."""
    settings = world.town.settings
    return clock_of(settings).moment(step).hour < settings.talk_until


def can_talk(world: World, one: int, other: int, step: int) -> bool:
    """Whether somebody may begin a talk with another, the hour aside: neither sleeps, waits or
    talks, and they did not lately. Who has just done what they did is free."""
    doing = world.doings[one]
    if one == other or not world.doings[other].free or not (doing.free or doing.until <= step):
        return False
    gap = world.town.settings.talk_gap
    lately = [who for who, when in world.knowings[one].talked if step - when < gap]
    return other not in lately


def meetings(world: World, step: int) -> dict[int, tuple[int, ...]]:
    """Who has come into whose view at a step and can be talked to, by the seat that may talk."""
    all_entered = entering(world, step)
    if not all_entered or not hour_allows(world, step):
        return {}
    gap = world.town.settings.meet_gap
    found, doings = {}, world.doings
    for viewer, entered in all_entered.items():
        if not doings[viewer].free:
            continue
        came = [who for who, came in entered if came and doings[who].free]
        if not came:
            continue
        passed = world.knowings[viewer].passed
        lately = {who for who, when in passed if step - when < gap}
        met = tuple(
            [who for who in came if who not in lately and can_talk(world, viewer, who, step)]
        )
        if met:
            found[viewer] = met
    return found


def near(world: World, seats: Collection[int]) -> dict[int, tuple[int, ...]]:
    """Who is in the view of some seats and can be talked to once what they did is done."""
    if not seats or not hour_allows(world, world.at):
        return {}
    return {
        seat: tuple(who for who in others if can_talk(world, seat, who, world.at))
        for seat, others in in_view(world, tuple(seats)).items()
    }
