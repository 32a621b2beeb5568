"""The commands of the sandbox, as ``troupe town``."""

import typer

from gateway.cli.catalog_groups import imports
from gateway.cli.lazy_commands import add_command, keep_former_names


def add_commands(app: typer.Typer) -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    add_command(
        app,
        "town",
        "gateway.sandbox.commands:app",
        "Score and export towns and their talks; draw maps.",
    )
    keep_former_names(app, {"sandbox": "town"})
    add_command(
        imports,
        "stss",
        "gateway.sandbox.import_command:import_stss",
        "Import STSS's published town and tasks.",
    )
