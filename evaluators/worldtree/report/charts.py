"""Figures 2, 3 and 8, by matplotlib. Shades and hatching tell parts apart, not colours, which are
minds' and judges'."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import cos, radians, sin
from typing import Any, Final

from markupsafe import Markup

from actors.worldtree.trees.abilities import ASPECTS
from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import CARD, GRID, INK
from evaluators.worldtree.values.polarity_values import Polarities

_PARTS: Final = (("positive", 0.62, ""), ("neutral", 0.12, ""), ("negative", 0.0, "////"))
"""What each polarity's part of a bar looks like: how dark, and its hatching."""
_WIDTH: Final = 7.2
"""Inches."""


def polarity_bars(name: str, title: str, rows: Sequence[tuple[str, Polarities]]) -> Markup:
    """A bar for each row, which is all of its choices: positive, neutral, negative."""
    figure, (axes,) = svg_charts.new_figure(0.75 + 0.26 * len(rows), _WIDTH)
    described = []
    shares = [
        [100 * part / one.known for part in (one.positive, one.neutral, one.negative)]
        if one.known
        else [0.0, 0.0, 0.0]
        for _, one in rows
    ]
    lefts = [[0.0, *accumulate(row)] for row in shares]
    for place, (word, alpha, hatch) in enumerate(_PARTS):
        axes.barh(
            range(len(rows)),
            [row[place] for row in shares],
            left=[left[place] for left in lefts],
            height=0.72,
            facecolor=(INK, alpha),
            edgecolor=INK,
            linewidth=0.6,
            hatch=hatch,
            label=word,
        )
    for at, ((label, one), row, left) in enumerate(zip(rows, shares, lefts, strict=True)):
        for place, share in enumerate(row):
            if share >= 9:
                text = axes.text(left[place] + share / 2, at, f"{share:.0f}", ha="center",
                                 va="center", color=INK, fontsize=8)  # fmt: skip
                text.set_bbox({"facecolor": CARD, "edgecolor": "none", "pad": 1.2})
        told = ", ".join(f"{s:.0f} % {w}" for s, (w, *_) in zip(row, _PARTS, strict=True))
        described.append(f"{label}: {told if one.known else 'none'}")
    axes.set_yticks(range(len(rows)), [svg_charts.short(label, 34) for label, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100 %"])
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    figure.legend(loc="outside upper center", ncols=3, frameon=False, labelcolor=INK)
    return svg_charts.svg(figure, name, title, "Polarity. " + "; ".join(described))


def ability_ring(name: str, title: str, labels: Mapping[str, int]) -> Markup:
    """Two rings: aspects with how many labels each has, around them their abilities."""
    figure, (axes,) = svg_charts.new_figure(6.6, _WIDTH)
    sums = {aspect: sum(labels.get(one, 0) for one in of) for aspect, of in ASPECTS.items()}
    there = {aspect: count for aspect, count in sums.items() if count}
    abilities = [one for aspect in there for one in ASPECTS[aspect] if labels.get(one)]
    shades = [0.34 - 0.07 * (place % 2) - 0.03 * place for place in range(len(there))]
    of_aspect = dict(zip(there, shades, strict=True))
    edge = {"edgecolor": CARD, "linewidth": 1.0}
    wedges, _ = axes.pie(
        list(there.values()), radius=0.62, startangle=90, counterclock=False,
        colors=[(INK, alpha) for alpha in shades], wedgeprops=edge,
    )  # fmt: skip
    for wedge, (aspect, count) in zip(wedges, there.items(), strict=True):
        _inside(axes, wedge, aspect.replace(" ", "\n") + f"\n({count})")
    aspect_of = {one: aspect for aspect, of in ASPECTS.items() for one in of}
    outer, _ = axes.pie(
        [labels[one] for one in abilities], radius=1.0, startangle=90, counterclock=False,
        colors=[(INK, of_aspect[aspect_of[one]] * 0.5) for one in abilities],
        wedgeprops={**edge, "width": 0.37},
    )  # fmt: skip
    for wedge, ability in zip(outer, abilities, strict=True):
        _outside(axes, wedge, f"{ability} {labels[ability]}")
    axes.set_xlim(-2.0, 2.0)
    axes.set_ylim(-1.8, 1.8)
    axes.spines["bottom"].set_visible(False)
    told = "; ".join(f"{aspect}: {count}" for aspect, count in there.items())
    return svg_charts.svg(figure, name, title, f"Labels of each aspect. {told}")


def _inside(axes: Any, wedge: Any, text: str) -> None:
    x, y = _at(wedge, 0.42)
    axes.text(x, y, text, ha="center", va="center", color=INK, fontsize=6.5)


def _outside(axes: Any, wedge: Any, text: str) -> None:
    x, y = _at(wedge, 1.03)
    middle = (wedge.theta1 + wedge.theta2) / 2
    turned = middle + 180 if x < 0 else middle
    axes.text(x, y, text, ha="right" if x < 0 else "left", va="center", color=INK, fontsize=7,
              rotation=turned % 360, rotation_mode="anchor")  # fmt: skip


def _at(wedge: Any, radius: float) -> tuple[float, float]:
    """A point in the middle of a wedge, so far from the centre."""
    middle = radians((wedge.theta1 + wedge.theta2) / 2)
    return radius * cos(middle), radius * sin(middle)
