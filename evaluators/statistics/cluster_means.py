"""Means of many groups of scores at once, with cluster-robust intervals, over NumPy columns."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluators.statistics import student_t
from evaluators.statistics.populations import Population

CONFIDENCE = 0.95
_DENSE = 1 << 22
"""Cells of a table that is held whole."""
LEAST_CLUSTERS = 3
"""Of fewer clusters a mean has no interval: with one degree of freedom it reaches thirteen standard
errors to either side, which tells nothing on a scale of ten points."""
_NOTHING = 1e-12
"""A standard error below it is rounding, not spread."""

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


class GroupMeans(NamedTuple):
    """One entry a group in each column; NaN where a figure cannot be had."""

    mean: Floats
    sd: Floats
    """Sample standard deviation of the group's scores (divisor n - 1)."""
    low: Floats
    high: Floats
    """The 95 % interval of the mean, cut where the scale ends."""
    scored: Codes
    """Scores that are there."""
    clusters: Codes
    """Clusters with a score."""

    def why(self, group: int, population: Population) -> str:
        """Why a group has no mean, or else no interval; empty where it has both."""
        if not self.scored[group]:
            return "no score"
        if self.clusters[group] < LEAST_CLUSTERS:
            return f"an interval needs scores from three {population} or more"
        if np.isnan(self.low[group]):
            return f"the {population} do not differ, so nothing tells the spread"
        return ""


def codes(labels: npt.ArrayLike) -> tuple[npt.NDArray[np.generic], Codes]:
    """The distinct labels in order, and for each label its place among them."""
    distinct, places = np.unique(np.asarray(labels), return_inverse=True)
    return distinct, places.astype(np.intp, copy=False)


def group_means(
    values: Floats,
    groups: Codes,
    count: int,
    clusters: Codes,
    scales: Sequence[tuple[float, float]] = (),
) -> GroupMeans:
    """The mean of each of ``count`` groups, with an interval that takes scores of one cluster as
    related.

    ``values``: a score each, NaN where it is missing; ``groups``: from 0 to ``count`` - 1;
    ``clusters``: from 0. A cluster may reach over several groups. ``scales``: the least and the
    greatest value of each group, at which its interval is cut; none: intervals are not cut.

    The standard error is the cluster-robust one of a mean (Liang and Zeger 1986, "Longitudinal
    data analysis using generalized linear models", Biometrika 73, section 2, independence working
    correlation; with the factor G/(G-1)), and the interval Student's t with G - 1 degrees of
    freedom for G clusters. Where every cluster holds one score this is the textbook t interval.
    """
    there = ~np.isnan(values)
    values, groups, clusters = values[there], groups[there], clusters[there]
    scored = np.bincount(groups, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(groups, weights=values, minlength=count) / scored
        off = values - mean[groups]
        squares = np.bincount(groups, weights=off**2, minlength=count)
        sd = np.where(scored > 1, np.sqrt(squares / (scored - 1.0)), np.nan)
        sums, of = _sums(off, groups, count, clusters)
        found = np.bincount(of, minlength=count)
        between = np.bincount(of, weights=sums**2, minlength=count)
        error = np.sqrt(found / (found - 1.0) * between) / scored
    degrees, of = np.unique(np.maximum(found - 1, 1), return_inverse=True)
    reach = student_t.reach(CONFIDENCE, degrees)[of] * error
    reach[~((found >= LEAST_CLUSTERS) & (error > _NOTHING))] = np.nan
    low, high = mean - reach, mean + reach
    if len(scales):
        ends = np.asarray(scales, dtype=float).T
        low, high = np.maximum(low, ends[0]), np.minimum(high, ends[1])
    return GroupMeans(mean, sd, low, high, scored.astype(np.intp), found.astype(np.intp))


def _sums(
    values: Floats, groups: Codes, count: int, clusters: Codes
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The sum of each cluster's values in each group that has some, and the group of each sum."""
    stride = int(clusters.max(initial=0)) + 1
    cells = groups.astype(np.int64) * stride + clusters
    if count * stride > _DENSE:
        there, places = np.unique(cells, return_inverse=True)
        return np.bincount(places, weights=values), there // stride
    # A table of all there could be takes a fraction of the time of sorting those there are.
    there = np.nonzero(np.bincount(cells, minlength=1))[0]
    return np.bincount(cells, weights=values, minlength=1)[there], there // stride
