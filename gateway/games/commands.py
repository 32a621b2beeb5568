"""``troupe games …``: games whose rules are data."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Check, draw and import rules of games. Roles can be hidden, teams talk among themselves, "
    "and every act is checked by the rules.",
)


@app.callback()
def games() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "check_command": {
        "check": ("check", "Check files of rules."),
    },
    "draw_command": {
        "draw": ("draw", "Draw the phases of a game as a picture."),
    },
    "import_command": {
        "import": ("import_rules", "Import rules of games as a catalog."),
    },
}.items():
    add_commands(app, f"gateway.games.{_module}", _commands)
