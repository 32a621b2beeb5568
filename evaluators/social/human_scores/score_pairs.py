"""A judge's score and people's scores of the same seats, in one dimension."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.scores.scales import Scale
from evaluators.scores.score_columns import Mask

Floats = NDArray[np.float64]
BINS: Final = 5
"""Equal parts of a scale: ranges of people whose ends lie in the same are similar."""
LEAST_GROUP: Final = 5
"""Fewer similar ranges are no group."""
_NOTHING: Final = 1e-12
"""Values whose range is below it are all alike: the same mean may differ in the last digit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePairs:
    """Columns of equal length, a row a seat that the judge and a person gave a value."""

    judge: Floats
    human: Floats
    """The plain mean over annotators."""
    low: Floats
    """The least that an annotator gave."""
    high: Floats
    person: Mask
    """Whether a person sat there."""

    def __len__(self) -> int:
        return len(self.judge)

    def where(self, rows: Mask) -> "ScorePairs":
        return ScorePairs(
            judge=self.judge[rows],
            human=self.human[rows],
            low=self.low[rows],
            high=self.high[rows],
            person=self.person[rows],
        )


class Correlation(msgspec.Struct, frozen=True):
    """Pearson's, over ``n`` pairs that count as independent, with a two-sided test."""

    n: int
    r: float | None = None
    """None: there are fewer than three pairs, or all values of one of the two are the same."""
    p: float | None = None


class JudgeDifference(msgspec.Struct, frozen=True, kw_only=True):
    """How far a judge is from people."""

    n: int
    mean: float | None
    """Of judge less human."""
    least: float | None
    greatest: float | None
    deviation: float | None
    """The sample standard deviation of the human scores; None: of fewer than two."""
    within: float | None
    """The share of seats in which the difference is at most that, to either side."""


class RangeGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Seats of which people's lowest and highest scores are similar."""

    n: int
    low: float
    """The mean of the lowest."""
    high: float
    judge: float
    """The mean of the judge's scores."""
    inside: float
    """The share of seats in which the judge's score is within what people gave."""


def correlation(pairs: ScorePairs) -> Correlation:
    """Of the judge with the human score."""
    count = len(pairs)
    if count < 3 or min(np.ptp(pairs.judge), np.ptp(pairs.human)) < _NOTHING:
        return Correlation(count)
    # Only here: it takes a second to import.
    from scipy import stats

    found = stats.pearsonr(pairs.human, pairs.judge)
    return Correlation(count, float(found.statistic), float(found.pvalue))


def difference(pairs: ScorePairs) -> JudgeDifference:
    """Judge less human."""
    apart = pairs.judge - pairs.human
    count = len(apart)
    deviation = float(pairs.human.std(ddof=1)) if count > 1 else None
    return JudgeDifference(
        n=count,
        mean=float(apart.mean()) if count else None,
        least=float(apart.min()) if count else None,
        greatest=float(apart.max()) if count else None,
        deviation=deviation,
        within=None if deviation is None else float((np.abs(apart) <= deviation).mean()),
    )


def range_groups(pairs: ScorePairs, scale: Scale) -> Iterator[RangeGroup]:
    """The groups of similar ranges, the lowest first. ``scale`` has ends."""
    low, high = (_bins(ends, scale) for ends in (pairs.low, pairs.high))
    keys = low * BINS + high
    for key in np.unique(keys):
        mine = pairs.where(keys == key)
        if len(mine) >= LEAST_GROUP:
            inside = (mine.low <= mine.judge) & (mine.judge <= mine.high)
            yield RangeGroup(
                n=len(mine),
                low=float(mine.low.mean()),
                high=float(mine.high.mean()),
                judge=float(mine.judge.mean()),
                inside=float(inside.mean()),
            )


def _bins(values: Floats, scale: Scale) -> NDArray[np.int64]:
    """Which part of the scale each lies in, from 0; the greatest value is in the last."""
    parts = np.floor((values - scale.low) * BINS / (scale.high - scale.low)).astype(np.int64)
    return np.clip(parts, 0, BINS - 1)
