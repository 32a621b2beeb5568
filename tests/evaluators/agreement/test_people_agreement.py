"""What people said, beside each other and beside judges."""

import pytest

from evaluators.agreement import judge_agreement
from evaluators.agreement.people_agreement import (
    PEOPLE,
    NoPeople,
    against_people,
    among_people,
    annotators,
    with_people,
)
from evaluators.scores.score_columns import ScoreColumns, columns_of
from evaluators.tables.people_tables import against_table, among_tables, annotators_table
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import as_csv
from events.base import replace
from store.read_model.records import ScoreRow
from tests.evaluators.agreement.test_judge_agreement import score

ANN = [1, 4, 5, 8, 10, 3]
BEN = [2, 4, 7, 8, 9, None]
JUDGE = [2, 3, 6, 9, 9, 3]


def by(name: str, values: list[float | None], kind: str = "person", **more: str) -> list[ScoreRow]:
    return [
        replace(
            score(name, f"e{n}", 0, value, status="abstained" if value is None else None, **more),
            judge_kind=kind,
        )
        for n, value in enumerate(values)
    ]


def columns(*rows: list[ScoreRow]) -> ScoreColumns:
    return columns_of([row for some in rows for row in some])


ALL = columns(by("ann", ANN), by("ben", BEN), by("judge", JUDGE, kind="model"))


def test_people_together_are_a_judge_that_gives_the_mean_of_what_they_gave() -> None:
    found = judge_agreement.compare(with_people(ALL), "judge", PEOPLE)
    (goal,) = found.dimensions
    assert goal.pairs == 6
    assert goal.mean_b == pytest.approx((1.5 + 4 + 6 + 8 + 9.5 + 3) / 6)
    assert found.judge_b.label == "people (mean of 2)"


def test_scores_without_people_stay_as_they_are_and_say_so() -> None:
    judged = columns(by("judge", JUDGE, kind="model"))
    assert with_people(judged) is judged
    with pytest.raises(NoPeople, match="troupe annotate new"):
        among_people(judged)


def test_agreement_is_over_what_two_people_gave_a_value() -> None:
    (goal,) = among_people(ALL)
    assert (goal.annotators, goal.seats, goal.several) == (2, 6, 5)
    assert (goal.ratings, goal.declined) == (11, 1)
    assert [one.bins for one in goal.bins] == [3, 4, 5]
    five = goal.bins[2]
    # In parts of two points: 1|2 apart, 4|4, 5|7 apart, 8|8, 10|9 alike.
    assert five.agreed.value == pytest.approx(3 / 5)
    assert five.kappa.value == pytest.approx((0.6 - 0.2) / 0.8)
    assert goal.alpha.value is not None


def test_a_judge_is_within_what_people_gave_or_not() -> None:
    (goal,) = against_people(ALL, "judge").dimensions
    # 2 in 1..2, 3 in 4..4 no, 6 in 5..7, 9 in 8..8 no, 9 in 9..10.
    assert (goal.ranged, goal.within) == (5, pytest.approx(3 / 5))
    assert goal.beside.pairs == 6
    assert goal.beside.pearson.value is not None
    assert goal.beside.pearson.p is not None
    assert goal.lowest == pytest.approx(sum(ANN) / 6)
    assert goal.highest == pytest.approx(30 / 5)


def test_a_person_is_held_against_the_others_alone() -> None:
    (goal,) = against_people(ALL, "ann").dimensions
    assert goal.beside.pairs == 5
    assert goal.beside.mean_b == pytest.approx(30 / 5)
    with pytest.raises(NoPeople):
        against_people(columns(by("ann", ANN)), "ann")


def test_each_annotator_stands_beside_the_others() -> None:
    ann, ben = annotators(ALL)
    assert (ann.annotator.name, ann.ratings, ann.others) == ("ann", 6, 5)
    assert ann.apart == pytest.approx((-1 + 0 - 2 + 0 + 1) / 5)
    assert ben.apart == pytest.approx(-ann.apart)
    assert ann.distance == pytest.approx((1 + 0 + 2 + 0 + 1) / 5)


def test_checkpoints_have_two_bins_and_are_names() -> None:
    said = {"ann": [1, 1, 0, 1, 0, 1], "ben": [1, 0, 0, 1, 0, 1]}
    found = columns(*(by(who, values, dimension="no_idling") for who, values in said.items()))
    (one,) = among_people(found)
    assert one.checkpoint
    (two,) = one.bins
    assert two.agreed.value == pytest.approx(5 / 6)
    assert two.kappa.value == pytest.approx((5 / 6 - 1 / 2) * 2)


def test_the_tables_have_exact_figures_for_programs_and_go_into_papers() -> None:
    tables = [
        *among_tables(among_people(ALL), "scenarios"),
        against_table(against_people(ALL, "judge")),
        annotators_table(annotators(ALL)),
    ]
    text = as_csv(tables)
    assert "dimension,annotators,seats,several,agreed_3,agreed_3_low" in text
    assert "goal,2,6,5," in text
    assert "kappa_5" in text
    latex = as_latex(tables)
    assert latex.count(r"\begin{tabular}") == 3
