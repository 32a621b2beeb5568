"""Figures 2, G.1, G.2 and G.3 drawn: a judge beside the people who annotated."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import INK, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH, _ROW = 5.6, 0.24
"""Inches."""
_LONGEST = 44


class SpanMark(msgspec.Struct, frozen=True, kw_only=True):
    """A row: what people gave as a line, and the judge as a mark on it."""

    label: str
    low: float
    high: float
    mark: float
    judge: int = 0
    """Its place among the judges: its colour and shape."""
    band: float | None = None
    """Half the width of a broad, pale line around 0; None: there is none."""
    told: str
    """The same in words."""


def draw_spans(name: str, title: str, axis: str, rows: Sequence[SpanMark], zero: bool) -> Markup:
    """The rows below each other. ``axis``: what goes from left to right. ``zero``: a line at 0,
    from where values go to both sides."""
    figure, (axes,) = svg_charts.new_figure(0.7 + _ROW * len(rows), _WIDTH)
    if zero:
        axes.axvline(0, color=MUTED, linewidth=0.9)
    for at, row in enumerate(rows):
        _draw(axes, at, row)
    axes.set_yticks(range(len(rows)), [svg_charts.short(one.label, _LONGEST) for one in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(axis)
    return svg_charts.svg(figure, name, title, "; ".join(one.told for one in rows))


def _draw(axes: "Axes", at: int, row: SpanMark) -> None:
    if row.band is not None:
        axes.hlines(at, -row.band, row.band, color=INK, linewidth=7, alpha=0.12)
    axes.hlines(at, row.low, row.high, color=INK, linewidth=2, alpha=0.55)
    shape, colour = svg_charts.judge_mark(row.judge), svg_charts.judge_colour(row.judge)
    axes.plot([row.mark], [at], shape, color=colour, markersize=5.5, clip_on=False)
