"""``troupe worldtree …``: trees of scenes, walked and asked about (SocialEval)."""

import typer

from gateway.cli.lazy_commands import add_commands

app = typer.Typer(
    no_args_is_help=True,
    help="Check, draw and compare world trees. A world tree is a tree of scenes through which a "
    "protagonist walks towards a goal, with questions about what is said.",
)


@app.callback()
def worldtree() -> None:
    """A group, however many commands it has."""


for _module, _commands in {
    "demo": {
        "demo": ("demo", "Walk two trees offline, and draw one with its walks."),
    },
    "check_command": {
        "check": ("check", "Check world trees, and report their defects."),
    },
    "draw_command": {
        "draw": ("draw", "Draw a tree as SVG."),
    },
    "score_command": {
        "scores": ("scores", "Show scores of goals and abilities."),
    },
    "report_command": {
        "report": ("report", "Write the paper's tables and figures for runs as one page."),
    },
    "translation_commands": {
        "translate": ("translate", "Translate trees between Chinese and English."),
        "review": ("review", "Show which share of a translation was accepted."),
    },
    "inside_command": {
        "inside": ("inside", "Analyse how a model represents abilities."),
    },
    "line_commands": {
        "lines": ("app", "Compare free lines with the options of trees."),
    },
}.items():
    add_commands(app, f"gateway.worldtree.{_module}", _commands)
