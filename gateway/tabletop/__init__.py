"""The commands of tabletop sessions."""

import typer

from gateway.cli.catalog_groups import imports
from gateway.cli.lazy_commands import add_command


def add_commands(app: typer.Typer) -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    add_command(
        app,
        "tabletop",
        "gateway.tabletop.commands:app",
        "Compare sessions at a table with real ones.",
    )
    add_command(
        imports,
        "srd",
        "gateway.tabletop.import_command:import_srd",
        "Import the fifth-edition SRD's character lists.",
    )
