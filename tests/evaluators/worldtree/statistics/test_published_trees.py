"""What walks of the published trees come to where the first or the last option is always taken, and
what chance comes to."""

from collections import Counter
from functools import cache

import pytest

from actors.worldtree.formats.files import read_path
from actors.worldtree.setup import Choose, Settings
from actors.worldtree.task_setup import walk
from actors.worldtree.trees.tree import Language, Tree
from evaluators.worldtree.statistics.goal_scores import bounds, goal_table
from evaluators.worldtree.statistics.tree_counts import tree_figures
from evaluators.worldtree.values.results import Results, Walked
from tests.evaluators.worldtree.play import play, summary_of
from tests.properties.published import WORLD_TREES, needs_world_trees

pytestmark = needs_world_trees


@cache
def trees() -> dict[str, Tree]:
    return {tree.id: tree for tree in read_path(WORLD_TREES).trees}


def first(_question: Choose, _step: int) -> str:
    return '{"choice": "A"}'


def last(question: Choose, _step: int) -> str:
    return f'{{"choice": "{"ABCDEFGH"[len(question.options) - 1]}"}}'


@pytest.mark.parametrize(
    ("answer", "language", "outcomes", "nowhere"),
    [
        (first, "zh", (2, 6, 18), (1, 1)),
        (first, "en", (3, 4, 18), (2, 1)),
        (last, "zh", (4, 5, 16), (3, 0)),
        (last, "en", (4, 3, 19), (2, 0)),
    ],
)
def test_who_always_takes_the_same_option(answer, language, outcomes, nowhere) -> None:
    """``nowhere``: endings without a goal, and dead ends."""
    once = Settings(shuffles=1)
    ends = [
        summary_of(events) | {"reason": getattr(events[-1], "reason", "")}
        for tree in trees().values()
        if tree.language == language
        for events in [play(walk(tree, once), answer)]
    ]
    counts = Counter(end["outcome"] for end in ends)
    assert tuple(counts[one] for one in ("achieved", "partly", "not")) == outcomes
    unscored = Counter(end["reason"] for end in ends if end["outcome"] == "unscored")
    assert (unscored["ended"], unscored["dead_end"]) == nowhere
    table = goal_table(
        Results(
            trees=trees(),
            samples={},
            minds=("m",),
            walks=tuple(
                Walked(who="m", tree=str(end["tree"]), outcome=end["outcome"], path=())
                for end in ends
            ),
        )
    )
    cell = table.rows[0].cell(language, "overall")
    assert cell is not None
    assert cell.ratio.value == pytest.approx(100 * outcomes[0] / sum(outcomes))


@pytest.mark.parametrize(("language", "percent"), [("zh", 7.66), ("en", 7.36)])
def test_chance_is_exact(language: Language, percent: float) -> None:
    chance, ceiling = bounds(trees())
    cell = chance.cell(language, "overall")
    best = ceiling.cell(language, "overall")
    assert cell is not None
    assert best is not None
    assert cell.ratio.value == pytest.approx(percent, abs=0.005)
    assert cell.trees == 28
    assert best.ratio.value is not None


def test_four_trees_are_beyond_anybody() -> None:
    _, ceiling = bounds(trees())
    reached = sum(
        (cell.ratio.value or 0) * cell.trees / 100
        for cell in ceiling.cells
        if cell.scope == "overall"
    )
    assert round(reached) == 56 - 4


def test_table_one_counts_what_the_trees_hold() -> None:
    overall = [row for row in tree_figures(trees(), ()) if row.scope == "overall"]
    assert [row.trees for row in overall] == [28, 28]
    assert sum(row.successes * row.trees for row in overall) == pytest.approx(77)
