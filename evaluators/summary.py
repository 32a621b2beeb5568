"""The tables of a run: means by mind, mind against mind, distributions."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from evaluators import estimates, sotopia_eval
from evaluators.dimensions import is_checkpoint
from evaluators.estimates import Estimate
from evaluators.subjects import Subject

Status = Literal["scored", "failed", "abstained"]


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """Some scores in one dimension: their mean, and how many there are of how many asked for."""

    mean: Estimate
    """The interval takes the scores of one episode as one cluster (``estimates.mean``)."""
    scored: int
    asked: int
    """The denominator: ``scored`` + ``failed`` + ``abstained``."""
    failed: int
    """In ``overall``: seats for which at least one of the seven failed."""
    abstained: int
    """In ``overall``: seats for which none of the seven failed but at least one was declined."""
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
    """By dimension, ``overall`` among them where the judge scores all seven."""


class PairCell(msgspec.Struct, frozen=True, kw_only=True):
    """What ``mind`` got when it played with ``partner``."""

    mind: str
    partner: str
    cell: Cell


def by_mind(found: Sequence[Subject], judge: str, dimensions: Sequence[str]) -> list[MindRow]:
    """A row a mind, for one judge (its hash), minds by name."""
    mine = [subject for subject in found if subject.judge == judge]
    return [
        MindRow(
            mind=mind,
            judge=judge,
            cells={name: cell([s for s in mine if s.mind == mind], name) for name in dimensions},
        )
        for mind in sorted({subject.mind for subject in mine})
    ]


def pairs(
    found: Sequence[Subject], judge: str, dimension: str = sotopia_eval.OVERALL
) -> list[PairCell]:
    """Each mind's scores by the mind it played with, itself included, for one judge (its hash).

    A seat with several partners of different minds counts once for each of them.
    """
    mine = [subject for subject in found if subject.judge == judge]
    seats: dict[str, dict[int, str]] = {}
    for subject in mine:
        seats.setdefault(subject.episode, {})[subject.seat] = subject.mind
    groups: dict[tuple[str, str], list[Subject]] = {}
    for subject in mine:
        partners = {m for seat, m in seats[subject.episode].items() if seat != subject.seat}
        for partner in partners:
            groups.setdefault((subject.mind, partner), []).append(subject)
    return [
        PairCell(mind=mind, partner=partner, cell=cell(group, dimension))
        for (mind, partner), group in sorted(groups.items())
    ]


def distribution(
    found: Iterable[Subject], judge: str, dimension: str, mind: str | None = None
) -> list[float]:
    """All values in one dimension by one judge (its hash), of one mind or of all."""
    return [
        subject.values[dimension]
        for subject in found
        if subject.judge == judge
        and dimension in subject.values
        and (mind is None or subject.mind == mind)
    ]


def cell(found: Sequence[Subject], dimension: str) -> Cell:
    """The scores of some subjects in one dimension, or ``overall``, put together."""
    statuses = [(subject, status) for subject in found if (status := status_of(subject, dimension))]
    scored = [subject for subject, status in statuses if status == "scored"]
    return Cell(
        mean=estimates.mean([s.values[dimension] for s in scored], [s.episode for s in scored]),
        scored=len(scored),
        asked=len(statuses),
        failed=sum(status == "failed" for _, status in statuses),
        abstained=sum(status == "abstained" for _, status in statuses),
        episodes=len({subject.episode for subject in scored}),
        share=is_checkpoint(dimension, (s.values[dimension] for s in scored)),
    )


def status_of(subject: Subject, dimension: str) -> Status | None:
    """What became of a dimension; None where the judge was not asked for it."""
    if dimension == sotopia_eval.OVERALL:
        if not subject.overall_asked:
            return None
        if dimension in subject.values:
            return "scored"
        return "failed" if subject.failed.keys() & sotopia_eval.BY_NAME.keys() else "abstained"
    if dimension in subject.values:
        return "scored"
    if dimension in subject.failed:
        return "failed"
    return "abstained" if dimension in subject.abstained else None
