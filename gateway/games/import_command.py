"""``troupe games import``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.commands.look.catalog_folders import print_brought
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, note, print_json, print_next
from gateway.games.rules_files import import_rules_files


def import_rules(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="Rulesets (TOML), files of a catalog with [[ruleset]], or config.json of "
            "SOTOPIA's werewolves, spyfall or undercover.",
        ),
    ],
    name: Annotated[
        str,
        typer.Option(
            metavar="CATALOG", help="The name of the catalog. Default: the id of the only ruleset."
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Import rules of games as a catalog.

    Everything is checked first, as by `troupe games check`, and a catalog is imported completely or
    not at all. Players, scenes and word banks that the files do not have come from the catalog
    that comes with Troupe. Importing the same files again changes nothing.
    """
    with open_session() as (_, store):
        brought = import_rules_files(store, files, name)
    if json:
        print_json(brought)
        return
    for text in brought.notes:
        note(f"[dim]note: {escape(text)}[/]")
    print_brought(brought)
    quoted = shlex.quote(brought.catalog)
    print_next(
        [
            (f"troupe catalog show tasks -c {quoted}", "what can be played now"),
            (
                "troupe run PLAN.toml",
                f'with environment = "{brought.environment}" and catalog = "{brought.catalog}"',
            ),
        ]
    )
