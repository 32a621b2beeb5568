"""The next instant at which something happens: found from what is known, never by ticking."""

from typing import Final

from actors.sandbox.clock import clock_of
from actors.sandbox.conversation.meetings import meetings
from actors.sandbox.movement.positions import movement_of
from actors.sandbox.perception.perceive import noticed
from actors.sandbox.setup import Noticed
from actors.sandbox.world import World

MOST_UNASKED: Final = 900
"""Instants between two turns at which somebody notices something: no history may have many more
changes in a row (``actors.episodes.rules.consequences.MOST_CHANGES``), and only ways of as many
tiles lead to so many. Then nothing is noticed before somebody has something to decide."""


def next_instant(world: World) -> tuple[int, tuple[Noticed, ...]]:
    """The next step at which somebody notices something or has something to decide, and what is
    noticed then; the town's last step but one more, where there is none before."""
    movement = movement_of(world)
    due = _due(world)
    begin = world.at
    while begin < due and world.unasked < MOST_UNASKED:
        arrival = movement.next_arrival(begin)
        end = due if arrival is None else min(due, arrival)
        if end > begin + 1:
            for step in movement.changes(begin, end - 1):
                if (found := _at(world, step)) is not None:
                    return step, found
        found = _at(world, end)
        if end == due or found is not None:
            return end, found or ()
        begin = end
    return due, ()


def _at(world: World, step: int) -> tuple[Noticed, ...] | None:
    """What is noticed at a step; None: nothing, and nobody meets."""
    if step >= world.town.settings.steps:
        return None
    found = noticed(world, step)
    if found:
        return tuple(found[seat] for seat in sorted(found))
    return () if meetings(world, step) else None


def _due(world: World) -> int:
    """The next step at which what somebody does is done, a day begins, or all is over."""
    settings = world.town.settings
    done = min(world.untils)
    return min(done, clock_of(settings).next_day(world.at), settings.steps)
