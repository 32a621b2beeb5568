"""Checks whether an annotator's answers are complete and within the ranges of the dimensions."""

from collections.abc import Iterator, Sequence

import msgspec

from events.annotation import AnnotationItem, AnnotationPlanned, SeatAnswer
from events.evaluation import Dimension

MOST_REASON = 4_000
"""Characters of a reason."""
MOST_QUOTES = 20
MOST_QUOTE = 1_000
"""Characters of a quote."""


class AnswerFault(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with one answer."""

    seat: int
    """From 0."""
    dimension: str
    why: str
    """A sentence for the annotator."""


def asked(plan: AnnotationPlanned, item: AnnotationItem, seats: int) -> list[tuple[int, Dimension]]:
    """What an annotator is asked of an item: each seat in each dimension."""
    which = range(seats) if item.seat is None else (item.seat,)
    return [(seat, dimension) for seat in which for dimension in plan.dimensions]


def faults(
    plan: AnnotationPlanned, item: AnnotationItem, seats: int, answers: Sequence[SeatAnswer]
) -> list[AnswerFault]:
    """What is wrong with an item's answers, in the order of the form; empty: nothing."""
    given = {(one.seat, one.dimension): one for one in answers}
    wanted = asked(plan, item, seats)
    found = [
        AnswerFault(seat=seat, dimension=dimension.name, why=why)
        for seat, dimension in wanted
        if (why := _fault(plan, dimension, given.pop((seat, dimension.name), None)))
    ]
    strays = [
        AnswerFault(seat=seat, dimension=name, why="it was not asked for") for seat, name in given
    ]
    return found + strays


def _fault(plan: AnnotationPlanned, dimension: Dimension, answer: SeatAnswer | None) -> str:
    if answer is None or (answer.value is None and not answer.abstained):
        return "choose a value, or say that you cannot tell"
    return next(_faults(plan, dimension, answer), "")


def _faults(plan: AnnotationPlanned, dimension: Dimension, answer: SeatAnswer) -> Iterator[str]:
    low, high, value = dimension.low, dimension.high, answer.value
    checkpoint = dimension.name in plan.checkpoints
    if answer.abstained and value is not None:
        yield "give a value or say that you cannot tell, not both"
    if value is not None and not low <= value <= high:
        yield f"the value must be {low:g} to {high:g}"
    if value is not None and (dimension.integer or checkpoint) and value % 1:
        yield "the value must be a whole number"
    if not answer.reason.strip():
        yield "say why, in a few words"
    if len(answer.reason) > MOST_REASON:
        yield f"the reason may have {MOST_REASON:,} characters, and has {len(answer.reason):,}"
    quotable = checkpoint and dimension.name not in plan.by_absence
    if quotable and value == 0 and not answer.quotes:
        yield "pick the words from the transcript that show it"
    if len(answer.quotes) > MOST_QUOTES:
        yield f"at most {MOST_QUOTES} quotes"
    if any(len(quote) > MOST_QUOTE for quote in answer.quotes):
        yield f"a quote may have {MOST_QUOTE:,} characters"
