"""The commands of world trees."""

import typer

from gateway.cli.catalog_groups import imports
from gateway.cli.lazy_commands import add_command


def add_commands(app: typer.Typer) -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    add_command(
        app, "worldtree", "gateway.worldtree.commands:app", "Check, draw and compare world trees."
    )
    add_command(
        imports,
        "worldtrees",
        "gateway.worldtree.import_command:import_worldtrees",
        "Import SocialEval's world trees.",
    )
