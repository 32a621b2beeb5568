"""Paired comparisons, held against SciPy on differences that are worked out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from evaluators.scores.score_columns import ScoreColumns, columns_of
from evaluators.statistics.paired_differences import PairedDifference, paired_differences
from evaluators.statistics.significance_tests import families
from store.read_model.records import EpisodeRow, ScoreRow
from tests.support.record_rows import episode_row

Played = tuple[str, str, int, dict[str, float | None]]
"""Run, task, seed, and what each mind got; seats in this order."""


def table(*played: Played, dimension: str = "goal", **fields: Any) -> ScoreColumns:
    """Scores of episodes. A task's scenario is what its name begins with; ``fields`` go into all
    episodes."""
    episodes: list[EpisodeRow] = []
    rows: list[ScoreRow] = []
    for place, (run, task, _, got) in enumerate(played):
        more = {"scenario_id": task[0], **fields}
        episodes.append(episode_row(f"e{place}", run=run, task=task, minds=tuple(got), **more))
        rows += [
            score(f"e{place}", run, seat, mind, value, dimension)
            for seat, (mind, value) in enumerate(got.items())
        ]
    return seeded(columns_of(rows, episodes), [seed for _, _, seed, _ in played])


def score(
    episode: str, run: str, seat: int, mind: str, value: float | None, dimension: str = "goal"
) -> ScoreRow:
    return ScoreRow(
        evaluation=f"v-{episode}",
        episode=episode,
        run=run,
        judge="strict",
        judge_kind="model",
        judge_hash="hash-strict",
        seat=seat,
        mind=mind.split("/")[0],
        character="x",
        dimension=dimension,
        status="failed" if value is None else "scored",
        value=value,
        reason="",
        evidence=(),
    )


def seeded(columns: ScoreColumns, seeds: Sequence[int]) -> ScoreColumns:
    """The same with the seed of each episode, in their order."""
    places = [int(name[1:]) for name in columns.episode.names]
    return replace(columns, seed=np.array([seeds[places[c]] for c in columns.episode.codes]))


def only(found: Sequence[PairedDifference]) -> PairedDifference:
    (one,) = found
    return one


# Four scenarios, each played twice by each mind alone, with the seeds 1 and 2.
WARM = {"a": (7, 8), "b": (4, 6), "c": (9, 9), "d": (5, 8)}
COLD = {"a": (5, 7), "b": (5, 5), "c": (6, 7), "d": (3, 4)}
SHUFFLED = [
    ("r1", f"{task}1", seed + 1, {mind: got[task][seed]})
    for seed in (1, 0)
    for mind, got in (("warm", WARM), ("cold", COLD))
    for task in ("c", "a", "d", "b")
]


def test_two_minds_are_compared_over_the_tasks_and_seeds_they_share() -> None:
    found = only(paired_differences(table(*SHUFFLED)))
    # By scenario the mean of the differences of its two pairs.
    means = [np.subtract(COLD[task], WARM[task]).mean() for task in "abcd"]
    expected = stats.ttest_1samp(means, 0)
    assert (found.contrast.a.label, found.contrast.b.label) == ("cold", "warm")
    assert found.contrast.difference.value == pytest.approx(-14 / 8)
    assert found.contrast.p == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval()
    assert (found.contrast.difference.low, found.contrast.difference.high) == pytest.approx(
        (interval.low, interval.high)
    )
    assert (found.pairs, found.contrast.n, found.unpaired) == (8, 4, (0, 0))
    assert (found.contrast.test, found.paired_on) == ("paired t", ("task", "seed"))
    pooled = np.sqrt((np.var([*sum(WARM.values(), ())], ddof=1) + np.var([*sum(COLD.values(), ())], ddof=1)) / 2)  # fmt: skip  # noqa: E501
    assert found.contrast.effect == pytest.approx(-1.75 / pooled)
    assert not found.fell_back


def test_where_all_is_paired_it_is_what_contrast_finds() -> None:
    columns = table(*SHUFFLED)
    (family,) = families(columns)
    assert only(paired_differences(columns)).contrast == family.tests[0].contrast


def test_over_these_very_scenarios_each_pair_is_a_unit() -> None:
    found = only(paired_differences(table(*SHUFFLED), population="episodes"))
    cold, warm = (np.ravel([got[task] for task in "abcd"]) for got in (COLD, WARM))
    assert found.contrast.n == 8
    assert found.contrast.p == pytest.approx(stats.ttest_rel(cold, warm).pvalue)


def test_what_only_one_side_played_is_left_out_and_counted() -> None:
    alone = ("r1", "a1", 3, {"warm": 0.0})
    missing = ("r1", "b1", 4, {"warm": 10.0}), ("r1", "b1", 4, {"cold": None})
    other = ("r1", "e1", 1, {"cold": 1.0})
    found = only(paired_differences(table(*SHUFFLED, alone, *missing, other)))
    plain = only(paired_differences(table(*SHUFFLED)))
    assert found.unpaired == (1, 2)
    assert (found.contrast, found.pairs) == (plain.contrast, 8)


def test_a_pair_weighs_the_same_however_many_scores_it_has() -> None:
    # In the first pair warm sits in three seats, in the second in one.
    scores = [
        ("r1", "a1", 1, {"warm": 9.0, "warm/2": 7.0, "warm/3": 8.0, "cold": 4.0}),
        ("r1", "a1", 2, {"warm": 2.0, "cold": 1.0}),
        ("r1", "b1", 1, {"warm": 6.0, "cold": 1.0}),
        ("r1", "c1", 1, {"warm": 6.0, "cold": 5.0}),
    ]
    found = only(paired_differences(one_mind(table(*scores))))
    differences = [np.mean([4 - 8, 1 - 2]), 1 - 6, 5 - 6]
    assert found.contrast.difference.value == pytest.approx(np.mean(differences))
    assert found.contrast.p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)


def one_mind(columns: ScoreColumns) -> ScoreColumns:
    """The same with a mind in each of the seats that are told apart by a number."""
    words = [word.split("/")[0] for word in columns.mind.words()]
    names = tuple(sorted(set(words)))
    codes = np.array([names.index(word) for word in words], dtype=np.int32)
    return replace(columns, mind=replace(columns.mind, kept=codes, names=names))


def in_runs(a: dict[str, float], b: dict[str, float], seeds: tuple[int, int]) -> list[Played]:
    return [
        (run, task, seed, {mind: value})
        for run, mind, got, seed in (("r1", "calm", a, seeds[0]), ("r2", "calm", b, seeds[1]))
        for task, value in got.items()
    ]


BEFORE, AFTER = {"a1": 4.0, "a2": 5, "b1": 3, "c1": 7}, {"a1": 6.0, "a2": 6, "b1": 3, "c1": 9}


def test_runs_are_compared_the_later_less_the_earlier_mind_by_mind() -> None:
    found = only(paired_differences(table(*in_runs(BEFORE, AFTER, (5, 5))), "run"))
    assert (found.contrast.a.label, found.contrast.b.label, found.of) == ("r2", "r1", "calm")
    expected = stats.ttest_1samp([1.5, 0, 2], 0)
    assert found.contrast.difference.value == pytest.approx(3.5 / 3)
    assert found.contrast.p == pytest.approx(expected.pvalue)
    assert found.pairs == 4


def test_runs_with_other_seeds_are_paired_by_task_and_say_so() -> None:
    found = only(paired_differences(table(*in_runs(BEFORE, AFTER, (5, 6))), "run"))
    assert (found.paired_on, found.asked, found.fell_back) == (("task",), ("task", "seed"), True)
    assert found.contrast.p == pytest.approx(stats.ttest_1samp([1.5, 0, 2], 0).pvalue)


def test_runs_of_other_tasks_are_paired_by_scenario_and_those_of_others_not_at_all() -> None:
    again = {"a8": 6.0, "b8": 3.0, "c8": 9.0}
    found = only(paired_differences(table(*in_runs(BEFORE, again, (5, 5))), "run"))
    assert (found.paired_on, found.contrast.n) == (("scenario",), 3)
    assert found.contrast.p == pytest.approx(stats.ttest_rel([6, 3, 9], [4.5, 3, 7]).pvalue)
    elsewhere = {"x1": 6.0, "y1": 3.0, "z1": 9.0}
    apart = only(paired_differences(table(*in_runs(BEFORE, elsewhere, (5, 5))), "run"))
    assert (apart.paired_on, apart.pairs, apart.contrast.test) == ((), 0, "Welch's t")
    welch = stats.ttest_ind([6, 3, 9], [4.5, 3, 7], equal_var=False)
    assert apart.contrast.p == pytest.approx(welch.pvalue)


def test_a_task_of_the_same_name_in_another_catalog_is_another() -> None:
    columns = table(*in_runs(BEFORE, AFTER, (5, 5)))
    catalog = replace(columns.run, names=("mine", "theirs"))
    found = only(paired_differences(replace(columns, catalog=catalog), "run"))
    assert found.paired_on == ("scenario",)


def test_one_pair_gives_a_difference_and_no_test() -> None:
    found = only(paired_differences(table(*in_runs({"a1": 4.0}, {"a1": 6.0}, (1, 1))), "run"))
    assert (found.contrast.difference.value, found.contrast.p) == (2, None)
    assert (found.pairs, found.contrast.n) == (1, 1)
    assert "three scenarios or more" in found.contrast.difference.why


def test_forks_whose_seed_no_plan_says_are_in_no_pair() -> None:
    fork = ("r1", "a1", -1, {"warm": 0.0})
    found = only(paired_differences(table(*SHUFFLED, fork)))
    assert (found.pairs, found.unpaired) == (8, (0, 1))


def test_all_differences_of_a_judge_are_one_family() -> None:
    minds = [("warm", WARM), ("cold", COLD), ("keen", {t: (v[1], v[0]) for t, v in WARM.items()})]
    played = [
        ("r1", f"{task}1", seed, {mind: float(got[task][seed])})
        for mind, got in minds
        for task in "abcd"
        for seed in (0, 1)
    ]
    found = paired_differences(table(*played))
    assert [(one.contrast.a.label, one.contrast.b.label) for one in found] == [
        ("cold", "keen"), ("cold", "warm"), ("keen", "warm"),
    ]  # fmt: skip
    # Keen and warm have the same means in every scenario: no test, and not of the family.
    p = [one.contrast.p for one in found[:2]]
    assert found[2].contrast.p is None
    expected = multipletests(p, method="holm")[1]
    assert [one.contrast.p_holm for one in found[:2]] == pytest.approx(list(expected))


def test_chains_are_paired_episode_by_episode_and_tested_over_casts() -> None:
    # Two memories of one mind, three casts, two episodes each; a cast's chains share their seeds.
    got = {
        "none": {"ada": (4, 5), "bo": (3, 3), "cy": (6, 4)},
        "full": {"ada": (6, 8), "bo": (3, 4), "cy": (7, 9)},
    }
    rows, episodes, memories, seeds = [], [], [], []
    for memory, by_cast in got.items():
        for place, (cast, values) in enumerate(by_cast.items()):
            for index, value in enumerate(values):
                id_ = f"e{len(episodes)}"
                more = {"chain": f"{memory}-{cast}", "index": index, "task": ""}
                who = {"characters": (cast, "x"), "scenario_id": f"s{index}", "minds": ("warm",)}
                episodes.append(episode_row(id_, **more, **who))
                rows.append(score(id_, "r1", 0, "warm", value))
                memories.append(memory)
                seeds.append(10 * place + index)
    columns = seeded(columns_of(rows, episodes), seeds)
    words = replace(columns.chain, names=tuple(n.split("-")[0] for n in columns.chain.names))
    codes = np.array([("full", "none").index(word) for word in words.words()], dtype=np.int32)
    columns = replace(columns, memory=replace(words, kept=codes, names=("full", "none")))
    found = only(paired_differences(columns, "memory"))
    expected = stats.ttest_1samp([2.5, 0.5, 3.0], 0)
    assert (found.population, found.pairs, found.contrast.n) == ("chains", 6, 3)
    assert (found.contrast.a.label, found.of) == ("full", "warm")
    assert found.contrast.p == pytest.approx(expected.pvalue)
    # With seeds of their own, who meets in which scenario at which place is still the same.
    other = replace(columns, seed=np.arange(len(columns)))
    assert only(paired_differences(other, "memory")).paired_on == ("task",)
    assert only(paired_differences(other, "memory")).contrast.p == pytest.approx(expected.pvalue)


def test_episodes_in_which_an_action_failed_are_left_out_unless_asked_for() -> None:
    marked = table(*SHUFFLED)
    clean = marked.clean.copy()
    clean[marked.episode.among("e0")] = False
    marked = replace(marked, clean=clean)
    assert only(paired_differences(marked)).pairs == 7
    assert only(paired_differences(marked, unclean=True)).pairs == 8
