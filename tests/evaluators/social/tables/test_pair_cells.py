"""Figure 3: cells by model and partner, and Table 2, their means."""

import random
from itertools import product

import numpy as np
import pytest
from scipy import stats

from actors.episodes.catalogs.scenario_lists import ListedScenario, ScenarioList
from evaluators.plugin import OVERALL
from evaluators.social.tables.best_tests import best_tests, paired, student, welch
from evaluators.social.tables.entries import ENTRIES
from evaluators.social.tables.models_table import table_2
from evaluators.social.tables.pair_cells import model_means, pair_cells
from evaluators.social.tables.pair_tables import figure_3, figure_g4, figure_g5
from evaluators.social.tables.table_input import NothingToShow
from evaluators.tables.plain_latex import latex
from evaluators.tables.plain_tables import Figure, PlainTable, StrongFigure, as_csv
from tests.evaluators.social.tables.scores import SEVEN, Said, given

TEN = {"goal": 5.0}
"""A partner whose scores do not matter."""


def goals(*values: float) -> list[Said]:
    """Episodes in which amber sat in seat 1 with these goals."""
    return [
        Said(("amber", "birch"), ({"goal": value}, TEN), task=f"t{place}")
        for place, value in enumerate(values)
    ]


def cell(table: PlainTable, row: str, column: str) -> Figure:
    """The cell of a partner (or a dimension) and a model, as programs have it."""
    names = [one.name for one in table.columns]
    first = next(name for name in ("partner", "dimension") if name in names)
    if "partner" in names:
        first = "partner"
    for values in table.rows:
        by_name = dict(zip(names, values, strict=True))
        told = by_name[first]
        key = getattr(told, "value", told)
        if (key, by_name["model"]) == (row, column):
            assert isinstance(by_name["mean"], Figure)
            return by_name["mean"]
    raise AssertionError((row, column))


def played(seed: int = 1, *, missing: float = 0.0, models: int = 3) -> list[Said]:
    """All pairings of some models over ten tasks of five scenarios."""
    chance = random.Random(seed)
    names = ("amber", "birch", "cedar")[:models]

    def value() -> float | None:
        return None if chance.random() < missing else float(chance.randint(0, 5))

    return [
        Said(
            pair,
            [{name: value() for name in SEVEN} for _ in pair],
            scenario=f"s{task // 2}",
            task=f"t{task}",
        )
        for pair in product(names, repeat=2)
        for task in range(10)
    ]


def test_a_cell_is_the_mean_of_the_means_of_both_seats() -> None:
    said = [*goals(4, 6), Said(("birch", "amber"), (TEN, {"goal": 9.0}), task="t9")]
    cells = pair_cells(given(said).models, given(said).scales)
    at = cells.models.index("amber"), cells.partners.index("birch"), 0
    assert cells.value[at] == 7.0
    assert cells.scored[at].tolist() == [2, 1]
    assert cells.seat_means[at].tolist() == [5.0, 9.0]


def test_a_cell_of_one_seat_is_its_mean() -> None:
    cells = pair_cells(given(goals(4, 6)).models, given(goals(4, 6)).scales)
    assert cells.value[cells.models.index("amber"), cells.partners.index("birch"), 0] == 5.0


def test_a_failed_score_is_missing_and_counted() -> None:
    said = [*goals(4, 6), Said(("amber", "birch"), ({"goal": None}, TEN))]
    cells = pair_cells(given(said).models, given(said).scales)
    at = cells.models.index("amber"), cells.partners.index("birch"), 0
    assert (cells.value[at], cells.failed[at], cells.scored[at].tolist()) == (5.0, 1, [2, 0])
    (table,) = figure_g4(given(said))
    assert cell(table, "birch", "amber").text.splitlines()[1] == "2 + 0, 1 missing"


def test_rows_are_partners_and_columns_models() -> None:
    (table,) = figure_g4(given(goals(1, 3)))
    assert cell(table, "birch", "amber").value == 2.0
    assert cell(table, "amber", "birch").value == 5.0


def test_an_interval_is_over_scenarios() -> None:
    """With one seat it is the textbook one of the scenarios' means."""
    means = [2.0, 4.0, 9.0]
    said = [
        Said(("amber", "birch"), ({"goal": mean + off}, TEN), scenario=f"s{place}", task=f"t{off}")
        for place, mean in enumerate(means)
        for off in (-1.0, 1.0)
    ]
    cells = pair_cells(given(said).models, given(said).scales)
    at = cells.models.index("amber"), cells.partners.index("birch"), 0
    reach = 4.302653 * np.std(means, ddof=1) / np.sqrt(3)
    assert cells.value[at] == pytest.approx(5.0)
    assert cells.low[at] == 0.0  # cut at the end of the scale
    assert cells.high[at] == pytest.approx(min(10.0, 5.0 + reach))
    assert cells.clusters[at] == 3


def test_seats_weigh_the_same_in_an_interval_however_many_scores_they_have() -> None:
    first = [4.0, 5.0, 6.0]
    said = [
        Said(("amber", "birch"), ({"goal": value}, TEN), scenario=f"s{place}", task=f"t{repeat}")
        for place, value in enumerate(first)
        for repeat in range(4)
    ] + [
        Said(("birch", "amber"), (TEN, {"goal": value}), scenario=f"s{place}")
        for place, value in enumerate((5.0, 5.0, 5.0))
    ]
    cells = pair_cells(given(said).models, given(said).scales)
    at = cells.models.index("amber"), cells.partners.index("birch"), 0
    # Each scenario moves the cell by half of what it moves the mean of seat 1.
    error = np.sqrt(3 / 2 * sum(((value - 5) / 2 / 3) ** 2 for value in first))
    assert cells.high[at] - cells.value[at] == pytest.approx(4.302653 * error, rel=1e-5)


@pytest.mark.parametrize("missing", [0.0, 0.05])
def test_table_2s_overall_is_the_mean_of_figure_3s_column(missing: float) -> None:
    data = given(played(missing=missing))
    (figure,) = figure_3(data)
    means, _ = table_2(data)
    for model in ("amber", "birch", "cedar"):
        column = [cell(figure, partner, model).value for partner in ("amber", "birch", "cedar")]
        found = cell(means, OVERALL, model).value
        assert found == pytest.approx(np.mean([value for value in column if value is not None]))


def test_each_dimension_of_table_2_is_the_mean_of_figure_g4s_column() -> None:
    data = given(played(missing=0.02))
    means, _ = table_2(data)
    for name, table in zip(data.seats.dimensions, figure_g4(data), strict=False):
        column = [cell(table, partner, "birch").value for partner in ("amber", "birch", "cedar")]
        assert cell(means, name, "birch").value == pytest.approx(np.mean(column))  # type: ignore[arg-type]


def test_a_models_own_partner_can_be_left_out() -> None:
    (figure,) = figure_3(given(played()))
    means, _ = table_2(given(played(), no_self=True))
    others = [cell(figure, partner, "amber").value for partner in ("birch", "cedar")]
    assert cell(means, OVERALL, "amber").value == pytest.approx(np.mean(others))  # type: ignore[arg-type]
    assert "own partner left out" in means.note


def test_students_test_has_the_figures_worked_out_by_hand() -> None:
    found = student(np.array([8.0, 9, 7, 8]), np.array([6.0, 7, 6, 7]))
    assert found.t == pytest.approx(3.0)
    assert found.p == pytest.approx(0.024, abs=5e-4)
    assert student(np.array([8.0, 9, 7, 8]), np.array([8.0, 9, 6, 7])).p == pytest.approx(
        0.54, abs=5e-3
    )


def test_the_tests_are_scipys() -> None:
    chance = np.random.default_rng(7)
    for sizes in ((2, 2), (2, 9), (40, 41)):
        a, b = (
            chance.integers(0, 11, size).astype(float) + spread for spread, size in enumerate(sizes)
        )
        b[0] += 20  # Variances differ.
        mine = (student(a, b), welch(a, b))
        scipys = (stats.ttest_ind(a, b), stats.ttest_ind(a, b, equal_var=False))
        same = min(sizes)
        mine, scipys = (
            (*mine, paired(a[:same], b[:same])),
            (*scipys, stats.ttest_rel(a[:same], b[:same])),
        )
        for one, other in zip(mine, scipys, strict=True):
            assert (one.t, one.degrees, one.p) == pytest.approx(
                (other.statistic, other.df, other.pvalue), rel=1e-9
            )


@pytest.mark.parametrize(("second", "bold"), [((6, 7, 6, 7), True), ((8, 9, 6, 7), False)])
def test_the_best_is_bold_where_students_test_says_so(
    second: tuple[float, ...], bold: bool
) -> None:
    said = [
        Said((model, "other"), ({"goal": float(value)}, {"goal": 0.0}), task=f"t{place}")
        for model, values in (("amber", (8, 9, 7, 8)), ("birch", second))
        for place, value in enumerate(values)
    ]
    means, tests = table_2(given(said))
    assert isinstance(cell(means, "goal", "amber"), StrongFigure) is bold
    assert not isinstance(cell(means, "goal", "birch"), StrongFigure)
    assert ("GOAL (amber)" in means.note) is bold
    assert len(tests.rows) == 1


def test_the_paired_test_is_over_what_both_met() -> None:
    said = [
        Said((model, "other"), ({"goal": value}, {"goal": 0.0}), task=f"t{place}")
        for model, values in (("amber", (8.0, 6.0, 9.0)), ("birch", (7.0, 4.0, 9.0)))
        for place, value in enumerate(values)
    ]
    # In another seat, with another partner and in a task that amber has not met: no pair.
    said += [
        Said(("other", "birch"), ({"goal": 0.0}, {"goal": 0.0}), task="t0"),
        Said(("birch", "third"), ({"goal": 2.0}, {"goal": 0.0}), task="t0"),
        Said(("birch", "other"), ({"goal": 1.0}, {"goal": 0.0}), task="t9"),
    ]
    data = given(said)
    (test,) = best_tests(data.models, model_means(data.models, data.scales))
    assert (test.best, test.second, test.pairs) == ("amber", "birch", 3)
    # Differences 1, 2, 0: t = 1 / (1 / √3).
    assert test.paired.t == pytest.approx(np.sqrt(3))


def test_holm_corrects_for_all_dimensions() -> None:
    data = given(played(seed=4))
    tests = best_tests(data.models, model_means(data.models, data.scales))
    least = min(tests, key=lambda one: one.student.p or 1.0)
    assert least.p_holm == pytest.approx(min(1.0, len(tests) * (least.student.p or 1.0)))


def test_people_shared_seats_and_failed_actions_are_in_no_table_of_models() -> None:
    said = [
        *goals(4, 6),
        Said(("amber", "person"), ({"goal": 0.0}, TEN)),
        Said(("amber + person", "birch"), ({"goal": 0.0}, {"goal": 0.0}), shared=(0,)),
        Said(("amber", "birch"), ({"goal": 0.0}, {"goal": 0.0}), failed_actions=1),
        Said(("amber", "birch", "birch"), ({"goal": 0.0}, {"goal": 0.0}, {"goal": 0.0})),
    ]
    (table,) = figure_g4(given(said))
    assert cell(table, "birch", "amber").value == 5.0
    assert "human" not in {value for row in table.rows for value in row}
    for words in ("2 episodes in which a person sat", "1 episode in which an action failed"):
        assert words in table.note
    assert "3 seats of episodes that have not two seats" in table.note
    (table,) = figure_g4(given(said, unclean=True))
    assert cell(table, "birch", "amber").value == pytest.approx(10 / 3)
    assert "an action failed" not in table.note


def test_figure_g5_has_the_listed_seats_alone() -> None:
    said = [
        Said((pair), (1.0, 3.0), scenario=scenario)
        for pair in (("amber", "birch"), ("birch", "amber"))
        for scenario in ("easy", "hard", "both")
    ]
    entries = (ListedScenario(scenario="hard", seat=2), ListedScenario(scenario="both"))
    data = given(said, hard=ScenarioList(name="hard-20", entries=entries))
    cells = pair_cells(data.listed(data.models), data.scales)
    at = cells.models.index("amber"), cells.partners.index("birch"), 0
    assert cells.scored[at].tolist() == [1, 2]
    assert "hard-20" in figure_g5(data)[0].title
    with pytest.raises(NothingToShow, match="no list of hard scenarios"):
        figure_g5(given(said))


def test_figure_3_needs_all_that_the_overall_score_is_of() -> None:
    with pytest.raises(NothingToShow, match="strict does not score Overall"):
        figure_3(given(goals(4, 6)))


def test_what_is_bold_is_bold_in_latex_and_as_a_program_reads_it() -> None:
    said = [
        Said((model, "other"), ({"goal": value}, {"goal": 0.0}), task=f"t{place}")
        for model, values in (("amber", (8.0, 9.0, 7.0, 8.0)), ("birch", (6.0, 7.0, 6.0, 7.0)))
        for place, value in enumerate(values)
    ]
    means, _ = table_2(given(said))
    assert r"{\boldmath\textbf{$8.00$}}" in latex(means).replace("~", "")
    header, *lines = as_csv([means]).splitlines()
    bold = {line.split(",")[1]: line.split(",")[5] for line in lines}
    assert header.startswith("dimension,model,partners,scored,missing,bold,mean")
    assert bold == {"amber": "1", "birch": "0", "other": "0"}


def test_entries_have_names_of_their_own() -> None:
    assert len({(one.kind, one.name) for one in ENTRIES}) == len(ENTRIES)
