"""Limits of agreement: how much two judges' values of the same seats differ."""

from typing import Final, NamedTuple

from evaluators.statistics.cluster_means import Floats

DEVIATIONS: Final = 1.96
"""Standard deviations of the differences to either side of their mean (Bland and Altman 1986,
"Statistical methods for assessing agreement between two methods of clinical measurement", Lancet
327, 307-310)."""


class Limits(NamedTuple):
    """The mean difference, first less second, and the limits of agreement around it."""

    mean: float
    low: float
    high: float


def limits_of(pairs: Floats) -> Limits | None:
    """Of pairs, a row each; None of fewer than two."""
    if len(pairs) < 2:
        return None
    apart = pairs[:, 0] - pairs[:, 1]
    mean, reach = float(apart.mean()), DEVIATIONS * float(apart.std(ddof=1))
    return Limits(mean, mean - reach, mean + reach)
