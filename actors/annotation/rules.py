"""The rules of an annotation study: how items are assigned, and which answers are accepted.

Pure: the time is part of the command, and randomness comes from the study's seed. ``decide(study,
command)`` returns the resulting events, or raises ``AnnotationRefused``.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from actors.annotation.answers import AnswerFault, faults
from actors.annotation.state import Annotator, Study, attentive, evolve, qualified
from events.annotation import (
    AnnotationClosed,
    AnnotationOpened,
    AnnotatorJoined,
    AttentionCheck,
    ItemAnnotated,
    ItemAssigned,
    ItemLapsed,
    SeatAnswer,
)
from events.base import Event
from events.evaluation import Dimension
from events.ids import derived_number

_HOUR_US = 3_600_000_000

Refusal = Literal["closed", "not_qualified", "not_attentive", "nothing_left", "not_given", "faulty"]


class AnnotationRefused(ValueError):
    """Something that an annotator may not do, or may not do now."""

    def __init__(self, code: Refusal, why: str, found: Sequence[AnswerFault] = ()) -> None:
        super().__init__(why)
        self.code, self.faults = code, tuple(found)


class Next(msgspec.Struct, frozen=True, kw_only=True):
    """An annotator wants something to annotate."""

    annotator: str
    now: int
    """Microseconds since 1970-01-01 UTC."""


class HandIn(msgspec.Struct, frozen=True, kw_only=True):
    """An annotator has annotated an item."""

    annotator: str
    item: int
    seats: int
    """How many the episode has."""
    answers: tuple[SeatAnswer, ...]
    evaluation: str = ""
    """The id of the evaluation that the scores are in; empty for items with known answers."""
    check: float | None = None
    seconds: float = 0.0


class CloseStudy(msgspec.Struct, frozen=True, kw_only=True):
    """Nobody is to annotate any more."""

    by: str


class OpenStudy(msgspec.Struct, frozen=True, kw_only=True):
    """A closed study is to go on."""

    by: str


Command = Next | HandIn | CloseStudy | OpenStudy


def decide(study: Study, command: Command) -> list[Event]:
    """What follows from a command; nothing where it changes nothing. Raises
    ``AnnotationRefused``."""
    match command:
        case Next():
            return list(_next(study, command))
        case HandIn():
            return [_handed_in(study, command)]
        case CloseStudy():
            return [] if study.closed else [AnnotationClosed(by=command.by)]
        case OpenStudy():
            return [AnnotationOpened(by=command.by)] if study.closed else []


def open_item(study: Study, annotator: str) -> int | None:
    """What somebody is at: the first item that they were given and others were not since. None:
    nothing."""
    who = study.annotators.get(annotator)
    return next((at for at, one in who.given.items() if not one.lapsed), None) if who else None


def check_may_hand_in(study: Study, command: HandIn) -> None:
    """Raises ``AnnotationRefused`` where an item may not be handed in so."""
    _check_open(study)
    who = study.annotators.get(command.annotator)
    if who is None or (command.item not in who.given and command.item not in who.done):
        raise AnnotationRefused("not_given", "this item was not given to you; take the next one")
    item = study.plan.items[command.item]
    if item.known and command.item in who.done:
        why = "an item of the qualification is answered once; take the next one"
        raise AnnotationRefused("not_given", why)
    found = faults(study.plan, item, command.seats, command.answers)
    if found:
        raise AnnotationRefused("faulty", f"{len(found)} answers have to be mended", found)


def _handed_in(study: Study, command: HandIn) -> ItemAnnotated:
    check_may_hand_in(study, command)
    known = bool(study.plan.items[command.item].known)
    return ItemAnnotated(
        annotator=command.annotator,
        item=command.item,
        evaluation="" if known else command.evaluation,
        answers=command.answers if known else (),
        check=command.check,
        seconds=max(0.0, command.seconds),
    )


def _next(study: Study, command: Next) -> Iterator[Event]:
    _check_open(study)
    who = study.annotators.get(command.annotator)
    if who is None:
        yield AnnotatorJoined(annotator=command.annotator)
        who = Annotator(name=command.annotator)
    elif open_item(study, command.annotator) is not None:
        return
    fit = qualified(study, who)
    if fit is None:
        item = next(at for at in study.qualification if at not in who.done)
        yield _assigned(study, command, item)
        return
    if not fit:
        why = "too few answers of the qualification were right; thank you for your time"
        raise AnnotationRefused("not_qualified", why)
    if not attentive(study, who):
        why = "too few attention checks were passed; thank you for your time"
        raise AnnotationRefused("not_attentive", why)
    lapsed = list(_lapsed(study, command.now))
    for event in lapsed:
        study = evolve(study, event)
    item_or_none = _fewest(study, who)
    if item_or_none is None:
        raise AnnotationRefused("nothing_left", "there is nothing left for you to annotate")
    # Only where somebody else is given it: who only slept over it goes on.
    yield from (event for event in lapsed if event.item == item_or_none)
    yield _assigned(study, command, item_or_none)


def _fewest(study: Study, who: Annotator) -> int | None:
    """Of the items that annotators are wanted for, the one with the fewest; of several, the one
    that chance gives this annotator, so that all meet all."""
    free = [
        (taken, derived_number(str(study.plan.seed), who.name, str(at)), at)
        for at in study.scored
        if at not in who.done
        and at not in who.given
        and (taken := study.taken(at)) < study.plan.items[at].wanted
    ]
    return min(free)[2] if free else None


def _lapsed(study: Study, now: int) -> Iterator[ItemLapsed]:
    for who in study.annotators.values():
        for at, one in who.given.items():
            if not one.lapsed and one.lapses_at <= now and at in study.scored:
                yield ItemLapsed(annotator=who.name, item=at)


def _assigned(study: Study, command: Next, item: int) -> ItemAssigned:
    return ItemAssigned(
        annotator=command.annotator,
        item=item,
        lapses_at=command.now + round(study.plan.lapse_h * _HOUR_US),
        check=_check(study, command.annotator, item),
    )


def _check(study: Study, annotator: str, item: int) -> AttentionCheck | None:
    """The attention check of an item, by the study's seed; None: it has none."""

    def drawn(what: str) -> int:
        return derived_number(str(study.plan.seed), annotator, str(item), what)

    if drawn("whether") % 10_000 >= study.plan.attention * 10_000:
        return None
    dimensions = study.plan.dimensions
    dimension = dimensions[drawn("which") % len(dimensions)]
    values = steps(dimension)
    return AttentionCheck(dimension=dimension.name, value=values[drawn("value") % len(values)])


MOST_STEPS = 20
"""A range with more whole numbers, or without, is cut into ten equal steps for attention checks."""


def steps(dimension: Dimension) -> list[float]:
    """Values of a dimension that somebody can be asked to set."""
    low, high = dimension.low, dimension.high
    if dimension.integer and high - low <= MOST_STEPS:
        return [low + step for step in range(int(high - low) + 1)]
    return [low + (high - low) * step / 10 for step in range(11)]


def _check_open(study: Study) -> None:
    if study.closed:
        raise AnnotationRefused("closed", "this study is closed; thank you for your time")
