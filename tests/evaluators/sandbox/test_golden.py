"""The published trajectories and the scores that the published scorer gives them."""

import json
import random
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from actors.sandbox.catalog_items import Catalog, Task
from actors.sandbox.formats.movement_reader import read_movement
from actors.sandbox.formats.movement_trajectory import trajectory_in
from actors.sandbox.formats.movement_types import Meta
from actors.sandbox.formats.movement_writer import write_movement
from actors.sandbox.formats.stss import read_stss
from actors.sandbox.map.grid import grid_of
from actors.sandbox.movement.trajectory import Talk, Trajectory, TrajectorySpan
from evaluators.sandbox.scorers.contact_scorer import contacts
from evaluators.sandbox.scorers.published_scorer import published
from evaluators.sandbox.scorers.score_task import both_scores
from evaluators.sandbox.scorers.task_scores import TaskScore
from tests.actors.sandbox.wandering import arenas_of, wandered
from tests.properties.published import STSS, needs_stss

pytestmark = needs_stss


@cache
def catalog() -> Catalog:
    found = read_stss(STSS, "stss").catalog
    assert isinstance(found, Catalog)
    return found


def published_tasks() -> dict[str, Task]:
    return {task.environment_name: task for task in catalog().tasks}


def golden(line: dict[str, Any]) -> Trajectory:
    """A trajectory whose talks are those of which the file says that they were."""
    names = tuple(line["changes"]["0"])
    changes = sorted((int(step), now) for step, now in line["changes"].items())
    spans = tuple(tuple(_spans(changes, name, line["steps"])) for name in names)
    performer = published_tasks()[line["task"]].performer
    return Trajectory(
        start=datetime.strptime(line["start"], "%B %d, %Y, %H:%M:%S"),
        step_s=line["sec_per_step"],
        steps=line["steps"],
        names=names,
        spans=spans,
        tiles=np.zeros((line["steps"], len(names), 2), dtype=np.int16),
        talks=tuple(
            Talk(0, 1, (names.index(performer), names.index(other)), ())
            for other in line["talked_before_14_february"]
        ),
    )


def _spans(
    changes: list[tuple[int, dict[str, str]]], name: str, steps: int
) -> Iterator[TrajectorySpan]:
    own = [(step, *now[name].split(" @ ")) for step, now in changes if name in now]
    for place, (step, text, address) in enumerate(own):
        yield TrajectorySpan(
            step, own[place + 1][0] if place + 1 < len(own) else steps, text, address
        )


def test_published_trajectories_get_the_published_scores() -> None:
    tasks = published_tasks()
    lines = (STSS / "golden.jsonl").read_text().splitlines()
    for line in map(json.loads, lines):
        of, town = tasks[line["task"]], golden(line)
        score = published(of, town)
        second = contacts(of, town, score)
        assert isinstance(score, TaskScore)
        assert isinstance(second, TaskScore)
        assert {"score": score.value, "second": second.value} == pytest.approx(line["published"])
    assert len(lines) == 60


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(published_tasks()) if STSS.is_dir() else ())
def test_all_published_tasks_are_exported_and_imported_with_equal_scores(
    name: str, tmp_path: Path
) -> None:
    of, grid = published_tasks()[name], grid_of(catalog().towns[0])
    words = [word for goal in of.goals for word in (goal.keyword, *goal.other_keywords)]
    there = [place for place in arenas_of(grid) if any(g.place in place for g in of.goals)]
    chance = random.Random(name)
    places = [*there[:4], *chance.sample(arenas_of(grid), 4)]
    lived = wandered(
        chance, grid, of.characters, [*words, "resting"], places, 100, "2023-02-13 00:00", 1_680
    )
    write_movement(lived, tmp_path / "sim", Meta(sec_per_step=1))
    read = trajectory_in(read_movement(tmp_path / "sim"), of.characters, grid, tmp_path)
    assert both_scores(of, read, grid.address) == both_scores(of, lived, grid.address)
