"""Whether the best model of a dimension is better than the second best, by the paper's test.

The tests are SciPy's ``ttest_ind`` and ``ttest_rel`` written out: a report needs no other part of
``scipy.stats``, which takes a second and 25 MB to import. A test holds them to SciPy's.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.scores.distinct_numbers import distinct
from evaluators.social.tables.pair_cells import ModelMeans
from evaluators.social.tables.seat_table import SeatTable
from evaluators.statistics.contrasts import holm_p
from evaluators.statistics.student_t import two_sided

LEVEL = 0.05
"""Of p, below which the best is in bold."""
_NOTHING = 1e-12
"""Values whose range is below it are all alike, and then no test tells the spread."""


class TTest(msgspec.Struct, frozen=True, kw_only=True):
    """A two-sided t-test of two means; None where the scores allow none."""

    t: float | None = None
    degrees: float | None = None
    p: float | None = None


class BestTest(msgspec.Struct, frozen=True, kw_only=True):
    """The best model against the second best in one dimension."""

    dimension: str
    best: str
    second: str
    difference: float
    """Of their means of cells."""
    student: TTest
    """Equal variances, over seats: the paper's."""
    welch: TTest
    paired: TTest
    """Over what both met: the same task, seat and partner."""
    pairs: int
    p_holm: float | None = None
    """Student's p, corrected for all dimensions of the table."""

    @property
    def bold(self) -> bool:
        """Whether the paper would set it in bold."""
        return self.student.p is not None and self.student.p < LEVEL


def best_tests(seats: SeatTable, means: ModelMeans) -> list[BestTest]:
    """A test for each dimension in which two models or more have a mean."""
    found = []
    for place, dimension in enumerate(means.dimensions):
        of = means.value[:, place]
        order = [model for model in np.argsort(-of, kind="stable") if not np.isnan(of[model])]
        if len(order) < 2:
            continue
        best, second = (means.models[model] for model in order[:2])
        a, b = (_scored(seats, model, place) for model in (best, second))
        x, y = _pairs(a, b, place)
        found.append(
            BestTest(
                dimension=dimension,
                best=best,
                second=second,
                difference=float(of[order[0]] - of[order[1]]),
                student=student(a.values[:, place], b.values[:, place]),
                welch=welch(a.values[:, place], b.values[:, place]),
                paired=paired(x, y),
                pairs=len(x),
            )
        )
    corrected = holm_p([one.student.p for one in found])
    return [msgspec.structs.replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)]


def student(a: NDArray[np.float64], b: NDArray[np.float64]) -> TTest:
    """Student's t-test of two groups, variances taken as equal."""
    return _independent(a, b, equal_var=True)


def welch(a: NDArray[np.float64], b: NDArray[np.float64]) -> TTest:
    """Welch's t-test of two groups."""
    return _independent(a, b, equal_var=False)


def paired(a: NDArray[np.float64], b: NDArray[np.float64]) -> TTest:
    """Student's t-test of pairs."""
    if len(a) < 2 or np.ptp(a - b) < _NOTHING:
        return TTest()
    return _of(float(np.mean(a - b)), float(np.var(a - b, ddof=1)) / len(a), len(a) - 1)


def _independent(a: NDArray[np.float64], b: NDArray[np.float64], *, equal_var: bool) -> TTest:
    if min(len(a), len(b)) < 2 or max(np.ptp(a), np.ptp(b)) < _NOTHING:
        return TTest()
    difference, degrees = float(a.mean() - b.mean()), len(a) + len(b) - 2
    variances = np.array([a.var(ddof=1), b.var(ddof=1)])
    counts = np.array([len(a), len(b)])
    if equal_var:
        pooled = float(variances @ (counts - 1)) / degrees
        return _of(difference, pooled * float((1 / counts).sum()), degrees)
    of_means = variances / counts
    # Welch and Satterthwaite's.
    effective = float(of_means.sum() ** 2 / (of_means**2 / (counts - 1)).sum())
    return _of(difference, float(of_means.sum()), effective)


def _of(difference: float, variance: float, degrees: float) -> TTest:
    """The test of a difference of means with this variance."""
    t = difference / float(np.sqrt(variance))
    return TTest(t=t, degrees=float(degrees), p=two_sided(t, degrees))


def _scored(seats: SeatTable, model: str, place: int) -> SeatTable:
    mine = seats.where(seats.mind.among(model))
    return mine.where(~np.isnan(mine.values[:, place]))


def _pairs(
    a: SeatTable, b: SeatTable, place: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each scored in the same task, the same seat and with the same partner; where it did
    several times, the mean."""
    sides = [
        (one.task * len(one.partner.names) + one.partner.codes) * 2 + one.seat for one in (a, b)
    ]
    keys, of = distinct(np.concatenate(sides))
    values = np.concatenate([one.values[:, place] for one in (a, b)])
    side = np.repeat((0, 1), [len(a), len(b)])
    cells = of * 2 + side
    counts = np.bincount(cells, minlength=2 * len(keys)).reshape(-1, 2)
    sums = np.bincount(cells, weights=values, minlength=2 * len(keys)).reshape(-1, 2)
    both = (counts > 0).all(axis=1)
    means = sums[both] / counts[both]
    return means[:, 0], means[:, 1]
