"""Tests between two groups of scores: p, n, effect size, and Holm's correction over a family.

Scores of one scenario, or of one chain, are no independent observations, so each such unit gives
one: the mean of its scores. Student's t compares these means, paired where the groups share their
units (Matthews, Altman, Campbell and Royston 1990, "Analysis of serial measurements in medical
research", BMJ 300, 230-235).
"""

import warnings
from collections.abc import Hashable, Sequence
from math import sqrt
from typing import Literal, NamedTuple

import msgspec
import numpy as np

from evaluators.scores.scales import ENDLESS, Scale
from evaluators.statistics import student_t
from evaluators.statistics.cluster_means import (
    CONFIDENCE,
    LEAST_CLUSTERS,
    Codes,
    Floats,
    group_means,
)
from evaluators.statistics.estimates import Clusters, Estimate, Values, of_group, places
from evaluators.statistics.populations import Population

LEAST_UNITS = LEAST_CLUSTERS
"""With fewer units, or of two groups that share none with fewer in either, there is no test."""

Test = Literal["paired t", "Welch's t"]


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a test."""

    label: str
    values: Values
    """The scores that are there."""
    units: Clusters
    """Which unit each is of; groups that share a unit met the same there."""
    pairs: Clusters = ()
    """Which pair within its unit each is of: a pair's scores give one mean, and these that of the
    unit, so that pairs weigh the same on both sides. Empty: each score is its own."""
    clusters: Clusters = ()
    """Which cluster each is of, for the interval beside the mean; empty: the unit is."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a test, as tables print it."""

    label: str
    mean: Estimate
    """With its interval and its standard deviation over scores, of all scores."""
    scores: int
    units: int
    unit_mean: float | None = None
    """The mean of the units' means, each of which weighs the same."""
    unit_sd: float | None = None
    """The sample standard deviation of the units' means; None: fewer than two."""


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """What one group got more than another, and whether that may be chance."""

    a: Side
    b: Side
    difference: Estimate
    """The mean of ``a`` less that of ``b``, over units, with its 95 % interval."""
    test: Test
    """Paired where both sides have scores in the same units, and then over these alone."""
    n: int
    """Units that the test rests on: pairs, or those of both sides together."""
    statistic: float | None = None
    degrees: float | None = None
    """Degrees of freedom."""
    p: float | None = None
    """Two-sided; None where ``difference.why`` says why there is no test."""
    p_holm: float | None = None
    """Corrected for all tests of its family (``holm``)."""
    effect: float | None = None
    """Cohen's d: the difference by the pooled standard deviation of the scores."""


def contrast(
    a: Group, b: Group, population: Population = "scenarios", scale: Scale = ENDLESS
) -> Contrast:
    """Test whether two groups have the same mean. ``scale``: that of their values; intervals are
    cut where it ends.

    Where they share ``LEAST_UNITS`` units or more: Student's paired t over the units they share;
    where they share fewer: Welch's t over all units (Welch 1947, "The generalization of 'Student's'
    problem when several different population variances are involved", Biometrika 34, 28-35). Each
    unit weighs the same however many scores it has.

    The effect is Cohen's d for two groups (Cohen 1988, "Statistical Power Analysis for the
    Behavioral Sciences", section 2.2; Lakens 2013, "Calculating and reporting effect sizes",
    Frontiers in Psychology 4:863, equation 1): by the standard deviation of scores, not of units,
    so that tables of different size compare.
    """
    of_a, of_b = _by_unit(a), _by_unit(b)
    shared = [unit for unit in of_a if unit in of_b]
    paired = len(shared) >= LEAST_UNITS
    if paired:
        x = np.array([of_a[unit] for unit in shared])
        y = np.array([of_b[unit] for unit in shared])
    else:
        x, y = np.array(list(of_a.values())), np.array(list(of_b.values()))
    sides = (_side(a, of_a, population, scale), _side(b, of_b, population, scale))
    n = len(x) if paired else len(x) + len(y)
    test: Test = "paired t" if paired else "Welch's t"
    why = _untestable(x, y, population, paired=paired)
    difference = float(x.mean() - y.mean()) if len(x) and len(y) else None
    if why:
        found = Estimate(value=difference, why=why, clusters=n)
        return Contrast(a=sides[0], b=sides[1], difference=found, test=test, n=n)
    tested, ends = (_paired if paired else _welch)(x, y), scale.of_differences
    return Contrast(
        a=sides[0],
        b=sides[1],
        difference=Estimate(
            value=difference,
            low=max(tested.low, ends.low),
            high=min(tested.high, ends.high),
            clusters=n,
        ),
        test=test,
        n=n,
        statistic=tested.statistic,
        degrees=tested.degrees,
        p=tested.p,
        effect=cohens_d(np.asarray(a.values), np.asarray(b.values), difference),
    )


class _Tested(NamedTuple):
    statistic: float
    degrees: float
    p: float
    low: float
    high: float
    """The interval of the difference."""


def _paired(x: Floats, y: Floats) -> _Tested:
    difference, degrees = x - y, len(x) - 1
    mean, error = float(difference.mean()), float(difference.std(ddof=1)) / sqrt(len(x))
    reach, t = float(student_t.reach(CONFIDENCE, degrees)) * error, mean / error
    return _Tested(t, degrees, student_t.two_sided(t, degrees), mean - reach, mean + reach)


def _welch(x: Floats, y: Floats) -> _Tested:
    from scipy import stats  # a second to import; the command line's help does not need it

    with warnings.catch_warnings():
        # One side whose units are all alike is no loss of precision.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = stats.ttest_ind(x, y, equal_var=False)
    interval = found.confidence_interval(CONFIDENCE)
    values = (found.statistic, found.df, found.pvalue, interval.low, interval.high)
    return _Tested(*map(float, values))


def holm(family: Sequence[Contrast]) -> list[Contrast]:
    """The same tests with their p corrected for there being several (``holm_p``)."""
    corrected = holm_p([one.p for one in family])
    return [
        one if p is None else msgspec.structs.replace(one, p_holm=p)
        for one, p in zip(family, corrected, strict=True)
    ]


def holm_p(family: Sequence[float | None]) -> list[float | None]:
    """The p of some tests, corrected for there being several (Holm 1979, "A simple sequentially
    rejective multiple test procedure", Scandinavian Journal of Statistics 6, 65-70). What could not
    be tested, None, does not count."""
    found = list(family)
    # statsmodels has it as well; of a command, loading that is half a second.
    tested = sorted((p, place) for place, p in enumerate(family) if p is not None)
    corrected = 0.0
    for left, (p, place) in zip(range(len(tested), 0, -1), tested, strict=True):
        corrected = min(1.0, max(corrected, left * p))
        found[place] = corrected
    return found


def cohens_d(a: Floats, b: Floats, difference: float | None = None) -> float | None:
    """The difference of two means by the pooled standard deviation; None where there is none.

    ``difference``: taken instead of that of the means of all scores.
    """
    if len(a) < 2 or len(b) < 2:
        return None
    spread = (len(a) - 1) * np.var(a, ddof=1) + (len(b) - 1) * np.var(b, ddof=1)
    pooled = float(np.sqrt(spread / (len(a) + len(b) - 2)))
    if pooled < 1e-12:
        return None
    return (float(a.mean() - b.mean()) if difference is None else difference) / pooled


def _by_unit(group: Group) -> dict[Hashable, float]:
    values = np.asarray(group.values, dtype=float)
    which = places(group.units)
    names: Sequence[Hashable] = (
        np.unique(group.units).tolist()
        if isinstance(group.units, np.ndarray)
        else list(dict.fromkeys(group.units))
    )
    if len(group.pairs):
        pairs = places(group.pairs)
        values = _means(values, pairs)
        of = np.empty(len(values), dtype=np.intp)
        of[pairs] = which
        which = of
    return dict(zip(names, _means(values, which).tolist(), strict=True))


def _means(values: Floats, which: Codes) -> Floats:
    means: Floats = np.bincount(which, weights=values) / np.bincount(which)
    return means


def _side(
    group: Group, by_unit: dict[Hashable, float], population: Population, scale: Scale
) -> Side:
    values = np.asarray(group.values, dtype=float)
    clusters = places(group.clusters if len(group.clusters) else group.units)
    means = group_means(values, np.zeros(len(values), dtype=np.intp), 1, clusters, [scale])
    mean = of_group(means, 0, population)
    units = list(by_unit.values())
    return Side(
        label=group.label,
        mean=mean,
        scores=len(values),
        units=len(units),
        unit_mean=float(np.mean(units)) if units else None,
        unit_sd=float(np.std(units, ddof=1)) if len(units) > 1 else None,
    )


def _untestable(x: Floats, y: Floats, population: Population, *, paired: bool) -> str:
    """Why two groups cannot be tested; empty where they can."""
    if not len(x) or not len(y):
        return "no score"
    if not paired and (len(x) < LEAST_UNITS or len(y) < LEAST_UNITS):
        return f"a test needs scores from three {population} or more of each"
    if (np.ptp(x - y) if paired else np.ptp(x) + np.ptp(y)) < 1e-12:
        return f"the {population} do not differ, so nothing tells the spread"
    return ""
