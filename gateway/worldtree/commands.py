"""``troupe worldtree …``: trees of scenes that are walked and asked about (SocialEval)."""

import typer

app = typer.Typer(
    no_args_is_help=True,
    help="Check, draw and compare world trees. They are scenes that a protagonist walks towards a "
    "goal, and questions about what is said in them.",
)


@app.callback()
def worldtree() -> None:
    """A group, however many commands it has."""
