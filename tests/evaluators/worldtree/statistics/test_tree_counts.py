"""Table 1 and Figure 2: what trees hold."""

import msgspec

from actors.worldtree.trees.tree import Entrance, Profile
from evaluators.worldtree.statistics.tree_counts import (
    MOST_WAYS,
    ability_counts,
    counts_of,
    tree_figures,
)
from tests.evaluators.worldtree.made_up import by_id, graph, sample, tree


def test_a_tree_whose_ways_meet_again_counts_every_way() -> None:
    shape = graph("t", {0: (1, 2), 1: (3,), 2: (3, 4), 3: (5, 6)}, (2, 0, 2))
    found = counts_of(shape)
    assert (found.plot_lines, found.episodes, found.successes) == (5, 4, 2)
    assert found.candidates == 7 / 4
    assert found.interactions == 4 + 7


def test_ways_that_double_with_each_node_are_counted_up_to_a_bound() -> None:
    shape = graph("t", {id_: (id_ + 1, id_ + 1) for id_ in range(1_100)}, (2,))
    (row, *_) = tree_figures({"t": shape}, ())
    assert (row.plot_lines, row.episodes) == (MOST_WAYS, 1_101)


def test_what_stands_behind_an_ending_is_no_way() -> None:
    shape = graph("t", {0: (1, 2)}, (2, 0))
    root, first, second = shape.nodes
    behind = msgspec.structs.replace(first, edges=root.edges[1:])
    found = counts_of(msgspec.structs.replace(shape, nodes=(root, behind, second)))
    assert (found.plot_lines, found.episodes, found.candidates) == (2, 2, 2)


def test_who_enters_twice_is_one_character() -> None:
    enters = Entrance(profile=Profile(name="Bo"))
    plain = tree("t")
    root = msgspec.structs.replace(plain.nodes[0], dialogue=(enters, enters))
    found = counts_of(msgspec.structs.replace(plain, nodes=(root, *plain.nodes[1:])))
    assert found.characters == 2


def test_rows_are_means_over_trees_by_language_and_scope() -> None:
    trees = by_id(tree("a", goals=(2,)), tree("b", goals=(0, 0, 0)), tree("e", "en", "Conflict"))
    rows = tree_figures(trees, [sample("s")])
    assert [(row.language, row.scope) for row in rows] == [
        ("zh", "Cooperation"),
        ("zh", "prosocial"),
        ("zh", "overall"),
        ("en", "Conflict"),
        ("en", "antisocial"),
        ("en", "overall"),
    ]
    assert (rows[0].trees, rows[0].plot_lines, rows[0].successes) == (2, 2, 0.5)


def test_each_ability_has_a_slice_asked_or_not() -> None:
    counts = ability_counts([sample("s", "Time Management", "Leadership Skill")])
    assert len(counts) == 32
    assert sum(one.labels for one in counts) == 2
