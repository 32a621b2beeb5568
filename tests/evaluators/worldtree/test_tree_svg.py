"""Trees drawn: where nodes stand, and what stands in the SVG."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.worldtree.trees.tree import Edge, Line, Node, Profile, State, Tree
from evaluators.worldtree.report.edge_counts import flow_of
from evaluators.worldtree.report.tree_layout import layout_of
from evaluators.worldtree.report.tree_svg import TreeMarks, drawn

_SVG = "{http://www.w3.org/2000/svg}"


def _tree(*shape: tuple[int, list[int], int | None], text: str = "line") -> Tree:
    """Of nodes with their targets and goals."""
    return Tree(
        id="t-en",
        language="en",
        orientation="Cooperation",
        protagonist=Profile(name=text, goal=text),
        scenario=text,
        nodes=tuple(
            Node(
                id=id_,
                kind="ending" if not to and goal != 9 else "choice" if id_ else "beginning",
                goal=goal,
                dialogue=(Line(text=text),),
                edges=tuple(
                    Edge(
                        to=target,
                        line=Line(text=text),
                        abilities=("Creative Skill",),
                        state=State(self_interest=0, altruism=0, polarity=-1),
                    )
                    for target in to
                ),
            )
            for id_, to, goal in shape
        ),
    )


_SMALL = _tree((0, [1, 2], None), (1, [3, 4], None), (2, [], 0), (3, [], 2), (4, [], 1))


@st.composite
def _graphs(draw: st.DrawFn) -> Tree:
    """Without a cycle; a node may have several parents, or none."""
    size = draw(st.integers(1, 14))
    return _tree(
        *(
            (
                at,
                draw(st.lists(st.integers(at + 1, size - 1), max_size=4)) if at + 1 < size else [],
                draw(st.sampled_from((0, 1, 2, None))),
            )
            for at in range(size)
        )
    )


@given(_graphs())
def test_every_node_has_a_row_of_its_own_and_every_edge_leads_to_the_right(tree: Tree) -> None:
    layout = layout_of(tree)
    places = layout.places
    assert sorted(place.row for place in places.values()) == list(range(len(tree.nodes)))
    edges = {(node.id, edge.to) for node in tree.nodes for edge in node.edges}
    links = [*layout.trunk, *layout.others]
    assert sorted((link.start, link.to) for link in links) == sorted(edges)
    assert all(places[start].column < places[to].column for start, to in edges)
    reached = [link.to for link in layout.trunk]
    assert len(reached) == len(set(reached)) == len({to for _, to in edges})


def test_a_node_stands_between_its_subtrees() -> None:
    rows = {node: place.row for node, place in layout_of(_SMALL).places.items()}
    assert rows == {3: 0, 1: 1, 4: 2, 0: 3, 2: 4}


def test_edges_are_as_wide_as_the_walks_that_took_them() -> None:
    flow = flow_of([(0, 1, 3), (0, 1, 3), (0, 1), (0, 2)])
    assert (flow.through[0, 1], flow.at[1], flow.last[1], flow.last[3]) == (3, 3, 1, 2)
    text = drawn(_SMALL, flow)
    widths = [float(width) for width in re.findall(r'class="flow" stroke-width="([\d.]+)"', text)]
    assert widths == pytest.approx([9, 3, 6])
    assert text.count('class="never"') == 1
    assert "4 walks: 2 goal achieved, 1 not achieved, 1 stopped on the way" in text


def test_each_outcome_has_a_shape_and_a_word() -> None:
    tree = _tree(
        (0, [1, 2, 3, 4, 5], None), (1, [], 2), (2, [], 1), (3, [], 0), (4, [], None), (5, [], 9)
    )
    root = ElementTree.fromstring(drawn(tree))
    tips = [tip.text or "" for tip in root.iterfind(f".//{_SVG}g/{_SVG}title")]
    words = [tip.split("\n")[0] for tip in tips]
    assert words == [
        "Node 0", "Node 1: goal achieved", "Node 2: partly", "Node 3: not achieved",
        "Node 4: no goal given", "Node 5: dead end",
    ]  # fmt: skip
    marks = [
        ElementTree.tostring(mark)
        for mark in root.iterfind(f".//{_SVG}g/{_SVG}g")
        if "transform" in mark.attrib
    ]
    assert len({re.sub(rb'transform="[^"]*"', b"", mark) for mark in marks}) == 6


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(
    "hostile", ["</svg><script>alert(1)</script>", 'a"&<b>\x00\x1b\ufffe', "长" * 900]
)
def test_no_text_of_a_tree_becomes_markup(hostile: str, alone: bool) -> None:
    tree = _tree((0, [1], None), (1, [], 2), text=hostile)
    text = drawn(tree, flow_of([(0, 1)]), shown=TreeMarks(True, True), alone=alone)
    root = ElementTree.fromstring(text)
    assert not root.findall(f".//{_SVG}script")
    assert {child.tag for child in root.iter()} <= {
        f"{_SVG}{tag}"
        for tag in ("svg", "title", "desc", "style", "rect", "g", "path", "circle", "text", "tspan")
    }
    assert text == drawn(tree, flow_of([(0, 1)]), shown=TreeMarks(True, True), alone=alone)


def test_ability_and_polarity_are_there_on_request() -> None:
    assert "Creative Skill" not in drawn(_SMALL)
    assert "− negative" in (text := drawn(_SMALL, shown=TreeMarks(ability=True, polarity=True)))
    assert "Creative Skill" in text
