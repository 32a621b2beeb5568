"""Compares a judge's checkpoints with human labels (LIFELONG-SOTOPIA, table 1)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from evaluators.scores.dimensions import in_order
from evaluators.statistics import estimates
from evaluators.statistics.estimates import Estimate

Positive = Literal["passed", "failed"]
"""Which of the two a positive is: somebody who passed, or somebody who failed."""
Verdict = bool | None
"""Whether the judge let the seat pass; None: it said neither."""


class Validated(msgspec.Struct, frozen=True, kw_only=True):
    """One checkpoint: what a judge said beside what people said."""

    checkpoint: str
    labelled: int
    """Samples that people labelled: the denominator of ``missing``."""
    missing: int
    """Of them, those of which the judge said neither; they are in none of the counts below."""
    true_positives: int
    false_positives: int
    """Positive to the judge, negative to people."""
    true_negatives: int
    false_negatives: int
    """Negative to the judge, positive to people."""
    precision: float | None
    """Of what is positive to the judge, the share that is so to people; None: there is nothing."""
    recall: float | None
    """Of what is positive to people, the share that is so to the judge; None: there is nothing."""
    f1: float | None
    """The harmonic mean of the two; None where one is missing or both are 0."""
    kappa: Estimate
    """Cohen's kappa, with its 95 % interval."""


def validated(
    pairs: Mapping[str, Sequence[tuple[Verdict, bool]]], positive: Positive = "passed"
) -> list[Validated]:
    """One row for each checkpoint, in the order of tables; ``pairs`` holds, for each sample, the
    judge's verdict and the human label."""
    return [_validated(name, pairs[name], positive) for name in in_order(pairs)]


def _validated(name: str, pairs: Sequence[tuple[Verdict, bool]], positive: Positive) -> Validated:
    both = [(said, label) for said, label in pairs if said is not None]
    wanted = positive == "passed"
    counted = Counter((said == wanted, label == wanted) for said, label in both)
    true, false = counted[True, True], counted[True, False]
    unseen = counted[False, True]
    precision, recall = _share(true, true + false), _share(true, true + unseen)
    return Validated(
        checkpoint=name,
        labelled=len(pairs),
        missing=len(pairs) - len(both),
        true_positives=true,
        false_positives=false,
        true_negatives=counted[False, False],
        false_negatives=unseen,
        precision=precision,
        recall=recall,
        f1=_share(2 * true, 2 * true + false + unseen)
        if precision is not None and recall is not None and precision + recall
        else None,
        kappa=estimates.kappa(*_rows(both), raters=("the judge", "people")),
    )


def _rows(both: Iterable[tuple[bool, bool]]) -> tuple[list[float], list[float]]:
    pairs = list(both)
    return [float(said) for said, _ in pairs], [float(label) for _, label in pairs]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
