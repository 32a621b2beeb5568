"""The tests that papers print, over the scores of a run."""

import numpy as np
import pytest
from scipy import stats

from evaluators.scores.questions import Question
from evaluators.scores.score_columns import ScoreColumns, columns_of
from evaluators.statistics.chain_curves import of_columns
from evaluators.statistics.significance_tests import Family, families
from store.read_model.records import ChainRow, EpisodeRow, ScoreRow
from tests.support.record_rows import chain_row, episode_row


def score(
    episode: str, mind: str, value: float | None, dimension: str = "goal", seat: int = 0
) -> ScoreRow:
    return ScoreRow(
        evaluation=f"v-{episode}",
        episode=episode,
        run="r1",
        judge="strict",
        judge_kind="model",
        judge_hash="hash-strict",
        seat=seat,
        mind=mind,
        character="x",
        dimension=dimension,
        status="failed" if value is None else "scored",
        value=value,
        reason="",
        evidence=(),
    )


def hard_from(columns: ScoreColumns, index: int) -> ScoreColumns:
    """The same with a hard part from an index on."""
    from dataclasses import replace

    return replace(columns, hard=columns.index >= index)


def chained(
    values: dict[tuple[str, str, str, int], list[float]],
) -> tuple[ScoreColumns, list[ChainRow]]:
    """Chains of one seat's scores, by mind, memory, cast and repeat; the last of five is hard."""
    rows: list[ScoreRow] = []
    episodes: list[EpisodeRow] = []
    chains: list[ChainRow] = []
    for place, ((mind, memory, cast, _), got) in enumerate(values.items()):
        id_, minds = f"h{place}", (mind, mind)
        chains.append(chain_row(id_, minds=minds, memory=memory, characters=(cast, "x")))
        for index, value in enumerate(got):
            episode = f"{id_}e{index}"
            episodes.append(episode_row(episode, chain=id_, index=index, minds=minds))
            rows.append(score(episode, mind, value))
    return hard_from(columns_of(rows, episodes, chains), 4), chains


def of_question(found: list[Family], question: Question) -> Family:
    (only,) = [one for one in found if one.between == question]
    return only


RUN = {
    ("warm", "none", "ada", 0): [5, 5, 6, 6, 2],
    ("warm", "none", "bo", 0): [4, 4, 5, 4, 1],
    ("warm", "none", "cy", 0): [6, 5, 5, 6, 3],
    ("warm", "summary", "ada", 0): [5, 6, 7, 8, 6],
    ("warm", "summary", "bo", 0): [4, 5, 5, 7, 4],
    ("warm", "summary", "cy", 0): [6, 6, 7, 7, 4],
}


def test_memories_are_compared_over_the_casts_that_had_both() -> None:
    columns, chains = chained(RUN)
    family = of_question(families(columns, chains, part="hard"), "memories")
    (test,) = family.tests
    assert (test.of, test.contrast.a.label, test.contrast.b.label) == ("warm", "none", "summary")
    expected = stats.ttest_rel([2, 1, 3], [6, 4, 4])
    assert test.contrast.test == "paired t"
    assert test.contrast.p == pytest.approx(expected.pvalue)
    assert (test.contrast.n, family.population) == (3, "chains")
    assert test.contrast.a.mean.few
    assert test.contrast.a.unit_sd == pytest.approx(1.0)
    assert family.title == "Memory against memory, hard scenarios, judged by strict"


def test_standard_scenarios_are_compared_with_the_hard_ones_of_the_same_chain() -> None:
    columns, chains = chained(RUN)
    first, second = of_question(families(columns, chains), "parts").tests
    assert (first.of, second.of) == ("warm, none", "warm, summary")
    expected = stats.ttest_rel([5.5, 4.25, 5.5], [2, 1, 3])
    assert first.contrast.statistic == pytest.approx(expected.statistic)
    assert first.contrast.difference.value == pytest.approx(15.25 / 3 - 2)


def test_slopes_are_compared_cast_by_cast_without_the_hard_part() -> None:
    columns, chains = chained(RUN)
    (test,) = of_question(families(columns, chains), "slopes").tests
    slopes = {key: float(np.polyfit(range(4), got[:4], 1)[0]) for key, got in RUN.items()}
    none, summary = ([s for key, s in slopes.items() if key[1] == m] for m in ("none", "summary"))
    expected = stats.ttest_rel(none, summary)
    assert test.contrast.p == pytest.approx(expected.pvalue)
    (figure,) = of_columns(columns)
    shown = {curve.label: curve.slope.change.value for curve in figure.curves}
    assert test.contrast.a.mean.value == pytest.approx(shown["warm, none"])
    assert test.contrast.b.mean.value == pytest.approx(shown["warm, summary"])


def test_repeats_of_one_cast_are_units_of_their_own_in_the_plans_order() -> None:
    run = {
        ("warm", memory, "ada", n): [5.0] * 4 + [hard]
        for memory, values in (("none", (1, 2, 4)), ("summary", (5, 5, 9)))
        for n, hard in enumerate(values)
    }
    columns, chains = chained(run)
    (test,) = of_question(families(columns, chains, part="hard"), "memories").tests
    assert test.contrast.n == 3
    assert test.contrast.p == pytest.approx(stats.ttest_rel([1, 2, 4], [5, 5, 9]).pvalue)


def test_minds_are_compared_over_scenarios_where_there_are_no_chains() -> None:
    rows, episodes = [], []
    got = {"s1": (3, 5), "s2": (4, 4), "s3": (2, 6), "s4": (5, 6)}
    for scenario, (warm, cold) in got.items():
        for n in range(2):
            id_ = f"{scenario}-{n}"
            episodes.append(episode_row(id_, scenario_id=scenario, minds=("warm", "cold")))
            rows += [score(id_, "warm", warm + n, seat=0), score(id_, "cold", cold, seat=1)]
    (family,) = families(columns_of(rows, episodes))
    (test,) = family.tests
    assert (family.between, family.population, test.contrast.n) == ("minds", "scenarios", 4)
    expected = stats.ttest_rel([5, 4, 6, 6], [3.5, 4.5, 2.5, 5.5])
    assert (test.contrast.a.label, test.contrast.b.label) == ("cold", "warm")
    assert test.contrast.p == pytest.approx(expected.pvalue)


def test_all_dimensions_of_a_question_are_one_family() -> None:
    rows, episodes = [], []
    for n, (warm, cold) in enumerate(((3, 5), (4, 4), (2, 6), (5, 6))):
        episodes.append(episode_row(f"e{n}", scenario_id=f"s{n}", minds=("warm", "cold")))
        for dimension, shift in (("goal", 0), ("secret", n % 2)):
            rows.append(score(f"e{n}", "warm", warm - shift, dimension, 0))
            rows.append(score(f"e{n}", "cold", cold, dimension, 1))
    (family,) = families(columns_of(rows, episodes))
    assert [test.dimension for test in family.tests] == ["goal", "secret"]
    p = [test.contrast.p or 1 for test in family.tests]
    corrected = [test.contrast.p_holm or 0 for test in family.tests]
    assert min(corrected) == pytest.approx(2 * min(p))
    assert max(corrected) == pytest.approx(max(*p, 2 * min(p)))
    (goal,) = families(columns_of(rows, episodes), dimensions=["goal"])
    assert goal.tests[0].contrast.p_holm == goal.tests[0].contrast.p


def test_one_mind_without_chains_leaves_nothing_to_test() -> None:
    rows = [score(f"e{n}", "warm", n) for n in range(4)]
    assert families(columns_of(rows, [episode_row(f"e{n}") for n in range(4)])) == []


def test_episodes_in_which_an_action_failed_are_left_out_and_counted() -> None:
    rows, episodes = [], []
    for n, (warm, cold) in enumerate(((3, 5), (4, 4), (2, 6), (5, 6), (10, 0))):
        failures = int(n == 4)
        episodes.append(
            episode_row(
                f"e{n}", scenario_id=f"s{n}", minds=("warm", "cold"), failed_actions=failures
            )
        )
        rows += [score(f"e{n}", "warm", warm), score(f"e{n}", "cold", cold, seat=1)]
    columns = columns_of(rows, episodes)
    (clean,), (every,) = families(columns), families(columns, unclean=True)
    assert (clean.unclean, every.unclean) == (1, 0)
    assert (clean.tests[0].contrast.n, every.tests[0].contrast.n) == (4, 5)
