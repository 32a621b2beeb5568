"""Intervals and tests of correlation where scores hang together in clusters."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.tools import add_constant

from evaluators.statistics import bootstrap, estimates
from evaluators.statistics.bootstrap import Measure
from evaluators.statistics.cluster_means import Floats


def two_judges(seed: int, clusters: int = 12, each: int = 6) -> tuple[Floats, Floats, Floats]:
    """Whole numbers from two judges, more alike within a cluster than between."""
    chance = np.random.default_rng(seed)
    which = np.repeat(np.arange(clusters), each)
    shared = chance.normal(0, 2, clusters)[which]
    a = np.round(5 + shared + chance.normal(0, 1.5, len(which)))
    b = np.round(5 + shared + chance.normal(0, 1.5, len(which)))
    return a, b, which


def kappa_of(a: Floats, b: Floats) -> float:
    table = np.zeros((2, 2))
    np.add.at(table, (a.astype(int), b.astype(int)), 1)
    return float(cohens_kappa(table).kappa)


PLAIN: dict[Measure, Callable[[Floats, Floats], float]] = {
    "pearson": lambda a, b: float(stats.pearsonr(a, b).statistic),
    "spearman": lambda a, b: float(stats.spearmanr(a, b).statistic),
    "kappa": kappa_of,
}


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kappa"])
def test_a_draw_is_the_measure_of_the_clusters_drawn_written_out(measure: Measure):
    a, b, which = two_judges(3)
    if measure == "kappa":
        a, b = (a > 5).astype(float), (b > 5).astype(float)
    low, high = bootstrap.interval(measure, a, b, which, draws=200, seed=9) or (0, 0)
    times = np.random.default_rng(9).multinomial(12, np.full(12, 1 / 12), size=200)
    found = []
    for row in times:
        seats = np.concatenate(
            [np.flatnonzero(which == cluster) for cluster in np.repeat(np.arange(12), row)]
        )
        found.append(PLAIN[measure](a[seats], b[seats]))
    assert (low, high) == pytest.approx(tuple(np.percentile(found, (2.5, 97.5))))


def test_clusters_of_one_give_about_the_interval_of_scipys_bootstrap():
    a, b, _ = two_judges(4, clusters=60, each=1)
    low, high = bootstrap.interval("pearson", a, b, np.arange(60)) or (0, 0)
    other = stats.bootstrap(
        (a, b),
        lambda x, y: stats.pearsonr(x, y).statistic,
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(5),
    ).confidence_interval
    assert (low, high) == pytest.approx((other.low, other.high), abs=0.03)


def test_the_interval_over_clusters_holds_the_truth_where_fishers_does_not():
    # Both judges see the same scenario: var 4 shared of 6.25 by each, so the correlation is 0.64,
    # and 40 seats of one of 30 scenarios are far from 40 independent ones. Two hundred runs; four
    # standard errors of a share of 0.95 are 0.06, and percentiles of 30 clusters fall short by a
    # few percent more.
    chance = np.random.default_rng(6)
    which = np.repeat(np.arange(30), 40)
    held, naive = 0, 0
    for _ in range(200):
        shared = chance.normal(0, 2, 30)[which]
        a, b = (shared + chance.normal(0, 1.5, len(which)) for _ in range(2))
        found = bootstrap.interval("pearson", a, b, which, draws=200) or (0, 0)
        held += found[0] < 0.64 < found[1]
        fisher = stats.pearsonr(a, b).confidence_interval()
        naive += fisher.low < 0.64 < fisher.high
    assert 0.85 <= held / 200 <= 0.99
    assert naive / 200 < 0.6


def test_the_test_is_that_of_statsmodels_cluster_robust_regression():
    a, b, which = two_judges(7)
    fitted = OLS(b, add_constant(a)).fit(cov_type="cluster", cov_kwds={"groups": which}, use_t=True)
    assert bootstrap.p_value(a, b, which) == pytest.approx(fitted.pvalues[1], rel=1e-6)


def test_the_same_scores_give_the_same_interval():
    a, b, which = two_judges(8)
    found = estimates.spearman(list(a), list(b), list(which))
    assert found == estimates.spearman(list(a), list(b), list(which))
    assert found.clusters == 12
    assert found.p is not None
    assert found.p < 0.01
    assert found.low is not None
    assert found.value is not None
    assert found.low < found.value


def test_few_clusters_have_no_interval_and_say_so():
    a, b, which = two_judges(8, clusters=4, each=5)
    found = estimates.pearson(list(a), list(b), list(which))
    assert found.value is not None
    assert found.low is None
    assert found.why == "4 clusters; an interval by drawing them needs 5"


def test_a_judge_that_differs_in_one_cluster_only_has_no_interval():
    a = np.repeat([1.0, 1, 1, 1, 1, 0], 3)
    b = np.tile([1.0, 0, 1], 6)
    found = estimates.kappa(list(a), list(b), list(np.repeat(np.arange(6), 3)))
    assert found.low is None
    assert "one judge gave the same to all" in found.why


def test_without_clusters_the_p_is_that_of_independent_pairs():
    a, b, _ = two_judges(8)
    assert estimates.pearson(list(a), list(b)).p == pytest.approx(stats.pearsonr(a, b).pvalue)
    assert estimates.spearman(list(a), list(b)).p == pytest.approx(stats.spearmanr(a, b).pvalue)
