"""Scores over the episodes of chains."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluators.statistics import curves as module
from evaluators.statistics.curves import Curve, Point, Slope, points_of


def point(chain: str, index: int, value: float | None, label: str = "warm, summary") -> Point:
    return Point(label=label, chain=chain, index=index, value=value)


def curves(points: list[Point]) -> list[Curve]:
    return module.curves(points_of(points))


def columns(points: list[Point]) -> tuple[Any, Any, Any]:
    found = points_of(points)
    return found.chain, found.index, found.value


def slope(points: list[Point]) -> Slope:
    return module.slope(*columns(points))


def line(chain: str, start: float, step: float, length: int = 5) -> list[Point]:
    return [point(chain, index, start + step * index) for index in range(length)]


def test_each_label_has_a_curve_of_its_own_in_the_order_of_the_episodes():
    found = curves([point("a", 1, 3.0), point("a", 0, 2.0), point("b", 0, 9.0, label="cold, none")])
    assert [curve.label for curve in found] == ["cold, none", "warm, summary"]
    assert [(place.index, place.mean.value) for place in found[1].places] == [(0, 2.0), (1, 3.0)]


def test_a_missing_score_is_in_the_denominator_and_in_nothing_else():
    (curve,) = curves([point("a", 0, 4.0), point("b", 0, None)])
    (place,) = curve.places
    assert (place.mean.value, place.scored, place.asked, place.chains) == (4.0, 1, 2, 1)


def test_two_seats_of_one_chain_are_no_two_independent_observations():
    (alone,) = curves([point("a", 0, 4.0), point("a", 0, 6.0)])
    assert alone.places[0].mean.value == 5.0
    assert alone.places[0].mean.low is None


def test_the_slope_is_the_mean_of_the_chains_slopes():
    found = slope(line("a", 2.0, 0.5) + line("b", 7.0, 0.1) + line("c", 1.0, 0.3))
    assert found.change.value == pytest.approx(0.3)
    assert found.chains == 3


def test_the_slope_s_test_is_student_s_over_chains():
    found = slope(line("a", 2.0, 0.5) + line("b", 7.0, 0.1) + line("c", 1.0, 0.3))
    test = stats.ttest_1samp([0.5, 0.1, 0.3], 0)
    low, high = test.confidence_interval(0.95)
    assert found.p_value == pytest.approx(test.pvalue)
    assert (found.change.low, found.change.high) == pytest.approx((low, high))


def test_a_longer_chain_weighs_no_more_than_a_shorter_one():
    found = slope(line("a", 0.0, 1.0, length=30) + line("b", 0.0, 0.0, length=5))
    assert found.change.value == pytest.approx(0.5)


def test_one_chain_has_a_slope_but_no_test():
    found = slope(line("a", 2.0, 0.5))
    assert found.change.value == pytest.approx(0.5)
    assert (found.change.low, found.p_value) == (None, None)
    assert "one chain" in found.change.why


def test_chains_with_the_same_slope_have_no_test():
    found = slope(line("a", 2.0, 0.5) + line("b", 5.0, 0.5))
    assert found.p_value is None
    assert found.change.why


def test_a_chain_with_scores_in_two_episodes_has_no_line():
    found = slope([point("a", 0, 1.0), point("a", 1, 2.0), point("a", 2, None)])
    assert found.change.value is None
    assert found.chains == 0


@given(
    st.lists(
        st.builds(
            point,
            st.sampled_from("abc"),
            st.integers(0, 9),
            st.none() | st.floats(0, 10),
        )
    )
)
def test_every_point_is_counted_once(points: list[Point]):
    places = [place for curve in curves(points) for place in curve.places]
    assert sum(place.asked for place in places) == len(points)
    assert sum(place.scored for place in places) == sum(p.value is not None for p in points)


@given(st.floats(-3, 3), st.lists(st.floats(-0.5, 0.5), min_size=2, max_size=6, unique=True))
def test_moving_all_scores_up_leaves_the_slope(shift: float, steps: list[float]):
    points = [p for n, step in enumerate(steps) for p in line(f"c{n}", 1.0, step)]
    moved = [point(p.chain, p.index, (p.value or 0.0) + shift) for p in points]
    assert slope(moved).change.value == pytest.approx(slope(points).change.value, abs=1e-9)


def test_the_slope_of_a_chain_is_that_of_numpys_polyfit():
    points = [point("a", n, value) for n, value in enumerate((3.0, 1.0, 4.0, None, 5.0))]
    (found,) = module.chain_slopes(*columns(points)).values()
    assert found == pytest.approx(np.polyfit([0, 1, 2, 4], [3, 1, 4, 5], 1)[0])


def test_the_hard_part_is_beside_the_curve_and_no_slope_goes_through_it():
    standard = line("a", 2.0, 0.5, length=4) + line("b", 2.0, 0.1, length=4)
    hard = [
        Point(label="warm, summary", chain=chain, index=4, value=0.0, hard=True) for chain in "ab"
    ]
    (found,), (without,) = curves(standard + hard), curves(standard)
    assert found.slope == without.slope
    assert [(place.index, place.hard) for place in found.places] == [
        (0, False),
        (1, False),
        (2, False),
        (3, False),
        (4, True),
    ]


def test_few_chains_are_told():
    (found,) = curves(line("a", 2.0, 0.5) + line("b", 7.0, 0.1) + line("c", 1.0, 0.3))
    assert found.slope.change.few
    assert (found.slope.change.clusters, found.places[0].mean.clusters) == (3, 3)
