"""Table 2: goal ratios from what came of walks."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.worldtree.setup import Outcome
from actors.worldtree.trees.chance_level import chance
from actors.worldtree.trees.orientations import BY_NAME, ORIENTATIONS
from evaluators.worldtree.statistics.goal_scores import cells_of, goal_table, over_trees
from evaluators.worldtree.values.goal_values import GoalCell, GoalRow, Outcomes
from evaluators.worldtree.values.results import Results, Walked
from tests.evaluators.worldtree.made_up import by_id, graph, tree, walks

WEIGHTS = dict(zip(BY_NAME, (25, 29, 26, 26, 27, 10, 9), strict=True))
"""Trees of each orientation as Table 2's averages weigh them."""


def row_of(results: Results, who: str) -> GoalRow:
    return next(row for row in goal_table(results).rows if row.who == who)


def cell_of(row: GoalRow, scope: str = "overall") -> GoalCell:
    found = row.cell("zh", scope)
    assert found is not None
    return found


def test_an_undecided_walk_counts_in_the_goal_ratio_and_not_in_the_published_one() -> None:
    played = walks("m", "a", ["achieved", "partly", "not", "undecided", "unscored"])
    cell = cell_of(
        row_of(Results(trees=by_id(tree("a")), samples={}, walks=(*played,), minds=("m",)), "m")
    )
    assert cell.ratio.value == pytest.approx(25)
    assert cell.published == pytest.approx(100 / 3)
    assert cell.outcomes == Outcomes(achieved=1, partly=1, not_achieved=1, unscored=1, undecided=1)
    assert (cell.outcomes.counted, cell.outcomes.decided, cell.outcomes.walks) == (4, 3, 5)


def test_trees_weigh_the_same_however_often_they_were_walked() -> None:
    often = walks("m", "often", ["achieved"] * 9)
    once = walks("m", "once", ["not"])
    trees = by_id(tree("often"), tree("once"))
    cell = cell_of(
        row_of(Results(trees=trees, samples={}, walks=(*often, *once), minds=("m",)), "m")
    )
    assert cell.ratio.value == pytest.approx(50)
    assert cell.script == pytest.approx(90)


def test_a_tree_that_scores_no_walk_has_no_weight() -> None:
    played = (*walks("m", "a", ["achieved"]), *walks("m", "b", ["unscored"]))
    results = Results(trees=by_id(tree("a"), tree("b")), samples={}, walks=played, minds=("m",))
    cell = cell_of(row_of(results, "m"))
    assert (cell.ratio.value, cell.ratio.clusters, cell.trees) == (100, 1, 2)


def test_averages_weigh_orientations_by_their_trees_and_the_scripts_does_not() -> None:
    """152 trees as Table 2's averages weigh them; in each orientation some succeed."""
    wins = dict(zip(BY_NAME, (13, 10, 17, 17, 9, 2, 3), strict=True))
    trees = by_id(
        *(tree(f"{name}-{n}", "zh", name) for name, count in WEIGHTS.items() for n in range(count))
    )
    played = tuple(
        Walked(
            who="m",
            tree=id_,
            outcome="achieved" if int(id_.rpartition("-")[2]) < wins[one.orientation] else "not",
            path=(0,),
        )
        for id_, one in trees.items()
    )
    row = row_of(Results(trees=trees, samples={}, walks=played, minds=("m",)), "m")
    values = {one.name: cell_of(row, one.name).ratio.value or 0 for one in ORIENTATIONS}
    for scope in ("prosocial", "proself", "antisocial", "overall"):
        of = [one.name for one in ORIENTATIONS if scope in (one.group, "overall")]
        weighted = sum(values[n] * WEIGHTS[n] for n in of) / sum(WEIGHTS[n] for n in of)
        assert cell_of(row, scope).ratio.value == pytest.approx(weighted)
        assert cell_of(row, scope).script == pytest.approx(sum(values[n] for n in of) / len(of))


def test_the_papers_overall_figure_follows_from_its_groups_by_numbers_of_trees() -> None:
    """o1, Chinese: Table 2 prints 54.26 (prosocial), 27.53 (antisocial) and 47.04; the proself
    figure is known to one decimal, 32.5. With Table 1's ten trees of Conflict, not nine, it would
    be 46.93; as the plain mean of the groups 38.1."""
    percent = {"prosocial": 54.26, "proself": 32.5, "antisocial": 27.53}
    trees = by_id(
        *(
            tree(f"{one.name}-{number}", orientation=one.name)
            for one in ORIENTATIONS
            for number in range(WEIGHTS[one.name])
        )
    )
    walked = {
        id_: Outcomes(achieved=achieved, not_achieved=10_000 - achieved)
        for id_, one in trees.items()
        for achieved in [round(100 * percent[BY_NAME[one.orientation].group])]
    }
    found = {cell.scope: cell.ratio.value for cell in cells_of(walked, trees)}
    assert found["prosocial"] == pytest.approx(54.26)
    assert found["antisocial"] == pytest.approx(27.53)
    assert found["overall"] == pytest.approx(47.04, abs=0.05 * 27 / 152 + 0.01)


def test_chance_is_exact_and_the_ceiling_says_where_success_can_be_reached() -> None:
    lost, deep = tree("lost", goals=(1, 0)), graph("deep", {0: (1, 2), 1: (3, 4)}, (0, 2, None))
    assert [node.goal for node in deep.nodes if node.kind == "ending"] == [0, 2, None]
    played = (*walks("m", "lost", ["not"]), *walks("m", "deep", ["not"]))
    results = Results(trees=by_id(lost, deep, tree("unwalked")), samples={}, walks=played)
    assert cell_of(row_of(results, "chance")).ratio.value == pytest.approx(100 * (0 + 1 / 4) / 2)
    assert cell_of(row_of(results, "chance")).published == pytest.approx(100 * (0 + 1 / 3) / 2)
    assert cell_of(row_of(results, "ceiling")).ratio.value == 50


def test_chance_of_three_votes_may_find_no_majority() -> None:
    """Of three options one is taken with 7/27, and with 6/27 none is."""
    three = tree("three", goals=(2, 1, 0))
    played = tuple(walks("m", "three", ["not"]))
    results = Results(trees=by_id(three), samples={}, walks=played, votes=(3,))
    cell = cell_of(row_of(results, "chance"))
    assert cell.ratio.value == pytest.approx(100 * 7 / 27)
    assert cell.published == pytest.approx(100 / 3)
    assert chance(three, 3).undecided == pytest.approx(6 / 27)


def test_people_are_averaged_and_the_best_is_a_composite_of_cells() -> None:
    trees = by_id(tree("a"), tree("b", orientation="Conflict"))
    played = (
        *walks("p1", "a", ["achieved"]),
        *walks("p1", "b", ["not"]),
        *walks("p2", "a", ["not"]),
        *walks("p2", "b", ["achieved", "not"]),
        *walks("m", "a", ["not"]),
    )
    results = Results(trees=trees, samples={}, walks=played, minds=("m",), people=("p1", "p2"))
    average, best, single, mind, *_ = goal_table(results).rows
    assert [row.kind for row in (average, best, single, mind)] == [
        "average",
        "best",
        "person",
        "mind",
    ]
    assert cell_of(average).ratio.value == pytest.approx((50 + 25) / 2)
    assert cell_of(best).ratio.value == pytest.approx((100 + 50) / 2)
    assert (single.who, cell_of(single).ratio.value) == ("p1", 50)


def test_a_mind_whose_walks_have_not_ended_has_a_row_without_cells() -> None:
    table = goal_table(Results(trees={}, samples={}, minds=("m",)))
    assert [(row.who, row.cells) for row in table.rows] == [("m", ())]


def test_an_interval_is_that_of_drawing_trees() -> None:
    """Ten successes of twenty trees: the binomial's quantiles at 2.5 and 97.5 % are 6 and 14."""
    found = over_trees([0.0] * 10 + [100.0] * 10)
    assert (found.value, found.low, found.high, found.clusters) == (50, 30, 70, 20)
    few = over_trees([0.0, 100.0])
    assert (few.value, few.low) == (50, None)
    assert "2 trees" in few.why


@given(st.lists(st.sampled_from((0.0, 50.0, 100.0)), max_size=30))
def test_an_interval_lies_around_its_mean_or_the_reason_stands_beside(ratios: list[float]) -> None:
    found = over_trees(ratios)
    if found.low is None or found.high is None:
        assert found.why
    else:
        assert found.value is not None
        assert 0 <= found.low <= found.value <= found.high <= 100
        assert found == over_trees(ratios), "the draws are seeded"


FOREST = by_id(
    *(tree(f"{one.name}-{n}", orientation=one.name) for one in ORIENTATIONS for n in (1, 2))
)
OUTCOMES: tuple[Outcome, ...] = ("achieved", "partly", "not", "unscored", "undecided")
WALKS = st.lists(
    st.builds(
        Walked,
        who=st.just("m"),
        tree=st.sampled_from(sorted(FOREST)),
        outcome=st.sampled_from(OUTCOMES),
        path=st.just((0,)),
    ),
    max_size=40,
)


@settings(deadline=None)
@given(WALKS, st.randoms())
def test_every_walk_counts_once_and_leaving_failures_out_never_lowers_a_ratio(
    played: list[Walked], chance: Random
) -> None:
    results = Results(trees=FOREST, samples={}, walks=tuple(played), minds=("m",))
    row = row_of(results, "m")
    by_scope = {cell.scope: cell for cell in row.cells}
    parts = [cell.outcomes.walks for scope, cell in by_scope.items() if scope in BY_NAME]
    assert sum(parts) == len(played)
    for cell in row.cells:
        if cell.published is not None and cell.ratio.value is not None:
            assert cell.published >= cell.ratio.value - 1e-9
    chance.shuffle(played)
    assert row_of(replace(results, walks=tuple(played)), "m") == row
