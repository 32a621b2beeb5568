"""Differences with their intervals, a row each, by matplotlib."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import CARD, GRID, INK, MUTED
from evaluators.scores.dimensions import label
from evaluators.scores.scales import Scale
from evaluators.statistics.paired_differences import PairedDifference

SURE = 0.05
"""Marks are filled where Holm's p is under it."""


def differences(
    name: str,
    title: str,
    rows: Sequence[tuple[str, PairedDifference]],
    *,
    width: float = 5.6,
    axis: str = "A − B",
    alone: bool = False,
) -> Markup:
    """A mark with its interval for each difference, around a line at none; filled where Holm's p is
    under ``SURE``. ``width``: in inches; ``axis``: what the difference is called. ``alone``: with
    colours of its own, to be a file instead of a part of a page."""
    figure, (axes,) = svg_charts.new_figure(0.7 + 0.24 * len(rows), width)
    described = []
    reach = 0.0
    axes.axvline(0, color=MUTED, linewidth=0.9)
    for at, (text, one) in enumerate(rows):
        change = one.contrast.difference
        if change.value is None:
            continue
        ends = (change.low, change.high, change.value)
        reach = max(reach, *(abs(end) for end in ends if end is not None))
        if change.low is not None and change.high is not None:
            axes.hlines(at, change.low, change.high, color=INK, linewidth=2, alpha=0.55)
        sure = one.contrast.p_holm is not None and one.contrast.p_holm < SURE
        axes.plot([change.value], [at], "o", color=INK, markersize=5.5,
                  markerfacecolor=INK if sure else CARD)  # fmt: skip
        described.append(f"{text}: {change.value:+.2f}")
    axes.set_yticks(range(len(rows)), [svg_charts.short(text, 44) for text, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", labelcolor=INK)
    svg_charts.along_x(axes, Scale(-1.05 * reach or -1, 1.05 * reach or 1), 5)
    axes.set_xlabel(f"{axis}, 95 % interval")
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    colours: Mapping[str, str] = svg_charts.PRINTED if alone else svg_charts.PAGE
    return svg_charts.svg(figure, name, title, "Differences. " + "; ".join(described), colours)


def labelled(one: PairedDifference, *, sides: bool = True) -> str:
    """What a row of a chart is about, in a line."""
    parts = [one.of, label(one.dimension)]
    if sides:
        parts.append(f"{one.contrast.a.label} − {one.contrast.b.label}")
    return ", ".join(filter(None, parts))
