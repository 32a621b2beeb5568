"""Intention expression gap, IEG (AntEval, sections 3.2 and 4.2): how much worse a virtual game
master reads intentions that was trained on played sessions than one trained on real ones."""

from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class LabelCounts(NamedTuple):
    """True positives, false positives and false negatives, summed over samples."""

    tp: int
    fp: int
    fn: int

    @property
    def f(self) -> float:
        """2 TP / (2 TP + FP + FN), from 0 to 1; 1 where nothing was to be found and nothing was."""
        whole = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / whole if whole else 1.0


def counts_of(samples: Iterable[tuple[Set[T], Set[T]]]) -> LabelCounts:
    """Summed over pairs of what is right and what was predicted."""
    tp = fp = fn = 0
    for right, predicted in samples:
        hit = len(right & predicted)
        tp, fp, fn = tp + hit, fp + len(predicted) - hit, fn + len(right) - hit
    return LabelCounts(tp, fp, fn)


def mean_f(samples: Sequence[tuple[Set[T], Set[T]]]) -> float | None:
    """The mean of the samples' own F, which the paper may have meant; None: there is none."""
    if not samples:
        return None
    return sum(counts_of([one]).f for one in samples) / len(samples)


def gap(f_real: float, f_generated: float) -> float | None:
    """G = |f_r − f_g| / (f_r + f_g), from 0 to 1, whatever the unit of both; None where both are
    zero."""
    whole = f_real + f_generated
    return abs(f_real - f_generated) / whole if whole else None


def characters_of(labels: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Those who act, of pairs of character and skill: what f^c is counted over."""
    return frozenset(who for who, _ in labels)
