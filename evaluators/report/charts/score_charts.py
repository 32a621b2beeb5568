"""The small charts of a report, by matplotlib: means, distributions, one judge against another."""

from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np
from markupsafe import Markup

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import GRID, INK, LONG_SCALE, MUTED, SHORT_SCALE
from evaluators.scores.scales import Scale
from evaluators.statistics.cluster_means import Floats
from evaluators.statistics.summary import Cell

DOTS = 40
"""Places of a dot along a scale; so many that it does not matter which of them it takes."""


class Series(msgspec.Struct, frozen=True):
    """Values under one name."""

    name: str
    values: Floats | Sequence[float]
    place: int = 0
    """The judge's among the run's: its colour."""


class Lane(msgspec.Struct, frozen=True):
    """What one judge says of one mind."""

    judge: int
    """Its place among the run's judges."""
    cell: Cell


def means(
    name: str, title: str, scale: Scale, rows: Sequence[tuple[str, Sequence[Lane]]]
) -> Markup:
    """Marks with intervals: a row a mind, and in it a mark for each judge. Intervals end where the
    scale does."""
    lanes = sum(len(lanes) for _, lanes in rows)
    figure, (axes,) = svg_charts.new_figure(0.55 + 0.16 * lanes + 0.12 * len(rows))
    described, at = [], 0.0
    ticks = []
    for mind, found in rows:
        ticks.append((at + (len(found) - 1) / 2, mind))
        for lane in found:
            mean = lane.cell.mean
            if mean.value is not None:
                colour = svg_charts.judge_colour(lane.judge)
                if mean.low is not None and mean.high is not None:
                    ends = scale.within(mean.low), scale.within(mean.high)
                    axes.hlines(at, *ends, color=colour, linewidth=2, alpha=0.55)
                shape = svg_charts.judge_mark(lane.judge)
                axes.plot([mean.value], [at], shape, color=colour, markersize=5.5, clip_on=False)
                described.append(f"{mind}: {mean.value:.2f}")
            at += 1
        at += 0.75
    axes.set_yticks([where for where, _ in ticks], [svg_charts.short(mind) for _, mind in ticks])
    axes.set_ylim(at - 0.5, -0.75)
    svg_charts.along_x(axes, scale)
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    return svg_charts.svg(figure, name, title, "Means. " + "; ".join(described))


def histogram(name: str, title: str, scale: Scale, series: Sequence[Series]) -> Markup:
    """How often each value was given, the judges side by side; every other judge's bars are hollow,
    so that they are told apart without their colours."""
    figure, (axes,) = svg_charts.new_figure(1.3)
    low, high = round(scale.low), round(scale.high)
    given = [np.unique(np.asarray(one.values, dtype=float), return_counts=True) for one in series]
    whole = high - low <= LONG_SCALE and (
        high - low >= SHORT_SCALE
        or all(value.is_integer() for values, _ in given for value in values.tolist())
    )
    bins = range(low, high + 1) if whole else range(11)
    width = 0.8 / max(1, len(series))
    described = []
    for place, one in enumerate(series):
        counts = Counter[int]()
        for value, times in zip(*(column.tolist() for column in given[place]), strict=True):
            counts[_bin(value, scale, whole)] += times
        shares = [counts[b] / len(one.values) if len(one.values) else 0 for b in bins]
        offset = (place - (len(series) - 1) / 2) * width
        colour = svg_charts.judge_colour(one.place)
        there = [(b + offset, share) for b, share in zip(bins, shares, strict=True) if share]
        axes.bar(
            [at for at, _ in there],
            [share for _, share in there],
            width=width * 0.9,
            facecolor=(colour, 0.25 if place % 2 else 1.0),
            edgecolor=colour,
            linewidth=0.8,
        )
        common = ", ".join(f"{_value(b, scale, whole)} ({n})" for b, n in counts.most_common(3))
        described.append(f"{one.name}, {len(one.values)} scores, most often {common or 'none'}")
    axes.set_xlim(bins[0] - 0.6, bins[-1] + 0.6)
    ticks = svg_charts.round_ticks(scale, 3)
    if whole:
        ticks = [tick for tick in ticks if tick.is_integer()]
    at = ticks if whole else [10 * (t - scale.low) / (scale.high - scale.low) for t in ticks]
    axes.set_xticks(at, [svg_charts.number(tick) for tick in ticks])
    most = max((patch.get_height() for patch in axes.patches), default=1.0)
    shown = svg_charts.round_ticks(Scale(0, most), 3)
    axes.set_yticks(shown, [f"{share:.0%}" for share in shown])
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    return svg_charts.svg(figure, name, title, "Distribution. " + "; ".join(described))


def scatter(name: str, title: str, scale: Scale, pairs: Floats, names: Sequence[str]) -> Markup:
    """One judge's values against another's, a row a seat; a larger dot stands for more seats. The
    dots are of neither judge, so their colour is no judge's."""
    figure, (axes,) = svg_charts.new_figure(2.3, width=2.5)
    axes.plot(
        [scale.low, scale.high],
        [scale.low, scale.high],
        color=MUTED,
        linewidth=0.8,
        linestyle=(0, (3, 3)),
    )
    step = (scale.high - scale.low) / DOTS
    dots, counts = np.unique(np.round(pairs / step) * step, axis=0, return_counts=True)
    axes.scatter(
        dots[:, 0],
        dots[:, 1],
        s=12 + 70 * counts / counts.max(initial=1),
        color=INK,
        alpha=0.45,
        linewidths=0,
        clip_on=False,
    )
    svg_charts.along_x(axes, scale)
    svg_charts.along_y(axes, scale)
    axes.set_xlabel(svg_charts.short(names[0], 24))
    axes.set_ylabel(svg_charts.short(names[1], 24))
    axes.grid(color=GRID, linewidth=0.7)
    told = f"{len(pairs)} seats scored by both {names[0]} and {names[1]}"
    return svg_charts.svg(figure, name, title, told)


def _bin(value: float, scale: Scale, whole: bool) -> int:
    return round(value) if whole else round(10 * (value - scale.low) / (scale.high - scale.low))


def _value(place: int, scale: Scale, whole: bool) -> str:
    value = place if whole else scale.low + place * (scale.high - scale.low) / 10
    return svg_charts.number(value)
