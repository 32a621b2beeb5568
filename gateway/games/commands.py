"""``troupe games …``: games whose rules are data."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Play games with hidden roles, whose rules are data.",
)


@app.callback()
def games() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "demo": {
        "demo": ("demo", "Play a game with hidden roles offline, as its spectators see it."),
    },
}.items():
    add_commands(app, f"gateway.games.{_module}", _commands)
