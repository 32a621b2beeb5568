"""``troupe tabletop …``: sessions at a table, and transcripts of real ones (AntEval)."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Compare sessions at a table with real ones. Virtual game masters learn from both who "
    "means to do what (AntEval).",
)


@app.callback()
def tabletop() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "demo": {
        "demo": (
            "demo",
            "Play sessions at a table offline, and show what they exchange and express.",
        ),
    },
    "calls_command": {
        "calls": (
            "calls",
            "Write the skill checks that game masters call for as labelled samples.",
        ),
    },
    "write_command": {
        "write": ("write_items", "Have a model write characters and knowledge."),
    },
    "fit_command": {
        "fit": ("fit", "Train a virtual game master on labelled samples."),
    },
    "gap_command": {
        "gap": ("gap", "Show what models exchanged, and the gap in their intentions."),
    },
    "cases_command": {
        "cases": (
            "cases",
            "Plan a study in which readers give a word to sessions of low p.",
        ),
    },
}.items():
    add_commands(app, f"gateway.tabletop.{_module}", _commands)
