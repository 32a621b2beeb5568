"""``troupe worldtree …``: trees of scenes that are walked and asked about (SocialEval)."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Check, draw and compare world trees. They are scenes that a protagonist walks towards a "
    "goal, and questions about what is said in them.",
)


@app.callback()
def worldtree() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "demo": {
        "demo": ("demo", "Walk two trees offline, and draw one with the ways taken."),
    },
    "check_command": {
        "check": ("check", "Say what is wrong with world trees."),
    },
    "draw_command": {
        "draw": ("draw", "Draw a tree as SVG."),
    },
    "score_command": {
        "scores": ("scores", "Show which goals were achieved and which abilities told."),
    },
    "report_command": {
        "report": ("report", "Write the paper's tables and figures of runs as one page."),
    },
    "translation_commands": {
        "translate": ("translate", "Translate trees between Chinese and English."),
        "review": ("review", "Say how much of a translation was accepted."),
    },
    "inside_command": {
        "inside": ("inside", "See where a model tells abilities apart."),
    },
    "line_commands": {
        "lines": ("app", "Compare free lines with those that trees offer."),
    },
}.items():
    add_commands(app, f"gateway.worldtree.{_module}", _commands)
