"""How far two judges agree on the same run (``troupe compare``)."""

from collections.abc import Iterable

import msgspec

from evaluators import estimates
from evaluators.dimensions import is_checkpoint
from evaluators.estimates import Estimate
from evaluators.judging import OVERALL
from evaluators.seat_scores import (
    Judged,
    SeatScores,
    dimensions,
    find_judge,
    judges,
    seat_scores,
)
from store.records import ScoreRow


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges on one dimension, over the seats that either was asked about."""

    dimension: str
    asked: int
    """Seats that at least one of the two was asked about: the denominator of all below."""
    missing_a: int
    """Of them, seats without a value by the first judge: failed, abstained or not asked."""
    missing_b: int
    pairs: int
    """Seats with a value by both; all that follows is over these."""
    mean_a: float | None
    mean_b: float | None
    mean_absolute_difference: float | None
    pearson: Estimate
    """The intervals of both correlations take seats as independent of each other. The seats of
    one episode are not quite, so read them as rather too narrow than too wide."""
    spearman: Estimate
    agreed: float | None = None
    """For a checkpoint: the share of pairs in which both say the same; else None."""
    kappa: Estimate | None = None
    """For a checkpoint: Cohen's kappa; else None."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges, dimension by dimension."""

    judge_a: Judged
    judge_b: Judged
    dimensions: tuple[Agreement, ...]
    """Those that both were to score."""
    only_a: tuple[str, ...] = ()
    """Dimensions that the second judge was never asked for."""
    only_b: tuple[str, ...] = ()
    """Dimensions that the first judge was never asked for."""


def compare(scores: Iterable[ScoreRow], judge_a: str, judge_b: str) -> Comparison:
    """Compare two judges by name, hash or beginning of a hash.

    Raises ``UnknownJudgeOfRun``.
    """
    rows = list(scores)
    known = judges(rows)
    a, b = find_judge(known, judge_a), find_judge(known, judge_b)
    everything = seat_scores(rows)
    by_a = {(s.episode, s.seat): s for s in everything if s.judge == a.hash}
    by_b = {(s.episode, s.seat): s for s in everything if s.judge == b.hash}
    of_a, of_b = dimensions(by_a.values()), dimensions(by_b.values())
    return Comparison(
        judge_a=a,
        judge_b=b,
        dimensions=tuple(_agreement(name, by_a, by_b) for name in of_a if name in of_b),
        only_a=tuple(name for name in of_a if name not in of_b),
        only_b=tuple(name for name in of_b if name not in of_a),
    )


Seats = dict[tuple[str, int], SeatScores]


def _agreement(dimension: str, by_a: Seats, by_b: Seats) -> Agreement:
    asked = [
        seat
        for seat in {**by_a, **by_b}
        if _asked(by_a.get(seat), dimension) or _asked(by_b.get(seat), dimension)
    ]
    found = [
        (_value(by_a.get(seat), dimension), _value(by_b.get(seat), dimension)) for seat in asked
    ]
    pairs = [(a, b) for a, b in found if a is not None and b is not None]
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    checkpoint = is_checkpoint(dimension, [*a, *b])
    return Agreement(
        dimension=dimension,
        asked=len(asked),
        missing_a=sum(value is None for value, _ in found),
        missing_b=sum(value is None for _, value in found),
        pairs=len(pairs),
        mean_a=sum(a) / len(a) if a else None,
        mean_b=sum(b) / len(b) if b else None,
        mean_absolute_difference=sum(abs(x - y) for x, y in pairs) / len(pairs) if pairs else None,
        pearson=estimates.pearson(a, b),
        spearman=estimates.spearman(a, b),
        agreed=sum(x == y for x, y in pairs) / len(pairs) if checkpoint and pairs else None,
        kappa=estimates.kappa(a, b) if checkpoint else None,
    )


def _asked(seat: SeatScores | None, dimension: str) -> bool:
    if seat is None:
        return False
    if dimension == OVERALL:
        return seat.overall is not None
    return dimension in seat.asked


def _value(seat: SeatScores | None, dimension: str) -> float | None:
    return seat.values.get(dimension) if seat else None
