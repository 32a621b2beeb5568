"""What is odd about a catalog of trees, beyond walks and inquiries that cannot begin."""

from collections.abc import Iterator
from typing import Final

from actors.episodes.catalogs.entries import Grade, Remark
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup_faults import tree_fault
from actors.worldtree.trees.defects import tree_defects

_GRADES: Final[dict[str, Grade]] = {"tree": "warning", "question": "warning", "small": "note"}


def check(catalog: Catalog) -> Iterator[Remark]:
    """The defects of its trees, in their order."""
    for number, tree in enumerate(catalog.trees):
        if tree_fault(tree) is not None:
            continue  # which its walk says
        places = {node.id: place for place, node in enumerate(tree.nodes)}
        for defect in tree_defects(tree):
            node = () if defect.node is None else ("nodes", places[defect.node])
            where = defect.field.rpartition(".")[2] or "the tree"
            why = f"{where}: {defect.text}"
            yield Remark(_GRADES[defect.grade], ("tree", number, *node), why)
