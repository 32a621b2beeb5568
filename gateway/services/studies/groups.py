"""A group's episode: how it begins, and what became of it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from actors.episodes.delivery.delays import all_shown_at
from actors.episodes.registry import environment_named
from actors.runs.plan.episode_setup import beginning
from actors.runs.planned_catalog import read_edition
from actors.runs.state import load_run
from actors.studies.state import Group, StudyState
from events.base import Event
from events.episode import (
    ActionTaken,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeStarted,
    SeatReleased,
    SeatTaken,
    TurnOpened,
)
from events.ids import derived_number
from events.run import PlannedEpisode
from events.serialization.codec import event_of
from events.study import DropReason
from events.wire.subjects import stream_name
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from store.log.forked_history import Numbered
from store.read_model.catalogs import edition_at


class Gone(NamedTuple):
    """A member who is no longer in their seat."""

    session: str
    reason: DropReason


class GroupOutcome(NamedTuple):
    """What became of a group's episode."""

    begun: bool
    gone: tuple[Gone, ...] = ()
    """Who left before the end, in order."""
    ending: str = ""
    """Empty: it goes on."""
    shown_at: int = 0
    """When participants were shown all of it, in microseconds since 1970-01-01 UTC."""


def begin_group(store: EventStore, study: str, state: StudyState, group: Group) -> None:
    """Store the beginning of a group's episode, everybody in their seats; harmless where it is
    there. Blocking."""
    stream = stream_name("episode", group.episode)
    if store.version(stream) != NEW:
        return
    events = first_events(store, study, state, group)
    try:
        store.append(stream, NEW, events, correlation=state.run)
    except Conflict:
        # Another gateway was first.
        return


def first_events(
    store: EventStore, study: str, state: StudyState, group: Group
) -> tuple[Event, ...]:
    """What a group's episode begins with. Raises ``MissingItem``."""
    run = load_run(store, state.run)
    assert run is not None, "a study's run is planned with it"
    plan = run.plan
    edition = edition_at(store, plan.catalog, run.planned_at)
    catalog = read_edition(store, environment_named(plan.environment), plan.catalog, edition)
    seed = derived_number(str(state.study.seed), group.episode)
    planned = PlannedEpisode(id=group.episode, task=group.task, minds=(), seed=seed)
    started: EpisodeStarted = beginning(state.run, plan, catalog, planned)
    tags = (*started.tags, f"study-{study}", f"condition-{group.condition}")
    started = msgspec.structs.replace(
        started, minds=group.minds, people=state.study.people, tags=tags
    )
    seated = (
        SeatTaken(
            seat=member.seat,
            participant=member.participant,
            mind=group.minds[member.seat],
            by="study",
            sealed=True,
        )
        for member in group.members
    )
    return (started, *seated)


class GroupOutcomes:
    """How the episodes of groups have gone so far; each is read again when it has moved."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._known: dict[str, tuple[int, GroupOutcome]] = {}

    def of(self, group: Group) -> GroupOutcome:
        """That of a group. Blocking."""
        stream = stream_name("episode", group.episode)
        version = self._store.version(stream)
        known = self._known.get(group.episode)
        if known is not None and known[0] == version:
            return known[1]
        read = self._store.read(stream, 0, version)
        history = [Numbered(one.version, one, event_of(one)) for one in read]
        found = course_of((one.event for one in history), group)
        if found.ending:
            found = found._replace(shown_at=all_shown_at(history))
        self._known[group.episode] = (version, found)
        return found

    def forget(self, group: Group) -> None:
        """A group that is over."""
        self._known.pop(group.episode, None)


def course_of(events: Iterable[Event], group: Group) -> GroupOutcome:
    """The same, of its events."""
    members = {member.seat: member.session for member in group.members}
    names = {member.participant: member.session for member in group.members}
    gone: list[Gone] = []
    asked: set[tuple[int, int]] = set()
    ending, begun = "", False
    for event in events:
        begun = True
        match event:
            case TurnOpened(asked=questions):
                asked = {(one.seat, one.id) for one in questions}
            case ActionTaken(seat=seat, question=question):
                asked.discard((seat, question))
            case SeatReleased(participant=participant, reason=reason) if participant in names:
                gone.append(Gone(names[participant], reason))
                members = {s: one for s, one in members.items() if one != names[participant]}
            case SeatTaken(participant=participant, seat=seat) if participant in names:
                # Back again before anybody noticed.
                gone = [one for one in gone if one.session != names[participant]]
                members[seat] = names[participant]
            case EpisodeEnded(reason=reason):
                ending = reason
                if reason == "abandoned":
                    gone += _late(members, asked)
            case EpisodeFailed():
                ending = "failed"
    return GroupOutcome(begun, tuple(gone), ending)


def _late(members: dict[int, str], asked: set[tuple[int, int]]) -> Sequence[Gone]:
    seats = {seat for seat, _ in asked}
    return [Gone(session, "late") for seat, session in members.items() if seat in seats]
