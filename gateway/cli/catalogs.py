"""``troupe import …`` and ``troupe catalog …``."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.output import (
    Column,
    escape,
    note,
    print_json,
    print_next,
    print_plain_json,
    print_table,
    say,
)
from gateway.cli.support import Json, open_session

imports = typer.Typer(no_args_is_help=True, help="Bring in published catalogs and episodes.")
catalog = typer.Typer(
    no_args_is_help=True, help="List, search, show and sample what can be played."
)

KINDS = ("characters", "relationships", "scenarios", "tasks")


@imports.command("episodes")
def import_episodes(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A Troupe export, or lines that an environment reads."),
    ],
    catalog_name: Annotated[
        str | None,
        typer.Option(
            "--catalog", "-c", metavar="NAME", help="Where ids are defined; default: the format's."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Import a Troupe export, or a file of other programs.

    Which of them it is, its first line says. A truncated or altered export is refused,
    and an import is whole or not at all; importing the same file again changes nothing.
    """
    from gateway.importing import import_file

    with open_session() as (_, store):
        found = import_file(store, file, catalog_name)
    if json:
        print_json(found)
        return
    for text in found.notes:
        note(f"[dim]note: {escape(text)}[/]")
    say(found.sentence)
    first = found.ids[0] if found.ids else ""
    if first:
        print_next(
            [
                (f"troupe show {first}", "what came in"),
                (f"troupe score {first} --judge rehearsal-strict", "judge it again"),
            ]
        )


@catalog.command("list")
def list_catalogs(json: Json = False) -> None:
    """List the catalogs with their sizes."""
    from gateway.catalogs import ensure_starter
    from store import queries

    with open_session() as (_, store):
        ensure_starter(store)
        found = queries.catalogs(store)
    if json:
        print_json(found)
    else:
        print_table(
            (Column("catalog", "id"), *(Column(kind, "number") for kind in KINDS)),
            [(row.name, *(getattr(row, kind) for kind in KINDS)) for row in found],
        )


@catalog.command("search")
def search_catalog(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="Words to look for.")],
    name: Annotated[
        str | None,
        typer.Option("--catalog", "-c", metavar="NAME", help="Only in this one; default: all."),
    ] = None,
    json: Json = False,
) -> None:
    """Find things that contain all the words.

    Characters, scenarios, relationships and tasks, their secrets and goals included. Where
    nothing has the words, titles that are spelt almost so are found.
    """
    from gateway.catalogs import find_words
    from gateway.cli.catalog_pages import print_hits
    from gateway.errors import BadArgument

    with open_session() as (_, store):
        hits = find_words(store, " ".join(words), name)
    if not hits and not json:
        where = f"in catalog {name!r}" if name else "in any catalog"
        raise BadArgument("words", " ".join(words), f"nothing {where} contains all of them")
    if json:
        found = [
            {"catalog": c.name, "kind": hit.kind, "id": hit.id, "title": hit.title}
            | {"found_in": hit.field, "text": hit.excerpt}
            for c, hit in hits
        ]
        print_plain_json(found)
    else:
        print_hits(hits)


@catalog.command("show")
def show_catalog(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KIND|ID", help="characters, relationships, scenarios, tasks, or an id."
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--catalog",
            "-c",
            metavar="NAME",
            help="Default: starter for a kind, all catalogs for an id.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show all of a kind, or one thing by its id.

    For the designer's eyes: goals, hints and secrets are shown.
    """
    from gateway.catalogs import STARTER, find, load
    from gateway.cli.catalog_pages import print_item, print_kind

    with open_session() as (_, store):
        if what in KINDS:
            found = load(store, name or STARTER)
            print_json(getattr(found, what)) if json else print_kind(found, what)
        else:
            placed = find(store, what, name)
            print_json(placed.item) if json else print_item(placed)


@catalog.command("sample")
def sample_catalog(
    source: Annotated[
        str, typer.Argument(metavar="CATALOG", help="Where scenarios and characters are from.")
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="How the new catalog is called.")],
    pairs: Annotated[
        int, typer.Option(metavar="N", min=1, help="Pairs of characters a scenario.")
    ] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, another draw.")] = 0,
    json: Json = False,
) -> None:
    """Cast scenarios anew: a catalog of sampled tasks.

    For each scenario, pairs are drawn whose relationship, ages and occupations it allows (SOTOPIA,
    section 2.2). The same catalog, seed and number give the same tasks.
    """
    from gateway.catalogs import sample

    with open_session() as (_, store):
        found = sample(store, source, pairs=pairs, seed=seed, name=name)
    tasks, scenarios = len(found.catalog.tasks), len(found.catalog.scenarios)
    if json:
        print_plain_json(
            {
                "catalog": name,
                "tasks": tasks,
                "scenarios": scenarios,
                "outcome": found.outcome,
                "shortfalls": [str(shortfall) for shortfall in found.shortfalls],
            }
        )
        return
    for shortfall in found.shortfalls:
        note(f"[dim]note: {escape(str(shortfall))}[/]")
    say(f"Catalog [bold]{name}[/]: {tasks} tasks of {scenarios} scenarios; {found.outcome}.")
    print_next([(f"troupe catalog show tasks -c {name}", f'a plan plays them: catalog = "{name}"')])
