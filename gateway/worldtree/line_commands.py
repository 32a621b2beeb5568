"""``troupe worldtree lines …``: free lines beside those of their trees."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json, RunId, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    print_next,
    print_places,
    print_result,
    print_titled,
    say,
)
from gateway.worldtree.line_sheets import lines_table, read_sheets, write_sheets

app = typer.Typer(
    no_args_is_help=True,
    help="Compare free lines with the options of trees. In plans with tasks = "
    '{ tags = ["line"] } minds write free lines; people or a judge match them with the options.',
)

Sheets = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Sheets that annotators saved, or a folder of sheets."),
]


@app.command()
def sheet(
    run: RunId,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into.")
    ] = Path("sheets"),
    seed: Annotated[int, typer.Option(help="The seed of the random order.")] = 0,
    json: Json = False,
) -> None:
    """Write sheets for annotators: a page and a CSV for each language.

    A page is one file for any browser. Annotators open it, enter their name, mark the lines, and
    send back the CSV file that the page saves. Sheets do not show who wrote a line.
    """
    with open_session() as (_, store):
        found = write_sheets(store, run, out, seed)
    if print_result(found, json=json):
        return
    for one in found:
        heading(f"{one.items} lines, {one.language}")
        print_places([("page", one.page), ("sheet", one.csv)])
    print_next(
        [
            (f"troupe worldtree lines read {run} {out}", "show the progress of annotators"),
            (
                f"troupe worldtree lines table {run} --annotations {out}",
                "the ratios, from all that annotators saved",
            ),
        ]
    )


@app.command()
def read(run: RunId, sheets: Sheets, json: Json = False) -> None:
    """Read sheets that annotators saved, and show their progress."""
    with open_session() as (_, store):
        found = read_sheets(store, run, sheets)
    if print_result(found, json=json):
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
        typer.Option(
            "--annotations",
            "-a",
            metavar="PATH",
            help="A sheet, or a folder of sheets. Repeatable.",
        ),
    ] = None,
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help="The judge, if there are several.")
    ] = "",
    walks: Annotated[
        list[str] | None,
        typer.Option(
            "--walks", metavar="RUN", help="Also count the walks of this run. Repeatable."
        ),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show Table 4: similarity ratio, selection ratio and Fleiss' kappa.

    Uses the annotators' sheets, if given, and adds a judge that compared the same lines; otherwise
    uses the judge alone.
    """
    with open_session() as (_, store):
        found = lines_table(store, run, annotations or (), judge, walks or ())
    if not print_result(found, json=json, form=form, tables=found.plain):
        for one in found.plain():
            print_titled(one)
