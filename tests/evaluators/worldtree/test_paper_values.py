"""The paper's own figures: only what fits the paper's own weights is kept."""

import pytest

from actors.worldtree.orientations import GROUPS, ORIENTATIONS
from evaluators.worldtree.report import paper

_WITHIN = 0.1
"""Figures and their weighted mean are each rounded to one decimal."""


def _weighted(weights: list[int], values: tuple[float, ...]) -> float:
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


@pytest.mark.parametrize("who", paper.GOALS)
def test_overall_goals_follow_from_groups_weighted_by_trees(who: str) -> None:
    weights = [int(paper.TREES[group][0]) for group in GROUPS]
    weights[-1] -= 1  # Table 2 was made with 9 trees of Conflict
    for *groups, overall in paper.GOALS[who].values():
        assert _weighted(weights, tuple(groups)) == pytest.approx(overall, abs=_WITHIN)


@pytest.mark.parametrize("who", paper.ABILITIES)
def test_overall_abilities_follow_from_aspects_weighted_by_labels(who: str) -> None:
    weights = [paper.LABELS[aspect] for aspect in paper.ABILITY_SCOPES[:-1]]
    for *aspects, overall in paper.ABILITIES[who].values():
        assert _weighted(weights, tuple(aspects)) == pytest.approx(overall, abs=_WITHIN)


@pytest.mark.parametrize("column", [0, 7])
def test_the_counts_of_table_1_add_up(column: int) -> None:
    names = [one.name for one in ORIENTATIONS]
    assert sum(paper.TREES[name][column] for name in names) == paper.TREES["overall"][column]
    assert sum(paper.TREES[name][column] for name in GROUPS) == paper.TREES["overall"][column]
