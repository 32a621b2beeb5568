"""Trees and samples brought in from files."""

from pathlib import Path

from actors.worldtree.formats import SOCIALEVAL
from actors.worldtree.formats.catalogs import TreesRefused, catalog_of
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.formats.tree_names import pairs_in
from actors.worldtree.setup import NAME
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.defects import GRADES, counts, graded
from events.base import Value
from gateway.services.catalogs.catalog_folders import CatalogBrought, FolderChecked, keep
from store.log.event_store import EventStore


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
