"""Two judges' values of the same seats as a chart of differences."""

import numpy as np
from markupsafe import Markup

from evaluators.cluster_means import Floats
from evaluators.report import drawing
from evaluators.report.charts import DOTS
from evaluators.report.drawing import GRID, INK, MUTED
from evaluators.scales import Scale

LIMITS = 1.96
"""Standard deviations of the differences to either side of their mean (Bland and Altman 1986,
"Statistical methods for assessing agreement between two methods of clinical measurement", Lancet
327, 307-310): the limits of agreement."""


def limits(pairs: Floats) -> tuple[float, float, float] | None:
    """The mean difference of pairs, first less second, and the limits of agreement below and above
    it; None of fewer than two pairs."""
    if len(pairs) < 2:
        return None
    apart = pairs[:, 0] - pairs[:, 1]
    mean, reach = float(apart.mean()), LIMITS * float(apart.std(ddof=1))
    return mean, mean - reach, mean + reach


def bland_altman(
    name: str, title: str, scale: Scale, pairs: Floats, names: tuple[str, str]
) -> Markup:
    """Differences of two judges against their means, a dot a seat, with the mean difference and the
    limits of agreement; a larger dot stands for more seats."""
    figure, (axes,) = drawing.new_figure(2.3, width=2.9)
    step = (scale.high - scale.low) / DOTS
    points = np.column_stack((pairs.mean(axis=1), pairs[:, 0] - pairs[:, 1]))
    dots, counts = np.unique(np.round(points / step) * step, axis=0, return_counts=True)
    axes.axhline(0, color=MUTED, linewidth=0.8, linestyle=(0, (3, 3)))
    axes.scatter(
        dots[:, 0],
        dots[:, 1],
        s=12 + 70 * counts / counts.max(initial=1),
        color=INK,
        alpha=0.45,
        linewidths=0,
        clip_on=False,
    )
    told = f"{len(pairs)} seats"
    found = limits(pairs)
    if found:
        mean, low, high = found
        axes.axhline(mean, color=INK, linewidth=1)
        for end in (low, high):
            axes.axhline(end, color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
        told += f", mean difference {mean:+.2f}, limits of agreement {low:+.2f} to {high:+.2f}"
    drawing.along_x(axes, scale)
    reach = max(np.abs(points[:, 1]).max(initial=0), *(map(abs, found or (0, 0))), step)
    drawing.along_y(axes, Scale(-reach, reach))
    axes.set_xlabel("mean of both")
    axes.set_ylabel("A − B")
    axes.grid(color=GRID, linewidth=0.7)
    return drawing.svg(figure, name, title, f"{names[0]} less {names[1]}: {told}")
