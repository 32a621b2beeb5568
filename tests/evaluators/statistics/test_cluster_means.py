"""Means of many groups at once, and how often their intervals hold the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluators.statistics.cluster_means import codes, group_means

SCENARIOS, CASTS, MINDS = 90, 5, 4
SDS = {"scenario": 1.2, "pair": 0.6, "episode": 0.8, "residual": 1.2}


def coverage(by: str, runs: int, seed: int) -> float:
    """The share of intervals that hold the true mean, 0, in simulated runs of the size of
    SOTOPIA's: four models, all sixteen pairings of two seats, 90 scenarios of 5 casts each."""
    chance = np.random.default_rng(seed)
    tasks = SCENARIOS * CASTS
    pairings = MINDS**2
    task = np.repeat(np.arange(tasks), pairings * 2)
    episode = np.repeat(np.arange(tasks * pairings), 2)
    first, second = np.divmod(np.tile(np.arange(pairings), tasks), MINDS)
    mind = np.column_stack((first, second)).reshape(-1)
    scenario = task // CASTS
    clusters = {"scenario": scenario, "episode": episode}[by]
    held = []
    for _ in range(runs):
        score = (
            chance.normal(0, SDS["scenario"], SCENARIOS)[scenario]
            + chance.normal(0, SDS["pair"], tasks)[task]
            + chance.normal(0, SDS["episode"], tasks * pairings)[episode]
            + chance.normal(0, SDS["residual"], len(task))
        )
        found = group_means(score, mind, MINDS, clusters)
        held.append((found.low < 0) & (found.high > 0))
    return float(np.mean(held))


def test_clustered_by_scenario_95_percent_of_intervals_hold_the_truth():
    # 300 runs: what the four minds of one share is chance of the scenarios, so about 300
    # independent looks; four standard errors of a share of 0.95 are 0.05.
    assert coverage("scenario", runs=300, seed=1) == pytest.approx(0.95, abs=0.05)


def test_clustered_by_episode_less_than_half_of_them_do():
    assert coverage("episode", runs=100, seed=2) == pytest.approx(0.42, abs=0.15)


def test_a_worked_example_by_hand():
    # Group 0: clusters (4, 6), (7), (3); mean 5. Sums of what is off: 0, 2, -2, so
    # SE = sqrt(3/2 · 8) / 4 = 0.866; t with 2 degrees of freedom is 4.302653.
    values = np.array([4.0, 6.0, 7.0, 3.0, 8.0, np.nan])
    groups = np.array([0, 0, 0, 0, 1, 1])
    clusters = np.array([0, 0, 1, 2, 0, 1])
    found = group_means(values, groups, 2, clusters)
    assert list(found.mean) == [5.0, 8.0]
    assert found.high[0] - 5 == pytest.approx(4.302653 * 0.8660254, abs=1e-6)
    assert found.sd[0] == pytest.approx(np.std([4, 6, 7, 3], ddof=1))
    assert list(found.scored) == [4, 1]
    assert list(found.clusters) == [3, 1]
    assert np.isnan(found.low[1])
    assert np.isnan(found.sd[1])
    assert found.why(1, "chains") == "an interval needs scores from three chains or more"


def test_groups_without_any_score_have_nothing():
    found = group_means(np.array([np.nan]), np.array([1]), 3, np.array([0]))
    assert np.isnan(found.mean).all()
    assert found.why(0, "scenarios") == "no score"


@given(
    st.lists(
        st.tuples(st.integers(0, 10), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=40
    )
)
def test_many_groups_at_once_are_what_each_is_alone(rows: list[tuple[int, int, int]]):
    values, groups, clusters = (np.array(column) for column in zip(*rows, strict=True))
    together = group_means(values.astype(float), groups, 4, clusters)
    for group in set(groups.tolist()):
        mine = groups == group
        zero = np.zeros(mine.sum(), dtype=np.intp)
        alone = group_means(values[mine].astype(float), zero, 1, clusters[mine])
        for one, other in zip(alone, together, strict=True):
            assert one[0] == pytest.approx(other[group], nan_ok=True)


def test_clusters_of_one_are_the_textbook_interval():
    values = np.array([4.0, 7.0, 6.0, 5.0, 9.0])
    found = group_means(values, np.zeros(5, dtype=np.intp), 1, np.arange(5))
    low, high = stats.t.interval(0.95, 4, loc=6.2, scale=stats.sem(values))
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))


def test_two_clusters_have_a_mean_and_no_interval():
    found = group_means(np.array([1.0, 9.0]), np.zeros(2, dtype=np.intp), 1, np.arange(2))
    assert (found.mean[0], found.clusters[0]) == (5.0, 2)
    assert np.isnan(found.low[0])
    assert np.isnan(found.high[0])


def test_an_interval_is_cut_where_its_group_s_scale_ends_and_the_mean_stays():
    values, groups = np.array([-10.0, -10.0, 0.0] * 2), np.repeat([0, 1], 3)
    whole = group_means(values, groups, 2, np.tile(np.arange(3), 2))
    cut = group_means(values, groups, 2, np.tile(np.arange(3), 2), [(-10, 0), (-100, 5)])
    assert whole.low[0] < -10
    assert whole.high[0] > 5
    assert (cut.low.tolist(), cut.high.tolist()) == ([-10.0, whole.low[1]], [0.0, 5.0])
    assert cut.mean.tolist() == whole.mean.tolist()


def test_labels_become_codes_in_their_order():
    distinct, places = codes(["b", "a", "b"])
    assert (distinct.tolist(), places.tolist()) == (["a", "b"], [1, 0, 1])
