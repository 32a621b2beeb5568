"""``troupe import worldtrees``."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from events.base import Value
from gateway.catalog_folders import CatalogBrought
from gateway.cli.output import escape, note, print_json, print_next, say
from gateway.cli.support import Json, open_session
from gateway.worldtree.checking import print_defects, print_found

if TYPE_CHECKING:
    from actors.worldtree.formats.files import Found
    from store.log import EventStore

_FATAL = 10
"""Fatal defects that are printed."""


class TreesBrought(Value, frozen=True, kw_only=True):
    """What the import of trees and samples brought."""

    catalog: CatalogBrought
    files: int
    """That were read."""
    pairs: int
    """Trees that are there in both languages."""
    questions: int
    """Options that can be asked about, samples among them."""
    refused: tuple[str, ...]
    """What a fatal defect kept out."""
    defects: dict[str, int]
    """How many of each grade."""
    kinds: dict[str, int]
    """How many of each kind."""


def add_commands(app: typer.Typer) -> None:
    """Beside the other imports."""
    from gateway.cli.catalogs import imports

    del app
    imports.command("worldtrees")(import_worldtrees)


def import_worldtrees(
    path: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A file of trees or samples, or a folder of such."),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="How plans will call the catalog.")
    ] = "socialeval",
    json: Json = False,
) -> None:
    """Import SocialEval's world trees.

    Takes the published files of one tree each, lists of trees in both languages, and ability
    samples. A tree with a fatal defect is left out and named, the others come in; their defects
    are counted, and `troupe worldtree check` lists each. The same again changes nothing.
    """
    from actors.worldtree.defects import graded
    from gateway.cli.catalog_folders import print_brought

    with open_session() as (_, store):
        found, brought = bring(store, path, name)
    if json:
        print_json(brought)
        return
    print_found(found)
    print_defects(found.defects, shown=0)
    for defect in graded(found.defects, "fatal")[:_FATAL]:
        note(f"[red]left out: {escape(str(defect))}[/]")
    say(f"\n{brought.questions:,} lines can be asked about.")
    print_brought(brought.catalog)
    where, quoted = shlex.quote(str(path)), shlex.quote(name)
    print_next(
        [
            (f"troupe worldtree check {where}", "every defect, and what gives answers away"),
            (f"troupe catalog show tasks -c {quoted}", "what can be walked and asked"),
            ("troupe run PLAN.toml", f'with catalog = "{name}" in the plan'),
        ]
    )


def bring(store: "EventStore", path: Path, name: str) -> "tuple[Found, TreesBrought]":
    """Take in all trees and samples of a path that are none the worse for a fatal defect.

    Raises ``NoTrees``, ``TreesRefused`` where nothing is left, ``BadArgument``, ``OSError``.
    """
    from actors.worldtree.asking import askable
    from actors.worldtree.defects import GRADES, counts, graded
    from actors.worldtree.formats import SOCIALEVAL
    from actors.worldtree.formats.catalogs import TreesRefused, catalog_of
    from actors.worldtree.formats.files import read_path
    from actors.worldtree.setup import NAME
    from gateway.catalog_folders import FolderChecked, keep

    found = read_path(path)
    fatal = graded(found.defects, "fatal")
    if not (found.trees or found.samples):
        raise TreesRefused(path, fatal)
    catalog = catalog_of(found, name)
    kept = keep(store, FolderChecked(path, SOCIALEVAL, NAME, name, catalog, (), ()))
    asked = sum(askable(edge) for tree in found.trees for node in tree.nodes for edge in node.edges)
    return found, TreesBrought(
        catalog=kept,
        files=found.files,
        pairs=len({tree.pair for tree in found.trees if tree.pair}),
        questions=asked + len(found.samples),
        refused=tuple(found.refused),
        defects={grade: len(graded(found.defects, grade)) for grade in GRADES},
        kinds=dict(counts(found.defects)),
    )
