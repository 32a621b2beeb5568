"""Figures and their intervals, held against published values and other libraries."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from evaluators import estimates

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
    fitted = sm.OLS(values, np.ones(len(values))).fit(
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
    [([], [], "no score"), ([5.0], ["a"], "two episodes"), ([5.0, 6.0], ["a", "a"], "two episodes"),
     ([5.0, 5.0], ["a", "b"], "do not differ")],
)  # fmt: skip
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
