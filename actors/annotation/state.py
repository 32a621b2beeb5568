"""The state of an annotation study, folded from its events."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec

from events.annotation import (
    AnnotationClosed,
    AnnotationItem,
    AnnotationOpened,
    AnnotationPlanned,
    AnnotatorJoined,
    AttentionCheck,
    ItemAnnotated,
    ItemAssigned,
    ItemLapsed,
    SeatAnswer,
)
from events.base import Event, replace


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """An item as it was given to an annotator."""

    lapses_at: int
    check: AttentionCheck | None = None
    lapsed: bool = False
    """Others may be given it by now."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """An item as an annotator handed it in, the last time."""

    evaluation: str
    """The evaluation that counts; empty: the item is for qualification."""
    attentive: bool | None
    """Whether the attention check was passed the first time; None: there was none."""
    seconds: float
    """All times together."""
    times: int
    """How often it was handed in."""


class Annotator(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """The pseudonym."""
    given: Mapping[int, Given] = {}
    """What is not handed in yet, by item."""
    done: Mapping[int, Done] = {}
    """What is, by item."""
    right: int = 0
    """Known answers that were given."""
    known: int = 0
    """Known answers that were asked for."""

    @property
    def checks(self) -> tuple[int, int]:
        """Attention checks passed, and all there were."""
        found = [one.attentive for one in self.done.values() if one.attentive is not None]
        return sum(found), len(found)

    @property
    def seconds(self) -> float:
        """How long all that is handed in was looked at."""
        return sum(one.seconds for one in self.done.values())


class Study(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A study after some event."""

    plan: AnnotationPlanned
    annotators: Mapping[str, Annotator] = {}
    """By pseudonym, in the order in which they came."""
    closed: bool = False

    @cached_property
    def qualification(self) -> tuple[int, ...]:
        """The items that everybody begins with."""
        return tuple(at for at, item in enumerate(self.plan.items) if item.known)

    @cached_property
    def scored(self) -> tuple[int, ...]:
        """The items whose annotations become scores."""
        return tuple(at for at, item in enumerate(self.plan.items) if not item.known)

    def taken(self, item: int) -> int:
        """How many annotators have handed an item in or are at it."""
        return sum(
            item in one.done or (item in one.given and not one.given[item].lapsed)
            for one in self.annotators.values()
        )

    def finished(self, item: int) -> int:
        """How many annotators have handed an item in."""
        return sum(item in one.done for one in self.annotators.values())

    @property
    def wanted(self) -> int:
        """How many annotations there are to be, qualification left out."""
        return sum(self.plan.items[at].wanted for at in self.scored)

    @property
    def had(self) -> int:
        """How many of those there are; what is beyond what was wanted of an item is not counted."""
        return sum(min(self.finished(at), self.plan.items[at].wanted) for at in self.scored)


def qualified(study: Study, annotator: Annotator) -> bool | None:
    """Whether somebody gave enough of the known answers; None: they are not through with them."""
    if any(at not in annotator.done for at in study.qualification):
        return None
    return not annotator.known or annotator.right >= study.plan.qualification_mark * annotator.known


LEAST_CHECKS = 2
"""One attention check alone turns nobody away: everybody slips once."""


def attentive(study: Study, annotator: Annotator) -> bool:
    """Whether somebody passed enough attention checks to be given more items."""
    passed, of = annotator.checks
    return of < LEAST_CHECKS or passed >= study.plan.attention_mark * of


def right_of(item: AnnotationItem, answers: Iterable[SeatAnswer]) -> int:
    """How many of an item's known answers were given; an annotator who declines gives none."""
    given = {(one.seat, one.dimension): one.value for one in answers if not one.abstained}
    found = [(given.get((one.seat, one.dimension)), one) for one in item.known]
    return sum(value is not None and one.low <= value <= one.high for value, one in found)


class NotPlanned(ValueError):
    """A history that does not begin as an annotation study does."""

    def __init__(self) -> None:
        super().__init__("the stream is no annotation study: it does not begin with its plan")


def replay(events: Sequence[Event]) -> Study:
    """The study after these events. Raises ``NotPlanned``."""
    if not events or not isinstance(events[0], AnnotationPlanned):
        raise NotPlanned
    study = Study(plan=events[0])
    for event in events[1:]:
        study = evolve(study, event)
    return study


def evolve(study: Study, event: Event) -> Study:
    """The study after one more event."""
    match event:
        case AnnotatorJoined(annotator=name):
            return _with(study, Annotator(name=name))
        case ItemAssigned(annotator=name, item=item):
            who = study.annotators[name]
            given = Given(lapses_at=event.lapses_at, check=event.check)
            return _with(study, replace(who, given={**who.given, item: given}))
        case ItemLapsed(annotator=name, item=item):
            who = study.annotators[name]
            given = replace(who.given[item], lapsed=True)
            return _with(study, replace(who, given={**who.given, item: given}))
        case ItemAnnotated(annotator=name):
            return _with(study, _annotated(study, study.annotators[name], event))
        case AnnotationClosed():
            return replace_study(study, closed=True)
        case AnnotationOpened():
            return replace_study(study, closed=False)
    return study


def replace_study(study: Study, **changes: object) -> Study:
    """A copy with some fields changed."""
    given = {"plan": study.plan, "annotators": study.annotators, "closed": study.closed}
    return Study(**{**given, **changes})  # type: ignore[arg-type]


def _with(study: Study, who: Annotator) -> Study:
    return replace_study(study, annotators={**study.annotators, who.name: who})


def _annotated(study: Study, who: Annotator, event: ItemAnnotated) -> Annotator:
    before = who.done.get(event.item)
    given = who.given.get(event.item)
    passed = None if before is None else before.attentive
    if before is None and given is not None and given.check is not None:
        passed = event.check == given.check.value
    item = study.plan.items[event.item]
    done = Done(
        evaluation=event.evaluation,
        attentive=passed,
        seconds=event.seconds + (before.seconds if before else 0.0),
        times=1 + (before.times if before else 0),
    )
    left = {at: one for at, one in who.given.items() if at != event.item}
    first = before is None
    return replace(
        who,
        given=left,
        done={**who.done, event.item: done},
        right=who.right + (right_of(item, event.answers) if first else 0),
        known=who.known + (len(item.known) if first else 0),
    )
