"""The commands of world trees."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def add_commands(app: "typer.Typer") -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    from gateway.worldtree import (
        checking,
        commands,
        demo,
        drawing,
        importing,
        inside,
        lines,
        reporting,
        scores,
        translating_commands,
    )

    app.add_typer(commands.app, name="worldtree")
    group = commands.app
    group.command()(demo.demo)
    group.command()(checking.check)
    group.command()(drawing.draw)
    group.command()(scores.scores)
    group.command()(reporting.report)
    group.command()(translating_commands.translate)
    group.command()(translating_commands.review)
    group.command()(inside.inside)
    group.add_typer(lines.app, name="lines")
    importing.add_commands(app)
