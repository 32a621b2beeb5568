"""Judges beside the people who annotated, by hand."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from evaluators.scores.scales import Scale
from evaluators.social.human_scores.pair_scores import pairs_of
from evaluators.social.human_scores.score_pairs import (
    ScorePairs,
    correlation,
    difference,
    range_groups,
)
from evaluators.social.tables.entries import ENTRIES
from evaluators.social.tables.judge_and_people import (
    draw_figure_2,
    draw_figure_g1,
    draw_figure_g2,
    draw_figure_g3,
    figure_g1,
    figure_g3,
    table_1,
    table_g3,
)
from evaluators.social.tables.table_input import NothingToShow
from evaluators.tables.plain_tables import PlainTable, as_csv, cell_text, for_people
from tests.evaluators.social.tables.scores import Said, given


def pairs(
    human: Sequence[float],
    judge: Sequence[float],
    low: Sequence[float] | None = None,
    high: Sequence[float] | None = None,
) -> ScorePairs:
    return ScorePairs(
        judge=np.array(judge, dtype=float),
        human=np.array(human, dtype=float),
        low=np.array(human if low is None else low, dtype=float),
        high=np.array(human if high is None else high, dtype=float),
        person=np.zeros(len(judge), dtype=np.bool_),
    )


def annotated(minds: tuple[str, str] = ("a", "b")) -> list[Said]:
    """Six episodes, each scored by a judge and two annotators; the goal alone differs."""
    rows = []
    for number in range(6):
        episode = f"e{number}"
        rows += [
            Said(minds, [number, 5], scenario=episode, episode=episode),
            Said(minds, [number, 4], scenario=episode, episode=episode, judge="p1", kind="person"),
            Said(
                minds, [number + 1, 6], scenario=episode, episode=episode, judge="p2", kind="person"
            ),
        ]
    return rows


def cells(table: PlainTable) -> list[dict[str, object]]:
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def test_pearson_is_as_worked_out_by_hand() -> None:
    found = correlation(pairs([1, 2, 3, 4], [2, 2, 3, 5]))
    assert found.n == 4
    assert found.r == pytest.approx(0.913, abs=5e-4)
    assert found.p == pytest.approx(0.087, abs=5e-4)


@pytest.mark.parametrize(
    ("human", "judge"),
    [
        ([1, 2, 3], [4, 4, 4]),
        ([4, 4, 4], [1, 2, 3]),
        # The mean of 0.1, 0.2 and 0.3, added up in three orders.
        ([(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3, 0.2], [1, 2, 3]),
    ],
)
def test_a_constant_column_has_no_correlation(human: list[float], judge: list[float]) -> None:
    found = correlation(pairs(human, judge))
    assert (found.n, found.r, found.p) == (3, None, None)


def test_differences_are_judge_less_human_and_within_one_deviation() -> None:
    found = difference(pairs([2, 4, 6], [4, 4, 3]))
    assert found.mean == pytest.approx(-1 / 3)
    assert (found.least, found.greatest) == (-3.0, 2.0)
    assert found.deviation == pytest.approx(2)
    assert found.within == pytest.approx(2 / 3)


def test_ranges_are_groups_of_five_by_the_fifths_of_their_ends() -> None:
    low, high = [0, 1, 1, 0, 1, 2], [9, 10, 8, 9, 9, 9]
    (group,) = range_groups(pairs([5] * 6, [0, 0, 5, 10, 5, 5], low, high), Scale(0, 10))
    assert (group.n, group.low, group.high, group.judge) == (5, 0.6, 9.0, 4.0)
    assert group.inside == pytest.approx(3 / 5)
    assert not list(range_groups(pairs([5] * 4, [5] * 4), Scale(0, 10)))


def test_the_human_score_is_the_plain_mean_over_annotators_with_their_range() -> None:
    goal = pairs_of(given(annotated()))["goal"]
    order = np.lexsort((goal.judge, goal.human))
    assert goal.human[order].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, *[5.0] * 6, 5.5]
    assert set(zip(goal.low.tolist(), goal.high.tolist(), strict=True)) >= {(0.0, 1.0), (4.0, 6.0)}


def test_table_1_is_split_by_who_sat_there_and_says_undefined() -> None:
    (table,) = table_1(given(annotated(("a", "human"))))
    rows = {
        (row["seats_of"], row["dimension"].value): row  # type: ignore[attr-defined]
        for row in cells(table)
    }
    assert rows["models", "goal"]["r"].value == pytest.approx(1)  # type: ignore[attr-defined]
    assert rows["people", "goal"]["r"].value is None  # type: ignore[attr-defined]
    assert (rows["models", "goal"]["n"], rows["all", "goal"]["n"]) == (6, 12)
    assert "undefined\nn 6" in {cell_text(c) for row in for_people(table).rows for c in row}
    assert "undefined" not in as_csv([table])


def test_a_judge_that_failed_leaves_the_seat_out() -> None:
    rows = [*annotated(), Said(("a", "b"), [None, 3], episode="e9", scenario="e9")]
    rows.append(Said(("a", "b"), [3, 3], episode="e9", scenario="e9", judge="p1", kind="person"))
    assert len(pairs_of(given(rows))["goal"]) == 13


def test_judges_stand_side_by_side_and_seats_of_people_apart() -> None:
    rows = annotated(("a", "human"))
    rows += [one._replace(judge="fine") for one in annotated(("a", "human")) if one.kind == "model"]
    (table,) = figure_g1(given(rows))
    assert {row["judge"] for row in cells(table)} == {"strict", "fine"}
    (table,) = figure_g3(given(rows))
    found = {(row["seats_of"], row["n"]) for row in cells(table)}
    assert found == {("people", 6)}


def test_figure_2_is_drawn_as_its_table_says() -> None:
    (chart,) = draw_figure_2(given(annotated()))
    assert chart.name == "figure-2-strict"
    described = re.search(r"<desc[^>]*>([^<]*)</desc>", chart.alone)
    assert described
    assert "GOAL: -0.25, from -0.50 to 0.00" in described[1].split("; ")
    assert ">GOAL<" in chart.alone
    assert "judge less people" in chart.alone


def test_ranges_are_drawn_with_a_mark_of_each_judge() -> None:
    rows = annotated(("a", "human"))
    rows += [one._replace(judge="fine") for one in annotated(("a", "human")) if one.kind == "model"]
    (chart,) = draw_figure_g1(given(rows))
    assert chart.name == "figure-g1"
    assert ">GOAL, strict, n 7<" in chart.alone
    assert ">GOAL, fine, n 7<" in chart.alone
    assert "GOAL, fine, seats of all: " in chart.alone
    (chart,) = draw_figure_g2(given(rows))
    assert (chart.name, ">GOAL, n 7<" in chart.alone) == ("figure-g2-strict", True)
    (chart,) = draw_figure_g3(given(rows))
    assert "strict, seats of people: 5.00" in chart.alone
    with pytest.raises(NothingToShow, match="no 5 seats with similar ranges"):
        draw_figure_g1(given(annotated()[:3]))


def test_table_g3_has_people_s_means_of_models_and_of_people() -> None:
    (table,) = table_g3(given(annotated(("a", "human"))))
    goal = {
        row["who"]: row["mean"].value  # type: ignore[attr-defined]
        for row in cells(table)
        if row["dimension"].value == "goal"  # type: ignore[attr-defined]
    }
    assert goal == {"a": 3.0, "human": 5.0}


@pytest.mark.parametrize(
    "name", ["Table 1", "Table E.1", "Table G.3", "Figure 2", "Figure G.1", "Figure G.3"]
)
def test_without_annotators_the_reason_is_said(name: str) -> None:
    entry = next(one for one in ENTRIES if one.title == name)
    with pytest.raises(NothingToShow, match="annotated"):
        entry.tables(given([Said(("a", "b"), [1, 2])]))
