"""``troupe worldtree draw``: a tree as a picture, with the ways that were walked."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from actors.text.amounts import many
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.formats.files import read_path
from actors.worldtree.trees.tree import Tree
from evaluators.registry import near
from evaluators.worldtree.report.edge_counts import flow_of
from evaluators.worldtree.report.tree_svg import TreeMarks, drawn
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, print_plain_json, say
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import load, several
from gateway.worldtree.score_command import results_of_ids
from store.files.atomic_files import atomic_write_text
from store.log.event_store import EventStore

_WHAT = "FILE|[CATALOG:]TREE"
_MOST_NAMED = 12
"""Trees that an error lists."""


def draw(
    what: Annotated[
        str,
        typer.Argument(
            metavar=_WHAT,
            help="A file with trees, or the id of a tree; if several catalogs have it, with the "
            "catalog: `crossroads:ID`.",
        ),
    ],
    run: Annotated[
        list[str] | None,
        typer.Option("--run", "-r", metavar="RUN", help="Show the walks of this run. Repeatable."),
    ] = None,
    mind: Annotated[
        str, typer.Option("--mind", "-m", metavar="NAME", help="Only the walks of this mind.")
    ] = "",
    tree: Annotated[
        str,
        typer.Option(
            "--tree", "-t", metavar="ID", help="The tree to draw, if the file contains several."
        ),
    ] = "",
    ability: Annotated[
        bool, typer.Option("--ability", help="Write the abilities below each line.")
    ] = False,
    polarity: Annotated[
        bool,
        typer.Option(
            "--polarity",
            help="Write below each line whether it is positive, neutral or negative behaviour.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.svg", help="The file to write. Default: ID.svg."),
    ] = None,
    width: Annotated[
        int,
        typer.Option(
            "--width", metavar="PX", min=300, max=4000, help="The width; 400 is legible on a phone."
        ),
    ] = 900,
    json: Json = False,
) -> None:
    """Draw a tree as SVG.

    Endings differ in shape and colour: a tick if the goal is achieved, a diamond if partly, a cross
    if not, a question mark if it is not specified, an exclamation mark for a dead end. With --run,
    the width of an edge shows the share of walks that took it.
    """
    if not run and Path(what).exists():
        found, flow = _of_file(Path(what), tree), None
    else:
        with open_session() as (_, store):
            found = _tree(store, what, tree)
            flow = flow_of(_paths(store, found, run, mind)) if run else None
    if mind and not run:
        raise BadArgument("--mind", mind, "needs --run: a tree alone was walked by nobody")
    text = drawn(
        found, flow, shown=TreeMarks(ability, polarity), name=found.id, alone=True, width=width
    )
    path = out or Path(f"{found.id}.svg")
    atomic_write_text(path, text)
    walks = flow.walks if flow else 0
    if json:
        print_plain_json({"tree": found.id, "walks": walks, "path": str(path)})
    else:
        walked = f", {many(walks, 'walk')}" if flow else ""
        say(f"Drawn: [bold]{escape(str(path))}[/] ({len(found.nodes)} nodes{walked}).")


def _tree(store: EventStore, what: str, id_: str) -> Tree:
    """Raises ``BadArgument``, ``UnknownId``, ``NoTrees``."""
    if Path(what).exists():
        return _of_file(Path(what), id_)
    name, _, of_catalog = what.partition(":")
    if of_catalog:
        return _one_of(load(store, name, Catalog).trees, of_catalog, what)
    catalogs = several(store, None, Catalog)
    having = [one for one in catalogs if what in {tree.id for tree in one.trees}]
    if len(having) > 1:
        named = " or ".join(f"{one.name}:{what}" for one in having)
        raise BadArgument(_WHAT, what, f"is in several catalogs: say {named}")
    trees = having[0].trees if having else [tree for one in catalogs for tree in one.trees]
    return _one_of(trees, what, what, "there is no such file, and no catalog has such a tree")


def _of_file(path: Path, id_: str) -> Tree:
    found = read_path(path)
    if not found.trees:
        why = "; ".join(found.refused and [defect.text for defect in found.defects][:3])
        raise BadArgument(_WHAT, str(path), f"holds no tree that can be drawn{why and f': {why}'}")
    return _one_of(found.trees, id_, str(path))


def _one_of(trees: Sequence[Tree], id_: str, given: str, why: str = "") -> Tree:
    """The tree of this id. ``why``: what to say where there is none."""
    if len(trees) == 1 and not id_:
        return trees[0]
    for tree in trees:
        if tree.id == id_:
            return tree
    named = ", ".join(tree.id for tree in trees[:_MOST_NAMED]) + ", …" * (len(trees) > _MOST_NAMED)
    if not id_:
        raise BadArgument(_WHAT, given, f"holds several trees: say which with --tree ({named})")
    meant = near(id_, [tree.id for tree in trees])
    hint = f"did you mean {meant!r}? " if meant else ""
    raise BadArgument(_WHAT, given, f"{why or f'has no tree {id_!r}'}; {hint}There are {named}")


def _paths(store: EventStore, tree: Tree, runs: Sequence[str], mind: str) -> list[tuple[int, ...]]:
    """The walks of runs through a tree. Raises ``BadArgument`` where they cannot have been."""
    results = results_of_ids(store, runs)
    if mind and mind not in results.minds:
        raise BadArgument("--mind", mind, f"no mind of theirs: {', '.join(results.minds)}")
    walks = [walk for walk in results.walks if walk.tree == tree.id]
    if not walks:
        walked = sorted({walk.tree for walk in results.walks})
        named = ", ".join(walked[:_MOST_NAMED]) + ", …" * (len(walked) > _MOST_NAMED)
        why = f"no walk of {tree.id} is in it; it has walks of {named or 'no tree'}"
        raise BadArgument("--run", " ".join(runs), why)
    edges = {(node.id, edge.to) for node in tree.nodes for edge in node.edges}
    paths = [walk.path for walk in walks if mind in ("", walk.who)]
    if any(step not in edges for path in paths for step in pairwise(path)):
        why = f"it walked another edition of {tree.id}, whose nodes are not those of this one"
        raise BadArgument("--run", " ".join(runs), why)
    return paths
