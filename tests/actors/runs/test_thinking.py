"""What minds that think will ask of their models."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from actors.episodes.environment import Environment
from actors.runs.estimates import Bounds
from actors.runs.thinking import A_DAY, A_QUESTION, OF_ITS_TASK, TASK_PLAN, thinks
from events.minds import GenerativeSpec, MindSpec, ModelSpec
from tests.builders import started

OWN, OTHER = ModelSpec(name="own"), ModelSpec(name="other")


def world(days: float | None, aim: object = "a goal") -> Environment[Any]:
    """One in which the first seat has a task."""
    found = SimpleNamespace(
        days=lambda _: days,
        background=lambda _episode, _started, seat, _memory: seat,
        living=lambda seat: SimpleNamespace(aim=None if seat else aim),
    )
    return cast(Environment[Any], found)


def mind(**how: Any) -> MindSpec:
    return MindSpec(name="m", kind="generative", model=OWN, generative=GenerativeSpec(**how))


@pytest.mark.parametrize("profile", ["lean", "published"])
def test_it_asks_by_the_day_that_is_lived(profile: Any):
    (asked,) = thinks(world(1.9), started(), 1, mind(profile=profile), None) or ()
    low, high = A_DAY[profile]
    assert (asked.model, asked.calls) == (OWN, Bounds(2 * low, 2 * high))


def test_where_no_days_are_lived_it_asks_by_the_question():
    (asked,) = thinks(world(None), started(), 1, mind(), Bounds(5, 10)) or ()
    low, high = A_QUESTION["lean"]
    assert asked.calls == Bounds(5 * low, 10 * high)
    assert thinks(world(None), started(), 1, mind(), None) is None


def test_a_background_is_asked_for_all_but_what_a_task_needs():
    spec = mind(agent="ga+tdp", background=OTHER)
    own, rest = thinks(world(1.0), started(), 0, spec, None) or ()
    assert (own.model, rest.model) == (OWN, OTHER)
    assert own.calls == OF_ITS_TASK["lean"] + Bounds(TASK_PLAN, TASK_PLAN)
    assert own.calls.low + rest.calls.low == A_DAY["lean"].low
    without, all_ = thinks(world(1.0), started(), 1, spec, None) or ()
    assert (without.calls, all_.calls) == (Bounds(0, 0), A_DAY["lean"])


def test_a_lean_day_has_at_most_a_quarter_of_the_calls():
    assert A_DAY["lean"].high <= A_DAY["published"].high / 4
    assert A_DAY["lean"].low <= A_DAY["published"].low / 4
