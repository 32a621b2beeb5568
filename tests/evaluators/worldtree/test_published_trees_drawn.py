"""The published trees, drawn."""

from xml.etree import ElementTree

from actors.worldtree.formats.files import read_path
from evaluators.worldtree.report.tree_svg import drawn
from tests.properties.published import WORLD_TREES, needs_world_trees

pytestmark = needs_world_trees
_SVG = "{http://www.w3.org/2000/svg}"


def test_every_published_tree_is_drawn_within_its_frame() -> None:
    trees = read_path(WORLD_TREES).trees
    assert len(trees) == 56
    for tree in trees:
        root = ElementTree.fromstring(drawn(tree))
        width = float(root.attrib["viewBox"].split()[2])
        marks = [mark.attrib["transform"] for mark in root.iterfind(f"./{_SVG}g/{_SVG}g/{_SVG}g")]
        assert len(marks) == len(tree.nodes)
        # There is room for words beside the deepest.
        assert max(float(mark[10:].split()[0]) for mark in marks) < width * 0.6
