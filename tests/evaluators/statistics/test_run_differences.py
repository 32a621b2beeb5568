"""What differs between runs: in which dimension, of which mind, in which task."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.run_differences import BetweenRuns, between_runs
from evaluators.tables.pairing_tables import difference_notes, difference_table
from evaluators.tables.plain_tables import as_csv, for_people
from tests.evaluators.statistics.test_paired_differences import Played, table

THEN = {"a1": (4.0, 5.0), "b1": (5.0, 3.0), "c1": (3.0, 2.0), "d1": (7.0, 7.0)}
NOW = {"a1": (6.0, 5.0), "b1": (6.0, 2.0), "c1": (3.5, 2.0), "d1": (9.0, 7.5)}


def runs(other: str = "cold", seeds: tuple[int, int] = (1, 1)) -> ScoreColumns:
    """Two runs of four tasks in which two minds met; the second mind's name in the later run."""
    played: list[Played] = []
    for run, got, seed, second in (("r1", THEN, seeds[0], "cold"), ("r2", NOW, seeds[1], other)):
        played += [
            (run, task, seed, {"warm": warm, second: cold}) for task, (warm, cold) in got.items()
        ]
    return table(*played)


def of(found: list[BetweenRuns], by: str) -> BetweenRuns:
    (one,) = [one for one in found if one.by == by]
    return one


def test_each_mind_is_compared_with_itself_in_the_other_run() -> None:
    warm = of(between_runs(runs()), "mind").differences[1]
    assert (warm.of, warm.contrast.b.label, warm.contrast.a.label) == ("warm", "r1", "r2")
    expected = stats.ttest_rel([6, 6, 3.5, 9], [4, 5, 3, 7])
    assert warm.contrast.p == pytest.approx(expected.pvalue)
    assert (warm.of_a, warm.of_b) == pytest.approx((6.125, 4.75))


def test_the_runs_as_wholes_are_paired_on_the_mind_where_they_have_the_same() -> None:
    (whole,) = of(between_runs(runs()), "dimension").differences
    assert (whole.paired_on, whole.pairs) == (("task", "seed", "mind"), 8)
    changes = [(2 + 0) / 2, (1 - 1) / 2, (0.5 + 0) / 2, (2 + 0.5) / 2]
    assert whole.contrast.p == pytest.approx(stats.ttest_1samp(changes, 0).pvalue)


def test_runs_of_one_plan_with_another_model_are_compared_as_wholes_and_say_so() -> None:
    found = between_runs(runs(other="colder"))
    whole = of(found, "dimension")
    assert whole.other_minds
    assert whole.differences[0].paired_on == ("task", "seed")
    assert [one.of for one in of(found, "mind").differences] == ["warm"]


def test_tasks_are_listed_with_the_largest_loss_first() -> None:
    found = of(between_runs(runs(), ["task"]), "task")
    assert [one.of for one in found.differences] == ["b1", "c1", "a1", "d1"]
    assert {one.population for one in found.differences} == {"episodes"}
    assert [one.pairs for one in found.differences] == [2, 2, 2, 2]


def test_with_other_seeds_they_are_paired_by_task_and_the_note_says_so() -> None:
    (whole,) = of(between_runs(runs(seeds=(1, 2))), "dimension").differences
    assert whole.paired_on == ("task", "mind")
    told = " ".join(difference_notes([whole]))
    assert "Too few scores share task, seed and mind: pairs are of the same task and mind." in told
    assert "Over pairs of the same task and mind;" in told


def test_a_table_of_runs_calls_the_later_one_now() -> None:
    found = of(between_runs(runs()), "dimension")
    shown = for_people(difference_table(found.differences, "x", "y"))
    assert [column.name for column in shown.columns][1:6] == [
        "now", "mean now", "then", "mean then", "now−then",
    ]  # fmt: skip


def test_what_failed_is_left_out_and_counted() -> None:
    columns = runs()
    clean = columns.clean & ~columns.episode.among("e0")
    found = of(between_runs(replace(columns, clean=clean)), "dimension")
    assert (found.unclean, found.differences[0].pairs) == (1, 6)


def test_a_table_of_them_has_exact_values_for_programs() -> None:
    found = of(between_runs(runs()), "mind")
    head, cold, _ = as_csv([difference_table(found.differences, "x", "y")]).splitlines()
    row = dict(zip(head.split(","), cold.replace('"task, seed"', "on").split(","), strict=True))
    assert (row["of"], row["a"], row["b"], row["pairs"]) == ("cold", "r2", "r1", "4")
    assert float(row["difference"]) == float(row["mean_a"]) - float(row["mean_b"])
    assert np.isclose(float(row["p"]), stats.ttest_rel([5, 2, 2, 7.5], [5, 3, 2, 7]).pvalue)
