"""The paper's scorer, letter by letter: what is done where one stands, over a few steps."""

import pytest

from actors.sandbox.catalog_items import Goal, Task
from actors.sandbox.movement.trajectory import Trajectory
from evaluators.sandbox.scorers.paper_scorer import paper_and_pooled
from evaluators.sandbox.scorers.task_scores import Failed, TaskScore
from tests.evaluators.sandbox.hand_made import (
    DANCE,
    HALL,
    HOME,
    PARK,
    SHOP,
    address_of,
    lived,
    task,
)

IDLE = f"resting @ {HOME}"
DANCING = f"dancing a dance @ {HALL}"
PUBLIC = task("public", DANCE)


def found(of: Task, trajectory: Trajectory) -> TaskScore:
    outcome, _ = paper_and_pooled(of, trajectory, address_of)
    assert isinstance(outcome, TaskScore), outcome
    return outcome


def value(of: Task, trajectory: Trajectory) -> float:
    return found(of, trajectory).value


def test_one_step_within_the_window_is_enough_whenever_it_began() -> None:
    town = lived({"Ann": [IDLE], "Bob": [DANCING] * 3 + [IDLE], "Cy": [IDLE] * 7 + [DANCING]})
    assert value(PUBLIC, town) == 0.5


def test_the_window_has_a_date() -> None:
    town = lived({"Ann": [IDLE], "Bob": [DANCING] * 5}, start="2023-02-13 19:00")
    assert value(PUBLIC, town) == 0


def test_steps_that_do_not_begin_with_the_window_are_within_it_or_not() -> None:
    slow = {"Ann": [IDLE], "Bob": [IDLE, DANCING, IDLE], "Cy": [IDLE, IDLE, DANCING]}
    assert value(PUBLIC, lived(slow, start="2023-02-14 18:59", step_s=210)) == 1
    assert value(PUBLIC, lived(slow, start="2023-02-14 18:58", step_s=210)) == 0.5


def test_what_one_stands_on_counts_not_what_is_declared() -> None:
    going = f"dance @ {HALL} | {PARK}"
    town = lived(
        {"Ann": [IDLE], "Bob": [IDLE, IDLE, going], "Cy": [f"dance @ {PARK} | {HALL}"] * 4}
    )
    assert value(PUBLIC, town) == 0.5


def test_who_only_talks_of_it_does_not_do_it() -> None:
    said = f"conversing about the dance @ <persona> Cy | {HALL}"
    assert value(PUBLIC, lived({"Ann": [IDLE], "Bob": [said] * 4})) == 0


def test_nobody_counts_twice_nor_the_performer_nor_more_than_all() -> None:
    assert value(PUBLIC, lived({"Ann": [DANCING] * 4, "Bob": [DANCING, IDLE] * 3})) == 0.5
    come = [DANCING] * 3
    assert value(PUBLIC, lived({"Ann": [IDLE], "Bob": come, "Cy": come, "Di": come})) == 1


def test_online_any_place_will_do() -> None:
    game = task("online", Goal(keyword="game", start="2023-02-14 19:02", minutes=4))
    town = lived({"Ann": [IDLE], "Bob": [f"a game @ {HOME}"] * 3, "Cy": [f"a game @ {PARK}"] * 3})
    assert value(game, town) == 1


MEET = task("appointment", Goal(keyword="plan the trip"), people=2, targets=("Bob",))
PLAN = "plan the trip"


def test_an_appointment_is_kept_in_one_arena_and_half_kept_elsewhere() -> None:
    stage = "Elm:Hall:room:stage"
    together = {"Ann": [f"{PLAN} @ {PARK} | {HALL}"], "Bob": [f"{PLAN} @ {HOME} | {stage}"]}
    assert value(MEET, lived(together)) == 1
    apart = {"Ann": [f"{PLAN} @ {HALL}"], "Bob": [f"{PLAN} @ {HALL} | Elm:Hall:attic:chest"]}
    assert value(MEET, lived(apart)) == 0.5


def test_an_appointment_in_no_arena_is_half_kept() -> None:
    outside = f"{PLAN} @ {PARK} | Elm:Street"
    assert value(MEET, lived({"Ann": [outside], "Bob": [outside]})) == 0.5


def test_an_appointment_is_kept_in_one_step_and_not_by_talk() -> None:
    here = f"{PLAN} @ {HALL}"
    assert value(MEET, lived({"Ann": [here, IDLE], "Bob": [IDLE, here]})) == 0
    assert value(MEET, lived({"Ann": [here], "Bob": [f"conversing about {here}"]})) == 0


SHOPPING = task("companions", Goal(keyword="buying", place="Shop"))


def test_companions_and_the_performer_stand_at_the_place_in_one_step() -> None:
    buying = f"buying bread @ {SHOP}"
    town = lived({"Ann": [IDLE, buying], "Bob": [buying, buying], "Cy": [buying, IDLE]})
    assert value(SHOPPING, town) == 0.5
    away = f"buying bread at the shop @ {SHOP} | {HOME}"
    assert value(SHOPPING, lived({"Ann": [away], "Bob": [buying]})) == 0
    assert value(SHOPPING, lived({"Ann": [buying], "Bob": [away]})) == 0


def test_among_companions_talk_does_not_count() -> None:
    said = f"conversing about buying bread @ <persona> Ann | {SHOP}"
    assert value(SHOPPING, lived({"Ann": [f"buying bread @ {SHOP}"], "Bob": [said]})) == 0


HELP = task(
    "help",
    Goal(keyword="milk", place="Shop"),
    Goal(keyword="bring the milk", place="House"),
    people=1,
)
FETCH, BRING = f"fetch the milk @ {SHOP}", f"bring the milk @ {HOME}"


@pytest.mark.parametrize(
    ("people", "alone", "pooled"),
    [
        ({"Ann": [IDLE], "Bob": [FETCH, BRING]}, 1.0, 1.0),
        ({"Ann": [IDLE], "Bob": [FETCH, IDLE], "Cy": [IDLE, BRING]}, 0.5, 1.0),
        ({"Ann": [IDLE], "Bob": [IDLE, FETCH], "Cy": [BRING, IDLE]}, 0.5, 0.5),
        ({"Ann": [IDLE], "Bob": [BRING, FETCH]}, 0.5, 0.5),
        ({"Ann": [IDLE], "Bob": [BRING, IDLE]}, 0.0, 0.0),
        ({"Ann": [FETCH, BRING], "Bob": [IDLE]}, 0.0, 0.0),
        ({"Ann": [IDLE], "Bob": [f"fetch the milk @ {SHOP} | {PARK}", BRING]}, 0.0, 0.0),
        ({"Ann": [IDLE], "Bob": [f"conversing about milk @ <persona> Cy | {SHOP}"]}, 0.0, 0.0),
    ],
)
def test_help_is_the_progress_in_order_of_the_best_other_and_a_pooled_figure_beside(
    people: dict[str, list[str]], alone: float, pooled: float
) -> None:
    best, together = paper_and_pooled(HELP, lived(people), address_of)
    assert isinstance(best, TaskScore)
    assert together is not None
    assert (best.value, together.value) == (alone, pooled)


def test_evidence_is_where_one_stood_while_it_counted() -> None:
    town = lived({"Ann": [IDLE], "Bob": [f"dance @ {HALL} | {PARK}"] * 3 + [f"dance @ {HALL}"]})
    (deed,) = found(PUBLIC, town).deeds
    assert str(deed) == f"Bob, 2023-02-14 19:03–19:04, {HALL}: 'dance' (keyword 'dance')"


@pytest.mark.parametrize(
    ("of", "text", "why"),
    [
        (task("public", Goal(keyword="dance")), IDLE, "no start"),
        (PUBLIC, f"resting @ a @ {HOME}", "twice"),
        (task("companions", DANCE, people=1), IDLE, "2 at least"),
    ],
)
def test_what_cannot_be_scored_has_failed_and_is_no_zero(of: Task, text: str, why: str) -> None:
    outcome, _ = paper_and_pooled(of, lived({"Ann": [text], "Bob": [IDLE]}), address_of)
    assert isinstance(outcome, Failed)
    assert why in outcome.error
