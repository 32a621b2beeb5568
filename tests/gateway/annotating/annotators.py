"""Annotators who answer by rule, for tests."""

from collections.abc import Callable

from actors.annotation.answers import asked
from actors.annotation.rules import HandIn, Next, open_item
from actors.annotation.state import Study
from events.annotation import SeatAnswer
from events.evaluation import Dimension
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.services.annotations.submit_answer import hand_in
from store.log.event_store import EventStore
from store.read_model import queries

Rule = Callable[[int, Dimension], float | None]
"""What somebody gives a seat in a dimension; None: they decline."""


def middle(_seat: int, dimension: Dimension) -> float:
    """A whole number in the middle of the range."""
    return float(round((dimension.low + dimension.high) / 2))


def answers_to(study: Study, item: int, seats: int, rule: Rule) -> tuple[SeatAnswer, ...]:
    return tuple(
        SeatAnswer(
            seat=seat,
            dimension=dimension.name,
            value=(value := rule(seat, dimension)),
            abstained=value is None,
            reason="because",
        )
        for seat, dimension in asked(study.plan, study.plan.items[item], seats)
    )


def annotates(store: EventStore, study: str, who: str, rule: Rule = middle, *, now: int = 0) -> int:
    """Take the next item and hand it in; which it was."""
    found = AnnotationStudies(store).do(study, Next(annotator=who, now=now))
    item = open_item(found, who)
    assert item is not None
    return annotates_item(store, study, who, item, rule)


def annotates_item(store: EventStore, study: str, who: str, item: int, rule: Rule = middle) -> int:
    found = AnnotationStudies(store).load(study).state
    seats = len(queries.episode(store, found.plan.items[item].episode).characters)
    given = found.annotators[who].given.get(item)
    check = given.check.value if given and given.check else None
    answers = answers_to(found, item, seats, rule)
    hand_in(
        store,
        study,
        HandIn(annotator=who, item=item, seats=seats, answers=answers, check=check, seconds=90),
    )
    return item
