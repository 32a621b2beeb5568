"""``troupe import worldtrees``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from actors.text.amounts import many
from actors.worldtree.formats import SOCIALEVAL
from actors.worldtree.formats.catalogs import TreesRefused, catalog_of
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.formats.tree_names import pairs_in
from actors.worldtree.setup import NAME
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.defects import GRADES, counts, graded
from events.base import Value
from gateway.cli.commands.look.catalog_folders import print_brought
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_next,
    print_result,
    say,
)
from gateway.services.catalogs.catalog_folders import CatalogBrought, FolderChecked, keep
from gateway.worldtree.check_command import print_defects, print_found
from store.log.event_store import EventStore

_FATAL = 10
"""Fatal defects that are printed."""


def import_worldtrees(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A file of trees or samples, or a folder of such files."
        ),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name of the catalog in plans.")
    ] = "socialeval",
    json: Json = False,
) -> None:
    """Import SocialEval's world trees.

    Reads the published files of one tree each, lists of trees in both languages, and ability
    samples. Trees with a fatal defect are listed and not imported. Defects of the others are
    counted; `troupe worldtree check` lists them. Importing the same files again changes nothing.
    """
    with open_session() as (_, store):
        found, brought = bring(store, path, name)
    if print_result(brought, json=json):
        return
    print_found(found)
    print_defects(found.defects, shown=0)
    for defect in graded(found.defects, "fatal")[:_FATAL]:
        note(f"[red]left out: {escape(str(defect))}[/]")
    say(f"\n{many(brought.questions, 'line')} can be asked about.")
    print_brought(brought.catalog)
    where, quoted = shlex.quote(str(path)), shlex.quote(name)
    plan = "examples/socialeval.toml" if name == "socialeval" else "examples/crossroads.toml"
    drawn = [
        (f"troupe worldtree draw {quoted}:{tree.id}", "one of them, as a picture")
        for tree in found.trees[:1]
    ]
    print_next(
        [
            (f"troupe worldtree check {where}", "list all defects, and what gives answers away"),
            (f"troupe catalog show trees -c {quoted}", "their ids, and what protagonists want"),
            *drawn,
            (
                f"troupe run {plan} --dry-run",
                f'what that plan means; yours is a copy of it with catalog = "{name}"',
            ),
        ]
    )


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


def bring(store: EventStore, path: Path, name: str) -> tuple[FoundTrees, TreesBrought]:
    """Take in all trees and samples of a path that are none the worse for a fatal defect.

    Raises ``NoTrees``, ``TreesRefused`` where nothing is left, ``BadArgument``, ``OSError``.
    """
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
        pairs=pairs_in(found.trees),
        questions=asked + len(found.samples),
        refused=tuple(found.refused),
        defects={grade: len(graded(found.defects, grade)) for grade in GRADES},
        kinds=dict(counts(found.defects)),
    )
