"""The scales of dimensions: no figure of a dimension, and no end of its interval, lies outside."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import known, overall_of

if TYPE_CHECKING:
    from evaluators.scores.score_columns import ScoreColumns


class Scale(NamedTuple):
    """The least and the greatest value there is."""

    low: float
    high: float

    def within(self, value: float) -> float:
        """The value, or the end of the scale that it is beyond."""
        return min(max(value, self.low), self.high)

    @property
    def of_differences(self) -> "Scale":
        """The scale of a difference of two values: twice as wide."""
        return Scale(self.low - self.high, self.high - self.low)


ENDLESS: Final = Scale(-inf, inf)
"""Of what nobody has declared a scale."""


def scale_of(columns: "ScoreColumns", dimension: str) -> Scale:
    """The scale of a dimension, or of ``overall``: the widest that a judge behind these scores
    declares. Where none does: that of an installed rubric, if all scores lie in it."""
    declared = [
        found
        for judge in columns.judge.there()
        if (found := _declared(columns.scales.get(judge, {}), dimension))
    ]
    if declared:
        return Scale(min(one.low for one in declared), max(one.high for one in declared))
    mine = columns.where(columns.dimension.among(dimension) & columns.scored)
    found = _declared(
        {one.name: Scale(one.low, one.high) for one in known().values()},
        dimension,
        columns.dimension.there(),
    )
    if found and (not len(mine) or found.low <= mine.value.min() <= mine.value.max() <= found.high):
        return found
    return ENDLESS


def _declared(
    scales: Mapping[str, tuple[float, float]], dimension: str, asked: Iterable[str] = ()
) -> Scale | None:
    if dimension != OVERALL:
        return Scale(*scales[dimension]) if dimension in scales else None
    overall = overall_of({*(asked or scales)})
    return Scale(overall.low, overall.high) if overall else None
