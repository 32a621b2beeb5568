"""``troupe worldtree report``: the paper's tables and figures, over several runs."""

from pathlib import Path
from typing import Annotated

import typer

from evaluators.worldtree.report.internals_figures import figures_in
from evaluators.worldtree.report.page import Page, RunShown, write_page
from evaluators.worldtree.report.page_parts import PageExtras
from evaluators.worldtree.scores import scores_of
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, print_plain_json, say, while_working
from gateway.errors import BadArgument
from gateway.services.runs.resolve_ids import runs_meant
from gateway.worldtree.line_sheets import lines_table
from gateway.worldtree.score_command import results_of_ids
from store.log.event_store import EventStore
from store.read_model import queries


def report(
    run_ids: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="Runs, each by its id or how it begins.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|FILE.html",
            help="A folder gets the page, and a folder `tables` beside it with each table as CSV "
            "and LaTeX; a file the page alone. Default: a folder in reports/ of the data folder.",
        ),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Put the paper's own figures beside, where known.")
    ] = False,
    people: Annotated[
        Path | None,
        typer.Option(
            "--people",
            metavar="FILE.csv",
            help="What people chose and answered (docs/explanation/worldtree.md).",
        ),
    ] = None,
    lines: Annotated[
        str,
        typer.Option("--lines", metavar="RUN", help="A run of free lines, for Table 4."),
    ] = "",
    annotations: Annotated[
        list[Path] | None,
        typer.Option(
            "--annotations",
            "-a",
            metavar="CSV",
            help="A sheet that an annotator of these lines saved; may be repeated.",
        ),
    ] = None,
    inside: Annotated[
        list[Path] | None,
        typer.Option(
            "--inside",
            metavar="DIR",
            help="What `troupe worldtree inside` wrote of a model; may be repeated.",
        ),
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Of the page.")] = "",
    json: Json = False,
) -> None:
    """Write the paper's tables and figures of runs as one page.

    Tables 1 to 4 and 10 to 16, Figures 2, 3, 4, 7 and 8, and each tree with the ways that were
    walked through it. One HTML file, no network. What is missing is said where it would be.
    """
    if annotations and not lines:
        raise BadArgument("--annotations", str(annotations[0]), "needs --lines: of which run?")

    with open_session() as (settings, store), while_working("writing the report"):
        results = results_of_ids(store, run_ids, people)
        runs = [_shown(store, run) for run in runs_meant(store, run_ids)]
        added = PageExtras(
            paper=paper,
            lines=lines_table(store, lines, annotations or (), walks=run_ids).plain()
            if lines
            else (),
            inside=[figures_in(one) for one in inside or ()],
        )
        folder = (
            out or settings.data_dir / "reports" / f"worldtree-{'-'.join(r.id for r in runs)[:80]}"
        )
        alone = folder.suffix.lower() in (".html", ".htm")
        path = folder if alone else folder / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        page = Page(
            title=title or ", ".join(dict.fromkeys(run.name for run in runs)),
            scores=scores_of(results),
            results=results,
            runs=runs,
            added=added,
        )
        write_page(page, path, None if alone else folder / "tables")
    if json:
        print_plain_json({"runs": [run.id for run in runs], "path": str(path)})
    else:
        say(f"Report: [bold]{escape(str(path))}[/]")


def _shown(store: EventStore, given: str) -> RunShown:
    row = queries.run(store, given)
    ended = f"{row.episodes_ended} of {row.episodes_planned} ended"
    failed = f", {row.episodes_failed} given up" if row.episodes_failed else ""
    minds = ", ".join(spec.name for spec in queries.plan(store, row.id).plan.minds)
    return RunShown(row.id, row.name, row.catalog, minds, ended + failed)
