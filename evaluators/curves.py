"""Scores by an episode's place in its chain: do characters get better?

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 5, plots goal completion and believability over the
40 episodes of a chain.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec
import numpy as np

from evaluators import estimates
from evaluators.cluster_means import CONFIDENCE
from evaluators.estimates import Estimate

LEAST_CHAINS = 2
"""Fewer chains do not tell how much slopes differ between chains."""
LEAST_EPISODES = 3
"""A line through fewer episodes fits by itself."""


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat of one episode of a chain got in one dimension."""

    label: str
    """Whose curve it belongs to: a mind with its memory, or a human baseline."""
    chain: str
    """The chain, or the pair of people: scores of one are related."""
    index: int
    """The episode's place in the chain: 0, 1, 2, …"""
    value: float | None
    """None where the score is missing; it counts in ``asked`` only."""


class IndexMean(msgspec.Struct, frozen=True, kw_only=True):
    """One point of a curve, with its band."""

    index: int
    mean: Estimate
    """The interval takes the scores of one chain as one cluster."""
    scored: int
    asked: int
    """The denominator: values that are there and values that are missing."""
    chains: int
    """Chains with a score."""


class Slope(msgspec.Struct, frozen=True, kw_only=True):
    """How much a score changes with each further episode."""

    change: Estimate
    """Change an episode, with its 95 % confidence interval."""
    p_value: float | None
    """Of a two-sided test that it does not change at all; None where it cannot be tested."""
    chains: int
    """Chains a line could be fitted to."""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the figure."""

    label: str
    places: tuple[IndexMean, ...]
    slope: Slope


def curves(points: Iterable[Point]) -> list[Curve]:
    """A curve for each label, by name."""
    ordered = sorted(points, key=lambda point: (point.label, point.index))
    return [
        _curve(label, list(mine)) for label, mine in groupby(ordered, key=lambda point: point.label)
    ]


def slope(points: Sequence[Point]) -> Slope:
    """The mean of the chains' slopes, and Student's t test that it is zero.

    The episodes of a chain are no independent observations, so each chain gives one: the least
    squares slope of its scores over the index. These are averaged and tested over chains, which
    is the two-stage summary-measures analysis of Matthews, Altman, Campbell and Royston 1990,
    "Analysis of serial measurements in medical research", BMJ 300, 230-235.
    """
    slopes = [
        found
        for _, mine in groupby(sorted(points, key=_chain), key=_chain)
        if (found := _line(list(mine))) is not None
    ]
    if not slopes:
        why = f"no chain has scores in {LEAST_EPISODES} episodes or more"
        return Slope(change=Estimate(why=why), p_value=None, chains=0)
    centre = float(np.mean(slopes))
    if len(slopes) < LEAST_CHAINS:
        why = "one chain alone does not tell how much slopes differ between chains"
        return Slope(change=Estimate(value=centre, why=why), p_value=None, chains=len(slopes))
    if np.ptp(slopes) < 1e-12:
        why = "the chains' slopes do not differ, so nothing tells their spread"
        return Slope(change=Estimate(value=centre, why=why), p_value=None, chains=len(slopes))
    from scipy import stats  # a second to import; the command line's help does not need it

    test = stats.ttest_1samp(slopes, 0.0)
    interval = test.confidence_interval(CONFIDENCE)
    change = Estimate(value=centre, low=float(interval.low), high=float(interval.high))
    return Slope(change=change, p_value=float(test.pvalue), chains=len(slopes))


def _curve(label: str, points: Sequence[Point]) -> Curve:
    places = tuple(
        _place(index, list(here)) for index, here in groupby(points, key=lambda point: point.index)
    )
    return Curve(label=label, places=places, slope=slope(points))


def _place(index: int, points: Sequence[Point]) -> IndexMean:
    scored = [(point.value, point.chain) for point in points if point.value is not None]
    values, chains = [value for value, _ in scored], [chain for _, chain in scored]
    return IndexMean(
        index=index,
        mean=estimates.mean(values, chains),
        scored=len(scored),
        asked=len(points),
        chains=len(set(chains)),
    )


def _line(points: Sequence[Point]) -> float | None:
    """The least squares slope of one chain's scores; None where too few episodes have one."""
    scored = [(point.index, point.value) for point in points if point.value is not None]
    if len({index for index, _ in scored}) < LEAST_EPISODES:
        return None
    indices, values = zip(*scored, strict=True)
    return float(np.polyfit(indices, values, 1)[0])


def _chain(point: Point) -> str:
    return point.chain
