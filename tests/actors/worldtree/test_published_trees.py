"""The 56 published trees at hand, counted."""

from collections import Counter

import pytest

from actors.worldtree.formats.fields import FieldReader
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.formats.tree_reader import read_tree
from actors.worldtree.formats.tree_writer import written
from actors.worldtree.trees.ability_labels import resolve, second_piece
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.balance import balance
from actors.worldtree.trees.chance_level import can_succeed, chance, end_of
from actors.worldtree.trees.defects import counts, graded, question_faults
from actors.worldtree.trees.tree import Edge, Node, Tree
from tests.properties.published import WORLD_TREES, needs_world_trees

pytestmark = needs_world_trees


@pytest.fixture(scope="module")
def found() -> FoundTrees:
    return read_path(WORLD_TREES)


@pytest.fixture(scope="module")
def nodes(found: FoundTrees) -> list[Node]:
    return [node for tree in found.trees for node in tree.nodes]


@pytest.fixture(scope="module")
def edges(nodes: list[Node]) -> list[Edge]:
    return [edge for node in nodes for edge in node.edges]


def test_all_are_read_and_none_is_refused(found: FoundTrees, nodes: list[Node], edges: list[Edge]):
    assert (found.files, len(found.trees), found.forms, found.refused) == (56, 56, {"tree"}, [])
    kinds = Counter(node.kind for node in nodes)
    assert kinds == {"beginning": 56, "choice": 404, "ending": 532}
    assert Counter(edge.kind for edge in edges) == {"skill": 916, "situation": 20}
    goals = Counter(node.goal for node in nodes if node.kind == "ending")
    assert goals == {2: 77, 1: 108, 0: 306, None: 41}
    assert not graded(found.defects, "fatal")
    assert len({tree.id for tree in found.trees}) == 56


def test_their_defects_are_counted(found: FoundTrees, edges: list[Edge]):
    kinds = counts(found.defects)
    assert (kinds["no_goal"], kinds["dead_end"], kinds["no_success"]) == (41, 4, 4)
    assert (kinds["distractors"], kinds["malformed_triple"], kinds["tells_state"]) == (2, 27, 26)
    asked = [edge.question.distractors for edge in edges if edge.question]
    assert sum(len(lines) == 3 and not any(line.text for line in lines) for lines in asked) == 2
    places = [defect for defect in found.defects if not (defect.file and defect.text)]
    assert places == []


def test_labels_resolve_by_the_rules(edges: list[Edge]):
    rules = Counter(
        resolve(label, second_piece(edge.question)).rule for edge in edges for label in edge.labels
    )
    assert rules == {
        "letters": 867,
        "joined": 44,
        "prefix": 6,
        "distance": 4,
        "alias": 3,
        "unresolved": 5,
    }


def test_902_lines_can_be_asked_about(found: FoundTrees, edges: list[Edge]):
    languages = Counter(
        tree.language
        for tree in found.trees
        for node in tree.nodes
        for edge in node.edges
        if askable(edge)
    )
    assert languages == {"zh": 438, "en": 464}
    skills = [edge for edge in edges if edge.kind == "skill"]
    faults = [[fault.kind for fault in question_faults(edge)] for edge in skills]
    assert faults.count(["no_ability"]) == 10
    assert all(found for edge, found in zip(skills, faults, strict=True) if not askable(edge))
    assert not [edge for edge in edges if edge.question and "#" in edge.question.text]


def test_pairs_are_found_by_shape(found: FoundTrees):
    pairs = Counter(tree.pair for tree in found.trees if tree.pair)
    assert sorted(pairs.values()) == [2, 2, 2, 2]


def test_what_understands_nothing_gets_as_far_as_published(found: FoundTrees):
    def outcomes(language: str, place: int) -> Counter[int | str | None]:
        ends = [end_of(tree, lambda _: place) for tree in of(found, language)]
        return Counter("dead end" if end.kind != "ending" else end.goal for end in ends)

    assert outcomes("zh", 0) == {2: 2, 1: 6, 0: 18, None: 1, "dead end": 1}
    assert outcomes("en", 0) == {2: 3, 1: 4, 0: 18, None: 2, "dead end": 1}
    assert outcomes("zh", -1) == {2: 4, 1: 5, 0: 16, None: 3}
    assert outcomes("en", -1) == {2: 4, 1: 3, 0: 19, None: 2}
    shares = [
        sum(chance(tree).achieved for tree in of(found, language)) / 28 for language in ("zh", "en")
    ]
    assert [round(100 * share, 2) for share in shares] == [7.66, 7.36]
    assert sum(map(can_succeed, found.trees)) == 52
    measured = balance(found.trees)
    assert (measured.always["first option"], measured.always["last option"]) == (5, 8)
    assert measured.missing == ()


def test_what_is_written_is_read_again(found: FoundTrees):
    for tree in found.trees:
        reader = FieldReader("another.json")
        assert read_tree(written(tree), reader, "another") == tree
        assert {defect.kind for defect in reader.finished()} <= {"several_questions"}


def of(found: FoundTrees, language: str) -> list[Tree]:
    return [tree for tree in found.trees if tree.language == language]
