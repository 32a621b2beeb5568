"""``troupe import stss``."""

from pathlib import Path
from typing import Annotated

import typer

from actors.text.amounts import many
from gateway.cli.commands.look.catalog_folders import print_brought
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_next,
    print_result,
    say,
)
from gateway.sandbox.import_files import StssBrought, bring
from gateway.services.catalogs.catalog_folders import CatalogRefused

_ERRORS = 20
"""Errors that are printed."""


def import_stss(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="The folder with the map, characters and tasks."),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the catalog in plans.")
    ] = "stss",
    json: Json = False,
) -> None:
    """Import STSS's published town and tasks.

    Reads the CSV layers of the map, characteristics.json, tasks.json and, if present,
    tasks_dlc.json, whose tasks get ids that begin with dlc_. The catalog is imported completely or
    not at all; inconsistencies are kept as published, and listed. Importing the same files again
    changes nothing.
    """
    with open_session() as (_, store):
        try:
            brought = bring(store, folder, name)
        except CatalogRefused as refused:
            if json:
                raise
            for error in refused.errors[:_ERRORS]:
                note(f"[red]{escape(str(error))}[/]")
            note(f"{many(len(refused.errors), 'error')}: nothing was imported")
            raise typer.Exit(REFUSED) from None
    if print_result(brought, json=json):
        return
    _print_sizes(brought)
    print_brought(brought.catalog)
    _print_odd(brought)
    print_next(
        [
            (f"troupe catalog show tasks -c {name}", "what can be played now"),
            (f"troupe catalog show towns -c {name}", "the map"),
            ("troupe run PLAN.toml", f'with environment = "sandbox" and catalog = "{name}"'),
        ]
    )


def _print_sizes(brought: StssBrought) -> None:
    say(
        f"{brought.width} x {brought.height} tiles: {brought.sectors} sectors, {brought.arenas} "
        f"arenas, {brought.objects} objects. {brought.free:,} tiles are free, in {brought.parts} "
        f"parts; people live in the one of {brought.reached:,}."
    )


def _print_odd(brought: StssBrought) -> None:
    if not brought.catalog.notes:
        say("\nNothing is odd about it.")
        return
    heading("Odd, and left as it is")
    for text in brought.catalog.notes:
        say(f"  {escape(text)}")
