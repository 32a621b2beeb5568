"""``troupe import …`` and ``troupe catalog …``, which environments add to."""

import typer

from gateway.cli.lazy_commands import add_commands

imports = typer.Typer(no_args_is_help=True, help="Import published catalogs and episodes.")
catalog = typer.Typer(
    no_args_is_help=True,
    help="Write, check, list and search catalogs.",
)
add_commands(
    imports,
    "gateway.cli.commands.look.catalogs",
    {
        "episodes": ("import_episodes", "Import a Troupe export, or published episodes as a run."),
    },
)
add_commands(
    catalog,
    "gateway.cli.commands.look.catalog_folders",
    {
        "new": ("new_catalog", "Create a catalog: a folder of commented files to edit."),
        "check": ("check_catalog", "Check the files of a catalog, and show what they cast."),
        "import": ("import_catalog", "Import a catalog from a folder of files."),
        "export": ("export_catalog", "Write a catalog to a folder of files."),
    },
)
add_commands(
    catalog,
    "gateway.cli.commands.look.catalogs",
    {
        "list": ("list_catalogs", "List the catalogs with their sizes."),
        "search": ("search_catalog", "Find the items that contain all the words."),
        "show": ("show_catalog", "Show all items of a kind, or one item by its id."),
    },
)
