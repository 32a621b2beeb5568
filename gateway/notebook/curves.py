"""The curves of chains: as a data frame, as plots."""

from collections.abc import Sequence
from functools import partial

import pyarrow as pa
from markupsafe import Markup

from evaluators.chain_curves import DimensionCurves, of_columns
from evaluators.dimensions import label
from evaluators.report import curve_charts
from evaluators.scales import scale_of
from evaluators.score_columns import ScoreColumns
from evaluators.seat_scores import Judged
from gateway.notebook.frames import Frame
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
        """One figure: of this dimension and judge, or the first there is. Raises ``LookupError``
        where there is none."""
        for one in self.figures:
            fits = dimension in ("", one.dimension)
            if fits and judge in ("", one.judge.label, one.judge.name):
                return Plot(partial(self._draw, one))
        there = ", ".join(dict.fromkeys(one.dimension for one in self.figures))
        raise LookupError(
            f"no curve of {dimension or 'anything'} here; there are: {there or 'none'}"
        )

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
