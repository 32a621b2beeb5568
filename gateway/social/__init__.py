"""The social environment's commands."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def add_commands(app: "typer.Typer") -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    from gateway.social import catalog_commands, import_command, memory_scenario_commands

    catalog_commands.add_commands(app)
    import_command.add_commands(app)
    app.add_typer(memory_scenario_commands.app, name="hard")
    app.command()(demo)
    # Whoever is here for the first time finds it first.
    app.registered_commands.insert(0, app.registered_commands.pop())


def demo() -> None:
    """Play, score, replay and fork some episodes, offline.

    Plays a few dozen episodes of the starter catalog, scores them twice, replays one, forks one,
    has pairs meet again with a memory and without, and writes reports to look at. Needs no key, no
    network and no database server.
    """
    from gateway.social.demo import run_demo

    run_demo()
