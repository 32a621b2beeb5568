"""``troupe sandbox …``: towns that live for days, and tasks in them (STSS)."""

import typer

app = typer.Typer(
    no_args_is_help=True,
    help="Score and export towns and their talks; draw maps. In a town people live for "
    "days; one of them has a task, scored by what everybody did.",
)


@app.callback()
def sandbox() -> None:
    """A group, however many commands it has."""
