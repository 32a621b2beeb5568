"""A run as a cell shows it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluators.report import write_report
from evaluators.scores.dimensions import label
from evaluators.statistics.populations import POPULATIONS
from evaluators.statistics.summary import Cell
from evaluators.tables.plain_tables import PlainColumn, PlainTable
from gateway.notebook.episodes import Episode
from gateway.notebook.exports import Filters
from gateway.notebook.frames import Table
from gateway.notebook.html import cell
from gateway.services.files.export import ExportResult
from gateway.services.runs.run_details import JudgedTable, RunDetails
from store.read_model import queries

if TYPE_CHECKING:
    from gateway.notebook.analysis_store import Store


class Run:
    """A run, as it stood when it was asked for; its rows are what is there when they are read."""

    def __init__(self, store: "Store", details: RunDetails) -> None:
        self.store = store
        """Where it is kept."""
        self.details = details
        """Its rows and tables of means."""

    @property
    def id(self) -> str:
        """In full."""
        return self.details.run.id

    @property
    def status(self) -> str:
        """``running``, ``paused`` or ``ended``."""
        return self.details.run.status

    @property
    def why(self) -> str:
        """Why it is paused, in words; empty: it is not."""
        return self.details.run.pause_detail if self.status == "paused" else ""

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """Those that stand, in the plan's order, then forks of them."""
        rows = queries.episodes(self.store.log, run=self.id)
        return tuple(Episode(self.store, row) for row in rows)

    @property
    def scores(self) -> Table:
        """A row for each score; ``run.store`` has the other tables."""
        return self.store.scores(run=self.id)

    @property
    def calls(self) -> Table:
        """A row for each call of a model: tokens, cost, time."""
        return self.store.calls(run=self.id)

    def report(self, path: str | Path) -> Path:
        """Write its report: one HTML file that needs no network; its path. Raises ``OSError``."""
        return write_report(self.store.log, self.id, Path(path).expanduser())

    def export(
        self,
        form: str,
        path: str | Path,
        *,
        filters: Filters | None = None,
        exclude: str | Path | Sequence[str | Path] = (),
    ) -> ExportResult:
        """Write it into a file, as ``troupe export`` does: ``run.export("sft", "sft.jsonl",
        filters={"goal": 8}, exclude="hard.jsonl")``. ``Store.export`` says more, and takes several
        runs."""
        return self.store.export(self, form, path, filters=filters, exclude=exclude)

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
        if local := (*self.details.local_minds, *self.details.local_judges):
            notes.append(f"Local models, no findings: {', '.join(local)}.")
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
