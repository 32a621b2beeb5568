"""``troupe sotopia tables``: the tables and figures of SOTOPIA."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from actors.episodes.catalogs.scenario_lists import read_scenario_list
from evaluators.report.charts.svg_charts import Chart
from evaluators.social.tables.read_tables import TableOptions, named
from evaluators.social.tables.task_sets import SEATS
from gateway.cli.options import Json, Judges, RunIds, TableFormatOption, Unclean, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_result,
    print_several,
    say,
)
from gateway.social.sotopia.paper_tables import (
    PaperTables,
    charts_in,
    chosen_entries,
    paper_tables,
)


def tables(
    run_ids: RunIds,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", "-t", metavar="NAME", help="Only this table. Repeatable."),
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", "-g", metavar="NAME", help="Only this figure. Repeatable."),
    ] = None,
    judge: Judges = None,
    hard: Annotated[
        Path | None,
        typer.Option("--hard", metavar="FILE", help="The list of hard scenarios and seats."),
    ] = None,
    no_self: Annotated[
        bool,
        typer.Option("--no-self", help="Leave out what a model scored with itself (Table 2)."),
    ] = False,
    unclean: Unclean = False,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="DIR", help="Write the figures as SVG into this folder."),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show the tables and figures of SOTOPIA's paper for some runs.

    Without --table and --figure all that the scores allow. Several runs are evaluated together: a
    mind of one name is one model. Tables are of one judge; of several judges there is one each.
    """
    chosen = chosen_entries(table or (), figure or ())
    options = TableOptions(
        judges=tuple(judge or ()),
        hard=read_scenario_list(hard, SEATS) if hard else None,
        no_self=no_self,
        unclean=unclean,
    )
    with open_session() as (_, store):
        found, inputs = paper_tables(store, run_ids, chosen, options)
        written = write_charts(svg, charts_in(chosen, inputs)) if svg else []
    whole = lambda: named(found.tables, found.no_findings)  # noqa: E731
    if not print_result(found, json=json, form=form, tables=whole):
        _print(found)
    for entry in found.entries:
        if entry.missing and not json:
            note(f"[dim]{escape(entry.entry)}: {escape(entry.missing)}[/]")
    for path in written:
        note(f"[dim]figure: {escape(str(path))}[/]")


def write_charts(folder: Path, charts: Iterable[Chart]) -> list[Path]:
    """The figures as SVG files. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chart in charts:
        path = folder / f"{chart.name}.svg"
        path.write_text(chart.alone, encoding="utf-8")
        written.append(path)
    return written


def _print(found: PaperTables) -> None:
    print_several(found.tables)
    for text in found.no_findings:
        say(f"\n[yellow]{escape(text)}[/]")
