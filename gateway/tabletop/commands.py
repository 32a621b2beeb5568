"""``troupe tabletop …``: sessions at a table, and transcripts of real ones (AntEval)."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Find calls for skill checks in transcripts. Virtual game masters learn from them.",
)


@app.callback()
def tabletop() -> None:
    """A group, however many commands it has."""


add_commands(
    app,
    "gateway.tabletop.calls_command",
    {"calls": ("calls", "Write the skill checks that game masters call for as labelled samples.")},
)
add_commands(
    app,
    "gateway.tabletop.write_command",
    {"write": ("write_items", "Have a model write characters and knowledge.")},
)
