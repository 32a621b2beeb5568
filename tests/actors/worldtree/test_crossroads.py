"""Our own trees are sound, the same in both languages, and give nothing away."""

from collections import Counter

import pytest

from actors.worldtree.catalog.starter import FOLDER, starter_catalog
from actors.worldtree.formats.files import read_path
from actors.worldtree.trees.balance import balance
from actors.worldtree.trees.orientations import BY_NAME
from actors.worldtree.trees.tree import ACHIEVED, NOT, PARTLY, Entrance, Node, Tree

LANGUAGES = ("zh", "en")


def in_language(language: str) -> list[Tree]:
    return [tree for tree in starter_catalog().trees if tree.language == language]


def test_no_file_has_any_defect() -> None:
    found = read_path(FOLDER)
    assert not found.refused
    assert [str(defect) for defect in found.defects] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_orientation_and_asks_about_every_ability(language: str) -> None:
    trees = in_language(language)
    assert {tree.orientation for tree in trees} == set(BY_NAME)
    assert balance(trees).missing == ()


@pytest.mark.parametrize("tree", starter_catalog().trees, ids=lambda tree: tree.id)
def test_every_tree_can_end_in_every_way_and_asks_about_every_option(tree: Tree) -> None:
    goals = Counter(node.goal for node in tree.nodes if node.kind == "ending")
    assert goals.keys() == {ACHIEVED, PARTLY, NOT}
    assert goals.total() >= 6
    assert 12 <= len(tree.nodes) <= 18
    own = balance([tree])
    assert own.questions == sum(len(node.edges) for node in tree.nodes)
    assert own.chance <= 0.25


def test_both_texts_of_a_tree_have_one_shape() -> None:
    pairs = {tree.pair: [] for tree in starter_catalog().trees}  # type: dict[str, list[Tree]]
    for tree in starter_catalog().trees:
        assert tree.title
        pairs[tree.pair].append(tree)
    for first, second in pairs.values():
        assert {first.language, second.language} == set(LANGUAGES)
        names = dict(zip(names_of(first), names_of(second), strict=True))
        assert [shape(node, names) for node in first.nodes] == [
            shape(node, {name: name for name in names.values()}) for node in second.nodes
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_neither_length_nor_place_nor_polarity_leads_to_success(language: str) -> None:
    trees = in_language(language)
    found = balance(trees)
    assert abs(found.longest - 0.25) <= found.off
    assert found.right_length <= 1.3 * found.wrong_length
    assert all(wins <= len(trees) // 3 for wins in found.always.values()), found.always


def names_of(tree: Tree) -> list[str]:
    """Everybody, in the order in which they are introduced; narration has no name."""
    entered = [
        beat.profile for node in tree.nodes for beat in node.dialogue if isinstance(beat, Entrance)
    ]
    everybody = (tree.protagonist, *tree.cast, *entered)
    return ["", *dict.fromkeys(profile.name for profile in everybody)]


def shape(node: Node, names: dict[str, str]) -> object:
    """All of a node but its texts; who speaks, by the other language's name."""
    beats = [
        ("enters", names[beat.profile.name]) if isinstance(beat, Entrance) else names[beat.role]
        for beat in node.dialogue
    ]
    edges = [
        (edge.to, edge.kind, edge.abilities, edge.state, names[edge.line.role])
        for edge in node.edges
    ]
    return node.id, node.kind, node.goal, node.state, beats, edges
