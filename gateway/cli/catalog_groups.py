"""``troupe import …`` and ``troupe catalog …``, which environments add to."""

import typer

from gateway.cli.lazy_commands import add_commands

imports = typer.Typer(no_args_is_help=True, help="Import published catalogs and episodes.")
catalog = typer.Typer(
    no_args_is_help=True,
    help="Write, check, list and search what can be played.",
)
add_commands(
    imports,
    "gateway.cli.commands.look.catalogs",
    {
        "episodes": ("import_episodes", "Import a Troupe export, or others' episodes as a run."),
    },
)
add_commands(
    catalog,
    "gateway.cli.commands.look.catalog_folders",
    {
        "new": ("new_catalog", "Begin a catalog of your own: a folder of commented files to edit."),
        "check": ("check_catalog", "Say what is wrong with a catalog's files, and what they cast."),
        "import": ("import_catalog", "Take in a catalog from a folder of files."),
        "export": ("export_catalog", "Write a catalog to a folder of files."),
    },
)
add_commands(
    catalog,
    "gateway.cli.commands.look.catalogs",
    {
        "list": ("list_catalogs", "List the catalogs with their sizes."),
        "search": ("search_catalog", "Find things that contain all the words."),
        "show": ("show_catalog", "Show all of a kind, or one thing by its id."),
    },
)
