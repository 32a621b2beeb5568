"""Results of runs: tables, reports, comparisons, curves, tests, exports."""

import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from evaluators.agreement.judge_agreement import Comparison
from evaluators.report import write_report
from evaluators.scores.questions import By, Part
from evaluators.statistics.populations import Population
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import as_csv
from gateway.api.operations import Call, File, operation
from gateway.api.resources.runs import Words
from gateway.errors import BadArgument
from gateway.services.files.export import OWN, export_to, formats
from gateway.services.results.chain_details import RunCurves, run_curves
from gateway.services.results.compare_runs import RunsCompared, compare_judges, compare_runs
from gateway.services.results.contrasts import RunContrasts, run_contrasts
from gateway.services.runs.resolve_ids import run_chain_or_episode, runs_meant
from gateway.services.runs.run_details import run_details
from gateway.services.runs.run_tables import RunTable, run_tables

MOST_RUNS: Final = 20
"""Runs that are compared at once."""
Many = Annotated[tuple[Words, ...], msgspec.Meta(max_length=50)]
TableForm = Literal["csv", "latex"]
_TYPES: Final = {"csv": "text/csv", "latex": "application/x-tex"}


class GetTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a table is written."""

    format: TableForm = "csv"
    """CSV has exact values; LaTeX is for papers."""
    population: Population | None = None
    """What intervals speak of; left out: what is usual for these scores."""


class GetReport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is in a report."""

    beside: Many = ()
    """Further runs, to compare with the first; may be repeated."""
    transcripts: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 50
    """At most so many, chosen as the report says."""


class CompareRuns(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is compared."""

    run: Annotated[tuple[Words, ...], msgspec.Meta(min_length=2, max_length=MOST_RUNS)]
    """Two runs or more, the earlier first."""
    by: Many = ()
    """Only by ``dimension``, ``mind`` or ``task``; may be repeated."""
    judge: Many = ()
    """Only by this judge; may be repeated."""
    dimension: Many = ()
    """Only in this dimension; may be repeated."""
    population: Population | None = None
    """What intervals speak of; left out: what is usual for these scores."""
    unclean: bool = False
    """With episodes in which an action failed."""


class CompareJudges(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is compared over what."""

    run: Annotated[tuple[Words, ...], msgspec.Meta(min_length=1, max_length=MOST_RUNS)]
    """One run or more."""
    judge: Annotated[tuple[Words, ...], msgspec.Meta(min_length=2, max_length=2)]
    """Two judges, by name or hash."""
    population: Population | None = None
    """What intervals speak of; left out: what is usual for these scores."""


class GetCurves(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which curves."""

    judge: Many = ()
    """Only by this judge; may be repeated."""
    dimension: Many = ()
    """Only in this dimension; may be repeated."""
    by: By = "memory"
    """What memories are told apart by."""
    unclean: bool = False
    """With episodes in which an action failed."""


class GetContrasts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tests."""

    between: Many = ()
    """Only this question; may be repeated."""
    judge: Many = ()
    """Only by this judge; may be repeated."""
    dimension: Many = ()
    """Only in this dimension, or ``all``; may be repeated."""
    part: Part = "all"
    """Only these scenarios of chains."""
    unclean: bool = False
    """With episodes in which an action failed."""


class GetExport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is written."""

    format: Words = "jsonl"
    """``jsonl``: every event, lossless and checksummed; ``parquet``: tables, as a ZIP file; or what
    the episodes' environment writes (``GET /export-formats``)."""


@operation("GET", "/runs/{run}/tables/{table}", tag="results", media_type="text/csv")
def get_table(call: Call, run: str, table: str, query: GetTable) -> File:
    """A table of a run as CSV or LaTeX: ``scores``, ``calls``, ``episodes`` or ``chains``."""
    name = _table(table)
    found = run_details(
        call.store, run, listed=None if name == "episodes" else 0, population=query.population
    )
    tables = run_tables(found, name, as_one=query.format == "csv")
    text = as_csv(tables) if query.format == "csv" else as_latex(tables)
    ending = "csv" if query.format == "csv" else "tex"
    return File(text.encode(), f"{found.run.id}-{name}.{ending}", _TYPES[query.format])


def _table(given: str) -> RunTable:
    match given:
        case "scores" | "calls" | "episodes" | "chains":
            return given
    raise BadArgument("table", given, "there are scores, calls, mended, episodes and chains")


@operation("GET", "/runs/{run}/report", tag="results", media_type="text/html")
def get_report(call: Call, run: str, query: GetReport) -> File:
    """A run's report, or that of several runs side by side: one HTML file that needs no network."""
    given = (run, *query.beside)
    runs = runs_meant(call.store, given)
    with tempfile.TemporaryDirectory(prefix="troupe-report-") as folder:
        path = Path(folder) / "report.html"
        write_report(call.store, runs, path, (), most=query.transcripts, rest=None)
        return File(path.read_bytes(), f"{'-'.join(runs)[:100]}.html", "text/html")


@operation("GET", "/comparisons", tag="results", keeping="head")
def compare_some_runs(call: Call, query: CompareRuns) -> RunsCompared:
    """Compare runs: which dimension, mind or task got better or worse, paired on task and seed."""
    runs = runs_meant(call.store, query.run)
    if len(runs) < 2:
        raise BadArgument("run", " ".join(query.run), "is one run; give a second one")
    return compare_runs(
        call.store,
        runs,
        by=query.by,
        judges=query.judge,
        dimensions=query.dimension,
        population=query.population,
        unclean=query.unclean,
    )


@operation("GET", "/agreement", tag="results", keeping="head")
def compare_two_judges(call: Call, query: CompareJudges) -> Comparison:
    """Compare two judges of some runs, dimension by dimension."""
    runs = runs_meant(call.store, query.run)
    first, second = query.judge
    return compare_judges(call.store, runs, (first, second), query.population)


@operation("GET", "/runs/{run}/curves", tag="results", keeping="head")
def get_curves(call: Call, run: str, query: GetCurves) -> RunCurves:
    """Scores by the index of an episode in its chain, with slopes."""
    _, found = run_curves(
        call.store, run, query.judge, query.dimension, None, query.by, unclean=query.unclean
    )
    return found


@operation("GET", "/runs/{run}/contrasts", tag="results", keeping="head")
def get_contrasts(call: Call, run: str, query: GetContrasts) -> RunContrasts:
    """Tests of what differs in a run: minds, memories, parts, slopes."""
    return run_contrasts(
        call.store,
        run,
        judges=query.judge,
        dimensions=query.dimension,
        between=query.between,
        part=query.part,
        unclean=query.unclean,
    )


@operation("GET", "/export-formats", tag="results", keeping="head")
def list_export_formats(call: Call) -> tuple[str, ...]:
    """The formats in which runs, chains and episodes can be exported."""
    del call
    return formats()


@operation("GET", "/exports/{id}", tag="results", media_type="application/octet-stream")
def export_something(call: Call, id: str, query: GetExport) -> File:
    """A run, a chain or an episode as a file."""
    if query.format not in formats():
        raise BadArgument("format", query.format, f"is none of {', '.join(formats())}")
    meant = run_chain_or_episode(call.store, id)
    folder = Path(tempfile.mkdtemp(prefix="troupe-export-"))
    try:
        path = folder / meant.id
        export_to(call.store, meant.id, query.format, path)
        if query.format == "parquet":
            return File(_zipped(path, folder), f"{meant.id}-tables.zip", "application/zip", folder)
        ending = OWN.get(query.format, ".jsonl")
        return File(path, f"{meant.id}{ending}", "application/x-ndjson", folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _zipped(tables: Path, folder: Path) -> Path:
    found = folder / "tables.zip"
    with zipfile.ZipFile(found, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(tables.iterdir()):
            archive.write(path, path.name)
    return found
