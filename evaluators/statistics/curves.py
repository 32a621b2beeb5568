"""Scores by an episode's place in its chain: do characters get better?

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 5, plots goal completion and believability over the
40 episodes of a chain, and then over scenarios that need what came up in them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.scores.scales import ENDLESS
from evaluators.statistics.cluster_means import CONFIDENCE, LEAST_CLUSTERS, Floats, group_means
from evaluators.statistics.estimates import Estimate, of_group, places

LEAST_EPISODES = 3
"""A line through fewer episodes fits by itself."""

Whole = NDArray[Any]
"""An array of whole numbers."""


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
    hard: bool = False
    """The episode is of the hard part, which ends a chain and is beside its curve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Many of them, as columns."""

    labels: Sequence[str]
    """Each curve's, once, in the order in which figures show them."""
    label: Whole
    """Places in ``labels``."""
    chain: Whole
    """A number for each chain."""
    index: Whole
    value: Floats
    """NaN where it is missing."""
    hard: NDArray[np.bool_]


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
    hard: bool = False
    """It is of the hard part, which ends the chains: no slope goes through it."""


class Slope(msgspec.Struct, frozen=True, kw_only=True):
    """How much a score changes with each further episode, the hard part left out."""

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
    """By index, the hard part last."""
    slope: Slope


def points_of(points: Iterable[Point]) -> Points:
    """Some points as columns, curves by name."""
    rows = list(points)
    labels = sorted({row.label for row in rows})
    return Points(
        labels=labels,
        label=np.array([labels.index(row.label) for row in rows], dtype=np.intp),
        chain=places([row.chain for row in rows]),
        index=np.array([row.index for row in rows], dtype=np.intp),
        value=np.array([np.nan if row.value is None else row.value for row in rows], dtype=float),
        hard=np.array([row.hard for row in rows], dtype=np.bool_),
    )


def curves(points: Points, scale: tuple[float, float] = ENDLESS) -> list[Curve]:
    """A curve for each label that has a point, in the order of the labels. ``scale``: the least and
    the greatest value, at which intervals of means are cut."""
    found = []
    for label, name in enumerate(points.labels):
        mine = points.label == label
        if mine.any():
            chain, index = points.chain[mine], points.index[mine]
            value, hard = points.value[mine], points.hard[mine]
            line = slope(chain[~hard], index[~hard], value[~hard])
            shown = tuple(_places(chain, index, value, hard, scale))
            found.append(Curve(label=name, places=shown, slope=line))
    return found


def slope(chain: Whole, index: Whole, value: Floats) -> Slope:
    """The mean of the chains' slopes, and Student's t test that it is zero.

    The episodes of a chain are no independent observations, so each chain gives one: the least
    squares slope of its scores over the index. These are averaged and tested over chains, which
    is the two-stage summary-measures analysis of Matthews, Altman, Campbell and Royston 1990,
    "Analysis of serial measurements in medical research", BMJ 300, 230-235.
    """
    slopes = list(chain_slopes(chain, index, value).values())
    count = len(slopes)
    if not slopes:
        why = f"no chain has scores in {LEAST_EPISODES} episodes or more"
        return Slope(change=Estimate(why=why), p_value=None, chains=0)
    centre = float(np.mean(slopes))
    if count < LEAST_CLUSTERS:
        chains = "one chain alone does" if count == 1 else f"{count} chains alone do"
        why = f"{chains} not tell how much slopes differ between chains"
        change = Estimate(value=centre, why=why, clusters=count)
        return Slope(change=change, p_value=None, chains=count)
    if np.ptp(slopes) < 1e-12:
        why = "the chains' slopes do not differ, so nothing tells their spread"
        change = Estimate(value=centre, why=why, clusters=count)
        return Slope(change=change, p_value=None, chains=count)
    from scipy import stats  # a second to import; the command line's help does not need it

    test = stats.ttest_1samp(slopes, 0.0)
    interval = test.confidence_interval(CONFIDENCE)
    change = Estimate(
        value=centre,
        low=float(interval.low),
        high=float(interval.high),
        sd=float(np.std(slopes, ddof=1)),
        clusters=count,
    )
    return Slope(change=change, p_value=float(test.pvalue), chains=count)


def chain_slopes(chain: Whole, index: Whole, value: Floats) -> dict[int, float]:
    """The least squares slope of each chain's scores over the index, by the chain's number; none
    for a chain with scores in fewer than ``LEAST_EPISODES`` episodes."""
    there = ~np.isnan(value)
    chains, at = np.unique(chain[there], return_inverse=True)
    x, y = index[there].astype(float), value[there]
    size = np.bincount(at)
    x = x - (np.bincount(at, weights=x) / size)[at]
    y = y - (np.bincount(at, weights=y) / size)[at]
    across, spread = np.bincount(at, weights=x * y), np.bincount(at, weights=x * x)
    episodes = np.unique(np.column_stack((at, index[there])), axis=0)[:, 0]
    enough = np.bincount(episodes, minlength=len(chains)) >= LEAST_EPISODES
    return {
        int(chains[place]): float(across[place] / spread[place]) for place in np.flatnonzero(enough)
    }


def _places(
    chain: Whole,
    index: Whole,
    value: Floats,
    hard: NDArray[np.bool_],
    scale: tuple[float, float],
) -> Iterable[IndexMean]:
    keys, group = np.unique(np.column_stack((hard, index)), axis=0, return_inverse=True)
    group = group.reshape(-1)
    clusters = np.unique(chain, return_inverse=True)[1]
    means = group_means(value, group, len(keys), clusters, [scale] * len(keys))
    asked = np.bincount(group, minlength=len(keys))
    for place, (of_hard, at) in enumerate(keys):
        yield IndexMean(
            index=int(at),
            mean=of_group(means, place, "chains"),
            scored=int(means.scored[place]),
            asked=int(asked[place]),
            chains=int(means.clusters[place]),
            hard=bool(of_hard),
        )
