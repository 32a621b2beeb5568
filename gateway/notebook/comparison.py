"""A paired comparison: as a table, as a data frame, as a plot."""

from collections.abc import Sequence

import msgspec
import pyarrow as pa

from evaluators.report.charts import difference_charts
from evaluators.scores.dimensions import label
from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.paired_differences import (
    KEYS,
    SIDES,
    WITHIN,
    Key,
    PairedDifference,
    Side,
    Within,
    paired_differences,
)
from evaluators.statistics.populations import POPULATIONS, Population
from evaluators.tables.pairing_tables import difference_table
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import PlainTable, as_csv, cell_text, for_people
from gateway.notebook.frames import Frame, choose
from gateway.notebook.html import cell
from gateway.notebook.plots import Plot

_TEXT, _WHOLE, _NUMBER = pa.string(), pa.int64(), pa.float64()
COMPARISON = pa.schema(
    [
        pa.field(name, kind, metadata={"what": what})
        for name, kind, what in (
            ("judge", _TEXT, "the judge's name, with its hash where two have one name"),
            ("dimension", _TEXT, "its name"),
            ("of", _TEXT, "what is the same on both sides: a mind, a memory, …"),
            ("a", _TEXT, "one side"),
            ("b", _TEXT, "the other side"),
            ("mean_a", _NUMBER, "of a, all units weighing the same"),
            ("mean_b", _NUMBER, "of b"),
            ("difference", _NUMBER, "mean_a less mean_b"),
            ("low", _NUMBER, "the lower end of its 95 % interval"),
            ("high", _NUMBER, "the upper end"),
            ("test", _TEXT, "paired t or Welch's t"),
            ("statistic", _NUMBER, "Student's t"),
            ("degrees", _NUMBER, "of freedom"),
            ("p", _NUMBER, "two-sided"),
            ("p_holm", _NUMBER, "corrected for all rows of this judge"),
            ("d", _NUMBER, "Cohen's, by the pooled standard deviation of the scores"),
            ("pairs", _WHOLE, "pairs that the difference is over; 0: not paired"),
            ("units", _WHOLE, "scenarios or chains that the test rests on"),
            ("unpaired_a", _WHOLE, "scores of a that are left out, for b has none to match"),
            ("unpaired_b", _WHOLE, "scores of b that are left out"),
            ("paired_on", pa.list_(_TEXT), "what the scores of a pair have in common"),
            ("why", _TEXT, "why there is no test or interval; empty: there is"),
        )
    ]
)
"""The columns of a comparison."""


class Comparison(Frame):
    """What each side got more than the other, dimension by dimension."""

    def __init__(
        self, found: Sequence[PairedDifference], by: Side, rehearsal: Sequence[str]
    ) -> None:
        self.differences = tuple(found)
        self.by = by
        self._rehearsal = rehearsal

    @property
    def tables(self) -> list[PlainTable]:
        """One for each judge."""
        judges = dict.fromkeys(one.judge.label for one in self.differences)
        return [
            difference_table(
                [one for one in self.differences if one.judge.label == judge],
                f"{self.by}s-{place}",
                f"{self.by.capitalize()} against {self.by}, judged by {judge}",
            )
            for place, judge in enumerate(judges)
        ]

    def to_arrow(self) -> pa.Table:
        """A row for each difference."""
        return pa.Table.from_pylist([_row(one) for one in self.differences], schema=COMPARISON)

    def to_csv(self) -> str:
        """The tables as CSV."""
        return as_csv(self.tables)

    def to_latex(self) -> str:
        """The tables as LaTeX (booktabs), to be pasted into a paper."""
        return as_latex(self.tables)

    def plot(self, dimension: str | Sequence[str] = (), *, judge: str = "") -> Plot:
        """The differences with their intervals; filled marks where Holm's p is under 0.05.

        ``dimension``, ``judge``: only these; none: all. Raises ``BadChoice``.
        """
        wanted = (dimension,) if isinstance(dimension, str) and dimension else dimension
        choose("dimension", wanted, dict.fromkeys(one.dimension for one in self.differences))
        shown = [
            one
            for one in self.differences
            if (not wanted or one.dimension in wanted)
            and (not judge or judge in (one.judge.label, one.judge.name))
        ]
        judges = {one.judge.label for one in shown}
        rows = [
            (
                difference_charts.labelled(one)
                + (f", {one.judge.label}" if len(judges) > 1 else ""),
                one,
            )
            for one in shown
        ]
        title = f"{self.by.capitalize()} against {self.by}"
        if wanted:
            title += f": {', '.join(map(label, wanted))}"
        return Plot(
            lambda name, alone: difference_charts.differences(name, title, rows, alone=alone)
        )

    def __repr__(self) -> str:
        if not self.differences:
            return _NOTHING
        return "\n\n".join(
            "\n".join(filter(None, (table.title, _plain(table), table.note)))
            for table in self.tables
        )

    def _repr_html_(self) -> str:
        tables = self.tables
        title = f"{self.by.capitalize()} against {self.by}"
        return cell(
            "comparison.html.j2",
            title=tables[0].title if len(tables) == 1 else title,
            tables=[_of_strings(table) for table in tables],
            nothing=_NOTHING,
            banners=[
                f"{name}: rehearsal scores. No language model judged this; they are no findings."
                for name in self._rehearsal
            ],
        )


_NOTHING = "no two sides have scores of a kind; store.scores(run=…) says what there is"


def compare(
    columns: ScoreColumns,
    by: Side,
    pair_on: Sequence[Key],
    *,
    judge: str,
    dimensions: Sequence[str],
    within: Sequence[Within] | None,
    population: Population | None,
    unclean: bool,
) -> Comparison:
    """Compare what is in some columns (``Store.compare``). Raises ``BadChoice``."""
    choose("by", (by,), SIDES)
    choose("pair_on", pair_on, KEYS)
    choose("within", within or (), WITHIN)
    choose("population", (population,) if population else (), POPULATIONS)
    choose("dimension", dimensions, columns.dimension.there())
    found = paired_differences(
        columns,
        by,
        pair_on,
        judge=judge,
        dimensions=dimensions,
        within=within,
        population=population,
        unclean=unclean,
    )
    judges = {one.judge.hash: one.judge.label for one in found}
    rehearsal = [name for hash_, name in judges.items() if columns.kinds[hash_] == "rehearsal"]
    return Comparison(found, by, rehearsal)


def _of_strings(table: PlainTable) -> PlainTable:
    shown = for_people(table)
    return msgspec.structs.replace(
        shown, rows=tuple(tuple(cell_text(value) for value in row) for row in shown.rows)
    )


def _plain(table: PlainTable) -> str:
    from tabulate import tabulate

    shown = _of_strings(table)
    names = [column.heading or column.name for column in shown.columns]
    return str(tabulate(shown.rows, names, disable_numparse=True))


def _row(one: PairedDifference) -> dict[str, object]:
    found = one.contrast
    return {
        "judge": one.judge.label,
        "dimension": one.dimension,
        "of": one.of,
        "a": found.a.label,
        "b": found.b.label,
        "mean_a": one.of_a,
        "mean_b": one.of_b,
        "difference": found.difference.value,
        "low": found.difference.low,
        "high": found.difference.high,
        "test": found.test,
        "statistic": found.statistic,
        "degrees": found.degrees,
        "p": found.p,
        "p_holm": found.p_holm,
        "d": found.effect,
        "pairs": one.pairs,
        "units": found.n,
        "unpaired_a": one.unpaired[0],
        "unpaired_b": one.unpaired[1],
        "paired_on": list(one.paired_on),
        "why": found.difference.why,
    }
