"""Agreement of many raters, held against published examples."""

import krippendorff
import numpy as np
import pytest

from evaluators.agreement import rater_agreement
from evaluators.agreement.rater_agreement import alpha, alphas, in_bins, randolph
from evaluators.scores.scales import Scale

NONE = np.nan
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
).T
"""Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C: twelve units by four
observers, data missing."""


def each(count: int) -> np.ndarray:
    """Every item in a cluster of its own."""
    return np.arange(count)


@pytest.mark.parametrize(
    ("counts", "free_marginal"),
    [
        ([[7, 0], [7, 0]], 1.0),
        ([[7, 1], [3, 5]], 0.214286),
        ([[7, 0], [0, 7]], 1.0),
        ([[6, 1, 0], [0, 7, 0]], 0.785714),
    ],
)
def test_randolphs_kappa_is_what_his_own_calculator_says(
    counts: list[list[int]], free_marginal: float
) -> None:
    # justusrandolph.net/kappa, as statsmodels' tests cite it.
    assert randolph(np.array(counts)) == pytest.approx(free_marginal, abs=6e-7)


def test_items_with_fewer_raters_count_as_much_as_others() -> None:
    mixed = np.array([[2, 0], [1, 1], [2, 1]])
    agreed = np.mean([1.0, 0.0, 1 / 3])
    assert randolph(mixed) == pytest.approx((agreed - 0.5) / 0.5)


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("interval", 0.849)])
def test_krippendorffs_alpha_is_that_of_his_example(
    level: rater_agreement.Level, published: float
) -> None:
    assert alpha(FOUR_OBSERVERS, level, each(12)).value == pytest.approx(published, abs=5e-4)


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_a_draw_of_clusters_has_the_alpha_of_its_items(level: rater_agreement.Level) -> None:
    chance = np.random.default_rng(1)
    counts = chance.integers(0, 3, (12, 4)).astype(float)
    counts[:, 0] += 2
    values, clusters = np.array([0.0, 1.0, 3.0, 7.0]), np.arange(12) // 2
    times = np.array([[1.0] * 6, [2.0, 0.0, 1.0, 0.0, 3.0, 0.0]])
    for found, drawn in zip(alphas(counts, values, level, clusters, times), times, strict=True):
        repeated = np.repeat(counts, drawn[clusters].astype(int), axis=0)
        expected = krippendorff.alpha(
            value_counts=repeated.astype(int), value_domain=values, level_of_measurement=level
        )
        assert found == pytest.approx(expected)


def test_an_alpha_has_an_interval_around_it_where_there_are_clusters_enough() -> None:
    chance = np.random.default_rng(2)
    true = chance.integers(0, 11, 60)
    ratings = np.clip(true[:, None] + chance.integers(-1, 2, (60, 3)), 0, 10).astype(float)
    found = alpha(ratings, "interval", each(60))
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    assert 0.9 < found.low < found.value < found.high < 1
    few = alpha(ratings[:4], "interval", each(4))
    assert few.low is None
    assert "4 clusters" in few.why


def test_kappas_interval_is_that_of_the_agreement_it_is_made_of() -> None:
    chance = np.random.default_rng(3)
    ratings = chance.integers(0, 11, (40, 3)).astype(float)
    found = in_bins(ratings, Scale(0, 10), 5, each(40), "scenarios")
    agreed, kappa = found.agreed, found.kappa
    assert agreed.value is not None
    for end in ("value", "low", "high"):
        beyond = (getattr(agreed, end) - 0.2) / 0.8
        assert getattr(kappa, end) == pytest.approx(beyond)


@pytest.mark.parametrize(
    ("scale", "bins", "value", "bin_"),
    [
        (Scale(0, 10), 5, 0, 0),
        (Scale(0, 10), 5, 1, 0),
        (Scale(0, 10), 5, 2, 1),
        (Scale(0, 10), 5, 10, 4),
        (Scale(-10, 0), 4, -10, 0),
        (Scale(-10, 0), 4, 0, 3),
        (Scale(-5, 5), 3, 0, 1),
        (Scale(0, 3), 3, 1, 1),
        (Scale(0, 0.3), 3, 0.1, 1),
        (Scale(0, 1), 2, 0, 0),
        (Scale(0, 1), 2, 1, 1),
    ],
)
def test_a_scale_is_cut_into_equal_parts(scale: Scale, bins: int, value: float, bin_: int) -> None:
    reach = scale.high - scale.low
    middle = scale.low + reach * (bin_ + 0.5) / bins
    alike = in_bins(np.array([[value, middle]]), scale, bins, each(1), "scenarios")
    assert alike.agreed.value == 1
    for other in set(range(bins)) - {bin_}:
        beside = scale.low + reach * (other + 0.5) / bins
        found = in_bins(np.array([[value, beside]]), scale, bins, each(1), "scenarios")
        assert found.agreed.value == 0


def test_nothing_is_made_up_where_nobody_rated_twice_or_all_said_the_same() -> None:
    once = np.array([[1.0, NONE], [NONE, 2.0]])
    assert in_bins(once, Scale(0, 10), 5, each(2), "scenarios").kappa.value is None
    assert alpha(once, "interval", each(2)).why == "no item has two ratings"
    same = np.full((6, 2), 4.0)
    assert alpha(same, "interval", each(6)).why == "everybody gave 4 to all 6 items"
