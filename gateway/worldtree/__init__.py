"""The commands of world trees."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def add_commands(app: "typer.Typer") -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    from gateway.worldtree import (
        check_command,
        commands,
        demo,
        draw_command,
        import_command,
        inside_command,
        line_commands,
        report_command,
        score_command,
        translation_commands,
    )

    app.add_typer(commands.app, name="worldtree")
    group = commands.app
    group.command()(demo.demo)
    group.command()(check_command.check)
    group.command()(draw_command.draw)
    group.command()(score_command.scores)
    group.command()(report_command.report)
    group.command()(translation_commands.translate)
    group.command()(translation_commands.review)
    group.command()(inside_command.inside)
    group.add_typer(line_commands.app, name="lines")
    import_command.add_commands(app)
