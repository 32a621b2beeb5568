"""Curves of chains as plain tables, and as rows of blocks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from evaluators.scores.dimensions import label
from evaluators.tables.figure_text import figure_cell, figure_of, p_cell
from evaluators.tables.plain_tables import Figure, PlainColumn, PlainTable, safe_name, table_of

if TYPE_CHECKING:
    from evaluators.statistics.chain_curves import DimensionCurves
    from evaluators.statistics.curves import Curve
    from evaluators.statistics.estimates import Estimate

BLOCKS: Final = "▁▂▃▄▅▆▇█"
FLAT: Final = 0.005
"""Means that differ by less are the same in tables, which have two decimals."""


def slopes_table(figure: "DimensionCurves") -> PlainTable:
    """One judge's curves in one dimension, each by its ends, its slope and the test of it."""
    hard = figure.hard_from is not None
    return table_of(
        _file_name("slopes", figure),
        figure.title,
        figure.curves,
        (PlainColumn("judge", only_csv=True), lambda _: figure.judge.label),
        (PlainColumn("dimension", only_csv=True), lambda _: figure.dimension),
        (PlainColumn("curve"), lambda curve: curve.label),
        (PlainColumn("first", "number"), lambda curve: ends(curve)[0]),
        (PlainColumn("last", "number"), lambda curve: ends(curve)[1]),
        (PlainColumn("hard", "number", only_csv=not hard), hard_mean),
        (PlainColumn("slope", "figure"), lambda curve: slope_figure(curve.slope.change)),
        (PlainColumn("p", "number"), lambda curve: p_cell(curve.slope.p_value)),
        (PlainColumn("chains", "number", heading="n"), lambda curve: curve.slope.chains),
        (
            PlainColumn("scored", "number", only_csv=True),
            lambda curve: sum(at.scored for at in curve.places),
        ),
        (
            PlainColumn("asked", "number", only_csv=True),
            lambda curve: sum(at.asked for at in curve.places),
        ),
        note="first and last mean; slope in points an episode ± half of its 95 % interval; n: "
        "chains",
    )


def points_table(figure: "DimensionCurves") -> PlainTable:
    """The same curves point by point: the mean at each index with its interval."""
    return table_of(
        _file_name("curve", figure),
        f"{figure.title}, point by point",
        [(curve, at) for curve in figure.curves for at in curve.places],
        (PlainColumn("judge"), lambda _: figure.judge.label),
        (PlainColumn("dimension"), lambda _: figure.dimension),
        (PlainColumn("curve"), lambda one: one[0].label),
        (PlainColumn("index", "number"), lambda one: one[1].index),
        (PlainColumn("part"), lambda one: "hard" if one[1].hard else "standard"),
        (PlainColumn("mean", "figure"), lambda one: figure_of(one[1].mean)),
        (PlainColumn("scored", "number"), lambda one: one[1].scored),
        (PlainColumn("asked", "number"), lambda one: one[1].asked),
    )


def slope_figure(change: "Estimate") -> Figure:
    """A slope with its sign and its interval."""
    text = "–" if change.value is None else f"{change.value:+.3f}"
    if change.reach is not None:
        text += f" ±{change.reach:.3f}"
    return figure_cell(change, text, change.clusters)


def ends(curve: "Curve") -> tuple[float | None, float | None]:
    """The first and the last mean, the hard part left out."""
    means = [at.mean.value for at in curve.places if at.mean.value is not None and not at.hard]
    return (means[0], means[-1]) if means else (None, None)


def hard_mean(curve: "Curve") -> float | None:
    """The mean over the hard part; None where it has no score."""
    ending = [at for at in curve.places if at.mean.value is not None and at.hard]
    scored = sum(at.scored for at in ending)
    return sum((at.mean.value or 0.0) * at.scored for at in ending) / scored if scored else None


def flat_at(figure: "DimensionCurves") -> float | None:
    """The one value that all curves of a figure have throughout; None where there is more."""
    known = _means(figure)
    return known[0] if known and max(known) - min(known) < FLAT else None


def flat_words(figures: Sequence["DimensionCurves"]) -> str:
    """Figures in which nothing changes, in a line: ``Secret at 0.00; Goal, Knowledge at 9.00``."""
    at: dict[str, list[str]] = {}
    for figure in figures:
        at.setdefault(f"{flat_at(figure) or 0.0:.2f}", []).append(label(figure.dimension))
    return "; ".join(f"{', '.join(names)} at {value}" for value, names in at.items())


def axis(figure: "DimensionCurves") -> tuple[float, float]:
    """What the lowest and the highest block stand for: the ends of the dimension's scale, for on a
    scale of its own a curve that hardly moves would look like one that does. Of a scale without
    ends: the lowest and the highest mean of all curves."""
    if figure.scale is not None:
        return figure.scale
    known = _means(figure)
    return (min(known), max(known)) if known else (0.0, 0.0)


def blocks(curve: "Curve", axis: tuple[float, float], most: int) -> str:
    """A curve as a row of at most about so many blocks, neighbours taken together where it is
    longer; the hard part behind a line. In the middle where the axis has no length."""
    plain = [at.mean.value for at in curve.places if at.mean.value is not None and not at.hard]
    hard = [at.mean.value for at in curve.places if at.mean.value is not None and at.hard]
    step = each(curve, most)
    means = [
        sum(part) / len(part)
        for at in range(0, len(plain), step)
        if (part := plain[at : at + step])
    ]
    behind = f"│{_drawn(hard, axis)}" if hard else ""
    return _drawn(means, axis) + behind


def each(curve: "Curve", most: int) -> int:
    """How many episodes one block stands for."""
    plain = sum(not at.hard for at in curve.places)
    return max(1, -(-plain // max(most, 1)))


def _file_name(what: str, figure: "DimensionCurves") -> str:
    by = () if figure.by == "memory" else (figure.by,)
    return safe_name("-".join((what, figure.dimension, *by, figure.judge.label)))


def _means(figure: "DimensionCurves") -> list[float]:
    """All means of a figure that are there."""
    means = (at.mean.value for curve in figure.curves for at in curve.places)
    return [value for value in means if value is not None]


def _drawn(values: Sequence[float], axis: tuple[float, float]) -> str:
    low, high = axis
    top = len(BLOCKS) - 1
    if high <= low:
        return BLOCKS[top // 2] * len(values)
    return "".join(BLOCKS[round((value - low) / (high - low) * top)] for value in values)
