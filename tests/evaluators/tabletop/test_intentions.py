"""The intention expression gap, by hand."""

import pytest

from evaluators.tabletop.intentions import LabelCounts, characters_of, counts_of, gap, mean_f

RIGHT = [
    {("A", "Stealth")},
    {("B", "Insight")},
    {("A", "Perception"), ("C", "Stealth")},
]
PREDICTED = [
    {("A", "Stealth")},
    {("C", "Insight")},
    {("A", "Perception"), ("C", "Arcana")},
]
PAIRS = list(zip(RIGHT, PREDICTED, strict=True))
WHO = [(characters_of(right), characters_of(predicted)) for right, predicted in PAIRS]


def test_f_sums_over_samples():
    assert counts_of(WHO).f == pytest.approx(6 / 8)
    assert counts_of(PAIRS).f == pytest.approx(4 / 8)


def test_the_mean_of_each_samples_own_f():
    assert mean_f(WHO) == pytest.approx(2 / 3)
    assert mean_f(PAIRS) == pytest.approx(1 / 2)
    assert mean_f([]) is None


def test_nothing_right_and_nothing_predicted_is_right():
    assert counts_of([(set(), set())]) == LabelCounts(0, 0, 0)
    assert LabelCounts(0, 0, 0).f == 1.0


@pytest.mark.parametrize(
    ("real", "generated", "percent"),
    [(0.75, 0.5, 20.0), (39.73, 29.28, 15.14), (30.61, 10.12, 50.31), (32.0, 32.0, 0.0)],
)
def test_the_gap_follows_from_both(real: float, generated: float, percent: float):
    assert 100 * gap(real, generated) == pytest.approx(percent, abs=0.005)
    assert gap(real, generated) == gap(generated, real)


def test_no_gap_where_nothing_is_read_at_all():
    assert gap(0.0, 0.0) is None
