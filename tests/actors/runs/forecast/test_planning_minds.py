"""What minds that think will ask of their models."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from actors.episodes.port.game import AnyGame
from actors.runs.forecast.estimates import NOTHING, Bounds
from actors.runs.forecast.planning_minds import (
    A_DAY,
    A_QUESTION,
    BEGINNING,
    OF_ITS_TASK,
    TASK_PLAN,
    Asked,
    thinks,
)
from events.minds import GenerativeSpec, MindSpec, ModelSpec
from tests.support.builders import started

OWN, OTHER = ModelSpec(name="own"), ModelSpec(name="other")


def world(days: float | None, aim: object = "a goal") -> AnyGame:
    """One in which the first seat has a task."""
    found = SimpleNamespace(
        limits=SimpleNamespace(days=lambda _: days),
        sight=SimpleNamespace(background=lambda _episode, _started, seat, _memory: seat),
        planning=SimpleNamespace(living=lambda seat: SimpleNamespace(aim=None if seat else aim)),
    )
    return cast(AnyGame, found)


def mind(**how: Any) -> MindSpec:
    return MindSpec(name="m", kind="generative", model=OWN, generative=GenerativeSpec(**how))


def both(found: tuple[Asked, ...] | None, model: ModelSpec = OWN) -> Bounds:
    """All that is asked of a model, in short and at length."""
    return sum((one.calls for one in found or () if one.model == model), NOTHING)


@pytest.mark.parametrize("profile", ["lean", "published"])
def test_it_asks_by_the_time_that_is_lived(profile: Any):
    def asked(days: float) -> Bounds:
        return both(thinks(world(days), started(), 1, mind(profile=profile), None))

    low, high = A_DAY[profile]
    hour, morning, day, two = (asked(days) for days in (1 / 24, 0.25, 1.0, 2.0))
    assert hour.high < high / 4, "an hour is no whole day"
    assert hour.high < morning.high < day.high
    assert day.high >= high + BEGINNING[profile]
    assert two.high >= 2 * high
    assert (two.low, morning.low) <= (2 * low, low / 4)
    assert low * 0.6 <= day.low <= low


def test_where_no_days_are_lived_it_asks_by_the_question():
    low, high = A_QUESTION["lean"]
    found = both(thinks(world(None), started(), 1, mind(), Bounds(5, 10)))
    assert found.low <= 5 * low
    assert found.high >= 10 * high
    assert thinks(world(None), started(), 1, mind(), None) is None


def test_a_background_is_asked_for_all_but_what_a_task_needs():
    spec = mind(agent="ga+tdp", background=OTHER)
    found = thinks(world(1.0), started(), 0, spec, None)
    own, rest = both(found), both(found, OTHER)
    assert own.high >= OF_ITS_TASK["lean"].high + TASK_PLAN
    assert own.low >= TASK_PLAN
    assert rest.high >= A_DAY["lean"].high - OF_ITS_TASK["lean"].high
    without = thinks(world(1.0), started(), 1, spec, None)
    assert both(without).low == 0
    assert both(without, OTHER).high >= A_DAY["lean"].high


def test_what_is_thought_at_length_is_told_apart_by_its_own_limit():
    spec = mind(plan_tokens=900, reflect_tokens=1_200)
    short, long = thinks(world(1.0), started(), 1, spec, None) or ()
    assert (short.kind, short.longest) == ("mind", OWN.max_tokens)
    assert (long.kind, long.longest) == ("plans", 1_200)
    before = thinks(world(1.0), started(), 1, mind(), None) or ()
    assert [one.longest for one in before] == [2_500, 2_500], "any call might be as long"


def test_a_lean_day_has_at_most_a_quarter_of_the_calls():
    assert A_DAY["lean"].high <= A_DAY["published"].high / 4
    assert A_DAY["lean"].low <= A_DAY["published"].low / 4
