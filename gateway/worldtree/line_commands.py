"""``troupe worldtree lines …``: free lines beside those of their trees."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json, RunId, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_json,
    print_next,
    print_places,
    print_plain,
    print_tables,
    say,
)
from gateway.worldtree.line_sheets import lines_table, read_sheets, write_sheets

app = typer.Typer(
    no_args_is_help=True,
    help="Compare free lines with those that trees offer. A plan has minds write some with tasks = "
    '{ tags = ["line"] }; people or a judge say which mean the same.',
)

Sheets = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Sheets that annotators saved, or a folder of such."),
]


@app.command()
def sheet(
    run: RunId,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Where to put the sheets.")
    ] = Path("sheets"),
    seed: Annotated[int, typer.Option(help="Another seed gives another order.")] = 0,
    json: Json = False,
) -> None:
    """Write sheets for annotators: a page and a CSV for each language.

    A page is one file for any browser; each annotator opens the same, says who they are, marks, and
    sends back the CSV that it saves. A sheet does not say who wrote a line.
    """
    with open_session() as (_, store):
        found = write_sheets(store, run, out, seed)
    if json:
        print_json(found)
        return
    for one in found:
        heading(f"{one.items} lines, {one.language}")
        print_places([("page", one.page), ("sheet", one.csv)])
    print_next(
        [
            (f"troupe worldtree lines read {run} {out}", "how far annotators have come"),
            (
                f"troupe worldtree lines table {run} --annotations {out}",
                "the ratios, from all that annotators saved",
            ),
        ]
    )


@app.command()
def read(run: RunId, sheets: Sheets, json: Json = False) -> None:
    """Read sheets that annotators saved, and say how far each has come."""
    with open_session() as (_, store):
        found = read_sheets(store, run, sheets)
    if json:
        print_json(found)
        return
    for one in found:
        left = f", {one.left} left" if one.left else ", all"
        say(
            f"{escape(one.annotator)}, {one.language}: {one.items} marked{left}; "
            f"of {one.any} some line means the same"
        )


@app.command()
def table(
    run: RunId,
    annotations: Annotated[
        list[Path] | None,
        typer.Option("--annotations", "-a", metavar="PATH", help="A sheet, or a folder of sheets."),
    ] = None,
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="Which judge; else the only one.")
    ] = "",
    walks: Annotated[
        list[str] | None,
        typer.Option("--walks", metavar="RUN", help="A run whose walks count, too."),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show Table 4: similarity ratio, selection ratio and Fleiss' kappa.

    By annotators where sheets are given, with a judge beside them that has compared the same lines;
    else by the judge.
    """
    with open_session() as (_, store):
        found = lines_table(store, run, annotations or (), judge, walks or ())
    if json:
        print_json(found)
        return
    tables = found.plain()
    if form != "text":
        print_tables(tables, form)
        return
    for one in tables:
        heading(one.title)
        print_plain(one)
        note(f"[dim]{escape(one.note)}[/]")
