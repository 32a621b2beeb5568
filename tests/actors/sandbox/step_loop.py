"""The same rules with a clock that ticks: every step is looked at, nobody is left out, and views
are found by looking at each two people. What time without ticks must be equal to."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from actors.sandbox.clock import clock_of
from actors.sandbox.conversation import meetings
from actors.sandbox.map.grid import grid_of
from actors.sandbox.perception import perceive
from actors.sandbox.setup import Noticed, Tile
from actors.sandbox.town import next_instant as instants
from actors.sandbox.town import outcomes, questions
from actors.sandbox.world import Doing, WalkUnderWay, World

_WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def standing(walk: WalkUnderWay, step: int) -> Tile:
    """Where somebody is at a step, walked tile by tile."""
    x, y = walk.tile
    for letter in walk.way[: max(0, step - walk.left)]:
        x, y = x + _WAYS[letter][0], y + _WAYS[letter][1]
    return x, y


def in_sight(world: World, viewer: int, step: int) -> list[int]:
    """Who is in somebody's view at a step, the nearest first."""
    arena, radius = grid_of(world.town.map).arena, world.town.settings.radius
    tiles = [standing(walk, step) for walk in world.walks]
    x, y = tiles[viewer]
    away = {
        other: (there[0] - x) ** 2 + (there[1] - y) ** 2
        for other, there in enumerate(tiles)
        if other != viewer
        and max(abs(there[0] - x), abs(there[1] - y)) <= radius
        and arena[there[1], there[0]] == arena[y, x]
    }
    return sorted(away, key=lambda other: (away[other], other))


def perceived(world: World, viewer: int, step: int) -> list[int]:
    """Whom somebody perceives at a step."""
    return in_sight(world, viewer, step)[: world.town.settings.attention]


def entering(world: World, step: int) -> dict[int, tuple[tuple[int, bool], ...]]:
    """As ``perception.entering``."""
    found = {}
    for viewer in range(len(world.walks)):
        viewed, had = in_sight(world, viewer, step - 1), perceived(world, viewer, step - 1)
        news = [one for one in perceived(world, viewer, step) if one not in had]
        if news:
            found[viewer] = tuple((one, one not in viewed) for one in news)
    return found


def noticed_of_doings(world: World, doings: Sequence[Doing], begun: object) -> dict[int, Noticed]:
    """As ``perception.noticed_of_doings``; who has begun something is found."""
    found = {}
    for viewer, (old, new) in enumerate(zip(world.doings, doings, strict=True)):
        woken = old.asleep and not new.asleep
        entered = tuple(
            (one, False)
            for one in perceived(world, viewer, world.at)
            if woken
            or (world.doings[one].text, world.doings[one].address)
            != (doings[one].text, doings[one].address)
        )
        notice = perceive._notice(world, doings, viewer, entered)
        if notice is not None:
            found[viewer] = notice
    return found


def next_instant(world: World) -> tuple[int, tuple[Noticed, ...]]:
    """As ``instants.next_instant``: the clock ticks until something is up."""
    clock, steps = clock_of(world.town.settings), world.town.settings.steps
    for step in range(world.at + 1, steps):
        noticed = perceive.noticed(world, step)
        facts = tuple(noticed[seat] for seat in sorted(noticed))
        done = any(doing.until <= step for doing in world.doings)
        if facts or done or clock.begins_day(step) or meetings.meetings(world, step):
            return step, facts
    return steps, ()


@contextmanager
def ticking() -> Iterator[None]:
    """Meanwhile towns live step by step."""

    def in_view(world: World, seats: Sequence[int]) -> dict[int, tuple[int, ...]]:
        return {seat: tuple(perceived(world, seat, world.at)) for seat in seats}

    from actors.sandbox.town import town_rules

    with (
        patch.object(perceive, "entering", entering),
        patch.object(meetings, "entering", entering),
        patch.object(meetings, "in_view", in_view),
        patch.object(outcomes, "noticed_of_doings", noticed_of_doings),
        patch.object(outcomes, "tile_at", standing),
        patch.object(questions, "tile_at", standing),
        patch.object(instants, "next_instant", next_instant),
        patch.object(town_rules, "next_instant", next_instant),
    ):
        yield
