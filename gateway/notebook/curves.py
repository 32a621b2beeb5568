"""The curves of chains: as a data frame, as plots."""

from collections.abc import Sequence
from functools import partial

import pyarrow as pa
from markupsafe import Markup

from evaluators.report.charts import curve_charts
from evaluators.scores.dimensions import label
from evaluators.scores.scales import scale_of
from evaluators.scores.score_columns import ScoreColumns
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.chain_curves import DimensionCurves, of_columns
from gateway.errors import GatewayError
from gateway.notebook.frames import Frame, choose
from gateway.notebook.plots import Plot

_TEXT, _WHOLE, _NUMBER = pa.string(), pa.int64(), pa.float64()
CURVES = pa.schema(
    [
        pa.field(name, kind, metadata={"what": what})
        for name, kind, what in (
            ("judge", _TEXT, "the judge's name"),
            ("dimension", _TEXT, "its name"),
            ("curve", _TEXT, "the mind with its memory"),
            ("index", _WHOLE, "the episode's place in its chain, from 0"),
            ("hard", pa.bool_(), "of the part that ends the chains"),
            ("mean", _NUMBER, "over the chains; null: no score"),
            ("low", _NUMBER, "the lower end of its 95 % interval"),
            ("high", _NUMBER, "the upper end"),
            ("scored", _WHOLE, "scores that are there"),
            ("asked", _WHOLE, "scores that were asked for"),
            ("chains", _WHOLE, "chains with a score"),
        )
    ]
)
"""The columns of curves."""


class NoCurves(GatewayError):
    """There is nothing to plot."""

    def __init__(self) -> None:
        super().__init__(
            "there are no curves: these runs play no chains, or nothing has scored them"
        )


class Curves(Frame):
    """A figure for each judge and dimension."""

    def __init__(self, figures: Sequence[DimensionCurves], columns: ScoreColumns) -> None:
        self.figures = tuple(figures)
        self._columns = columns

    def to_arrow(self) -> pa.Table:
        """A row for each point of each curve."""
        rows = [
            {
                "judge": one.judge.label,
                "dimension": one.dimension,
                "curve": curve.label,
                "index": at.index,
                "hard": at.hard,
                "mean": at.mean.value,
                "low": at.mean.low,
                "high": at.mean.high,
                "scored": at.scored,
                "asked": at.asked,
                "chains": at.chains,
            }
            for one in self.figures
            for curve in one.curves
            for at in curve.places
        ]
        return pa.Table.from_pylist(rows, schema=CURVES)

    def plot(self, dimension: str = "", *, judge: str = "") -> Plot:
        """One figure: of this dimension and judge, or the first there is. Raises ``NoCurves``,
        ``BadChoice``."""
        if not self.figures:
            raise NoCurves
        if judge:
            known = {one.judge.name: one.judge.label for one in self.figures}
            choose("judge", (judge,), {*known, *known.values()})
        mine = [one for one in self.figures if judge in ("", one.judge.label, one.judge.name)]
        if dimension:
            choose("dimension", (dimension,), dict.fromkeys(one.dimension for one in mine))
        shown = next(one for one in mine if dimension in ("", one.dimension))
        return Plot(partial(self._draw, shown))

    def _draw(self, one: DimensionCurves, name: str, alone: bool) -> Markup:
        scale = scale_of(self._columns, one.dimension)
        minds = self._columns.mind.there()
        return curve_charts.curve(name, one.title, scale, one.curves, minds=minds, alone=alone)

    def __repr__(self) -> str:
        names = ", ".join(f"{label(one.dimension)} by {one.judge.label}" for one in self.figures)
        return f"curves: {names or 'none, for these runs play no chains'}"

    def _repr_html_(self) -> str:
        return "".join(
            self.plot(one.dimension, judge=one.judge.label)._repr_html_() for one in self.figures
        ) or repr(self)


def curves_of(columns: ScoreColumns, judges: Sequence[Judged], dimensions: Sequence[str]) -> Curves:
    """The curves in some columns (``Store.curves``)."""
    found = of_columns(columns, judges=judges, dimensions=dimensions)
    return Curves(found, columns)
