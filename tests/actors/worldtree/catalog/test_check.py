"""What a catalog of trees is told: its trees' defects, and nothing that stops at a broken one."""

import pytest

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.environment import CHOICES, WORLDTREE
from actors.worldtree.setup import Settings
from actors.worldtree.trees.tree import Edge, Line, Tree
from tests.actors.worldtree.example_trees import LAMP, edge, ending, scene, tree

ON = Line(role="Mira", text="On.")
UNSOUND = {
    "no nodes": tree(),
    "no root": tree(scene(3, edge(4, "a")), ending(4, 2)),
    "two of an id": tree(scene(0, edge(1, "a")), scene(1), ending(1, 2)),
    "nowhere": tree(scene(0, edge(9, "a"))),
    "a cycle": tree(scene(0, edge(1, "a")), scene(1, edge(0, "b"))),
    "to itself": tree(scene(0, edge(0, "a"))),
    "a cycle that no path leads to": tree(scene(0), scene(1, edge(2, "a")), scene(2, edge(1, "b"))),
    "an ending that leads on": tree(scene(0, edge(1, "a")), ending(1, 2)),
    "orientation": tree(scene(0, edge(1, "a")), ending(1, 2), orientation="Sloth"),
}


@pytest.mark.parametrize("broken", UNSOUND.values(), ids=UNSOUND)
def test_tasks_and_remarks_of_any_tree_can_be_had(broken: Tree):
    catalog = Catalog(name="c", trees=(broken, LAMP))
    tasks = [task.id for task in WORLDTREE.tasks(catalog)]
    assert tasks.count("walk.lamp-en") == 2
    assert all(remark.place[0] == "tree" for remark in WORLDTREE.authoring.check(catalog))
    assert {entry.id for entry in WORLDTREE.authoring.entries(catalog)} == {"lamp-en"}
    begun = WORLDTREE.begin(catalog, "walk.lamp-en", Settings(), 1).setup
    assert CHOICES.limits.questions(begun, 1) <= (6,)
    assert len(CHOICES.limits.told(begun, 0)) < 100


def test_defects_are_remarks_at_their_node():
    odd = tree(scene(0, Edge(to=4, line=ON, kind="situation")), ending(4, None), id="odd")
    remarks = {
        (one.grade, one.place, one.why.partition(":")[0])
        for one in WORLDTREE.authoring.check(Catalog(name="c", trees=(LAMP, odd)))
        if one.place[1] == 1
    }
    assert remarks == {
        ("warning", ("tree", 1), "the tree"),
        ("warning", ("tree", 1, "nodes", 0), "choices"),
        ("warning", ("tree", 1, "nodes", 1), "goal achievement"),
    }
