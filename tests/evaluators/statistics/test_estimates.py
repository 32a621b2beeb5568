"""Figures and their intervals, held against published values and other libraries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from evaluators.statistics import estimates

# The worked example of Bonett's R package statpsych, function ci.spear.
Y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
X = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]


def test_spearman_and_its_interval_are_those_of_the_published_example() -> None:
    found = estimates.spearman(Y, X)
    assert found.value == pytest.approx(0.8699639, abs=1e-6)
    assert (found.low, found.high) == pytest.approx((0.5840951, 0.9638297), abs=1e-6)


def test_pearson_is_fishers_interval_worked_out_by_hand() -> None:
    found = estimates.pearson(Y, X)
    r = float(np.corrcoef(Y, X)[0, 1])
    reach = 1.959963984540054 / math.sqrt(len(Y) - 3)
    assert found.value == pytest.approx(r)
    assert found.low == pytest.approx(math.tanh(math.atanh(r) - reach))
    assert found.high == pytest.approx(math.tanh(math.atanh(r) + reach))


def test_a_mean_of_single_scores_has_the_textbook_t_interval() -> None:
    values = [4.0, 7.0, 6.0, 5.0, 9.0]
    found = estimates.mean(values, clusters=list("abcde"))
    low, high = stats.t.interval(0.95, 4, loc=6.2, scale=stats.sem(values))
    assert found.value == pytest.approx(6.2)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_a_mean_of_clusters_has_the_interval_of_statsmodels_cluster_robust_regression() -> None:
    values = [4.0, 5.0, 7.0, 7.5, 6.0, 1.0, 2.0, 9.0]
    clusters = ["a", "a", "b", "b", "b", "c", "c", "d"]
    found = estimates.mean(values, clusters)
    groups = np.unique(clusters, return_inverse=True)[1]
    fitted = OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    low, high = fitted.conf_int()[0]
    assert found.value == pytest.approx(fitted.params[0])
    assert (found.low, found.high) == pytest.approx((low, high))


def test_two_seats_of_one_episode_say_less_than_two_episodes() -> None:
    values = [3.0, 3.2, 7.0, 7.1, 5.0, 5.2]
    alone = estimates.mean(values, clusters=range(6))
    paired = estimates.mean(values, clusters=[0, 0, 1, 1, 2, 2])
    assert alone.low is not None
    assert paired.low is not None
    assert paired.low < alone.low


@pytest.mark.parametrize(
    ("values", "clusters", "why"),
    [
        ([], [], "no score"),
        ([5.0], ["a"], "three episodes"),
        ([5.0, 6.0], ["a", "b"], "three episodes"),
        ([5.0, 5.0, 5.0], ["a", "b", "c"], "do not differ"),
    ],
)
def test_an_interval_that_nothing_tells_is_missing_with_its_reason(
    values: list[float], clusters: list[str], why: str
) -> None:
    found = estimates.mean(values, clusters)
    assert (found.low, found.high) == (None, None)
    assert why in found.why
    assert found.value == (sum(values) / len(values) if values else None)


@pytest.mark.parametrize("measure", [estimates.pearson, estimates.spearman])
def test_three_pairs_have_no_correlation_and_it_says_why(measure: type) -> None:
    found = measure([1, 2, 3], [2, 4, 5])
    assert found.value is None
    assert "3 pairs" in found.why


@pytest.mark.parametrize("measure", [estimates.pearson, estimates.spearman])
def test_a_judge_that_always_says_the_same_has_no_correlation(measure: type) -> None:
    found = measure([1, 2, 3, 4], [5, 5, 5, 5])
    assert (found.value, found.low) == (None, None)
    assert "second judge gave 5 to all 4" in found.why


@pytest.mark.parametrize("measure", [estimates.pearson, estimates.spearman])
def test_a_perfect_correlation_has_no_made_up_interval(measure: type) -> None:
    found = measure([1, 2, 3, 4], [-2, -4, -6, -8])
    assert found.value == -1
    assert found.low is None
    assert "perfect" in found.why


def test_kappa_is_agreement_beyond_chance_with_the_asymptotic_interval() -> None:
    # 20 both 1, 5 and 10 one each, 15 both 0: they agree on 70 %, chance brings 50 %.
    a = [1] * 25 + [0] * 25
    b = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    found = estimates.kappa(a, b)
    assert found.value == pytest.approx(0.4)
    # Fleiss, Cohen and Everitt 1969, equation 13, written out for these four cells.
    p = {(1, 1): 0.4, (1, 0): 0.1, (0, 1): 0.2, (0, 0): 0.3}
    of_a, of_b = {1: 0.5, 0: 0.5}, {1: 0.6, 0: 0.4}
    same = sum(p[i, i] * (1 - (of_a[i] + of_b[i]) * 0.6) ** 2 for i in (0, 1))
    differ = 0.36 * sum(p[i, 1 - i] * (of_b[i] + of_a[1 - i]) ** 2 for i in (0, 1))
    error = math.sqrt((same + differ - (0.4 - 0.5 * 0.6) ** 2) / 50) / 0.5
    reach = 1.959963984540054 * error
    assert (found.low, found.high) == pytest.approx((0.4 - reach, 0.4 + reach))


@pytest.mark.parametrize(
    ("a", "b", "value", "why"),
    [
        ([1, 0, 1], [1, 0, 1], None, "3 pairs"),
        ([1, 1, 1, 1], [1, 0, 1, 1], None, "the first judge gave 1 to all 4"),
        ([1, 0, 1, 1], [0, 0, 0, 0], None, "the second judge gave 0 to all 4"),
        ([1, 0, 1, 0], [1, 0, 1, 0], 1, "no interval"),
        ([1, 0, 1, 0], [0, 1, 0, 1], -1, "no interval"),
    ],
)
def test_where_kappa_says_nothing_it_says_why(
    a: list[float], b: list[float], value: float | None, why: str
) -> None:
    found = estimates.kappa(a, b)
    assert (found.value, found.low) == (value, None)
    assert why in found.why


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=12))
def test_kappa_stays_in_its_range_and_does_not_depend_on_who_is_first(
    pairs: list[tuple[int, int]],
) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    found, turned = estimates.kappa(a, b), estimates.kappa(b, a)
    if found.value is None:
        assert found.why
        assert turned.value is None
        return
    assert found.value == pytest.approx(turned.value)
    assert -1 <= found.value <= 1
    if found.low is not None and found.high is not None:
        assert -1 <= found.low <= found.value <= found.high <= 1
