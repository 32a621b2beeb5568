"""``troupe worldtree report``: the paper's tables and figures, over several runs."""

from pathlib import Path
from typing import Annotated

import typer

from evaluators.worldtree.report.internals_figures import figures_in
from evaluators.worldtree.report.page import Page, RunShown, write_page
from evaluators.worldtree.report.page_parts import PageExtras
from evaluators.worldtree.scores import scores_of
from gateway.cli.options import Json, RunIds, open_session
from gateway.cli.terminal.output import escape, print_plain_json, say, while_working
from gateway.errors import BadArgument
from gateway.services.runs.resolve_ids import runs_meant
from gateway.worldtree.line_sheets import lines_table
from gateway.worldtree.score_command import PeopleFile, results_of_ids
from store.log.event_store import EventStore
from store.read_model import queries


def report(
    run_ids: RunIds,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR|FILE.html",
            help="A folder, for the page and the tables as CSV and LaTeX; or a file, for the page "
            "alone. Default: a folder in DATA/reports/.",
        ),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Also show the paper's figures, where known.")
    ] = False,
    people: PeopleFile = None,
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
            help="A sheet that an annotator of these lines saved. Repeatable.",
        ),
    ] = None,
    inside: Annotated[
        list[Path] | None,
        typer.Option(
            "--inside",
            metavar="DIR",
            help="A folder that `troupe worldtree inside` wrote. Repeatable.",
        ),
    ] = None,
    title: Annotated[
        str, typer.Option("--title", metavar="TEXT", help="The title of the page.")
    ] = "",
    json: Json = False,
) -> None:
    """Write the paper's tables and figures for runs as one page.

    Includes Tables 1 to 4 and 10 to 16, Figures 2, 3, 4, 7 and 8, and each tree with its walks. The
    page is one HTML file that needs no network. It states which results are missing.
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
