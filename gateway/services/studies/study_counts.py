"""A study in numbers."""

from collections import Counter
from typing import NamedTuple

from actors.studies.state import StudyState
from events.study import Condition


class ConditionCounts(NamedTuple):
    """Of one condition."""

    name: str
    people: int
    """Participants a group."""
    waiting: int
    """Participants in the lobby."""
    playing: int
    """Groups that play and may become whole."""
    whole: int
    """Groups that ended and count for the quota."""
    quota: int
    """0: any number."""
    broken: int
    """Groups that somebody left."""
    fallback: int
    """Groups with a mind where somebody did not come."""


class StudyCounts(NamedTuple):
    """Of a study."""

    came: int
    inside: int
    """Who has not come to their end."""
    where: dict[str, int]
    """Who is where, in the order of the way through."""
    outcomes: dict[str, int]
    """How sessions ended."""
    conditions: tuple[ConditionCounts, ...]


def counts_of(state: StudyState) -> StudyCounts:
    """The numbers of a study as it stands."""
    places = state.places.values()
    where = Counter(place.where for place in places)
    return StudyCounts(
        came=len(state.places),
        inside=len(state.places) - where["ended"],
        where={one: where[one] for one in ("before", "waiting", "playing", "after", "ended")},
        outcomes=dict(Counter(str(place.outcome) for place in places if place.outcome)),
        conditions=tuple(_of(state, one) for one in state.study.conditions),
    )


def _of(state: StudyState, condition: Condition) -> ConditionCounts:
    groups = [one for one in state.groups.values() if one.condition == condition.name]
    counting = [one for one in groups if one.counts]
    return ConditionCounts(
        name=condition.name,
        people=condition.people,
        waiting=len(state.waiting(condition.name)),
        playing=sum(not one.ending for one in counting),
        whole=sum(bool(one.ending) for one in counting),
        quota=condition.quota,
        broken=sum(one.broken for one in groups),
        fallback=sum(one.fallback for one in groups),
    )
