"""The polarity of people's and models' choices."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.worldtree.setup import Outcome
from actors.worldtree.trees.tree import State
from evaluators.worldtree.statistics.polarity_scores import polarity_findings
from evaluators.worldtree.values.polarity_values import Polarities, PolarityFindings
from evaluators.worldtree.values.results import Results, Walked
from tests.evaluators.worldtree.made_up import by_id, graph

FORK = graph(
    "fork",
    {0: (1, 2, 3), 1: (4, 5)},
    (0, 0, 2, 0),
    polarities={(0, 1): -1, (0, 2): 1, (0, 3): -1, (1, 4): 0},
)
"""The only success is node 4, by a negative and a neutral line; 1 to 5 has no triple."""
GOALS = {2: "not", 3: "not", 4: "achieved", 5: "not"}


def walked(who: str, *path: int) -> Walked:
    outcome: Outcome = "achieved" if path[-1] == 4 else "not"
    return Walked(who=who, tree="fork", outcome=outcome, path=path)


def findings(*walks: Walked, people: tuple[str, ...] = ("p",)) -> PolarityFindings:
    return polarity_findings(
        Results(trees=by_id(FORK), samples={}, walks=walks, minds=("m",), people=people)
    )


def test_choices_are_counted_over_all_walks() -> None:
    found = findings(walked("m", 0, 2), walked("m", 0, 1, 5), walked("p", 0, 1, 4)).all_trees
    assert [(row.who, row.choices) for row in found] == [
        ("people", Polarities(negative=1, neutral=1)),
        ("m", Polarities(positive=1, negative=1, unknown=1)),
    ]


def test_where_people_succeed_and_a_model_does_not_their_choices_are_set_side_by_side() -> None:
    found = findings(
        walked("m", 0, 2), walked("m", 0, 3), walked("m", 0, 1, 5), walked("p", 0, 1, 4)
    )
    (one,) = found.differing
    assert (one.trees, one.walks) == (1, 3)
    assert (one.people, one.model) == (Polarities(negative=1), Polarities(positive=1))
    assert (one.alike, one.unknown) == (1, 1)
    counts = {(one.people, one.model): one.count for one in found.combinations}
    assert len(counts) == 9
    assert counts == dict.fromkeys(counts, 0) | {(-1, 1): 1}
    assert not found.missing


def test_participants_who_went_the_same_way_are_compared_with_once() -> None:
    found = findings(
        walked("m", 0, 2), walked("p", 0, 1, 4), walked("q", 0, 1, 4), people=("p", "q")
    )
    assert found.differing[0].people == Polarities(negative=1)


def test_a_tree_with_two_successes_is_not_compared() -> None:
    twice = graph("fork", {0: (1, 2, 4)}, (2, 0, 2), polarities={(0, 2): 1, (0, 4): -1})
    results = Results(
        trees=by_id(twice),
        samples={},
        walks=(walked("m", 0, 2), walked("p", 0, 4)),
        minds=("m",),
        people=("p",),
    )
    assert "one ending alone" in polarity_findings(results).missing


def test_a_walk_that_came_to_nothing_missed_nothing() -> None:
    failed = Walked(who="m", tree="fork", outcome="undecided", path=(0, 2))
    assert not findings(failed, walked("p", 0, 1, 4)).differing


def test_of_lines_to_the_same_node_that_differ_in_polarity_it_is_not_known_which_was_said() -> None:
    root, *others = FORK.nodes
    positive = replace(root.edges[0], state=State(self_interest=0, altruism=0, polarity=1))
    twice = replace(FORK, nodes=(replace(root, edges=(*root.edges, positive)), *others))
    results = Results(trees=by_id(twice), samples={}, walks=(walked("m", 0, 1),), minds=("m",))
    assert polarity_findings(results).all_trees[0].choices == Polarities(unknown=1)


def test_what_is_missing_is_said() -> None:
    assert "no walks of people" in findings(walked("m", 0, 2), people=()).missing
    assert "No model missed" in findings(walked("m", 0, 1, 4), walked("p", 0, 1, 4)).missing


@given(st.lists(st.sampled_from([(0, 2), (0, 3), (0, 1, 5), (0, 1, 4)]), max_size=8))
def test_combinations_add_up_to_both_distributions(paths: list[tuple[int, ...]]) -> None:
    found = findings(*(walked("m", *path) for path in paths), walked("p", 0, 1, 4))
    for one in found.differing:
        pairs = [pair for pair in found.combinations if pair.who == one.who]
        assert sum(pair.count for pair in pairs) == one.people.known == one.model.known
        positive = sum(pair.count for pair in pairs if pair.model == 1)
        assert positive == one.model.positive
        assert all(pair.count == 0 for pair in pairs if pair.people == pair.model)
