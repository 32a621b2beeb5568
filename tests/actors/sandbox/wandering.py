"""People who wander about in the small town, act and talk, as chance has it."""

import random
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from actors.sandbox.catalog_items import Goal, Inhabitant, Task
from actors.sandbox.formats.movement_events import settings_of
from actors.sandbox.grid import grid_of
from actors.sandbox.setup import NAME, Town
from actors.sandbox.trajectory import Span, Talk, Trajectory
from events.episode import EpisodeStarted
from events.minds import MindSpec
from tests.actors.sandbox.small_town import small_town

NAMES = ("Ann", "Bo", "Cy")
HALL = "Small:inn:hall"
GOALS = (Goal(keyword="dance", start="2023-02-14 00:10", minutes=20, place="inn"),)
WORDS = ("dancing a dance", "cooking", "sleeping", "dance practice")


def task(kind: str = "public") -> Task:
    """Ann's."""
    return Task(
        id=f"wander-{kind}",
        kind=kind,  # type: ignore[arg-type]
        town="small",
        goal="",
        brief="",
        description="",
        goals=GOALS * (2 if kind == "help" else 1),
        people=3,
        targets=("Bo",),
        performer="Ann",
        characters=NAMES,
    )


def started(of: Task, lived: Trajectory) -> EpisodeStarted[Town]:
    """How an episode of a task begins in which this is lived."""
    town = Town(
        map=small_town(),
        inhabitants=tuple(
            Inhabitant(id=name, home=f"Small:{'Bo' if name == 'Bo' else 'Ann'}'s house:room")
            for name in lived.names
        ),
        task=of,
        settings=settings_of(lived),
    )
    return EpisodeStarted(
        run="",
        task=of.id,
        catalog="small",
        environment=NAME,
        setup=town,
        characters=lived.names,
        minds=tuple(MindSpec(name="wanderer", kind="remote") for _ in lived.names),
    )


def wandering(seed: int, steps: int = 60, start: str = "2023-02-13 23:50") -> Trajectory:
    """Some steps of it."""
    chance, grid = random.Random(seed), grid_of(small_town())
    tiles = np.zeros((steps, len(NAMES), 2), dtype=np.int16)
    spans: list[list[Span]] = [[] for _ in NAMES]
    arenas = [place for place in grid.places if place.count(":") == 2 and grid.standing(place)]
    talk = Talk(20, 24, (1, 0), ((1, "Shall we dance?"), (0, "Yes – at ten past.")))
    for seat in range(len(NAMES)):
        x, y = chance.choice(grid.standing(chance.choice(arenas)))
        step = 0
        while step < steps:
            place, length = chance.choice(arenas), chance.randint(1, 15)
            text = chance.choice(WORDS)
            if seat in talk.people and step == talk.start:
                place, length = f"<persona> {NAMES[1 - seat]}", talk.end - talk.start
                text = "conversing about a dance"
            end = min(step + length, steps)
            if seat in talk.people and step < talk.start:
                end = min(end, talk.start)
            way = grid.way((x, y), place, seat) or ""
            for now in range(step, end):
                tiles[now, seat] = (x, y)
                letter, way = way[:1], way[1:]
                x += {"E": 1, "W": -1}.get(letter, 0)
                y += {"S": 1, "N": -1}.get(letter, 0)
            if spans[seat] and (spans[seat][-1].text, spans[seat][-1].address) == (text, place):
                text = f"{text} again"
            spans[seat].append(Span(step, end, text, place, "💃"))
            step = end
    return Trajectory(
        start=datetime.fromisoformat(start),
        step_s=60,
        steps=steps,
        names=NAMES,
        spans=tuple(map(tuple, spans)),
        tiles=tiles,
        talks=(talk,),
    )


def same(one: Trajectory, other: Trajectory) -> bool:
    """Whether all of two trajectories is equal."""

    def rest(lived: Trajectory) -> Sequence[object]:
        return (lived.start, lived.step_s, lived.steps, lived.names, lived.spans, lived.talks)

    return rest(one) == rest(other) and np.array_equal(one.tiles, other.tiles)
