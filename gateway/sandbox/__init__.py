"""The commands of the sandbox."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def add_commands(app: "typer.Typer") -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    from gateway.sandbox import commands, import_command
    from gateway.sandbox.demo import demo
    from gateway.sandbox.map_commands import add_map_commands
    from gateway.sandbox.score_command import score
    from gateway.sandbox.talk_commands import freeze, talk, talks
    from gateway.sandbox.template_commands import tasks
    from gateway.sandbox.trajectory_commands import export, import_

    app.add_typer(commands.app, name="sandbox")
    for command in (demo, score, export, freeze, talk, talks, tasks):
        commands.app.command()(command)
    commands.app.command("import")(import_)
    add_map_commands(commands.app)
    import_command.add_commands(app)
