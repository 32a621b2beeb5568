"""Student's t is SciPy's."""

import pytest
from scipy import special

from evaluators.student import reach, two_sided

DEGREES = (1, 2, 3, 4, 5, 10, 19, 49, 89, 99, 100, 101, 449, 5_000, 21_599, 100_000)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_the_quantile_is_scipy_s(degrees, confidence):
    expected = special.stdtrit(degrees, (1 + confidence) / 2)
    assert reach(confidence, degrees) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("t", [0.001, 0.1, 1, -1.96, 3, 20, 1e6])
def test_the_tail_is_scipy_s(degrees, t):
    expected = 2 * special.stdtr(degrees, -abs(t))
    assert two_sided(t, degrees) == pytest.approx(expected, rel=1e-11, abs=1e-300)


def test_nothing_is_all_of_the_tail_and_infinity_none():
    assert (two_sided(0, 7), two_sided(float("inf"), 7)) == (1, 0)
