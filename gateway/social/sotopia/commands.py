"""``troupe sotopia …``: the tables, sets and tasks of SOTOPIA's publication."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="The tables, sets and tasks of SOTOPIA's publication.",
)


@app.callback()
def sotopia() -> None:
    """A group, however many commands it has."""


_COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "benchmark_command": {
        "benchmark": (
            "benchmark",
            "Compare models beside one partner, as SOTOPIA's leaderboard does.",
        ),
    },
    "hard_command": {
        "hard": ("hard", "Choose the scenarios and seats that are hard for a model."),
    },
    "tables_command": {
        "tables": ("tables", "Show the tables and figures of SOTOPIA's paper for some runs."),
    },
    "generate_command": {
        "generate": (
            "generate_items",
            "Have a model write characters, relationships or scenarios.",
        ),
    },
    "review_command": {
        "review": ("review_items", "Accept, edit or drop generated items, one by one."),
    },
    "modes_command": {"modes": ("modes", "Compare the modes in which episodes were played.")},
}
"""By module of this folder: the name of each command, its function and its sentence."""

for _module, _commands in _COMMANDS.items():
    add_commands(app, f"gateway.social.sotopia.{_module}", _commands)
