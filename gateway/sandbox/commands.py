"""``troupe town …``: towns that live for days, and tasks in them (STSS)."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Score and export towns and their talks; draw maps. In a town people live for "
    "days; one of them has a task, scored by what everybody did.",
)


@app.callback()
def sandbox() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "demo": {
        "demo": ("demo", "Let a town live for two days, offline, and look at it on its map."),
    },
    "score_command": {
        "score": ("score", "Score what everybody did in the towns of a run, and say why."),
    },
    "trajectory_commands": {
        "export": ("export", "Write towns as the published code does, a file a step."),
        "import": ("import_", "Import towns that lived elsewhere, from published files."),
    },
    "talk_commands": {
        "freeze": ("freeze", "Cut talks out of the towns of a run, to be played again."),
        "talk": ("talk", "Play cases, and judge what is said in them."),
        "talks": ("talks", "Show how far the talks of a run came (Table 3)."),
    },
    "template_commands": {
        "tasks": ("tasks", "Make tasks of STSS's templates by chance."),
    },
    "map_commands": {
        "map": ("maps", "Draw, check and convert the maps of towns."),
    },
}.items():
    add_commands(app, f"gateway.sandbox.{_module}", _commands)
