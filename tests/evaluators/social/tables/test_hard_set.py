"""The choice of hard scenarios and seats, by hand."""

import pytest

from evaluators.scores.scales import Scale
from evaluators.social.tables.hard_set import HardSet, hard_set, lower_end, upper_end
from tests.evaluators.social.tables.scores import Said, given

TEN = Scale(0, 10)


def around(mean: float, deviation: float) -> list[float]:
    """Three scores with this mean and sample deviation."""
    return [mean - deviation, mean, mean + deviation]


def test_ends_are_three_deviations_away_and_within_the_scale() -> None:
    assert lower_end(around(5, 1), TEN) == pytest.approx(2)
    assert upper_end(around(7, 1.5), TEN) == 10
    assert lower_end(around(1, 1), TEN) == 0
    assert upper_end(around(8, 0.4), TEN) == pytest.approx(9.2)


def said(scenario: str, target: list[float], other: list[float]) -> list[Said]:
    """Scores of the goal of two models in the first seat of a scenario."""
    found = []
    for mind, scores in (("target", target), ("other", other)):
        for score in scores:
            values = {"goal": score}
            found.append(Said((mind, "partner"), [values, {"goal": 5.0}], scenario=scenario))
    return found


def chosen(*scores: list[Said], size: int = 20) -> HardSet:
    seats = given([one for some in scores for one in some]).models
    return hard_set(seats, TEN, "target", "goal", size)


def test_difficulty_is_the_best_upper_end_less_the_targets_lower_end() -> None:
    found = chosen(
        said("a", around(5, 1), around(7, 1.5)), said("b", around(9, 0.2), around(8, 0.4))
    )
    # In b the target itself is ahead.
    assert [
        (one.scenario, one.seat, round(one.difficulty, 6), one.ahead) for one in found.chosen
    ] == [
        ("a", 0, 8.0, "other"),
        ("b", 0, 1.2, "target"),
    ]


def test_ties_go_by_the_lower_mean_and_then_by_id() -> None:
    low, high = said("z", [4, 4], [7, 7]), said("a", [5, 5], [8, 8])
    found = chosen(low, high, said("y", [5, 5], [8, 8]))
    assert [one.scenario for one in found.chosen] == ["z", "a", "y"]


def test_the_same_scores_in_another_order_are_a_tie() -> None:
    others = [7.0, 7.0]
    found = chosen(said("z", [0.1, 0.2, 0.3], others), said("a", [0.3, 0.2, 0.1], others))
    first, second = found.chosen
    assert (first.scenario, second.scenario) == ("a", "z")
    found = chosen(said("a", [0.1, 0.2, 0.3], others), said("z", [0.3, 0.2, 0.1], others))
    assert [one.scenario for one in found.chosen] == ["a", "z"]


def test_a_scenario_with_one_score_of_the_target_is_listed_and_not_chosen() -> None:
    found = chosen(said("a", [1], [9, 9]), said("b", [4, 5], [6]))
    assert [(one.scenario, one.ahead) for one in found.chosen] == [("b", "target")]
    assert ("a", 0, 1) in [(one.scenario, one.seat, one.episodes) for one in found.left_out]


def test_no_more_than_the_size_are_chosen_and_sets_know_their_overlap() -> None:
    both = [said(name, [4, 5], [8, 9]) for name in "abc"]
    two, three = chosen(*both, size=2), chosen(*both)
    assert (len(two.chosen), two.candidates, three.overlap(two)) == (2, 3, 2)
