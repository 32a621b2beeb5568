"""The commands of the sandbox."""

import typer

from gateway.cli.catalog_groups import imports
from gateway.cli.lazy_commands import add_command


def add_commands(app: typer.Typer) -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    add_command(
        app,
        "sandbox",
        "gateway.sandbox.commands:app",
        "Score and export towns and their talks; draw maps.",
    )
    add_command(
        imports,
        "stss",
        "gateway.sandbox.import_command:import_stss",
        "Import STSS's published town and tasks.",
    )
