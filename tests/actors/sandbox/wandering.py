"""People who wander about in the small town, act and talk, as chance has it."""

import random
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from actors.sandbox.catalog_items import Goal, Inhabitant, Task
from actors.sandbox.formats.movement_events import settings_of
from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.movement.trajectory import Talk, Trajectory, TrajectorySpan
from actors.sandbox.setup import NAME, Town
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
    """Some steps of it in the small town."""
    grid = grid_of(small_town())
    return wandered(random.Random(seed), grid, NAMES, WORDS, arenas_of(grid), steps, start, 60)


def arenas_of(grid: Grid) -> tuple[str, ...]:
    """Where one can go."""
    return tuple(place for place in grid.places if place.count(":") == 2 and grid.standing(place))


def wandered(
    chance: random.Random,
    grid: Grid,
    names: Sequence[str],
    words: Sequence[str],
    places: Sequence[str],
    steps: int,
    start: str,
    step_s: int,
) -> Trajectory:
    """People who do this and that here and there; the first two talk once."""
    tiles = np.zeros((steps, len(names), 2), dtype=np.int16)
    spans: list[list[TrajectorySpan]] = [[] for _ in names]
    talk = Talk(20, 24, (1, 0), ((1, "Shall we dance?"), (0, "Yes – at ten past.")))
    for seat in range(len(names)):
        x, y = chance.choice(grid.standing(chance.choice(places)))
        step = 0
        while step < steps:
            place, length = chance.choice(places), chance.randint(1, 15)
            text = chance.choice(words)
            if seat in talk.people and step == talk.start:
                place, length = f"<persona> {names[1 - seat]}", talk.end - talk.start
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
            spans[seat].append(TrajectorySpan(step, end, text, place, "💃"))
            step = end
    return Trajectory(
        start=datetime.fromisoformat(start),
        step_s=step_s,
        steps=steps,
        names=tuple(names),
        spans=tuple(map(tuple, spans)),
        tiles=tiles,
        talks=(talk,),
    )


def same(one: Trajectory, other: Trajectory) -> bool:
    """Whether two trajectories are equal, but for who began talks in which nothing was said: files
    do not have that."""

    def rest(lived: Trajectory) -> Sequence[object]:
        talks = sorted(
            (
                talk.start,
                talk.end,
                talk.people if talk.lines else tuple(sorted(talk.people)),
                talk.lines,
            )
            for talk in lived.talks
        )
        return (lived.start, lived.step_s, lived.steps, lived.names, lived.spans, talks)

    return rest(one) == rest(other) and np.array_equal(one.tiles, other.tiles)
