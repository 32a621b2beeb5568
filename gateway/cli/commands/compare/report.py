"""``troupe report``: write a run's report."""

from pathlib import Path
from typing import Annotated

import typer

from actors.lifelong.formats import read_baselines
from evaluators.report import write_report
from gateway.cli.options import Json, People, RunIds, open_session
from gateway.cli.terminal.output import escape, print_plain_json, say, while_working
from gateway.services.runs.resolve_ids import runs_meant


def report(
    run_ids: RunIds,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The file to write. Default: in DATA/reports/."
        ),
    ] = None,
    transcripts: Annotated[
        int,
        typer.Option(
            "--transcripts", metavar="N", min=0, help="The maximum number of transcripts."
        ),
    ] = 50,
    rest: Annotated[
        bool, typer.Option("--rest", help="Also write the other transcripts, as a page each.")
    ] = False,
    people: People = None,
    json: Json = False,
) -> None:
    """Write a run's report: one HTML file, no network.

    For several runs, given from the earliest to the latest, one page compares them, paired on task
    and seed; each mind is labelled with the letter of its run.

    For a long run, the report includes a selection of transcripts: those with failures, with the
    lowest and the highest scores, and a random sample.
    """
    with open_session() as (settings, store):
        runs = runs_meant(store, run_ids)
        path = out or settings.data_dir / "reports" / f"{'-'.join(runs)[:100]}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        baselines = read_baselines(people) if people else ()
        folder = path.with_name(f"{path.stem}-episodes") if rest else None
        with while_working("writing the report"):
            written = write_report(store, runs, path, baselines, most=transcripts, rest=folder)
    if json:
        print_plain_json({"run": runs[0], "runs": runs, "path": str(written)})
    else:
        say(f"Report: [bold]{escape(str(written))}[/]")
