"""Heat maps: the values of a table as shades, with the numbers on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import CARD, INK, MINDS
from evaluators.report.formats import DEEPEST

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle

_CELL_WIDTH, _CELL_HEIGHT = 0.62, 0.34
"""Inches."""
_LONGEST_NAME = 14
_LEAST_SHADE = 0.05
_ACROSS = 4
"""Heat maps side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """One of some heat maps, all of which have the same rows and columns."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    """A row a row; NaN where there is none."""


def draw_heat_maps(name: str, title: str, maps: Sequence[HeatMap], row: str, column: str) -> Markup:
    """Heat maps side by side. The darkest cell of each is its highest. ``row``, ``column``: what
    those are."""
    first = maps[0]
    across = min(_ACROSS, len(maps))
    down = -(-len(maps) // across)
    width = across * _CELL_WIDTH * len(first.columns) + 1.3
    height = down * (_CELL_HEIGHT * len(first.rows) + 0.3) + 0.75
    figure, axes = svg_charts.new_figure(height, width, down, across)
    for place, one in enumerate(axes):
        one.spines["bottom"].set_visible(False)
        if place >= len(maps):
            one.set_axis_off()
            continue
        _draw(one, maps[place])
    for one in axes[::across]:
        one.set_ylabel(row)
    for one in axes[max(0, len(maps) - across) : len(maps)]:
        one.set_xlabel(column)
        one.tick_params(axis="x", labelbottom=True, rotation=45)
    return svg_charts.svg(figure, name, title, _described(maps))


def _draw(axes: "Axes", shown: HeatMap) -> None:
    low, high = np.nanmin(shown.values, initial=np.inf), np.nanmax(shown.values, initial=-np.inf)
    span = high - low if high > low else 1.0
    for (y, x), value in np.ndenumerate(shown.values):
        if np.isnan(value):
            axes.text(x, y, "–", ha="center", va="center", color=INK)
            continue
        shade = _LEAST_SHADE + (DEEPEST - _LEAST_SHADE) * (value - low) / span
        axes.add_patch(_square(x, y, shade))
        axes.text(x, y, f"{value:.2f}".replace("-", "−"), ha="center", va="center", color=INK)
    axes.set_xlim(-0.5, len(shown.columns) - 0.5)
    axes.set_ylim(len(shown.rows) - 0.5, -0.5)
    axes.set_xticks(
        range(len(shown.columns)), [svg_charts.short(one, _LONGEST_NAME) for one in shown.columns]
    )
    axes.set_yticks(
        range(len(shown.rows)), [svg_charts.short(one, _LONGEST_NAME) for one in shown.rows]
    )
    if shown.title:
        axes.set_title(svg_charts.short(shown.title), fontsize=9, color=INK)


def _square(x: int, y: int, shade: float) -> "Rectangle":
    from matplotlib.patches import Rectangle  # with the rest of matplotlib, when it is drawn

    return Rectangle(
        (x - 0.5, y - 0.5), 1, 1, facecolor=(MINDS[0], shade), edgecolor=CARD, linewidth=1.5
    )


def _described(maps: Sequence[HeatMap]) -> str:
    """All values in words, for those who do not see the shades."""
    return " ".join(
        f"{one.title + ': ' if one.title else ''}"
        + "; ".join(
            f"{column} with {name}: {one.values[y, x]:.2f}"
            for y, name in enumerate(one.rows)
            for x, column in enumerate(one.columns)
            if not np.isnan(one.values[y, x])
        )
        + "."
        for one in maps
    )
