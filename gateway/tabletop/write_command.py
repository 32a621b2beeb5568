"""``troupe tabletop write``."""

import shlex
from typing import Annotated

import typer

from gateway.cli.options import Json, NoProbe, open_session
from gateway.cli.terminal.output import escape, note, print_json, print_next, say, while_working
from gateway.tabletop.write_items import write


def write_items(
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME|FILE.toml",
            help="The model that writes: its name, or a file with a model's settings as a judge "
            "file has them.",
        ),
    ],
    catalog: Annotated[
        str, typer.Option("--catalog", metavar="NAME", help="The name of the new catalog.")
    ] = "written",
    source: Annotated[
        str,
        typer.Option(
            "--from", metavar="CATALOG", help="The catalog of drawn characters: tavern, or srd."
        ),
    ] = "tavern",
    characters: Annotated[
        int,
        typer.Option(
            "--characters",
            metavar="N",
            min=0,
            help="How many characters get a name and a description of 80 to 150 words; as many at "
            "least as the largest table of the catalog seats, with its non-player character.",
        ),
    ] = 0,
    sheets: Annotated[
        int,
        typer.Option("--sheets", metavar="N", min=0, help="How many sheets of knowledge."),
    ] = 0,
    points: Annotated[
        int,
        typer.Option("--points", metavar="K", help="Key points of each sheet, 3 to 10."),
    ] = 5,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="For the knowledge.")] = 0,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Have a model write characters and knowledge.

    Names and descriptions fit the sheets that were drawn; knowledge has exactly K key points, no
    two alike, with the terms by which the judge information-rule knows them. What does not fit is
    asked for again, then left out and listed. The same again asks nothing that was answered.
    """
    import asyncio

    with open_session() as (_, store), while_working("asking the model"):
        made = asyncio.run(
            write(
                store,
                model,
                catalog=catalog,
                source=source,
                characters=characters,
                sheets=sheets,
                points=points,
                seed=seed,
                probing=not no_probe,
            )
        )
    if json:
        print_json(made)
        return
    say(
        f"[bold]Catalog {escape(made.catalog)}[/] ({made.outcome}): {made.characters:,} characters "
        f"and {made.sheets:,} sheets written by {escape(made.model)}"
    )
    for why in made.left_out:
        note(escape(f"left out: {why}"))
    quoted = shlex.quote(made.catalog)
    kind = "characters" if made.characters else "sheets"
    print_next([(f"troupe catalog show {kind} -c {quoted}", "read what was written")])
