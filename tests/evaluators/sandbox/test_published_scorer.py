"""The published scorer, letter by letter: one thing a test, over a few steps."""

from datetime import datetime

import pytest

from actors.sandbox.catalog_items import Goal, Task
from actors.sandbox.movement.trajectory import Talk, Trajectory
from evaluators.sandbox.scorers.contact_scorer import contacts
from evaluators.sandbox.scorers.paper_scorer import paper_and_pooled
from evaluators.sandbox.scorers.published_scorer import published
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


def value(of: Task, trajectory: Trajectory) -> float:
    found = published(of, trajectory)
    assert isinstance(found, TaskScore), found
    return found.value


PUBLIC = task("public", DANCE)


def test_others_who_begin_within_the_window_count_by_how_many_are_needed() -> None:
    town = lived({"Ann": [DANCING], "Bob": [IDLE, IDLE, DANCING], "Cy": [IDLE]})
    assert value(PUBLIC, town) == 0.5


def test_a_segment_counts_where_it_starts_not_where_it_is() -> None:
    town = lived({"Ann": [IDLE], "Bob": [DANCING] * 4, "Cy": [IDLE] * 7 + [DANCING]})
    assert value(PUBLIC, town) == 0


def test_both_ends_of_the_window_count() -> None:
    town = lived({"Ann": [IDLE], "Bob": [IDLE] * 2 + [DANCING], "Cy": [IDLE] * 6 + [DANCING]})
    assert value(PUBLIC, town) == 1


def test_any_date_will_do() -> None:
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, DANCING, IDLE]}, start="2023-02-13 19:00")
    assert value(PUBLIC, town) == 0.5


def test_a_keyword_is_found_in_any_case_and_a_place_in_its_own_alone() -> None:
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, f"at the BALL @ {HALL}"]})
    assert value(PUBLIC, town) == 0.5
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, f"at the ball @ {HALL.lower()}"]})
    assert value(PUBLIC, town) == 0


def test_what_is_declared_counts_wherever_one_stands() -> None:
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, f"dance @ {HALL} | {PARK}"]})
    assert value(PUBLIC, town) == 0.5
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, f"dance @ {PARK} | {HALL}"]})
    assert value(PUBLIC, town) == 0


def test_the_performer_never_counts_and_no_more_than_all() -> None:
    assert value(PUBLIC, lived({"Ann": [IDLE, IDLE, DANCING], "Bob": [IDLE]})) == 0
    come = [IDLE, IDLE, DANCING]
    assert value(PUBLIC, lived({"Ann": [IDLE], "Bob": come, "Cy": come, "Di": come})) == 1


def test_each_of_several_goals_is_a_share_of_a_person() -> None:
    two = task("public", DANCE, Goal(keyword="sing", start="2023-02-14 19:02", minutes=4))
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, DANCING], "Cy": [IDLE]})
    assert value(two, town) == 0.25


def test_online_at_no_place_in_particular_even_talk_of_it_counts() -> None:
    game = task("online", Goal(keyword="game", start="2023-02-14 19:02", minutes=4))
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, "conversing about a game @ <persona> Cy"]})
    assert value(game, town) == 0.5


MEET = task("appointment", Goal(keyword="plan the trip"), people=2, targets=("Bob",))
PLANNING = "plan the trip"


def test_an_appointment_is_half_kept_where_both_do_it_in_one_step_anywhere() -> None:
    town = lived({"Ann": [IDLE, f"{PLANNING} @ {PARK}"], "Bob": [IDLE, f"{PLANNING} @ {HALL}"]})
    assert value(MEET, town) == 0.5
    late = lived({"Ann": [f"{PLANNING} @ {PARK}", IDLE], "Bob": [IDLE, f"{PLANNING} @ {PARK}"]})
    assert value(MEET, late) == 0


def test_it_is_kept_where_their_addresses_less_the_last_part_are_equal() -> None:
    town = lived(
        {"Ann": [f"{PLANNING} @ {HALL}"], "Bob": [f"{PLANNING} @ Elm:Hall:room:stage | {PARK}"]}
    )
    assert value(MEET, town) == 1


def test_nobody_else_and_no_talk_keeps_it() -> None:
    town = lived({"Ann": [f"{PLANNING} @ {HALL}"], "Bob": [IDLE], "Cy": [f"{PLANNING} @ {HALL}"]})
    assert value(MEET, town) == 0
    talk = f"conversing about how to {PLANNING} @ {HALL}"
    assert value(MEET, lived({"Ann": [talk], "Bob": [f"{PLANNING} @ {HALL}"]})) == 0


SHOPPING = task("companions", Goal(keyword="buying", place="Shop"))


def test_companions_are_counted_in_the_best_step_of_the_performer() -> None:
    buying = f"buying bread @ {SHOP}"
    town = lived(
        {
            "Ann": [IDLE, buying, buying],
            "Bob": [buying, buying, IDLE],
            "Cy": [buying, IDLE, buying],
            "Di": [buying, IDLE, buying],
        }
    )
    assert value(SHOPPING, town) == 1
    assert value(SHOPPING, lived({"Ann": [IDLE], "Bob": [buying], "Cy": [buying]})) == 0


TWO_GOALS = (Goal(keyword="buying"), Goal(keyword="bread"))


@pytest.mark.parametrize(
    ("people", "ann", "others", "expected", "paper"),
    [
        (3, "buying bread", ["buying bread"], 1.0, 0.5),
        (5, "buying", ["buying bread", "bread"], 0.75, 0.5),
        (5, "bread", ["buying bread", "resting"], 0.5, 0.25),
    ],
)
def test_who_does_what_counts_for_two_goals_counts_twice_as_in_the_published_program(
    people: int, ann: str, others: list[str], expected: float, paper: float
) -> None:
    names = ("Bob", "Cy")
    town = lived(
        {"Ann": [f"{ann} @ Elm"]} | {n: [f"{t} @ Elm"] for n, t in zip(names, others, strict=False)}
    )
    of = task("companions", *TWO_GOALS, people=people)
    assert value(of, town) == expected
    # The paper counts people; so did what was scored as published before.
    for found in (paper_and_pooled(of, town, address_of)[0], published(of, town, edition=1)):
        assert isinstance(found, TaskScore)
        assert found.value == paper


def test_the_place_may_stand_in_the_text_in_any_case() -> None:
    said = f"buying bread at the SHOP @ {HOME}"
    assert value(SHOPPING, lived({"Ann": [said], "Bob": [said]})) == 0.5
    assert value(SHOPPING, lived({"Ann": [said], "Bob": [f"buying bread @ {HOME}"]})) == 0


def test_among_companions_talk_counts() -> None:
    town = lived(
        {
            "Ann": ["conversing about buying bread at the shop @ <persona> Bob"],
            "Bob": ["conversing about buying bread at the shop @ <persona> Ann"],
        }
    )
    assert value(SHOPPING, town) == 0.5


HELP = task(
    "help",
    Goal(keyword="fetch the milk", place="Shop"),
    Goal(keyword="bring the milk", place="House"),
    people=1,
)
FETCH, BRING = f"fetch the milk @ {SHOP}", f"bring the milk @ {HOME}"


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ({"Ann": [IDLE], "Bob": [FETCH, BRING]}, 1.0),
        ({"Ann": [IDLE], "Bob": [BRING, FETCH]}, 0.5),
        ({"Ann": [IDLE], "Bob": [FETCH, IDLE], "Cy": [IDLE, BRING]}, 0.5),
        ({"Ann": [IDLE], "Bob": [BRING, IDLE]}, 0.5),
        ({"Ann": [FETCH, BRING], "Bob": [IDLE]}, 0.0),
        ({"Ann": [IDLE], "Bob": [f"conversing about how to fetch the milk @ {SHOP}"]}, 0.0),
        ({"Ann": [IDLE], "Bob": [f"fetch the milk @ {PARK}"]}, 0.0),
    ],
)
def test_help_is_whole_by_one_other_in_order_and_half_by_any_part(
    people: dict[str, list[str]], expected: float
) -> None:
    assert value(HELP, lived(people)) == expected


def test_each_score_says_who_when_where_and_by_which_keyword() -> None:
    town = lived({"Ann": [IDLE], "Bob": [IDLE, IDLE, DANCING, IDLE]})
    found = published(PUBLIC, town)
    assert isinstance(found, TaskScore)
    (deed,) = found.deeds
    assert (deed.seat, deed.name, deed.keyword, deed.address) == (1, "Bob", "dance", HALL)
    assert deed.start == datetime(2023, 2, 14, 19, 2)
    assert str(deed) == (
        f"Bob, 2023-02-14 19:02–19:03, {HALL}: 'dancing a dance' (keyword 'dance')"
    )


@pytest.mark.parametrize(
    ("of", "text", "why"),
    [
        (task("public", Goal(keyword="dance")), IDLE, "no start"),
        (task("online", Goal(keyword="dance")), IDLE, "no start"),
        (PUBLIC, f"resting @ a @ {HOME}", "twice"),
        (task("public", DANCE, people=1), IDLE, "2 at least"),
        (task("public"), IDLE, "no goal"),
        (task("help", Goal(keyword="")), IDLE, "no keyword"),
        (task("appointment", DANCE), IDLE, "with 0 people"),
        (task("appointment", DANCE, targets=("Zoe",)), IDLE, "'Zoe'"),
        (task("public", Goal(keyword="dance", start="tonight")), IDLE, "no date and time"),
        (task("public", Goal(keyword="dance", start="2023-02-14 19:00+01:00")), IDLE, "no date"),
        (
            task("public", Goal(keyword="dance", start="2023-02-14", minutes=10**12)),
            IDLE,
            "no date",
        ),
    ],
)
def test_what_cannot_be_scored_has_failed_and_is_no_zero(of: Task, text: str, why: str) -> None:
    town = lived({"Ann": [text], "Bob": ["x @ Elm"]})
    for found in (published(of, town), paper_and_pooled(of, town, address_of)[0]):
        assert isinstance(found, Failed)
        assert why in found.error


def talk(start: int, *people: int) -> Talk:
    return Talk(start=start, end=start + 1, people=(people[0], people[1]), lines=())


FOUR = {"Ann": [IDLE] * 4, "Bob": [IDLE], "Cy": [IDLE], "Di": [IDLE]}
TALKS = [talk(0, 0, 1), talk(1, 1, 0), talk(1, 2, 3), talk(2, 3, 0)]


def test_contacts_are_people_the_performer_talked_to_before_14_february_2023() -> None:
    town = lived(FOUR, start="2023-02-13 23:58", talks=TALKS)
    score = published(PUBLIC, town)
    bob = "talked to Bob before 14 February 2023"
    assert contacts(PUBLIC, town, score) == TaskScore(0.5, said=bob)
    assert contacts(MEET, town, score) == TaskScore(1, said=bob)
    assert contacts(HELP, town, TaskScore(0.25)) == TaskScore(0.25)
    late = lived(FOUR, start="2023-02-14 00:00", talks=TALKS)
    nobody = TaskScore(0, said="talked to nobody before 14 February 2023")
    assert contacts(PUBLIC, late, score) == nobody


@pytest.mark.parametrize(
    ("day", "start", "expected", "by_the_tasks_day"),
    [
        ("2023-02-20", "2023-02-19 12:00", 0.0, 1.0),
        ("2022-05-02", "2022-05-01 23:58", 1.0, 0.5),
        ("2022-05-02", "2022-05-09 12:00", 1.0, 0.0),
    ],
)
def test_contacts_of_a_task_on_another_day_end_on_14_february_all_the_same(
    day: str, start: str, expected: float, by_the_tasks_day: float
) -> None:
    of = task("public", Goal(keyword="dance", place="Hall", start=f"{day} 19:02", minutes=4))
    town = lived(FOUR, start=start, talks=TALKS)
    found = [contacts(of, town, TaskScore(0), edition) for edition in (2, 1)]  # type: ignore[arg-type]
    assert [one.value for one in found if isinstance(one, TaskScore)] == [
        expected,
        by_the_tasks_day,
    ]
