"""Student's t: its tail and its quantile, for whole degrees of freedom.

SciPy has both, and takes a third of a second to load, which is most of what a table of means takes;
a test holds the two together. Abramowitz and Stegun 1964, 26.7.1 and 26.5.8: the tail is an
incomplete beta function, and that a continued fraction.
"""

from functools import lru_cache
from math import exp, lgamma, log, log1p, pi, tan
from statistics import NormalDist
from typing import Final

_STEPS: Final = 1000
_EXACT: Final = 1e-16
_TINY: Final = 1e-300
"""In the place of 0, to divide by."""


def two_sided(t: float, degrees: int) -> float:
    """The probability of a value at least as far from 0 as ``t``."""
    square = t * t
    x, rest = degrees / (degrees + square), square / (degrees + square)
    a, b = degrees / 2, 0.5
    if not rest or not x:
        return float(not rest)
    if x < (a + 1) / (a + b + 2):
        return _beta(a, b, x, rest)
    return 1 - _beta(b, a, rest, x)


@lru_cache(maxsize=4096)
def reach(confidence: float, degrees: int) -> float:
    """How far from 0 on either side a share of the values is, such as 0.95."""
    outside = 1 - confidence
    if degrees == 1:
        return tan(pi / 2 * confidence)
    normal = NormalDist().inv_cdf(1 - outside / 2)
    found = normal + (normal**3 + normal) / (4 * degrees)
    for _ in range(100):
        # Newton's method on the logarithm, which is nearly straight far out.
        tail = two_sided(found, degrees)
        step = tail * log(tail / outside) / (2 * _density(found, degrees))
        found += step
        if abs(step) <= 1e-15 * found:
            break
    return found


def _density(t: float, degrees: int) -> float:
    scale = _log_ratio(degrees / 2) - log(pi * degrees) / 2
    return exp(scale - (degrees + 1) / 2 * log1p(t * t / degrees))


def _log_ratio(a: float) -> float:
    """The logarithm of the gamma function at a + 1/2, less that at ``a``."""
    if a < 50:
        return lgamma(a + 0.5) - lgamma(a)
    # Of large ones the difference would be lost; what comes next is below 1e-15.
    return log(a) / 2 - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5)


def _log(x: float, rest: float) -> float:
    return log(x) if x < 0.5 else log1p(-rest)


def _beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularized incomplete beta function at ``x``, of which one parameter is 1/2; ``rest``:
    1 - x."""
    scale = _log_ratio(max(a, b)) - log(pi) / 2
    front = exp(scale + a * _log(x, rest) + b * _log(rest, x)) / a
    # Lentz's algorithm.
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    found = d
    for m in range(1, _STEPS):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + part * d or _TINY)
            c = 1 + part / c or _TINY
            found *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return front * found
