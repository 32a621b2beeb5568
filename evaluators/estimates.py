"""Figures with their 95 % confidence intervals, on SciPy.

What cannot be estimated is None with the reason beside it; nothing is made up for a table's sake.
"""

from collections.abc import Hashable, Sequence
from math import atanh, isclose, sqrt, tanh
from typing import Any

import msgspec
import numpy as np

CONFIDENCE = 0.95
LEAST_PAIRS = 4
"""Fewer pairs have no interval for a correlation: its standard error divides by n - 3."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and its 95 % confidence interval."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why the value, or else its interval, is missing; empty where both are there."""


def mean(values: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """The mean of scores, with an interval that takes scores of one cluster as related.

    Two seats of one episode share its story, so they are no two independent observations. The
    standard error is the cluster-robust one of a mean (Liang and Zeger 1986, "Longitudinal data
    analysis using generalized linear models", section 2, independence working correlation; with
    the factor G/(G-1)), and the interval Student's t with G - 1 degrees of freedom for G clusters.
    Where every cluster holds one score this is the textbook t interval. It is not cut to the
    dimension's range.
    """
    if not values:
        return Estimate(why="no score")
    data = np.asarray(values, dtype=float)
    centre = float(data.mean())
    names, place = np.unique([repr(c) for c in clusters], return_inverse=True)
    count = len(names)
    if count < 2:
        return Estimate(value=centre, why="an interval needs scores from two episodes or more")
    sums = np.bincount(place, weights=data - centre)
    error = sqrt(count / (count - 1) * float(sums @ sums)) / len(data)
    if isclose(error, 0, abs_tol=1e-12):
        return Estimate(value=centre, why="the episodes do not differ, so nothing tells the spread")
    from scipy import stats  # a second to import; the command line's help does not need it

    low, high = stats.t.interval(CONFIDENCE, count - 1, loc=centre, scale=error)
    return Estimate(value=centre, low=float(low), high=float(high))


def pearson(a: Sequence[float], b: Sequence[float]) -> Estimate:
    """Pearson's correlation, its interval by Fisher's transformation."""
    from scipy import stats

    why = _why_not(a, b)
    if why:
        return Estimate(why=why)
    result = stats.pearsonr(a, b)
    value = float(result.statistic)
    if isclose(abs(value), 1, abs_tol=1e-12):
        return Estimate(value=round(value), why="a perfect correlation has no interval")
    interval = result.confidence_interval(CONFIDENCE)
    return Estimate(value=value, low=float(interval.low), high=float(interval.high))


def spearman(a: Sequence[float], b: Sequence[float]) -> Estimate:
    """Spearman's rank correlation; its interval by Fisher's transformation with the variance
    (1 + r²/2) / (n - 3) of Bonett and Wright 2000, "Sample size requirements for estimating
    Pearson, Kendall and Spearman correlations", Psychometrika 65, 23-28, equation 3.
    """
    from scipy import stats

    why = _why_not(a, b)
    if why:
        return Estimate(why=why)
    value = float(stats.spearmanr(a, b).statistic)
    if isclose(abs(value), 1, abs_tol=1e-12):
        return Estimate(value=round(value), why="a perfect correlation has no interval")
    error = sqrt((1 + value**2 / 2) / (len(a) - 3))
    reach = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) * error
    return Estimate(value=value, low=tanh(atanh(value) - reach), high=tanh(atanh(value) + reach))


def kappa(a: Sequence[float], b: Sequence[float]) -> Estimate:
    """Cohen's kappa of two rows of 0 and 1: their agreement beyond what chance would bring, given
    how often each says 1. The interval is by the asymptotic variance of Fleiss, Cohen and Everitt
    1969, "Large sample standard errors of kappa and weighted kappa", Psychological Bulletin 72,
    323-327, cut to the range of kappa.

    Where one row is all alike kappa is 0 whatever the agreement, so it is left out.
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    why = _why_not(a, b)
    if why:
        return Estimate(why=why)
    table = np.zeros((2, 2))
    np.add.at(table, (np.asarray(a, dtype=int), np.asarray(b, dtype=int)), 1)
    result = cohens_kappa(table)
    value = float(result.kappa)
    if isclose(abs(value), 1, abs_tol=1e-12):
        return Estimate(value=round(value), why="a kappa of 1 or -1 has no interval")
    low, high = max(-1.0, float(result.kappa_low)), min(1.0, float(result.kappa_upp))
    return Estimate(value=value, low=low, high=high)


def _why_not(a: Sequence[float], b: Sequence[float]) -> str:
    """Why two rows of values have no correlation or kappa; empty if they have one."""
    if len(a) < LEAST_PAIRS:
        return f"{len(a)} pairs; a correlation with an interval needs {LEAST_PAIRS}"
    for which, values in (("first", a), ("second", b)):
        spread: Any = np.ptp(np.asarray(values, dtype=float))
        if spread == 0:
            return f"the {which} judge gave {values[0]:g} to all {len(values)}"
    return ""
