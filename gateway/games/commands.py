"""``troupe games …``: games with hidden roles, whose rules are data."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Play and compare games with hidden roles. Their rules are data.",
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
    "table_command": {
        "table": ("table", "Show win rates, conduct, payoffs and ratings of runs."),
    },
    "tournament_command": {
        "tournament": ("tournament", "Play models against each other in all seats and roles."),
    },
    "demo": {
        "demo": ("demo", "Play a game with hidden roles offline, as its spectators see it."),
    },
}.items():
    add_commands(app, f"gateway.games.{_module}", _commands)
