"""``troupe import …`` and ``troupe catalog …``."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.support import (
    Json,
    fail,
    open_desk,
    print_fields,
    print_json,
    print_table,
    say,
)

imports = typer.Typer(no_args_is_help=True, help="Bring in published catalogs and episodes.")
catalog = typer.Typer(no_args_is_help=True, help="List, search and show what can be played.")

Name = Annotated[str, typer.Option("--catalog", "-c", help="Which catalog.")]
KINDS = ("characters", "relationships", "scenarios", "tasks")


@imports.command("sotopia")
def import_sotopia(
    folder: Annotated[Path, typer.Argument(help="Folder with the four published .jsonl files.")],
    name: Annotated[str, typer.Option(help="How plans will call it.")] = "sotopia",
) -> None:
    """Import SOTOPIA's published characters, scenarios and tasks.

    Every row is checked first; a bad one is named with its file, line and field, and then nothing
    is imported. Importing the same files again changes nothing.
    """
    from actors.social.fitting import task_notes
    from actors.social.formats.catalog_in import read_published
    from store.catalogs import save_catalog

    found = read_published(folder, name)
    with open_desk() as (_, store):
        outcome = save_catalog(store, found, f"SOTOPIA's published files in {folder}")
    for note in task_notes(found):
        say(f"[dim]note: {note}[/]")
    sizes = ", ".join(f"{len(getattr(found, kind))} {kind}" for kind in KINDS)
    say(f"Catalog [bold]{name}[/]: {sizes}; {outcome}.")


@imports.command("episodes")
def import_episodes(
    file: Annotated[Path, typer.Argument(help="A Troupe export, or SOTOPIA EpisodeLog lines.")],
    catalog_name: Annotated[
        str, typer.Option("--catalog", help="For EpisodeLogs: where its ids are defined.")
    ] = "sotopia",
) -> None:
    """Import episodes: Troupe's own export (lossless), or SOTOPIA EpisodeLogs.

    The kind is seen from the file's first line. A truncated or altered export is refused, and an
    import is whole or not at all.
    """
    from gateway.importing import import_file

    with open_desk() as (_, store):
        report = import_file(store, file, catalog_name)
    say(report)


@catalog.command("list")
def list_catalogs(json: Json = False) -> None:
    """The catalogs that were imported, with their sizes."""
    from gateway.catalogs import ensure_starter
    from store import queries

    with open_desk() as (_, store):
        ensure_starter(store)
        found = queries.catalogs(store)
    if json:
        print_json(found)
    else:
        rows = [[row.name, *(getattr(row, kind) for kind in KINDS)] for row in found]
        print_table("", ("catalog", *KINDS), rows)


@catalog.command("search")
def search_catalog(
    words: Annotated[list[str], typer.Argument(help="Words to look for.")],
    name: Name = "starter",
    json: Json = False,
) -> None:
    """Find characters, scenarios, relationships and tasks that contain all the words."""
    from gateway.catalogs import load
    from store.searching import search

    with open_desk() as (_, store):
        found = load(store, name)
    hits = search(found, " ".join(words))
    if json:
        print_json([{"kind": hit.kind, "title": hit.title, "item": hit.item} for hit in hits])
    elif hits:
        rows = [(hit.kind, hit.id, hit.title, hit.field, hit.excerpt) for hit in hits]
        print_table("", ("kind", "id", "title", "found in", "text"), rows)
    else:
        fail(f"nothing in catalog {name!r} contains {' '.join(words)!r}")


@catalog.command("show")
def show_catalog(
    what: Annotated[
        str, typer.Argument(help="characters, relationships, scenarios, tasks, or an id.")
    ],
    name: Name = "starter",
    json: Json = False,
) -> None:
    """Show all of a kind, or one thing by its id."""
    from gateway.catalogs import load, rows
    from store.searching import find_item

    with open_desk() as (_, store):
        found = load(store, name)
    if what in KINDS:
        items = getattr(found, what)
        if json:
            print_json(items)
        else:
            print_table("", ("id", "title", "", "tags"), rows(found, items))
        return
    kind, item = find_item(found, what)
    if json:
        print_json(item)
    else:
        print_fields(f"{kind} {item.id}", item)
