"""``troupe import sotopia``."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from gateway.cli.output import escape, note, print_plain_json, say
from gateway.cli.support import Json, open_session


def add_commands(app: typer.Typer) -> None:
    """Beside the other imports."""
    from gateway.cli.catalogs import imports

    del app
    imports.command("sotopia")(import_sotopia)


def import_sotopia(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Folder with the four published .jsonl files, or ~/.sotopia/data."
        ),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="How plans will call the catalog.")
    ] = "sotopia",
    json: Json = False,
) -> None:
    """Import SOTOPIA's catalog, as published or as kept.

    Every row is checked first; a bad one is named with its file, line, field and reason, and then
    nothing is imported. Importing the same files again changes nothing.
    """
    from gateway.importing import import_catalog

    with open_session() as (_, store):
        found = import_catalog(store, "sotopia", folder, name)
    if json:
        print_plain_json({**(row := asdict(found)), **row.pop("counts")})
        return
    for text in found.notes:
        note(f"[dim]note: {escape(text)}[/]")
    if found.outcome == "replaced":
        before = escape(f"{name} that was here ({found.replaced})")
        note(f"[yellow]The catalog {before} is replaced:[/]")
        note("plans that name it play this one from now on; what was played stays as it is.")
    sizes = ", ".join(f"{count} {kind}" for kind, count in found.counts.items())
    state = "unchanged, it was here already" if found.outcome == "unchanged" else found.outcome
    say(f"Catalog [bold]{escape(name)}[/]: {sizes}; {state}.")
