"""A run as a cell shows it."""

from typing import NamedTuple

from evaluators.dimensions import label
from evaluators.plain_tables import PlainColumn, PlainTable
from evaluators.populations import POPULATIONS
from evaluators.summary import Cell
from gateway.notebook.html import cell
from gateway.read_models import JudgedTable, RunDetails


class Run(NamedTuple):
    """A run."""

    details: RunDetails
    """Its rows and tables."""

    @property
    def id(self) -> str:
        """In full."""
        return self.details.run.id

    def __repr__(self) -> str:
        run, counts = self.details.run, self.details.counts
        return (
            f"run {run.id} ({run.name}): {run.status}, {counts.episodes_ended} of "
            f"{counts.episodes} episodes ended"
        )

    def _repr_html_(self) -> str:
        notes = [
            f"Means with half of their 95 % intervals, {POPULATIONS[table.population]}."
            for table in self.details.tables[:1]
        ]
        names = (*self.details.rehearsal_minds, *self.details.rehearsal_judges)
        if names:
            notes.append(f"Rehearsals, no findings: {', '.join(names)}.")
        tables = [_means(table) for table in self.details.tables]
        return cell("run.html.j2", details=self.details, tables=tables, notes=notes)


def _means(table: JudgedTable) -> PlainTable:
    return PlainTable(
        "means",
        f"Scores by {table.judge.label}",
        (PlainColumn("dimension"), *(PlainColumn(row.label, "figure") for row in table.minds)),
        tuple(
            (label(name), *(_text(row.cells[name]) for row in table.minds))
            for name in table.dimensions
        ),
    )


def _text(of: Cell) -> str:
    mean, form = of.mean, ".0%" if of.share else ".2f"
    if mean.value is None:
        return "–"
    if mean.low is None or mean.high is None:
        return f"{mean.value:{form}}"
    return f"{mean.value:{form}} ±{(mean.high - mean.low) / 2:{form}}"
