"""The commands of games."""

import typer

from gateway.cli.lazy_commands import add_command


def add_commands(app: typer.Typer) -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    add_command(
        app,
        "games",
        "gateway.games.commands:app",
        "Play games with hidden roles, whose rules are data.",
    )
