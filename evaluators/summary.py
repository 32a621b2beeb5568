"""The tables of a run: means by mind, mind against mind, distributions."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from evaluators import estimates
from evaluators.dimensions import is_checkpoint
from evaluators.estimates import Estimate
from evaluators.judging import OVERALL
from evaluators.seat_scores import SeatScores

Status = Literal["scored", "failed", "abstained"]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """Some scores in one dimension: their mean, and how many there are of how many asked for."""

    mean: Estimate
    """The interval takes the scores of one episode as one cluster (``estimates.mean``)."""
    scored: int
    asked: int
    """The denominator: ``scored`` + ``failed`` + ``abstained``."""
    failed: int
    """In ``overall``: seats for which at least one that it needs failed."""
    abstained: int
    """In ``overall``: seats for which none that it needs failed but one was declined."""
    episodes: int
    """Episodes with a score."""
    share: bool = False
    """A checkpoint: the mean is the share of seats that passed it."""


class MindRow(msgspec.Struct, frozen=True, kw_only=True):
    """One mind as one judge saw it."""

    mind: str
    judge: str
    """The judge's hash."""
    cells: dict[str, Cell]
    """By dimension, ``overall`` among them where the judge scores all that it needs."""


class PairCell(msgspec.Struct, frozen=True, kw_only=True):
    """What ``mind`` got when it played with ``partner``."""

    mind: str
    partner: str
    cell: Cell


def by_mind(found: Sequence[SeatScores], judge: str, dimensions: Sequence[str]) -> list[MindRow]:
    """A row a mind, for one judge (its hash), minds by name."""
    mine = [seat for seat in found if seat.judge == judge]
    return [
        MindRow(
            mind=mind,
            judge=judge,
            cells={name: cell([s for s in mine if s.mind == mind], name) for name in dimensions},
        )
        for mind in sorted({seat.mind for seat in mine})
    ]


def pairs(found: Sequence[SeatScores], judge: str, dimension: str = OVERALL) -> list[PairCell]:
    """Each mind's scores by the mind it played with, itself included, for one judge (its hash).

    A seat with several partners of different minds counts once for each of them.
    """
    mine = [seat for seat in found if seat.judge == judge]
    seats: dict[str, dict[int, str]] = {}
    for one in mine:
        seats.setdefault(one.episode, {})[one.seat] = one.mind
    groups: dict[tuple[str, str], list[SeatScores]] = {}
    for one in mine:
        partners = {mind for seat, mind in seats[one.episode].items() if seat != one.seat}
        for partner in partners:
            groups.setdefault((one.mind, partner), []).append(one)
    return [
        PairCell(mind=mind, partner=partner, cell=cell(group, dimension))
        for (mind, partner), group in sorted(groups.items())
    ]


def distribution(
    found: Iterable[SeatScores], judge: str, dimension: str, mind: str | None = None
) -> list[float]:
    """All values in one dimension by one judge (its hash), of one mind or of all."""
    return [
        seat.values[dimension]
        for seat in found
        if seat.judge == judge and dimension in seat.values and (mind is None or seat.mind == mind)
    ]


def cell(found: Sequence[SeatScores], dimension: str) -> Cell:
    """The scores of some seats in one dimension, or ``overall``, put together."""
    statuses = [(seat, status) for seat in found if (status := status_of(seat, dimension))]
    scored = [seat for seat, status in statuses if status == "scored"]
    return Cell(
        mean=estimates.mean([s.values[dimension] for s in scored], [s.episode for s in scored]),
        scored=len(scored),
        asked=len(statuses),
        failed=sum(status == "failed" for _, status in statuses),
        abstained=sum(status == "abstained" for _, status in statuses),
        episodes=len({seat.episode for seat in scored}),
        share=is_checkpoint(dimension, (s.values[dimension] for s in scored)),
    )


def status_of(seat: SeatScores, dimension: str) -> Status | None:
    """What became of a dimension; None where the judge was not asked for it."""
    if dimension == OVERALL:
        overall = seat.overall
        if overall is None:
            return None
        if dimension in seat.values:
            return "scored"
        return "failed" if any(d.name in seat.failed for d in overall.dimensions) else "abstained"
    if dimension in seat.values:
        return "scored"
    if dimension in seat.failed:
        return "failed"
    return "abstained" if dimension in seat.abstained else None
