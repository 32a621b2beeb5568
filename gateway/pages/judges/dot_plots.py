"""Two judges' values of the same seats as dots: laid out here, put out by the page's template, so
that a dozen pictures cost a page nothing."""

from typing import Final

import msgspec
import numpy as np

from evaluators.agreement.limits_of_agreement import limits_of
from evaluators.scores.scales import Scale
from evaluators.statistics.cluster_means import Floats

WIDTH: Final = 250.0
HEIGHT: Final = 210.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 10.0, 10.0, 34.0
"""Margins around the dots, in the picture's units."""
STEPS: Final = 40
"""Places of a dot along a scale; so many that it does not matter which of them it takes."""


class Dot(msgspec.Struct, frozen=True):
    """One or more seats."""

    x: float
    y: float
    r: float
    title: str


class Mark(msgspec.Struct, frozen=True):
    """A value along an axis, or a line across."""

    at: float
    text: str
    kind: str = "grid"
    """``grid``, ``zero``, ``mean`` or ``limit``."""


class DotPlot(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    x_name: str
    y_name: str
    x_marks: tuple[Mark, ...]
    y_marks: tuple[Mark, ...]
    dots: tuple[Dot, ...]
    diagonal: bool
    """A line where both are alike, from corner to corner."""


class _Axes:
    def __init__(self, x: Scale, y: Scale) -> None:
        self.x, self.y = x, y

    def across(self, value: float) -> float:
        share = (value - self.x.low) / (self.x.high - self.x.low)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def down(self, value: float) -> float:
        share = (value - self.y.low) / (self.y.high - self.y.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def beside(name: str, pairs: Floats, scale: Scale) -> DotPlot:
    """One judge's values against the other's; on the diagonal they agree."""
    axes = _Axes(scale, scale)
    return DotPlot(
        title=f"{name}: {len(pairs)} seats, judge A against judge B",
        x_name="judge A",
        y_name="judge B",
        x_marks=tuple(Mark(axes.across(v), _text(v)) for v in _round(scale)),
        y_marks=tuple(Mark(axes.down(v), _text(v)) for v in _round(scale)),
        dots=_dots(axes, pairs, scale, "A {}, B {}"),
        diagonal=True,
    )


def apart(name: str, pairs: Floats, scale: Scale) -> DotPlot:
    """Differences against means, with the mean difference and the limits of agreement."""
    points = np.column_stack((pairs.mean(axis=1), pairs[:, 0] - pairs[:, 1]))
    limits = limits_of(pairs)
    reach = max(
        float(np.abs(points[:, 1]).max(initial=0)),
        *(abs(end) for end in limits or (0.0,)),
        (scale.high - scale.low) / STEPS,
    )
    axes = _Axes(scale, Scale(-1.08 * reach, 1.08 * reach))
    marks = [Mark(axes.down(v), _text(v), "zero" if v == 0 else "grid") for v in _round(axes.y)]
    if limits:
        marks.append(Mark(axes.down(limits.mean), "", "mean"))
        marks += [Mark(axes.down(end), "", "limit") for end in (limits.low, limits.high)]
    return DotPlot(
        title=f"{name}: differences of {len(pairs)} seats against their means",
        x_name="mean of both",
        y_name="A − B",
        x_marks=tuple(Mark(axes.across(v), _text(v)) for v in _round(scale)),
        y_marks=tuple(marks),
        dots=_dots(axes, points, scale, "mean {}, A − B {}"),
        diagonal=False,
    )


def _dots(axes: _Axes, points: Floats, scale: Scale, words: str) -> tuple[Dot, ...]:
    step = (scale.high - scale.low) / STEPS
    places, counts = np.unique(np.round(points / step) * step, axis=0, return_counts=True)
    most = counts.max(initial=1)
    return tuple(
        Dot(
            axes.across(float(x)),
            axes.down(float(y)),
            round(2.2 + 4.3 * float(np.sqrt(count / most)), 1),
            f"{words.format(_text(float(x)), _text(float(y)))}: {count} seats",
        )
        for (x, y), count in zip(places, counts, strict=True)
    )


def _round(scale: Scale) -> list[float]:
    """About five round values within a scale."""
    rough = (scale.high - scale.low) / 4
    size = 10.0 ** np.floor(np.log10(rough))
    step = float(min((size * by for by in (1, 2, 5, 10)), key=lambda s: abs(s - rough)))
    first, last = np.ceil(scale.low / step - 1e-9), np.floor(scale.high / step + 1e-9)
    return [float(n * step) + 0.0 for n in np.arange(first, last + 1)]


def _text(value: float) -> str:
    return f"{round(value, 2) + 0.0:g}".replace("-", "−")
