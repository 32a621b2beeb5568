"""``troupe import sotopia``."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.commands.look.catalog_folders import import_catalog
from gateway.cli.options import Json


def import_sotopia(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="A folder with the four published .jsonl files, or ~/.sotopia/data."
        ),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the catalog in plans.")
    ] = "sotopia",
    json: Json = False,
) -> None:
    """Import SOTOPIA's catalog, as `troupe catalog import` does."""
    import_catalog(folder, name, json=json)
