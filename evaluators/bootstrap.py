"""Correlation and kappa of two judges over scores that hang together in clusters.

The bootstrap draws whole clusters with replacement (Davison and Hinkley 1997, "Bootstrap Methods
and their Application", section 3.8) and takes the percentiles of what comes out (Efron and
Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13). Its draws are seeded: the same
scores give the same interval.
"""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from evaluators.cluster_means import CONFIDENCE, Codes, Floats

Measure = Literal["pearson", "spearman", "kappa"]

DRAWS = 1000
"""Enough for percentiles at 2.5 and 97.5 (Efron and Tibshirani, section 13.5)."""
SEED = 20_240_101
LEAST_CLUSTERS = 5
"""Of fewer the draws are so often the same that their percentiles say nothing."""
_AT_ONCE = 1 << 22
"""Cells of a table held at once."""
_MOST_UNDEFINED = 0.05
"""A greater share of draws without a value leaves no interval."""


def interval(
    measure: Measure,
    a: Floats,
    b: Floats,
    clusters: Codes,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The 95 % interval of a measure between two rows of values, drawing clusters.

    None where there are fewer than ``LEAST_CLUSTERS`` clusters, or too many draws in which a row is
    all alike and the measure has no value.
    """
    _, clusters = np.unique(clusters, return_inverse=True)
    if int(clusters.max(initial=-1)) + 1 < LEAST_CLUSTERS:
        return None
    found = np.concatenate(list(_draw(measure, a, b, clusters, draws, seed)))
    defined = found[np.isfinite(found)]
    if len(defined) < (1 - _MOST_UNDEFINED) * draws:
        return None
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(defined, (tail, 100 - tail))
    return float(low), float(high)


def p_value(a: Floats, b: Floats, clusters: Codes) -> float | None:
    """Of a two-sided test that two rows of values do not correlate, where values of one cluster
    hang together; of ranks it is Spearman's.

    The slope of one standardized row on the other is their correlation; its cluster-robust
    standard error (Liang and Zeger 1986, with the factor G/(G-1) · (n-1)/(n-2)) makes it a t with
    G - 1 degrees of freedom (Cameron and Miller 2015, section II). None where that has no value.
    """
    from scipy import special

    _, clusters = np.unique(clusters, return_inverse=True)
    count, size = int(clusters.max(initial=-1)) + 1, len(a)
    if count < 2 or size < 3:
        return None
    x, y = a - a.mean(), b - b.mean()
    spread = float(x @ x)
    if not spread or not float(y @ y):
        return None
    slope = float(x @ y) / spread
    sums = np.bincount(clusters, weights=x * (y - slope * x))
    factor = count / (count - 1) * (size - 1) / (size - 2)
    error = float(np.sqrt(factor * (sums @ sums))) / spread
    if error < 1e-12:
        return None
    return float(2 * special.stdtr(count - 1, -abs(slope) / error))


def _draw(
    measure: Measure, a: Floats, b: Floats, clusters: Codes, draws: int, seed: int
) -> Iterator[Floats]:
    """The measure in each draw, some draws at once.

    A draw is how often each cluster is in it. Pairs of values that are alike are counted together,
    so that a draw costs what there are different pairs, not what there are seats.
    """
    from scipy import sparse

    count = int(clusters.max()) + 1
    (of_a, in_a), (of_b, in_b) = (np.unique(row, return_inverse=True) for row in (a, b))
    known, places = np.unique(in_a * len(of_b) + in_b, return_inverse=True)
    pairs = np.column_stack((of_a[known // len(of_b)], of_b[known % len(of_b)]))
    table: Any = sparse.coo_array(
        (np.ones(len(a)), (places, clusters)), shape=(len(pairs), count)
    ).tocsr()
    chance = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // max(len(pairs), count))
    even = np.full(count, 1 / count)
    for first in range(0, draws, step):
        times = chance.multinomial(count, even, size=min(step, draws - first))
        weights = np.asarray(table @ times.T.astype(float)).T
        yield _measured(measure, pairs, weights)


def _measured(measure: Measure, pairs: Floats, weights: Floats) -> Floats:
    """The measure over weighted pairs: a row of weights, one value."""
    if measure == "kappa":
        return _kappa(pairs, weights)
    if measure == "pearson":
        return _correlation(
            np.broadcast_to(pairs[:, 0], weights.shape),
            np.broadcast_to(pairs[:, 1], weights.shape),
            weights,
        )
    return _correlation(_ranks(pairs[:, 0], weights), _ranks(pairs[:, 1], weights), weights)


def _correlation(x: Floats, y: Floats, weights: Floats) -> Floats:
    total = weights.sum(axis=1, keepdims=True)
    x = x - (weights * x).sum(axis=1, keepdims=True) / total
    y = y - (weights * y).sum(axis=1, keepdims=True) / total
    xx, yy = (weights * x * x).sum(axis=1), (weights * y * y).sum(axis=1)
    nothing = 1e-9 * total[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (weights * x * y).sum(axis=1) / np.sqrt(xx * yy)
    return np.where((xx > nothing) & (yy > nothing), found, np.nan)


def _ranks(values: Floats, weights: Floats) -> Floats:
    """The middle rank of each value in each draw, where it stands as often as its weight says."""
    distinct, places = np.unique(values, return_inverse=True)
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(len(distinct)))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    middles = np.cumsum(counts, axis=1) - (counts - 1) / 2
    found: Floats = middles[:, places]
    return found


def _kappa(pairs: Floats, weights: Floats) -> Floats:
    """Cohen's kappa of rows of 0 and 1."""
    total = weights.sum(axis=1)
    share_a = (weights * pairs[:, 0]).sum(axis=1) / total
    share_b = (weights * pairs[:, 1]).sum(axis=1) / total
    agreed = (weights * (pairs[:, 0] == pairs[:, 1])).sum(axis=1) / total
    chance = share_a * share_b + (1 - share_a) * (1 - share_b)
    mixed = (share_a > 0) & (share_a < 1) & (share_b > 0) & (share_b < 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(mixed, (agreed - chance) / (1 - chance), np.nan)
