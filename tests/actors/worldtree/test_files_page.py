"""What docs/reference/worldtree-files.md shows is so."""

import re
from pathlib import Path

from actors.worldtree.trees.abilities import ASPECTS
from tests.actors.worldtree.plain import read

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "worldtree-files.md"


def test_its_small_tree_has_no_defect_and_a_question(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8").partition("### A small tree")[2]
    (shown,) = re.findall(r"```json\n(.*?)```", text.partition("\n## ")[0], re.DOTALL)
    found = read(tmp_path, shown, "kettle-en.json")
    assert [str(defect) for defect in found.defects] == []
    (tree,) = found.trees
    assert tree.id == "kettle-en"
    assert [edge.question is not None for edge in tree.nodes[0].edges] == [True, False]


def test_it_lists_the_abilities_by_aspect() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for aspect, abilities in ASPECTS.items():
        assert f"| {aspect} | {' · '.join(abilities)} |" in page
