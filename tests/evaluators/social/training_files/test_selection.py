"""Which seats a trainer learns from, by hand."""

import pytest

from evaluators.social.training_files.filters import Cloning, Filters
from evaluators.social.training_files.selection import (
    SeatRecord,
    Selection,
    UnknownMind,
    bounds,
    clones,
    expert_means,
    select,
)

NOBODY: frozenset[str] = frozenset()


def episode(
    number: int,
    goals: tuple[float | None, float | None],
    *,
    scenario: str = "rent",
    minds: tuple[str, str] = ("a", "b"),
    overall: tuple[float | None, float | None] = (None, None),
) -> list[SeatRecord]:
    """The two seats of an episode."""
    return [
        SeatRecord(
            episode=f"e{number}",
            scenario=scenario,
            seat=seat,
            mind=minds[seat],
            goal=goals[seat],
            overall=overall[seat],
            partners=(goals[1 - seat],),
        )
        for seat in range(2)
    ]


SIX = [
    *episode(1, (8, 7), overall=(4, 3)),
    *episode(2, (6, 9), overall=(2, 4)),
    *episode(3, (7, None), overall=(3, None)),
    *episode(4, (9, 5), scenario="sale", overall=(4, 1)),
    *episode(5, (7, 8), scenario="sale", overall=(1, 3)),
    *episode(6, (8, 8), scenario="test", overall=(4, 4)),
]
"""Twelve seats, of which one has no goal score and two are of a scenario for testing."""


def places(selection: Selection) -> list[str]:
    return [f"{one.episode}.{one.seat + 1}" for one in selection.seats]


def steps(selection: Selection) -> dict[str, tuple[int, int]]:
    return {one.filter: (one.left_out, one.left) for one in selection.steps}


def test_the_default_of_sft_is_a_goal_of_seven_or_more() -> None:
    found = select(SIX, Filters(), "sft", frozenset({"test"}))
    assert places(found) == ["e1.1", "e1.2", "e2.2", "e3.1", "e4.1", "e5.1", "e5.2"]
    assert steps(found) == {"hard": (2, 10), "no goal score": (1, 9), "goal": (2, 7)}


def test_others_take_all_seats_that_have_a_goal_score() -> None:
    assert len(select(SIX, Filters(), "rewards", NOBODY).seats) == 11
    assert len(select(SIX, Filters(goal=8), "pairs", NOBODY).seats) == 6


def test_a_seat_without_a_goal_score_never_enters() -> None:
    found = select(SIX, Filters(goal=0), "sft", NOBODY)
    assert "e3.2" not in places(found)


def test_the_best_of_each_seat_of_a_scenario_are_those_with_the_best_goals() -> None:
    found = select(SIX, Filters(top=1), "sft", NOBODY)
    assert places(found) == ["e1.1", "e2.2", "e4.1", "e5.2", "e6.1", "e6.2"]
    assert steps(found)["top"] == (3, 6)


def test_of_equal_goals_the_better_overall_score_counts() -> None:
    seats = [*episode(1, (8, 1), overall=(1, 0)), *episode(2, (8, 1), overall=(2, 0))]
    assert places(select(seats, Filters(top=1), "sft", NOBODY)) == ["e2.1"]


def test_a_share_is_of_what_is_left_by_overall_score() -> None:
    # Nine seats have 7 or more; 0.7 of them are 6: the five with 4, and of those with
    # 3 the one with the best goal. SOTOPIA-π rounds, too.
    found = select(SIX, Filters(top_share=0.7), "sft", NOBODY)
    assert places(found) == ["e1.1", "e2.2", "e4.1", "e5.2", "e6.1", "e6.2"]
    assert steps(found)["top_share"] == (3, 6)


def test_a_share_goes_by_overall_scores_before_goals() -> None:
    seats = [*episode(1, (9, None), overall=(1, None)), *episode(2, (7, None), overall=(3, None))]
    assert places(select(seats, Filters(top_share=0.5), "sft", NOBODY)) == ["e2.1"]
    assert places(select(seats, Filters(top=1), "sft", NOBODY)) == ["e1.1"]


def test_seats_are_balanced_scenario_by_scenario() -> None:
    # rent: e1.1 (8) and e3.1 (7) of seat 1; e1.2 (7) and e2.2 (9) of seat 2. sale: e4.1 (9) and
    # e5.1 (7) of seat 1; e5.2 (8) of seat 2.
    found = select(SIX, Filters(balance=True), "sft", frozenset({"test"}))
    assert places(found) == ["e1.1", "e1.2", "e2.2", "e3.1", "e4.1", "e5.2"]
    assert steps(found)["balance"] == (1, 6)


def test_a_scenario_of_which_one_seat_passed_never_is_left_out_when_seats_are_balanced() -> None:
    seats = episode(1, (8, 2))
    assert places(select(seats, Filters(balance=True), "sft", NOBODY)) == []


def test_minds_are_chosen_by_name() -> None:
    seats = [*episode(1, (8, 8)), *episode(2, (8, 8), minds=("b", "c"))]
    assert places(select(seats, Filters(minds=("b",)), "sft", NOBODY)) == ["e1.2", "e2.1"]


def test_a_mind_that_sits_nowhere_is_named_with_those_who_do() -> None:
    why = r"^minds 'd' has no seat here; those who sit here: a, b, c$"
    seats = [*episode(1, (8, 8)), *episode(2, (8, 8), minds=("b", "c"))]
    with pytest.raises(UnknownMind, match=why):
        select(seats, Filters(minds=("b", "d")), "sft", NOBODY)


@pytest.mark.parametrize(
    ("expert", "own", "partner"), [(5, 5, 6), (6.5, 6.5, 6.5), (9, 7, 7), (0, 0, 6)]
)
def test_what_a_clone_is_to_be_better_than(expert: float, own: float, partner: float) -> None:
    """By hand: c = 7 and e = 5 are own > 5 and partner > 6."""
    assert bounds(7, expert) == (own, partner)


def test_a_clone_is_better_than_the_expert_and_its_partner_does_well() -> None:
    means = {"rent": 5.0}
    own = {(6, 7): True, (5, 7): False, (6, 6): False, (5.5, 6.5): True, (9, None): False}
    for goals, passes in own.items():
        assert clones(episode(1, goals)[0], 7, means) is passes


def test_cloning_compares_with_the_experts_mean_on_the_scenario() -> None:
    seats = [
        *episode(1, (4, 6), minds=("gpt-4", "gpt-4")),  # rent: e = 5
        *episode(2, (6, 7), minds=("small", "gpt-4o")),
        *episode(3, (9, 9), minds=("small", "gpt-4o"), scenario="sale"),  # no expert there
    ]
    assert expert_means(seats, "gpt-4") == {"rent": 5.0}
    filters = Filters(minds=("small",), cloning=Cloning(expert="gpt-4"))
    found = select(seats, filters, "sft", NOBODY)
    assert places(found) == ["e2.1"]
    assert steps(found) == {
        "hard": (0, 6),
        "minds": (4, 2),
        "no goal score": (0, 2),
        "cloning": (1, 1),
    }
    with pytest.raises(UnknownMind, match=r"'gpt-5'.*gpt-4, gpt-4o, small"):
        select(seats, Filters(cloning=Cloning(expert="gpt-5")), "sft", NOBODY)
