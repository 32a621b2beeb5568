"""Tests between two groups of scores, held against published examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.statistics.contrasts import Contrast, Group, contrast, holm

# Lakens 2013, Frontiers in Psychology 4:863, table 1: ten people rate two movies.
MOVIE_1 = [9, 7, 8, 9, 8, 9, 9, 10, 9, 9]
MOVIE_2 = [9, 6, 7, 8, 7, 9, 8, 8, 8, 7]

# Student 1908, "The probable error of a mean", Biometrika 6, table on p. 20 (after Cushny and
# Peebles): hours of sleep gained by ten patients with each of two drugs.
DEXTRO = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
LAEVO = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def group(label: str, values: list[float], units: list[object] | None = None) -> Group:
    return Group(label=label, values=values, units=units or list(range(len(values))))


def apart(label: str, values: list[float]) -> Group:
    return group(label, values, [(label, place) for place in range(len(values))])


def test_lakens_paired_ratings_have_the_published_test_and_effect() -> None:
    found = contrast(group("one", MOVIE_1), group("two", MOVIE_2))
    assert (found.test, found.n, found.degrees) == ("paired t", 10, 9)
    assert found.difference.value == pytest.approx(1.0)
    assert found.statistic == pytest.approx(4.74, abs=0.005)
    assert found.p == pytest.approx(0.001, abs=0.0005)
    assert found.effect == pytest.approx(1.13, abs=0.005)
    assert (found.a.mean.value, found.b.mean.value) == pytest.approx((8.7, 7.7))
    assert (found.a.mean.sd, found.b.mean.sd) == pytest.approx((0.82, 0.95), abs=0.005)


def test_the_same_ratings_by_other_people_are_tested_unpaired() -> None:
    found = contrast(apart("one", MOVIE_1), apart("two", MOVIE_2))
    assert (found.test, found.n) == ("Welch's t", 20)
    assert found.statistic == pytest.approx(2.52, abs=0.005)
    assert found.p == pytest.approx(0.022, abs=0.0006)


def test_students_own_example_of_sleep() -> None:
    found = contrast(group("laevo", LAEVO), group("dextro", DEXTRO))
    assert found.difference.value == pytest.approx(1.58)
    assert found.statistic == pytest.approx(4.0621, abs=1e-4)
    assert found.p == pytest.approx(0.002833, abs=1e-6)
    low, high = found.difference.low, found.difference.high
    assert (low, high) == pytest.approx((0.7001142, 2.4598858), abs=1e-6)
    welch = contrast(apart("dextro", DEXTRO), apart("laevo", LAEVO))
    assert welch.statistic == pytest.approx(-1.8608, abs=1e-4)
    assert welch.degrees == pytest.approx(17.776, abs=1e-3)
    assert welch.p == pytest.approx(0.07939, abs=1e-5)


def test_a_unit_counts_once_however_many_scores_it_has() -> None:
    a = group("a", [4, 6, 5, 5, 8], ["s1", "s1", "s1", "s2", "s3"])
    b = group("b", [3, 3, 5], ["s1", "s2", "s3"])
    found = contrast(a, b)
    # Means by scenario 5, 5, 8 against 3, 3, 5: differences 2, 2, 3.
    differences = np.array([2, 2, 3])
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(3))
    assert found.statistic == pytest.approx(t)
    assert (found.n, found.a.units, found.a.scores) == (3, 3, 5)
    assert found.a.mean.value == pytest.approx(5.6)


def test_units_of_one_side_alone_are_left_out_of_a_paired_test() -> None:
    a = group("a", [1, 2, 4, 100], ["s1", "s2", "s3", "only"])
    b = group("b", [0, 2, 1], ["s1", "s2", "s3"])
    found = contrast(a, b)
    assert (found.n, found.difference.value) == (3, pytest.approx(4 / 3))


def test_holms_correction_of_four_tests_by_hand() -> None:
    # 0.005 · 4, 0.01 · 3, 0.03 · 2, and 0.04 no less than the one before it.
    family = [with_p(p) for p in (0.01, 0.04, 0.03, 0.005)]
    corrected = [one.p_holm for one in holm(family)]
    assert corrected == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_what_could_not_be_tested_does_not_count_in_its_family() -> None:
    family = [with_p(0.02), with_p(None), with_p(0.03)]
    assert [one.p_holm for one in holm(family)] == [pytest.approx(0.04), None, pytest.approx(0.04)]
    assert holm([with_p(None)]) == [with_p(None)]


@pytest.mark.parametrize(
    ("a", "b", "value", "why"),
    [
        ([], [1.0], None, "no score"),
        ([3.0, 9.0], [1.0, 2.0], 4.5, "three chains or more of each"),
        ([3.0, 4.0, 5.0], [1.0, 2.0, 3.0], 2.0, "do not differ"),
    ],
)
def test_what_nothing_tells_has_no_p_and_says_why(
    a: list[float], b: list[float], value: float | None, why: str
) -> None:
    found = contrast(group("a", a), group("b", b), "chains")
    assert (found.difference.value, found.p, found.effect) == (value, None, None)
    assert why in found.difference.why


@given(
    st.lists(st.integers(0, 10), min_size=3, max_size=8),
    st.lists(st.integers(0, 10), min_size=3, max_size=8),
    st.booleans(),
)
def test_who_is_first_changes_the_sign_alone(a: list[int], b: list[int], shared: bool) -> None:
    make = group if shared else apart
    one, other = contrast(make("a", a), make("b", b)), contrast(make("b", b), make("a", a))
    assert one.p == (None if other.p is None else pytest.approx(other.p))
    assert (one.n, one.test) == (other.n, other.test)
    if one.difference.value is not None and other.difference.value is not None:
        assert one.difference.value == pytest.approx(-other.difference.value)


def with_p(p: float | None) -> Contrast:
    found = contrast(group("a", [1, 2, 4]), group("b", [0, 2, 1]))
    return Contrast(**{**{f: getattr(found, f) for f in found.__struct_fields__}, "p": p})
