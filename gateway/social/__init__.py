"""The social environment's commands."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def add_commands(app: "typer.Typer") -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    from gateway.social import hard_commands, importing

    importing.add_commands(app)
    app.add_typer(hard_commands.app, name="hard")
