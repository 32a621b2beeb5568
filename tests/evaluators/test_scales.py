"""Scales: where no figure of a dimension can lie outside."""

from dataclasses import replace

import pytest

from evaluators.scores.dimensions import known, overall_of
from evaluators.scores.scales import ENDLESS, Scale, scale_of
from evaluators.scores.score_columns import columns_of
from evaluators.statistics import summary
from evaluators.statistics.contrasts import Group, contrast
from tests.evaluators.test_score_columns import score

JUDGE = "hash-strict"


def secrets(*values: float, dimension: str = "secret") -> list:
    return [
        score(dimension, value, episode=f"e{n}", evaluation=f"v{n}")
        for n, value in enumerate(values)
    ]


def test_the_scale_is_what_the_judge_declares_whatever_a_rubric_does() -> None:
    columns = columns_of(secrets(3, 4))
    declared = replace(columns, scales={JUDGE: {"secret": (1.0, 5.0)}})
    assert scale_of(declared, "secret") == (1, 5)


def test_a_judge_that_is_not_known_has_the_rubrics_scale_if_its_scores_lie_in_it() -> None:
    assert scale_of(columns_of(secrets(-3, -4)), "secret") == (-10, 0)
    assert scale_of(columns_of(secrets(-3, 4)), "secret") == ENDLESS
    assert scale_of(columns_of(secrets(3, dimension="wit")), "wit") == ENDLESS


def test_overall_has_a_scale_of_its_own() -> None:
    rows = [score(name, 0.0) for name in known()]
    overall = overall_of(known())
    assert overall is not None
    assert scale_of(columns_of(rows), "overall") == (overall.low, overall.high)


def test_an_interval_of_a_mean_ends_where_the_scale_does() -> None:
    cell = summary.cell(columns_of(secrets(-10, 0, -5)), "secret")
    assert (cell.mean.value, cell.mean.low, cell.mean.high) == (-5, -10, 0)
    assert cell.mean.clusters == 3


def test_an_interval_of_a_difference_ends_at_twice_the_width() -> None:
    a = Group(label="a", values=[0.0, 0.0, -9.0], units=[0, 1, 2])
    b = Group(label="b", values=[-9.0, 0.0, 0.0], units=[0, 1, 2])
    whole, cut = contrast(a, b), contrast(a, b, scale=Scale(-10, 0))
    assert whole.difference.high is not None
    assert whole.difference.high > 10
    assert (cut.difference.low, cut.difference.high) == (-10, 10)
    assert (cut.p, cut.statistic) == (whole.p, whole.statistic)
    assert (cut.a.mean.low, cut.a.mean.high) == (-10, 0)


@pytest.mark.parametrize(("ends", "reach"), [((4.0, 6.0), 1.0), ((4.0, 5.5), None)])
def test_only_an_interval_that_was_not_cut_has_one_reach(
    ends: tuple[float, float], reach: float | None
) -> None:
    mean = summary.Estimate(value=5.0, low=ends[0], high=ends[1])
    assert mean.reach == reach
