"""``troupe import srd``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from actors.tabletop.catalog_items import NAME
from actors.tabletop.formats import SRD
from actors.tabletop.formats.srd import read_catalog
from gateway.cli.commands.look.catalog_folders import print_brought
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, note, print_json, print_next
from gateway.services.catalogs.catalog_folders import FolderChecked, keep


def import_srd(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="The folder with the files 5e-SRD-….json of 5e-database."
        ),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="How plans will call the catalog.")
    ] = SRD,
    json: Json = False,
) -> None:
    """Import the fifth-edition SRD's character lists.

    Characters are drawn from its races, classes, alignments, languages and background; scenes,
    knowledge and tables are those of the catalog that comes with Troupe. The same again changes
    nothing.
    """
    found = read_catalog(folder, name)
    with open_session() as (_, store):
        checked = FolderChecked(folder, SRD, NAME, name, found.catalog, (), ())
        brought = keep(store, checked)
    if json:
        print_json(brought)
        return
    for one in found.notes:
        note(escape(one))
    print_brought(brought)
    quoted = shlex.quote(name)
    print_next(
        [
            (f"troupe catalog show characters -c {quoted}", "who can sit at a table"),
            ("troupe run plans/anteval.toml --dry-run", "what a plan of such sessions costs"),
        ]
    )
