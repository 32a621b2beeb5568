"""Charts as SVG to be written into the page, by matplotlib.

The colours are the page's own (``var(--…)``), so that a chart follows light and dark; each chart
has a title and a description for those who do not see it.
"""

import io
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from markupsafe import Markup, escape

from evaluators.cluster_means import Floats
from evaluators.curves import Curve, IndexMean
from evaluators.summary import Cell

# matplotlib wants colours it knows; these stand for the page's and are replaced in its output.
INK, MUTED, GRID = "#010101", "#020202", "#030303"
SERIES = ("#0a0101", "#0a0202", "#0a0303", "#0a0404", "#0a0505", "#0a0606")
LINES = ("-", "--", ":", "-.")
"""Where there are more curves than colours, the colours come again in another kind of line."""
_COLOURS = {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--line)"} | {
    colour: f"var(--series-{place})" for place, colour in enumerate(SERIES, start=1)
}
_PRINTED = {INK: "#1a1d21", MUTED: "#5b6470", GRID: "#d9dde3"} | dict(
    zip(
        SERIES,
        ("#0b7a80", "#c8641b", "#6a4fb0", "#3f7d2c", "#b8336a", "#6b6f1d"),
        strict=True,
    )
)
"""The colours of a chart that stands alone, on white."""
_IDS = re.compile(r'(\bid="|\bhref="#|url\(#)')
_PANEL_WIDTH = 2.75
"""Inches; a panel is scaled to its place in the page, and has to be legible there."""
SHORT_SCALE = 5
"""Points; of a shorter scale whole numbers tell too little where there are others."""
DOTS = 40
"""Places of a dot along a scale; so many that it does not matter which of them it takes."""
LONG_SCALE = 20
"""Points; the axis of a longer scale is cut off where nothing is."""


class Series(msgspec.Struct, frozen=True):
    """Values under one name."""

    name: str
    values: Floats | Sequence[float]


class Range(msgspec.Struct, frozen=True):
    """The ends of a dimension's scale."""

    low: float
    high: float


def means(name: str, title: str, scale: Range, rows: Sequence[tuple[str, list[Cell]]]) -> Markup:
    """Dots with intervals: a row a mind, and in it a dot for each judge."""
    judges = max((len(cells) for _, cells in rows), default=1)
    lanes = len(rows) * judges
    figure, axes = _figure(0.55 + 0.16 * lanes + 0.12 * len(rows))
    described, at = [], 0.0
    ticks = []
    for mind, cells in rows:
        first = at
        for place, cell in enumerate(cells):
            mean = cell.mean
            if mean.value is not None:
                colour = SERIES[place % len(SERIES)]
                if mean.low is not None and mean.high is not None:
                    axes.hlines(at, mean.low, mean.high, color=colour, linewidth=2, alpha=0.55)
                axes.plot([mean.value], [at], "o", color=colour, markersize=5.5)
                described.append(f"{mind}: {mean.value:.2f}")
            at += 1
        ticks.append((first + (len(cells) - 1) / 2, mind))
        at += 0.75
    axes.set_yticks([where for where, _ in ticks], [_short(mind) for _, mind in ticks])
    axes.set_ylim(at - 0.5, -0.75)
    _scale(axes, scale)
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    return _svg(figure, name, title, "Means. " + "; ".join(described))


def histogram(name: str, title: str, scale: Range, series: Sequence[Series]) -> Markup:
    """How often each value was given, the judges side by side."""
    figure, axes = _figure(1.3)
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
        axes.bar([b + offset for b in bins], shares, width=width, color=SERIES[place % 6])
        common = ", ".join(f"{_axis(b, scale, whole)} ({n})" for b, n in counts.most_common(3))
        described.append(f"{one.name}, {len(one.values)} scores, most often {common or 'none'}")
    axes.set_xlim(bins[0] - 0.6, bins[-1] + 0.6)
    shown = [b for b in bins if (b - bins[0]) % 5 == 0]
    axes.set_xticks(shown, [_axis(b, scale, whole) for b in shown])
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.yaxis.set_major_locator(_ticks(3))
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    return _svg(figure, name, title, "Distribution. " + "; ".join(described))


def scatter(name: str, title: str, scale: Range, pairs: Floats, names: Sequence[str]) -> Markup:
    """One judge's values against another's, a row a seat; a larger dot stands for more seats."""
    figure, axes = _figure(2.3, width=2.5)
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
        color=SERIES[0],
        alpha=0.55,
        linewidths=0,
    )
    margin = (scale.high - scale.low) * 0.06
    axes.set_xlim(scale.low - margin, scale.high + margin)
    axes.set_ylim(scale.low - margin, scale.high + margin)
    axes.xaxis.set_major_locator(_ticks(3))
    axes.yaxis.set_major_locator(_ticks(3))
    axes.set_xlabel(_short(names[0], 24))
    axes.set_ylabel(_short(names[1], 24))
    axes.grid(color=GRID, linewidth=0.7)
    return _svg(figure, name, title, f"{len(pairs)} seats scored by both {names[0]} and {names[1]}")


def curve(
    name: str, title: str, scale: Range, found: Sequence[Curve], *, alone: bool = False
) -> Markup:
    """Means by an episode's place in its chain, a line with its band for each curve. A hard part
    stands beyond a line of its own, and no curve runs across it.

    ``alone``: with colours and a legend of its own, to be a file instead of a part of the page.
    """
    figure, axes = _figure(2.8, width=8.4)
    described = []
    lowest = scale.high
    for place, one in enumerate(found):
        shown = [at for at in one.places if at.mean.value is not None]
        for hard in (False, True):
            part = [at for at in shown if at.hard == hard]
            if part:
                named = part[0] is shown[0]
                lowest = min(lowest, _run(axes, part, place, one.label if named else ""))
        if shown:
            first, last = shown[0].mean.value, shown[-1].mean.value
            described.append(f"{one.label}, from {first:.2f} to {last:.2f}")
    bottom = _bottom(scale, lowest)
    margin = (scale.high - bottom) * 0.03
    axes.set_ylim(bottom - margin, scale.high + margin)
    axes.yaxis.set_major_locator(_ticks(5))
    axes.xaxis.set_major_locator(_whole_ticks())
    axes.set_xlabel("index of the episode in its chain")
    axes.grid(axis="y", color=GRID, linewidth=0.7)
    description = "Means by index. " + "; ".join(described)
    hard_from = min((at.index for one in found for at in one.places if at.hard), default=None)
    if hard_from is not None:
        axes.axvline(hard_from - 0.5, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        top = scale.high + margin
        axes.text(hard_from - 0.4, top, "hard", color=MUTED, fontsize=8, va="bottom")
        description += f". Hard scenarios from {hard_from} on"
    if alone:
        axes.set_title(title, color=INK, fontsize=10, loc="left")
        axes.legend(frameon=False, labelcolor=INK, fontsize=8)
    return _svg(figure, name, title, description, _PRINTED if alone else _COLOURS)


def _run(axes: Any, part: Sequence[IndexMean], place: int, label: str) -> float:
    """Draw one curve, or a part of it, with its band; the lowest value drawn."""
    colour = SERIES[place % len(SERIES)]
    indices = [at.index for at in part]
    values = [at.mean.value or 0.0 for at in part]
    lows = [v if at.mean.low is None else at.mean.low for v, at in zip(values, part, strict=True)]
    highs = [
        v if at.mean.high is None else at.mean.high for v, at in zip(values, part, strict=True)
    ]
    axes.plot(
        indices,
        values,
        color=colour,
        linewidth=1.5,
        marker="o",
        markersize=2.5,
        linestyle=LINES[place // len(SERIES) % len(LINES)],
        label=_short(label, 40) if label else None,
    )
    axes.fill_between(indices, lows, highs, color=colour, alpha=0.15, linewidth=0)
    return min(*values, *lows)


def _bottom(scale: Range, lowest: float) -> float:
    """Where the axis of a chart ends below: at the end of the scale, but where the scale is so long
    that its lines would be flat, at the last ten above which all is."""
    if scale.high - scale.low <= LONG_SCALE:
        return scale.low
    return max(scale.low, min(math.floor(lowest / 10) * 10, scale.high - 10))


def _figure(height: float, width: float = _PANEL_WIDTH) -> tuple[Any, Any]:
    import matplotlib as mpl  # half a second to import, which other commands need not pay
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"})
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = figure.subplots()
    axes.patch.set_alpha(0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.tick_params(colors=INK, length=0, labelcolor=INK)
    axes.xaxis.label.set_color(MUTED)
    axes.yaxis.label.set_color(MUTED)
    return figure, axes


def _ticks(count: int) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(count)


def _whole_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(8, integer=True)


def _scale(axes: Any, scale: Range) -> None:
    margin = (scale.high - scale.low) * 0.03
    axes.set_xlim(scale.low - margin, scale.high + margin)
    middle = (scale.low + scale.high) / 2
    ends = [scale.low, middle, scale.high]
    axes.set_xticks(ends, [_number(end) for end in ends])


def _svg(
    figure: Any,
    name: str,
    title: str,
    description: str,
    colours: Mapping[str, str] = _COLOURS,
) -> Markup:
    import matplotlib as mpl

    drawn = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = drawn.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # Several charts share a page, so their ids must not meet.
    text = _IDS.sub(lambda found: f"{found[1]}{name}-", text)
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", text)
    text = re.sub(r'(<svg [^>]*?)width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg [^>]*?)height="[^"]*"', r"\1", text, count=1)
    for stands, colour in colours.items():
        text = text.replace(stands, colour)
    labels = f'<title id="{name}-title">{escape(title)}</title>'
    labels += f'<desc id="{name}-desc">{escape(description)}</desc>'
    opening = f'<svg role="img" aria-labelledby="{name}-title {name}-desc" '
    text = text.replace("<svg ", opening, 1)
    # What stands in the chart comes from matplotlib, which escapes all text given to it.
    return Markup(text.replace(">", f">{labels}", 1))  # noqa: S704


def _bin(value: float, scale: Range, whole: bool) -> int:
    return round(value) if whole else round(10 * (value - scale.low) / (scale.high - scale.low))


def _axis(place: int, scale: Range, whole: bool) -> str:
    value = place if whole else scale.low + place * (scale.high - scale.low) / 10
    return _number(value)


def _number(value: float) -> str:
    return f"{value:.2g}".replace("-", "−")


def _short(text: str, limit: int = 16) -> str:
    # matplotlib reads what stands between two dollar signs as a formula.
    text = text if len(text) <= limit else text[: limit - 1] + "…"
    return text.replace("$", r"\$")
