"""``troupe town …``: simulated towns, and tasks in them (STSS)."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Score and export towns and their talks; draw maps. A town simulates the days of its "
    "inhabitants; one of them has a task, which is scored by the actions of all.",
)


@app.callback()
def sandbox() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "demo": {
        "demo": ("demo", "Simulate two days of a town, offline, and show it on its map."),
    },
    "score_command": {
        "score": ("score", "Score the tasks in the towns of a run, with evidence."),
    },
    "trajectory_commands": {
        "export": ("export", "Export trajectories of towns in the published format."),
        "import": ("import_", "Import trajectories of towns from published files."),
    },
    "talk_commands": {
        "freeze": ("freeze", "Extract talks from the towns of a run as cases to replay."),
        "talk": ("talk", "Play cases and judge the talks."),
        "talks": ("talks", "Show the success rates of the talks of a run (Table 3)."),
    },
    "template_commands": {
        "tasks": ("tasks", "Generate tasks from STSS's templates at random."),
    },
    "map_commands": {
        "map": ("maps", "Draw, check and convert the maps of towns."),
    },
}.items():
    add_commands(app, f"gateway.sandbox.{_module}", _commands)
