"""The paper's own figures: only what fits the paper's own weights is kept."""

import pytest

from actors.worldtree.trees.orientations import GROUPS, ORIENTATIONS
from evaluators.worldtree.report import published_figures

_WITHIN = 0.1
"""Figures and their weighted mean are each rounded to one decimal."""


def _weighted(weights: list[int], values: tuple[float, ...]) -> float:
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


@pytest.mark.parametrize("who", published_figures.GOALS)
def test_overall_goals_follow_from_groups_weighted_by_trees(who: str) -> None:
    weights = [int(published_figures.TREES[group][0]) for group in GROUPS]
    weights[-1] -= 1  # Table 2 was made with 9 trees of Conflict
    for *groups, overall in published_figures.GOALS[who].values():
        assert _weighted(weights, tuple(groups)) == pytest.approx(overall, abs=_WITHIN)


@pytest.mark.parametrize("who", published_figures.ABILITIES)
def test_overall_abilities_follow_from_aspects_weighted_by_labels(who: str) -> None:
    weights = [published_figures.LABELS[aspect] for aspect in published_figures.ABILITY_SCOPES[:-1]]
    for *aspects, overall in published_figures.ABILITIES[who].values():
        assert _weighted(weights, tuple(aspects)) == pytest.approx(overall, abs=_WITHIN)


@pytest.mark.parametrize("column", [0, 7])
def test_the_counts_of_table_1_add_up(column: int) -> None:
    names = [one.name for one in ORIENTATIONS]
    assert (
        sum(published_figures.TREES[name][column] for name in names)
        == published_figures.TREES["overall"][column]
    )
    assert (
        sum(published_figures.TREES[name][column] for name in GROUPS)
        == published_figures.TREES["overall"][column]
    )
