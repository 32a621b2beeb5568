"""Ratios of figures that were measured in pairs, with intervals."""

import math
import statistics
from collections.abc import Mapping, Sequence

import msgspec
from scipy import stats

from tests.benchmarks.figures import Figure

CONFIDENCE = 0.95


class Ratio(msgspec.Struct, frozen=True):
    """A figure here, divided by the same figure there."""

    name: str
    there: float
    """Median."""
    here: float
    """Median."""
    ratio: float
    """Geometric mean over the pairs."""
    low: float | None
    """Of the interval; None with fewer than two pairs."""
    high: float | None
    pairs: int
    more_is_better: bool

    @property
    def verdict(self) -> str:
        """What the interval shows, in a word or two."""
        if self.low is None or self.high is None:
            return ""
        if self.low <= 1 <= self.high:
            return "no difference shown"
        return "better" if (self.ratio > 1) == self.more_is_better else "WORSE"

    def __str__(self) -> str:
        interval = "" if self.low is None else f"[{self.low:.2f}, {self.high:.2f}]"
        better = "more" if self.more_is_better else "less"
        figures = f"{self.there:>12,.5g} {self.here:>12,.5g}  {self.ratio:>6.2f} × {interval:<14}"
        return f"{self.name:<70} {figures}  {better:<6}  {self.verdict}".rstrip()


HEADING = (
    f"{'what':<70} {'there':>12} {'here':>12}  {'here / there':<23}  {'better':<6}  what is shown"
)

Pair = tuple[Mapping[str, Figure], Mapping[str, Figure]]
"""The figures there and here that were measured one right after the other."""


class Compared(msgspec.Struct, frozen=True):
    """One part's outcome."""

    part: str
    ratios: list[Ratio]
    only_there: list[str]
    """Figures that were measured on this side alone."""
    only_here: list[str]


def compare(part: str, pairs: Sequence[Pair]) -> Compared:
    """Match figures by name; one counts in those pairs in which both sides have it."""
    there = dict.fromkeys(name for each, _ in pairs for name in each)
    here = dict.fromkeys(name for _, each in pairs for name in each)
    ratios = []
    for name in there:
        both = [(old[name], new[name]) for old, new in pairs if name in old and name in new]
        if both:
            ratios.append(_ratio(name, both))
    return Compared(
        part,
        ratios,
        [name for name in there if name not in here],
        [name for name in here if name not in there],
    )


def _ratio(name: str, both: Sequence[tuple[Figure, Figure]]) -> Ratio:
    logs = [math.log(new.value / old.value) for old, new in both]
    mean = statistics.fmean(logs)
    low = high = None
    if len(logs) > 1:
        error = statistics.stdev(logs) / math.sqrt(len(logs))
        reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(logs) - 1)) * error
        low, high = math.exp(mean - reach), math.exp(mean + reach)
    return Ratio(
        name=name,
        there=statistics.median(old.value for old, _ in both),
        here=statistics.median(new.value for _, new in both),
        ratio=math.exp(mean),
        low=low,
        high=high,
        pairs=len(both),
        more_is_better=both[-1][1].more_is_better,
    )
