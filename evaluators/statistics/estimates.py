"""Figures with their 95 % confidence intervals, on NumPy and SciPy.

A figure that cannot be estimated is None, together with the reason; tables never contain invented
values.
"""

from collections.abc import Hashable, Sequence
from math import atanh, isclose, sqrt, tanh
from typing import Any

import msgspec
import numpy as np

from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.scales import ENDLESS
from evaluators.statistics import bootstrap
from evaluators.statistics.bootstrap import LEAST_CLUSTERS, Measure
from evaluators.statistics.cluster_means import CONFIDENCE, Codes, Floats, GroupMeans, group_means
from evaluators.statistics.populations import FEW, Population

Values = Sequence[float] | Floats
Clusters = Sequence[Hashable] | Codes

LEAST_PAIRS = 4
"""Fewer pairs have no interval for a correlation: its standard error divides by n - 3."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and its 95 % confidence interval, which ends where the figure's scale does."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""
    """Why the value, or else its interval, is missing; empty where both are there."""
    sd: float | None = None
    """Of a mean: the sample standard deviation of the scores (divisor n - 1); None: fewer than two
    scores, or no mean."""
    clusters: int = 0
    """Clusters that the interval rests on; 0: each value counts for itself."""
    p: float | None = None
    """Of a correlation: of a two-sided test that there is none; else None."""

    @property
    def reach(self) -> float | None:
        """How far the interval goes to either side; None: there is none, or one end of it was cut
        where the scale ends."""
        if self.value is None or self.low is None or self.high is None:
            return None
        up, down = self.high - self.value, self.value - self.low
        return (up + down) / 2 if isclose(up, down, rel_tol=1e-6, abs_tol=1e-12) else None

    @property
    def few(self) -> bool:
        """Whether the interval has to be told with its number of clusters, for there are few."""
        return self.low is not None and 0 < self.clusters < FEW


def mean(
    values: Values,
    clusters: Clusters,
    population: Population = "episodes",
    scale: tuple[float, float] = ENDLESS,
) -> Estimate:
    """The mean of scores, with an interval that takes scores of one cluster as related and is cut
    at the ends of the scale (``evaluators.statistics.cluster_means``). ``population``: what the
    clusters are."""
    data = np.asarray(values, dtype=float)
    one = np.zeros(len(data), dtype=np.intp)
    return of_group(group_means(data, one, 1, places(clusters), [scale]), 0, population)


def of_group(means: GroupMeans, group: int, population: Population) -> Estimate:
    """One of many means as a figure."""
    return Estimate(
        value=_known(means.mean[group]),
        low=_known(means.low[group]),
        high=_known(means.high[group]),
        why=means.why(group, population),
        sd=_known(means.sd[group]),
        clusters=int(means.clusters[group]),
    )


def places(labels: Clusters) -> Codes:
    """For each label, which of the distinct ones it is: a number from 0."""
    if isinstance(labels, np.ndarray):
        whole = labels.dtype.kind == "i"
        found = distinct(labels) if whole else np.unique(labels, return_inverse=True)
        return found[1].astype(np.intp, copy=False)
    known: dict[Hashable, int] = {}
    return np.fromiter(
        (known.setdefault(label, len(known)) for label in labels), dtype=np.intp, count=len(labels)
    )


def pearson(a: Values, b: Values, clusters: Clusters | None = None) -> Estimate:
    """Pearson's correlation.

    With ``clusters``, of which each pair is in one: the interval by drawing clusters and the test
    by cluster-robust errors (``evaluators.statistics.bootstrap``). Without, pairs count as
    independent: the interval by Fisher's transformation, the test SciPy's.
    """
    why = _why_not(a, b)
    if why:
        return Estimate(why=why)
    if clusters is not None:
        return _clustered("pearson", a, b, clusters)
    # Only here: it takes a second to import.
    from scipy import stats

    result = stats.pearsonr(a, b)
    value = float(result.statistic)
    if _is_one(value):
        return _perfect("pearson", value)
    interval = result.confidence_interval(CONFIDENCE)
    return Estimate(
        value=value, low=float(interval.low), high=float(interval.high), p=float(result.pvalue)
    )


def spearman(a: Values, b: Values, clusters: Clusters | None = None) -> Estimate:
    """Spearman's rank correlation. ``clusters`` as in ``pearson``.

    Without them the interval is by Fisher's transformation with the variance (1 + r²/2) / (n - 3)
    of Bonett and Wright 2000, "Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations", Psychometrika 65, 23-28, equation 3.
    """
    why = _why_not(a, b)
    if why:
        return Estimate(why=why)
    if clusters is not None:
        return _clustered("spearman", a, b, clusters)
    from scipy import stats

    result = stats.spearmanr(a, b)
    value = float(result.statistic)
    if _is_one(value):
        return _perfect("spearman", value)
    error = sqrt((1 + value**2 / 2) / (len(a) - 3))
    reach = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) * error
    low, high = tanh(atanh(value) - reach), tanh(atanh(value) + reach)
    return Estimate(value=value, low=low, high=high, p=float(result.pvalue))


JUDGES = ("the first judge", "the second judge")
"""Of whom two rows are, where nothing else is said."""


def kappa(
    a: Values,
    b: Values,
    clusters: Clusters | None = None,
    raters: tuple[str, str] = JUDGES,
) -> Estimate:
    """Cohen's kappa of two rows of 0 and 1: their agreement beyond what chance would bring, given
    how often each says 1.

    With ``clusters`` the interval is by drawing clusters. Without, by the asymptotic variance of
    Fleiss, Cohen and Everitt 1969, "Large sample standard errors of kappa and weighted kappa",
    Psychological Bulletin 72, 323-327, cut to the range of kappa.

    Where one row is all alike kappa is 0 whatever the agreement, so it is left out; ``raters``:
    whose the rows are, for the sentence that says so.
    """
    why = _why_not(a, b, "kappa", raters)
    if why:
        return Estimate(why=why)
    if clusters is not None:
        return _clustered("kappa", a, b, clusters)
    from statsmodels.stats.inter_rater import cohens_kappa

    table = np.zeros((2, 2))
    np.add.at(table, (np.asarray(a, dtype=int), np.asarray(b, dtype=int)), 1)
    result = cohens_kappa(table)
    value = float(result.kappa)
    if _is_one(value):
        return _perfect("kappa", value)
    low, high = max(-1.0, float(result.kappa_low)), min(1.0, float(result.kappa_upp))
    return Estimate(value=value, low=low, high=high)


def _is_one(value: float) -> bool:
    return isclose(abs(value), 1, abs_tol=1e-12)


def _perfect(measure: Measure, value: float) -> Estimate:
    what = "a kappa of 1 or -1" if measure == "kappa" else "a perfect correlation"
    return Estimate(value=round(value), why=f"{what} has no interval")


def _clustered(measure: Measure, a: Values, b: Values, clusters: Clusters) -> Estimate:
    """A measure with the interval and the test that take clusters as independent of each other,
    the pairs in them not. Of kappa there is no test."""
    x, y, of = np.asarray(a, dtype=float), np.asarray(b, dtype=float), places(clusters)
    whole: Measure = "kappa" if measure == "kappa" else "pearson"
    # Spearman's is Pearson's of the ranks.
    one, other = (bootstrap.ranks(x), bootstrap.ranks(y)) if measure == "spearman" else (x, y)
    value = bootstrap.of_all(whole, one, other)
    if _is_one(value):
        return _perfect(measure, value)
    count = int(of.max()) + 1
    found = bootstrap.interval(measure, x, y, of)
    p = None if measure == "kappa" else bootstrap.p_value(one, other, of)
    if found is None:
        why = (
            f"{count} clusters; an interval by drawing them needs {LEAST_CLUSTERS}"
            if count < LEAST_CLUSTERS
            else "in too many draws of clusters one judge gave the same to all"
        )
        return Estimate(value=value, why=why, clusters=count, p=p)
    return Estimate(value=value, low=found[0], high=found[1], clusters=count, p=p)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _why_not(
    a: Values, b: Values, what: str = "a correlation", raters: tuple[str, str] = JUDGES
) -> str:
    """Why two rows of values have no correlation or kappa; empty if they have one."""
    if len(a) < LEAST_PAIRS:
        return f"{len(a)} pairs; {what} with an interval needs {LEAST_PAIRS}"
    for who, values in zip(raters, (a, b), strict=True):
        spread: Any = np.ptp(np.asarray(values, dtype=float))
        if spread == 0:
            return f"{who} gave {values[0]:g} to all {len(values)}"
    return ""
