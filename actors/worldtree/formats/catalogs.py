"""Catalogs of world trees from folders of published files, and as such folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from actors.episodes.formats import PublishedCatalog, WrittenCatalog
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.formats.sample_writer import samples_text
from actors.worldtree.formats.tree_writer import tree_text
from actors.worldtree.trees.defects import GRADES, Defect, graded
from events import environments
from events.untrusted.safe_text import shortened
from store.files.atomic_files import atomic_write_text

SAMPLES: Final = "samples.json"
"""The file of samples that come without a tree."""


class TreesRefused(ValueError):
    """Files that are no catalog, for some of what is in them is no tree. Nothing was kept."""

    def __init__(self, path: Path, defects: Sequence[Defect]) -> None:
        self.rows = tuple(map(str, defects)) or (f"{path.name}: holds no tree and no sample",)
        more = f"; and {len(self.rows) - 1} more" if len(self.rows) > 1 else ""
        super().__init__(self.rows[0] + more)


def read_catalog(folder: Path, name: str) -> PublishedCatalog:
    """All trees and samples of a folder, or none. Raises ``TreesRefused``, ``OSError``."""
    found = read_path(folder)
    fatal = graded(found.defects, "fatal")
    if fatal or not (found.trees or found.samples):
        raise TreesRefused(folder, fatal)
    worst_first = [defect for grade in GRADES for defect in graded(found.defects, grade)]
    return PublishedCatalog(catalog_of(found, name), tuple(map(str, worst_first)))


def catalog_of(found: FoundTrees, name: str) -> Catalog:
    """What was found, as a catalog."""
    return Catalog(name=name, trees=tuple(found.trees), samples=tuple(found.samples))


def write_catalog(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    """Write a file for each tree, and one for all samples without a tree, into a folder that holds
    no other ``.json`` files. Raises ``ValueError``, ``OSError``."""
    if not isinstance(catalog, Catalog):
        raise ValueError(f"catalog {catalog.name!r} is of another environment")  # noqa: TRY004
    texts = {f"{tree.id}.json": tree_text(tree) for tree in catalog.trees}
    if catalog.samples:
        texts[SAMPLES] = samples_text(catalog.samples)
    if others := sorted({path.name for path in folder.glob("*.json")} - texts.keys()):
        # They would come in with the catalog.
        some = f"{others[0]} and {len(others) - 1} more" if len(others) > 1 else others[0]
        raise ValueError(f"{folder} holds {shortened(some)} already; give a folder without")
    for file, text in texts.items():
        atomic_write_text(folder / file, text)
    return WrittenCatalog(tuple(texts))
