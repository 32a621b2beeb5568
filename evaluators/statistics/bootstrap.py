"""Correlation and kappa of two judges over scores that hang together in clusters.

The bootstrap draws whole clusters with replacement (Davison and Hinkley 1997, "Bootstrap Methods
and their Application", section 3.8) and takes the percentiles of what comes out (Efron and
Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13). Its draws are seeded: the same
scores give the same interval.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evaluators.scores.distinct_numbers import distinct
from evaluators.statistics import student_t
from evaluators.statistics.cluster_means import CONFIDENCE, Codes, Floats

Measure = Literal["pearson", "spearman", "kappa"]

DRAWS = 1000
"""Enough for percentiles at 2.5 and 97.5 (Efron and Tibshirani, section 13.5)."""
SEED = 20_240_101
LEAST_CLUSTERS = 5
"""Of fewer the draws are so often the same that their percentiles say nothing."""
_AT_ONCE = 1 << 19
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
    _, clusters = distinct(clusters)
    if int(clusters.max(initial=-1)) + 1 < LEAST_CLUSTERS:
        return None
    return percentiles(np.concatenate(list(_draw(measure, a, b, clusters, draws, seed))))


def percentiles(found: Floats) -> tuple[float, float] | None:
    """The 95 % interval of a measure by its values in all draws; None where too many have none."""
    defined = found[np.isfinite(found)]
    if len(defined) < (1 - _MOST_UNDEFINED) * len(found):
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
    _, clusters = distinct(clusters)
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
    return student_t.two_sided(slope / error, count - 1)


def of_all(measure: Measure, a: Floats, b: Floats) -> float:
    """The measure between two rows of values, as in a draw of each cluster once; NaN where a row is
    all alike."""
    sums, measured = _sums(measure, a, b, np.zeros(len(a), dtype=np.intp))
    return float(measured(np.ones((1, 1)) @ sums)[0])


def ranks(values: Floats) -> Floats:
    """The rank of each value from 1; those alike have the middle one."""
    _, places = np.unique(values, return_inverse=True)
    counts = np.bincount(places).astype(float)
    return np.take(np.cumsum(counts) - (counts - 1) / 2, places)


def _draw(
    measure: Measure, a: Floats, b: Floats, clusters: Codes, draws: int, seed: int
) -> Iterator[Floats]:
    """The measure in each draw, some draws at once.

    A draw is how often each cluster is in it; what a measure needs of a cluster is summed up once,
    so that a draw costs what there are clusters, not what there are seats.
    """
    sums, measured = _sums(measure, a, b, clusters)
    count, width = sums.shape
    chance = np.random.default_rng(seed)
    step = max(1, _AT_ONCE // max(width, count))
    even = np.full(count, 1 / count)
    for first in range(0, draws, step):
        times = chance.multinomial(count, even, size=min(step, draws - first))
        yield measured(np.asarray(times.astype(float) @ sums))


def _sums(
    measure: Measure, a: Floats, b: Floats, clusters: Codes
) -> tuple[Any, Callable[[Floats], Floats]]:
    """What a measure needs, a row a cluster and summed over its pairs; and the measure of rows of
    such sums."""
    if measure == "spearman":
        return _counts_of_pairs(a, b, clusters)
    if measure == "kappa":
        columns: Sequence[Floats] = (np.ones(len(a)), a, b, (a == b).astype(float))
        measured = _kappa
    else:
        # About their means, lest much be lost where squares are taken from each other.
        x, y = a - a.mean(), b - b.mean()
        columns, measured = (np.ones(len(a)), x, y, x * x, y * y, x * y), _pearson
    return np.column_stack([np.bincount(clusters, weights=one) for one in columns]), measured


def _counts_of_pairs(
    a: Floats, b: Floats, clusters: Codes
) -> tuple[Any, Callable[[Floats], Floats]]:
    """How often each different pair of values is in each cluster: ranks are of all that is in a
    draw, so they cannot be summed up before."""
    _, in_a = np.unique(a, return_inverse=True)
    of_b, in_b = np.unique(b, return_inverse=True)
    known, places = distinct(in_a * len(of_b) + in_b)
    count = int(clusters.max()) + 1
    if len(known) * count > _AT_ONCE:
        from scipy import sparse

        table: Any = sparse.coo_array(
            (np.ones(len(a)), (clusters, places)), shape=(count, len(known))
        ).tocsr()
    else:
        cells = np.bincount(clusters * len(known) + places, minlength=count * len(known))
        table = cells.reshape(count, len(known)).astype(float)
    first, second = known // len(of_b), known % len(of_b)
    return table, lambda weights: _correlation(
        _ranks(first, weights), _ranks(second, weights), weights
    )


def _pearson(sums: Floats) -> Floats:
    total, x, y, xx, yy, xy = sums.T
    return _quotient(xy - x * y / total, xx - x * x / total, yy - y * y / total, total)


def _correlation(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Of ranks: their mean is known."""
    total = weights.sum(axis=1)
    middle = (total[:, np.newaxis] + 1) / 2
    x, y = x - middle, y - middle
    of_x = weights * x
    xy, xx = np.einsum("ij,ij->i", of_x, y), np.einsum("ij,ij->i", of_x, x)
    return _quotient(xy, xx, np.einsum("ij,ij,ij->i", weights, y, y), total)


def _quotient(xy: Floats, xx: Floats, yy: Floats, total: Floats) -> Floats:
    """Correlations, from sums about the means; NaN where one of the two does not vary."""
    nothing = 1e-9 * total
    varies = (xx > nothing) & (yy > nothing)
    return np.where(varies, xy, np.nan) / np.sqrt(np.where(varies, xx * yy, 1))


def _ranks(values: NDArray[Any], weights: Floats) -> Floats:
    """The middle rank of each value in each draw, where it stands as often as its weight says."""
    distinct, places = np.unique(values, return_inverse=True)
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(len(distinct)))
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    middles = np.cumsum(counts, axis=1) - (counts - 1) / 2
    found: Floats = middles[:, places]
    return found


def _kappa(sums: Floats) -> Floats:
    """Cohen's kappa of rows of 0 and 1."""
    total, a, b, alike = sums.T
    share_a, share_b, agreed = a / total, b / total, alike / total
    chance = share_a * share_b + (1 - share_a) * (1 - share_b)
    mixed = (share_a > 0) & (share_a < 1) & (share_b > 0) & (share_b < 1)
    return np.where(mixed, agreed - chance, np.nan) / np.where(mixed, 1 - chance, 1)
