"""The decisions of a study: who may enter, who waits, who plays with whom, and how each session
ends.

Pure: time, ids and random numbers are part of the commands. Any process may decide, from the state
it has read; the log accepts the events of the first one, and the others read the state again. So no
quota is exceeded and nobody is in two groups, however many processes decide at once.
"""

from collections.abc import Iterable

from actors.runtime.errors import CommandRefused
from actors.studies.state import Group, Place, StudyState
from events.base import Event, Value
from events.ids import derived_number
from events.minds import MindSpec
from events.study import (
    Condition,
    DropReason,
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
)
from events.untrusted.safe_text import shortened

OWN_CODE: frozenset[Outcome] = frozenset({"completed", "nobody_came"})
"""Outcomes that are paid: where the study names no code each session gets one of its own."""
BEFORE_PLAY: frozenset[Outcome] = frozenset(
    {"declined", "screened_out", "not_understood", "idle", "full", "closed", "left", "nobody_came"}
)
PERSON = MindSpec(name="person", kind="person")
"""Where a participant sits."""
SECOND = 1_000_000
"""Microseconds."""


class Open(Value, frozen=True, kw_only=True):
    """Participants are to come in, again or for the first time."""

    by: str = ""


class Pause(Value, frozen=True, kw_only=True):
    """Nobody is to come in for a while."""

    by: str = ""


class Close(Value, frozen=True, kw_only=True):
    """Nobody is to come in any more."""

    at: int
    by: str = ""


class Admit(Value, frozen=True, kw_only=True):
    """Somebody wants to come in."""

    session: str
    participant: str
    who: str = ""
    at: int


class Wait(Value, frozen=True, kw_only=True):
    """A session has come to the lobby."""

    session: str
    at: int


class Gather(Value, frozen=True, kw_only=True):
    """Those who wait are to be looked at: one group is formed, or those whose time is up go."""

    at: int
    present: frozenset[str]
    """Sessions whose page was heard from just now."""
    episode: str
    """The id that a group's episode would have."""
    code: str = ""
    """A completion code that nobody has."""


class Drop(Value, frozen=True, kw_only=True):
    """A participant has left their group."""

    session: str
    reason: DropReason
    at: int


class EndGroup(Value, frozen=True, kw_only=True):
    """A group's episode is over."""

    episode: str
    ending: str
    at: int


class EndSession(Value, frozen=True, kw_only=True):
    session: str
    outcome: Outcome
    at: int
    code: str = ""
    """A completion code that nobody has, should the study name none."""


class Erase(Value, frozen=True, kw_only=True):
    """What a participant said is gone."""

    participant: str
    by: str = ""


Command = Open | Pause | Close | Admit | Wait | Gather | Drop | EndGroup | EndSession | Erase


class AdmittedBefore(CommandRefused):
    """Who wants to come in is in already."""

    def __init__(self, session: str) -> None:
        super().__init__("you have taken part in this study before; everybody may do so once")
        self.session = session


class NotAdmitted(CommandRefused):
    """Nobody comes in at present."""

    def __init__(self, outcome: Outcome, why: str) -> None:
        super().__init__(shortened(why, 1_000))
        self.outcome = outcome


def decide(state: StudyState, command: Command) -> tuple[Event, ...]:
    """The events a command leads to, to be appended together; none when it was done before. Raises
    ``CommandRefused`` where the rules forbid it."""
    match command:
        case Open(by=by):
            if state.status == "closed":
                raise CommandRefused("the study is closed for good; plan another one")
            return () if state.status == "open" else (StudyOpened(by=by),)
        case Pause(by=by):
            if state.status not in ("open", "paused"):
                raise CommandRefused(f"the study is {state.status}, so it cannot be paused")
            return () if state.status == "paused" else (StudyPaused(by=by),)
        case Close(by=by, at=at):
            return _close(state, by, at)
        case Admit():
            return _admit(state, command)
        case Wait(session=session, at=at):
            return _wait(state, _place(state, session), at)
        case Gather():
            return _match(state, command)
        case Drop(session=session, reason=reason, at=at):
            place = _place(state, session)
            if place.where != "playing":
                return ()
            return (
                SessionDropped(session=session, reason=reason),
                _ended(state.study, place, "dropped", at),
            )
        case EndGroup(episode=episode, ending=ending, at=at):
            group = state.groups.get(episode)
            if group is None:
                raise CommandRefused(f"the study has no group that plays episode {episode}")
            return () if group.ending else (GroupEnded(episode=episode, ending=ending, at=at),)
        case EndSession():
            return _end(state, command)
        case Erase(participant=participant, by=by):
            if all(place.participant != participant for place in state.places.values()):
                raise CommandRefused(f"the study has no participant {participant}")
            if participant in state.erased:
                return ()
            return (ParticipantErased(participant=participant, by=by),)


def _place(state: StudyState, session: str) -> Place:
    place = state.places.get(session)
    if place is None:
        raise CommandRefused(f"the study has no session {session}")
    return place


def _close(state: StudyState, by: str, at: int) -> tuple[Event, ...]:
    if state.status == "closed":
        return ()
    waiting = [place for place in state.places.values() if place.where == "waiting"]
    return (
        StudyClosed(by=by),
        *(_ended(state.study, place, "closed", at) for place in waiting),
    )


def _admit(state: StudyState, command: Admit) -> tuple[Event, ...]:
    if command.session in state.places:
        return ()
    if command.who and (before := state.known.get(command.who)):
        raise AdmittedBefore(before)
    if state.status != "open":
        again = {"paused": "takes a break; please try again later", "closed": "is closed"}
        raise NotAdmitted("closed", f"the study {again.get(state.status, 'has not begun yet')}")
    if is_full(state):
        raise NotAdmitted("full", "everybody who is needed has come; thank you for your interest")
    return (
        SessionAdmitted(
            session=command.session,
            participant=command.participant,
            who=command.who,
            at=command.at,
        ),
    )


def is_full(state: StudyState) -> bool:
    """Whether nobody more is needed at present."""
    study = state.study
    inside = sum(
        not (place.where == "ended" and (place.outcome in BEFORE_PLAY or place.dropped))
        for place in state.places.values()
    )
    if study.participants and inside >= study.participants:
        return True
    return all(state.room(condition) <= 0 for condition in study.conditions)


def _wait(state: StudyState, place: Place, at: int) -> tuple[Event, ...]:
    if place.where != "before":
        return ()
    if state.status == "closed":
        return (_ended(state.study, place, "closed", at),)
    drawn = draw_condition(state, place.session)
    if drawn is None:
        return (_ended(state.study, place, "full", at),)
    return (SessionWaits(session=place.session, condition=drawn.name, at=at),)


def draw_condition(state: StudyState, session: str) -> Condition | None:
    """The condition that a session is drawn into: of those with room the one that has fewest
    against its share, by chance among several; None: there is no room in any."""
    seed = str(state.study.seed)
    open_ = [one for one in state.study.conditions if state.room(one) > 0 and one.share > 0]
    return min(
        open_,
        key=lambda one: (
            state.taken(one) / (one.share * one.people),
            derived_number(seed, session, one.name),
        ),
        default=None,
    )


def _match(state: StudyState, command: Gather) -> tuple[Event, ...]:
    study = state.study
    limit = command.at - round(study.lobby.limit_s * SECOND)
    for condition in study.conditions:
        waiting = state.waiting(condition.name)
        here = [place for place in waiting if place.session in command.present]
        if len(here) >= condition.people:
            return (_group(state, condition, here[: condition.people], command),)
        late = [place for place in waiting if place.since <= limit]
        if late and late[0] in here and study.lobby.fallback == "model" and study.lobby.mind:
            return (_group(state, condition, here, command),)
        if late:
            outcome: Outcome = "nobody_came" if late[0] in here else "idle"
            return (_ended(study, late[0], outcome, command.at, command.code),)
    return ()


def _group(
    state: StudyState, condition: Condition, places: list[Place], command: Gather
) -> GroupFormed:
    study, episode = state.study, command.episode
    missing = condition.people - len(places)
    fallback = (study.lobby.mind,) * missing if study.lobby.mind else ()
    seats = condition.people + len(condition.minds)
    # Who sits where says nothing of who came first, or of who is a person.
    order = sorted(
        range(seats), key=lambda seat: derived_number(str(study.seed), episode, str(seat))
    )
    minds = dict(zip(order[len(places) :], (*fallback, *condition.minds), strict=True))
    return GroupFormed(
        episode=episode,
        condition=condition.name,
        task=_least_played(state, condition),
        members=tuple(
            Member(session=place.session, participant=place.participant, seat=seat)
            for place, seat in zip(places, order, strict=False)
        ),
        minds=tuple(minds.get(seat, PERSON) for seat in range(seats)),
        fallback=missing > 0,
        at=command.at,
    )


def _least_played(state: StudyState, condition: Condition) -> str:
    played = [
        group.task
        for group in state.groups.values()
        if group.condition == condition.name and group.counts
    ]
    return min(condition.tasks, key=lambda task: (played.count(task), condition.tasks.index(task)))


def _end(state: StudyState, command: EndSession) -> tuple[Event, ...]:
    place = _place(state, command.session)
    if place.where == "ended":
        return ()
    if command.outcome == "completed" and place.where != "after":
        raise CommandRefused("the session has not come to its end yet")
    if command.outcome in ("idle", "left") and place.where == "after":
        return (_ended(state.study, place, command.outcome, command.at),)
    if place.where == "playing":
        raise CommandRefused("the session is in the middle of an episode")
    return (_ended(state.study, place, command.outcome, command.at, command.code),)


def _ended(study: Study, place: Place, outcome: Outcome, at: int, own: str = "") -> SessionEnded:
    code = study.codes.get(outcome) or (own if outcome in OWN_CODE else "")
    return SessionEnded(session=place.session, outcome=outcome, code=code, at=at)


def too_long(state: StudyState, at: int) -> Iterable[Group]:
    """Groups whose episodes are to be stopped."""
    longest = round(state.study.longest_s * SECOND)
    return [group for group in state.under_way if at - group.formed_at >= longest]
