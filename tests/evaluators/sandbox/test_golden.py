"""The published trajectories and the scores that the published scorer gives them."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from actors.sandbox.catalog_items import Goal, Task
from actors.sandbox.trajectory import Span, Talk, Trajectory
from evaluators.sandbox.contacts import contacts
from evaluators.sandbox.findings import Finding
from evaluators.sandbox.published import published
from tests.evaluators.sandbox.hand_made import task
from tests.properties.published import STSS, needs_stss

pytestmark = needs_stss

KINDS: dict[str, Any] = {
    "Party": "public",
    "Public Activity": "public",
    "Personal appointment": "appointment",
    "Find partner": "companions",
    "Online meeting": "online",
    "Ask for others": "help",
}


def published_tasks() -> dict[str, Task]:
    found = {}
    for file in ("tasks.json", "tasks_dlc.json"):
        for one in json.loads((STSS / file).read_text()):
            goals = (
                Goal(
                    keyword=goal["keyword"],
                    other_keywords=tuple(goal["alter_kwd"]),
                    start="" if goal["start_time"] == "N/A" else goal["start_time"],
                    minutes=goal["duration_in_minutes"],
                    place="" if goal["location"] == "N/A" else goal["location"],
                )
                for goal in one["task"]["goal"]
            )
            made = task(
                KINDS[one["task_type"]],
                *goals,
                people=one["task"]["target_num"],
                targets=one["task"]["target"],
            )
            found[one["env_name"]] = Task(
                **{
                    field: getattr(made, field)
                    for field in made.__struct_fields__
                    if field not in ("id", "performer")
                },
                id=one["env_name"],
                performer=one["performer"],
            )
    return found


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


def _spans(changes: list[tuple[int, dict[str, str]]], name: str, steps: int) -> Iterator[Span]:
    own = [(step, *now[name].split(" @ ")) for step, now in changes if name in now]
    for place, (step, text, address) in enumerate(own):
        yield Span(step, own[place + 1][0] if place + 1 < len(own) else steps, text, address)


def test_published_trajectories_get_the_published_scores() -> None:
    tasks = published_tasks()
    lines = (STSS / "golden.jsonl").read_text().splitlines()
    for line in map(json.loads, lines):
        of, town = tasks[line["task"]], golden(line)
        score = published(of, town)
        second = contacts(of, town, score)
        assert isinstance(score, Finding)
        assert isinstance(second, Finding)
        assert {"score": score.value, "second": second.value} == pytest.approx(line["published"])
    assert len(lines) == 60
