"""Curves of chains as charts: scores by an episode's place in its chain."""

import math
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from markupsafe import Markup

from evaluators.report.charts import svg_charts
from evaluators.report.charts.svg_charts import CARD, GRID, INK, LONG_SCALE, MUTED
from evaluators.scores.scales import Scale
from evaluators.statistics.curves import Curve, IndexMean

LINES: Final = ("-", (0, (4, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))
SHAPES: Final = ("o", "s", "^", "D")
"""A mind is a colour; its memories are kinds of line and of mark."""
FEW_PLACES = 12
"""Of so many indices each has a bar for its interval; of more the bars grow into a band."""
_ACROSS = 3
"""Panels beside each other."""


class CurveStyle(msgspec.Struct, frozen=True):
    """How a curve is drawn, in every figure of a page."""

    mind: int
    """Place of its mind among the run's; -1: people, who are drawn in ink."""
    memory: int
    """Place of its memory among those of the figure."""

    @property
    def colour(self) -> str:
        return INK if self.mind < 0 else svg_charts.mind_colour(self.mind)


def looks(found: Sequence[Curve], minds: Sequence[str] = ()) -> list[CurveStyle]:
    """A look for each curve. ``minds``: all of the run, in order; none: those of the curves."""
    order = {name: place for place, name in enumerate(minds)}
    memories: dict[str, int] = {}
    answer = []
    for one in found:
        mind, memory = _parts(one)
        place = order.setdefault(mind, len(order)) if memory else -1
        answer.append(
            CurveStyle(place, memories.setdefault(memory, len(memories)) if memory else 0)
        )
    return answer


def curve(
    name: str,
    title: str,
    scale: Scale,
    found: Sequence[Curve],
    *,
    minds: Sequence[str] = (),
    alone: bool = False,
) -> Markup:
    """Means by an episode's place in its chain, a line with its intervals for each curve. Of more
    than two curves each mind has a panel of its own. A hard part stands beyond a line, and no curve
    runs across it.

    ``minds``: all of the run, for their colours. ``alone``: with colours of its own, to be a file
    instead of a part of the page.
    """
    looked = list(zip(found, looks(found, minds), strict=True))
    people = [one for one in looked if one[1].mind < 0]
    of_minds = sorted({look.mind for _, look in looked if look.mind >= 0})
    apart = len(found) > 2 and len(of_minds) > 1
    panels = (
        [[one for one in looked if one[1].mind == mind] + people for mind in of_minds]
        if apart
        else [looked]
    )
    across = min(len(panels), 2 if len(panels) == 4 else _ACROSS)
    rows = -(-len(panels) // across)
    figure, drawn = svg_charts.new_figure(2.6 * rows + 0.3, 8.4, rows, across)
    shown = [at for one in found for at in one.places if at.mean.value is not None]
    lowest = min((low for at in shown if (low := _low(at)) is not None), default=scale.high)
    within = Scale(_bottom(scale, lowest), scale.high)
    hard_from = min((at.index for one in found for at in one.places if at.hard), default=None)
    few = len({at.index for at in shown}) <= FEW_PLACES
    for axes in drawn[len(panels) :]:
        axes.set_visible(False)
    for place, (axes, panel) in enumerate(zip(drawn, panels, strict=False)):
        for at, (one, look) in enumerate(panel):
            # Beside each other, or intervals would hide intervals.
            shift = (at - (len(panel) - 1) / 2) * 0.09 if few else 0.0
            _line(axes, one, look, within, shift, few=few, apart=apart)
        svg_charts.along_y(axes, within, 5)
        axes.xaxis.set_major_locator(_whole_ticks())
        if place >= len(panels) - across:
            axes.set_xlabel("index of the episode in its chain")
            axes.tick_params(labelbottom=True)
        axes.grid(axis="y", color=GRID, linewidth=0.7)
        if hard_from is not None:
            axes.axvline(hard_from - 0.5, color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
            where = (hard_from - 0.45, within.low)
            axes.annotate("hard", where, color=MUTED, fontsize=8, va="bottom")
        _head(axes, panel, apart=apart)
    if alone:
        figure.suptitle(svg_charts.short(title, 90), color=INK, fontsize=10, x=0.01, ha="left")
    description = "Means by index. " + "; ".join(_described(found))
    if hard_from is not None:
        description += f". Hard scenarios from {hard_from} on"
    if alone:
        return svg_charts.svg(figure, name, title, description, svg_charts.PRINTED)
    return svg_charts.svg(figure, name, title, description)


def _parts(one: Curve) -> tuple[str, str]:
    """The mind and the memory that a curve's label names; no memory: it is of people."""
    mind, _, memory = one.label.partition(", ")
    return mind, memory


def _described(found: Sequence[Curve]) -> list[str]:
    words = []
    for one in found:
        values = [at.mean.value for at in one.places if at.mean.value is not None]
        if values:
            words.append(f"{one.label}, from {values[0]:.2f} to {values[-1]:.2f}")
    return words


def _head(axes: Any, panel: Sequence[tuple[Curve, CurveStyle]], *, apart: bool) -> None:
    """Above a panel its mind, and what its lines are."""
    if apart:
        mind, _ = _parts(panel[0][0])
        colour = panel[0][1].colour
        axes.set_title(svg_charts.short(mind, 28), color=colour, fontsize=9.5, loc="left")
    if not axes.get_legend_handles_labels()[0]:
        return
    axes.legend(
        frameon=False,
        labelcolor=INK,
        fontsize=8,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=min(2, len(panel)),
        borderaxespad=0.1,
        handlelength=2.6,
        columnspacing=1.2,
    )


def _line(
    axes: Any, one: Curve, look: CurveStyle, within: Scale, shift: float, *, few: bool, apart: bool
) -> None:
    """``apart``: the mind's name stands above the panel."""
    mind, memory = _parts(one)
    named = svg_charts.short((memory or mind) if apart else one.label, 34)
    shown = [at for at in one.places if at.mean.value is not None]
    for hard in (False, True):
        part = [at for at in shown if at.hard == hard]
        if not part:
            continue
        indices = [at.index + shift for at in part]
        ends = [_ends(at, within) for at in part]
        lows, highs = [low for low, _ in ends], [high for _, high in ends]
        if few:
            axes.vlines(indices, lows, highs, color=look.colour, linewidth=1.6, alpha=0.45)
        else:
            axes.fill_between(indices, lows, highs, color=look.colour, alpha=0.08, linewidth=0)
            for edge in (lows, highs):
                axes.plot(indices, edge, color=look.colour, linewidth=0.6, alpha=0.5)
        axes.plot(
            indices,
            [at.mean.value for at in part],
            color=look.colour,
            linewidth=1.5,
            linestyle=LINES[look.memory % len(LINES)],
            marker=SHAPES[look.memory % len(SHAPES)],
            markersize=4.5 if few else 2.5,
            markerfacecolor=CARD if look.memory % 2 else look.colour,
            label=named if part[0] is shown[0] else None,
            clip_on=False,
        )


def _low(at: IndexMean) -> float | None:
    return at.mean.value if at.mean.low is None else at.mean.low


def _ends(at: IndexMean, within: Scale) -> tuple[float, float]:
    """Of an interval, as far as the scale goes; where there is none, the mean itself."""
    mean = at.mean
    value = mean.value or 0.0
    if mean.low is None or mean.high is None:
        return value, value
    return within.within(mean.low), within.within(mean.high)


def _bottom(scale: Scale, lowest: float) -> float:
    """Where the axis of a chart ends below: at the end of the scale, but where the scale is so long
    that its lines would be flat, at the last ten above which all is."""
    if scale.high - scale.low <= LONG_SCALE:
        return scale.low
    return max(scale.low, min(math.floor(lowest / 10) * 10, scale.high - 10))


def _whole_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(8, integer=True)
