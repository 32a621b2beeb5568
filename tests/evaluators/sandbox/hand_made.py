"""Trajectories of a few steps, written down step by step."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby

import numpy as np

from actors.sandbox.catalog_items import Goal, Task, TaskKind
from actors.sandbox.movement.trajectory import Talk, Trajectory, TrajectorySpan
from actors.sandbox.setup import Tile

HALL = "Elm:Hall:room:table"
PARK = "Elm:Park:lawn:bench"
SHOP = "Elm:Shop:store:shelf"
HOME = "Elm:House:kitchen:stove"
PLACES = (
    HALL,
    PARK,
    SHOP,
    HOME,
    "Elm:Hall:room:stage",
    "Elm:Hall:attic:chest",
    "Elm:Street",
    "Elm",
)
"""The place of each column of the map."""

Steps = Sequence[str]
"""A line a step: ``text @ address``; with `` | address`` behind, where one stands instead."""


def address_of(tile: Tile) -> str:
    return PLACES[tile[0]]


def lived(
    people: Mapping[str, Steps],
    start: str = "2023-02-14 19:00",
    step_s: int = 60,
    talks: Sequence[Talk] = (),
) -> Trajectory:
    """What these people did; those with fewer steps than others go on with their last."""
    count = max(map(len, people.values()))
    tiles = np.zeros((count, len(people), 2), dtype=np.int16)
    spans = []
    for seat, given in enumerate(people.values()):
        lines = [*given, *[given[-1]] * (count - len(given))]
        declared = []
        for step, line in enumerate(lines):
            said, _, stood = line.partition(" | ")
            text, _, address = said.partition(" @ ")
            declared.append((text, address))
            place = stood or address
            tiles[step, seat, 0] = PLACES.index(place) if place in PLACES else len(PLACES) - 1
        own, step = [], 0
        for (text, address), same in groupby(declared):
            own.append(TrajectorySpan(step, step := step + len(list(same)), text, address))
        spans.append(tuple(own))
    return Trajectory(
        start=datetime.fromisoformat(start),
        step_s=step_s,
        steps=count,
        names=tuple(people),
        spans=tuple(spans),
        tiles=tiles,
        talks=tuple(talks),
    )


def task(kind: TaskKind, *goals: Goal, people: int = 3, targets: Sequence[str] = ()) -> Task:
    """Ann's."""
    return Task(
        id=f"the-{kind}",
        kind=kind,
        town="elm",
        goal="",
        brief="",
        description="",
        goals=goals,
        people=people,
        targets=tuple(targets),
        performer="Ann",
        characters=("Ann", "Bob", "Cy", "Di"),
    )


DANCE = Goal(
    keyword="dance", other_keywords=("Ball",), start="2023-02-14 19:02", minutes=4, place="Hall"
)
"""At 19:02 to 19:06."""
