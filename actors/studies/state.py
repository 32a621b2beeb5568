"""The state of a study: its sessions and its groups."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from events.base import Event, Value
from events.minds import MindSpec
from events.study import (
    Condition,
    GroupEnded,
    GroupFormed,
    Member,
    Outcome,
    ParticipantErased,
    SessionAdmitted,
    SessionDropped,
    SessionEnded,
    SessionWaits,
    Study,
    StudyClosed,
    StudyOpened,
    StudyPaused,
    StudyPlanned,
)

Status = Literal["planned", "open", "paused", "closed"]
Where = Literal["before", "waiting", "playing", "after", "ended"]


class Place(Value, frozen=True, kw_only=True):
    """Where one session stands."""

    session: str
    participant: str
    """The pseudonym."""
    who: str = ""
    """Fingerprint of what tells the participant apart."""
    admitted_at: int
    """Microseconds since 1970-01-01 UTC."""
    where: Where = "before"
    """At its consent, instructions and questions; in the lobby; in a group; behind it; at its
    end."""
    condition: str = ""
    """Empty before the lobby."""
    since: int = 0
    """When it came to where it is, in microseconds since 1970-01-01 UTC."""
    episode: str = ""
    """That of its group; empty: it has none yet."""
    seat: int | None = None
    """Its seat there, from 0."""
    dropped: bool = False
    """It left its group."""
    outcome: Outcome | None = None
    """How it ended."""
    code: str = ""
    """The completion code."""
    ended_at: int = 0
    """Microseconds since 1970-01-01 UTC; 0: it has not."""


class Group(Value, frozen=True, kw_only=True):
    """Participants of one episode."""

    episode: str
    condition: str
    task: str
    members: tuple[Member, ...]
    minds: tuple[MindSpec, ...]
    fallback: bool
    """A mind sits where somebody did not come."""
    formed_at: int
    """Microseconds since 1970-01-01 UTC."""
    broken: bool = False
    """Somebody left before the end."""
    ending: str = ""
    """Empty: it plays."""

    @property
    def counts(self) -> bool:
        """Whether it is, or may become, one of its condition's quota."""
        return not self.fallback and not self.broken


class StudyState(msgspec.Struct, frozen=True, kw_only=True):
    """The fold of a study's stream."""

    study: Study
    run: str
    """The run that its episodes belong to."""
    status: Status = "planned"
    places: Mapping[str, Place] = MappingProxyType({})
    """By session, in the order in which they came in."""
    groups: Mapping[str, Group] = MappingProxyType({})
    """By episode."""
    known: Mapping[str, str] = MappingProxyType({})
    """Session by fingerprint of who it is."""
    erased: frozenset[str] = frozenset()
    """Pseudonyms."""
    source: str = ""
    """The file's text."""

    def waiting(self, condition: str) -> list[Place]:
        """Who waits in the lobby for a condition, the longest first."""
        there = (place for place in self.places.values() if place.where == "waiting")
        return sorted(
            (place for place in there if place.condition == condition),
            key=lambda place: (place.since, place.session),
        )

    def taken(self, condition: Condition) -> int:
        """Participants who wait for a condition, or are in a group that counts for it."""
        counted = sum(
            len(group.members)
            for group in self.groups.values()
            if group.condition == condition.name and group.counts
        )
        return counted + len(self.waiting(condition.name))

    def room(self, condition: Condition) -> float:
        """How many more may be drawn into a condition."""
        if not condition.quota:
            return float("inf")
        return condition.quota * condition.people - self.taken(condition)

    @property
    def under_way(self) -> list[Group]:
        return [group for group in self.groups.values() if not group.ending]


def fold(events: Iterable[Event], state: StudyState | None = None) -> StudyState | None:
    """The state after events of a study's stream; None where there are none."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: StudyState | None, event: Event) -> StudyState:
    """The state after one more event. Raises ``TypeError`` for one that is none of a study's."""
    if isinstance(event, StudyPlanned):
        return StudyState(study=event.study, run=event.run, source=event.source)
    if state is None:
        raise TypeError("a study begins with StudyPlanned")
    change = msgspec.structs.replace
    match event:
        case StudyOpened():
            return change(state, status="open")
        case StudyPaused():
            return change(state, status="paused")
        case StudyClosed():
            return change(state, status="closed")
        case SessionAdmitted(session=session, participant=participant, who=who, at=at):
            place = Place(
                session=session, participant=participant, who=who, admitted_at=at, since=at
            )
            known = {**state.known, who: session} if who else state.known
            return change(state, places={**state.places, session: place}, known=known)
        case SessionWaits(session=session, condition=condition, at=at):
            return _moved(state, session, where="waiting", condition=condition, since=at)
        case GroupFormed():
            return _formed(state, event)
        case SessionDropped(session=session):
            return _dropped(state, session)
        case GroupEnded(episode=episode, ending=ending, at=at):
            group = state.groups[episode]
            groups = {**state.groups, episode: change(group, ending=ending)}
            state = change(state, groups=groups)
            for member in group.members:
                if state.places[member.session].where == "playing":
                    state = _moved(state, member.session, where="after", since=at)
            return state
        case SessionEnded(session=session, outcome=outcome, code=code, at=at):
            ended = {"where": "ended", "outcome": outcome, "code": code}
            return _moved(state, session, **ended, since=at, ended_at=at)
        case ParticipantErased(participant=participant):
            return change(state, erased=state.erased | {participant})
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of a study")


def _moved(state: StudyState, session: str, **changes: object) -> StudyState:
    place = msgspec.structs.replace(state.places[session], **changes)
    return msgspec.structs.replace(state, places={**state.places, session: place})


def _formed(state: StudyState, event: GroupFormed) -> StudyState:
    group = Group(
        episode=event.episode,
        condition=event.condition,
        task=event.task,
        members=event.members,
        minds=event.minds,
        fallback=event.fallback,
        formed_at=event.at,
    )
    state = msgspec.structs.replace(state, groups={**state.groups, event.episode: group})
    for member in event.members:
        there = {"episode": event.episode, "seat": member.seat, "since": event.at}
        state = _moved(state, member.session, where="playing", **there)
    return state


def _dropped(state: StudyState, session: str) -> StudyState:
    state = _moved(state, session, dropped=True)
    episode = state.places[session].episode
    group = msgspec.structs.replace(state.groups[episode], broken=True)
    return msgspec.structs.replace(state, groups={**state.groups, episode: group})
