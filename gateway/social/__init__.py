"""The social environment's commands."""

import typer

from gateway.cli.catalog_groups import catalog, imports
from gateway.cli.lazy_commands import add_command, keep_former_names


def add_commands(app: typer.Typer) -> None:
    """Put them beside the others. Takes what the entry point group ``troupe.commands`` is given."""
    add_command(
        catalog,
        "sample",
        "gateway.social.catalog_commands:sample_catalog",
        "Sample new casts for scenarios: a catalog of sampled tasks.",
    )
    add_command(
        imports,
        "sotopia",
        "gateway.social.import_command:import_sotopia",
        "Import SOTOPIA's catalog, as `troupe catalog import` does.",
        hidden=True,
    )
    add_command(
        imports,
        "annotations",
        "gateway.social.annotations_command:annotations",
        "Import what people said of SOTOPIA's episodes.",
    )
    add_command(
        app,
        "memory-scenarios",
        "gateway.social.memory_scenario_commands:app",
        "Build scenarios that need memory; measure its use.",
    )
    keep_former_names(app, {"hard": "memory-scenarios"})
    add_command(
        app,
        "sotopia",
        "gateway.social.sotopia.commands:app",
        "The tables, sets and tasks of SOTOPIA's publication.",
    )
    add_command(
        app,
        "demo",
        "gateway.social.demo_command:demo",
        "Play, score, replay and fork some episodes, offline.",
    )
    # Whoever is here for the first time finds it first.
    app.registered_commands.insert(0, app.registered_commands.pop())
