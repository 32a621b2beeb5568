"""The state of an episode of any environment, folded from its events.

Pure, as all of the rules: the state after any prefix of a history is the state as it was at that
event. ``State.world`` holds the environment's part.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from actors.episodes.registry import game_of, game_with
from actors.episodes.rules.people import NOBODY, People
from events.base import Event
from events.episode import (
    ActionFailure,
    ActionProposed,
    ActionTaken,
    Asked,
    EpisodeContinued,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodePaused,
    EpisodeReopened,
    EpisodeStarted,
    EpisodeStepped,
    SeatReleased,
    SeatTaken,
    TurnOpened,
    WorldChanged,
)
from events.minds import MindSpec

T = TypeVar("T")
_HAPPENINGS: Final = frozenset((ActionTaken, TurnOpened, WorldChanged))
"""What an environment's own state follows from."""


class EpisodeState(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An episode after some event of its history."""

    started: EpisodeStarted | None = None
    minds: tuple[MindSpec, ...] = ()
    """One mind a seat, after the last fork."""
    number: int = -1
    """The last event's number in the history; -1: nothing happened yet."""
    turn: int = 0
    """The last turn opened; 0: none yet."""
    opened: int = -1
    """The number of that turn's ``TurnOpened``."""
    unanswered: tuple[Asked, ...] = ()
    """Questions of that turn that have no answer; those of an episode that was given up stay, for
    it may be reopened."""
    acted: tuple[int, ...] = ()
    """For each seat the last turn it acted in; 0: none."""
    last_seen: tuple[int, ...] = ()
    """For each seat the last event number it had been shown when it last acted; -1: it has not
    acted yet, or not since the fork, so that it needs its background first."""
    failing: tuple[int, ...] = ()
    """For each seat how many of its last actions failed, in a row, since its mind sat down. Those
    whose failure the environment accepts are none of them."""
    last_failure: ActionFailure | None = None
    """Why the last of these did."""
    answered: bool = False
    """Whether any seat ever gave an answer, or failed in a way that the environment accepts."""
    ended: str | None = None
    """The reason; ``failed`` where it was given up."""
    people: People = NOBODY
    """Who of the seats is a person, and whether the episode waits."""
    world: Any = None
    """The environment's own state."""

    @property
    def open(self) -> tuple[Asked, ...]:
        """The questions that wait for an answer."""
        if self.ended is not None:
            return ()
        if not self.people.proposed:
            return self.unanswered
        proposed = {(one.seat, one.question) for one in self.people.proposed}
        return tuple(one for one in self.unanswered if (one.seat, one.id) not in proposed)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that still have to act in the open turn, each once; empty: no turn is open."""
        if len(self.unanswered) == 1 and self.ended is None and not self.people.proposed:
            return (self.unanswered[0].seat,)
        return tuple(dict.fromkeys(asked.seat for asked in self.open))

    @property
    def participants(self) -> tuple[str, ...]:
        """For each seat the pseudonym of the person there; empty: nobody."""
        return self.people.participants or ("",) * len(self.minds)

    @property
    def paused(self) -> bool:
        """A researcher has the episode wait."""
        return self.people.paused

    @property
    def proposed(self) -> tuple[ActionProposed, ...]:
        """What minds answered while it waited."""
        return self.people.proposed

    @property
    def minds_without_people(self) -> tuple[MindSpec, ...]:
        """The mind of each seat; for a seat that a person has taken, the mind that it had
        before."""
        displaced = self.people.displaced or self.minds
        sitting = zip(self.minds, displaced, self.participants, strict=True)
        return tuple(before if who else mind for mind, before, who in sitting)


INITIAL = EpisodeState()

Evolve = Callable[[EpisodeState, Event], EpisodeState]


def evolve(state: EpisodeState, event: Event) -> EpisodeState:
    """The state after one more event of the history. Costs the same at any length.

    Raises ``TypeError`` for an event that is none of an episode's, ``UnknownEnvironment`` where the
    episode's environment is not installed.
    """
    number = state.number + 1
    change = msgspec.structs.replace
    world = state.world
    if type(event) in _HAPPENINGS:
        if state.started is None:
            raise TypeError("an episode begins with EpisodeStarted")
        game = game_with(state.started.environment, type(state.started.setup))
        world = game.rules.evolve(world, event)  # type: ignore[arg-type]
    match event:
        case ActionTaken(seat=seat, failure=failure, by=by):
            if failure is not None and game.recording.accepts(event.action, failure):
                failure = None
            failing, people = state.failing, state.people
            # What a researcher does says nothing of the mind, nor does a person who is late.
            if not by and (failing[seat] or (failure is not None and not people.participant(seat))):
                failing = _with(failing, seat, failing[seat] + 1 if failure is not None else 0)
            if people.proposed:
                proposed = _not_of(people.proposed, seat, event.question)
                people = change(people, proposed=proposed)
            acted, last_seen = state.acted, state.last_seen
            if acted[seat] != event.turn:
                acted = _with(acted, seat, event.turn)
            if last_seen[seat] != state.opened:
                last_seen = _with(last_seen, seat, state.opened)
            return change(
                state,
                number=number,
                failing=failing,
                last_failure=state.last_failure if failure is None else failure,
                answered=state.answered or (failure is None and not by),
                unanswered=_without(state.unanswered, seat, event.question),
                acted=acted,
                last_seen=last_seen,
                people=people,
                world=world,
            )
        case TurnOpened(turn=turn, asked=asked):
            people = state.people
            return change(
                state,
                number=number,
                turn=turn,
                opened=number,
                unanswered=asked,
                people=change(people, stepping=False) if people.stepping else people,
                world=world,
            )
        case WorldChanged():
            return change(state, number=number, world=world)
        case EpisodeStarted(minds=minds):
            return EpisodeState(
                started=event,
                minds=minds,
                number=number,
                acted=(0,) * len(minds),
                last_seen=(-1,) * len(minds),
                failing=(0,) * len(minds),
                world=game_of(event).rules.initial(event.setup),
            )
        case EpisodeForked(minds=minds):
            # The minds are new even where their names are not: none of them was shown anything.
            unseen = (-1,) * len(state.last_seen)
            failing = (0,) * len(state.failing)
            return change(
                state,
                number=number,
                minds=minds,
                last_seen=unseen,
                failing=failing,
                people=NOBODY,
            )
        case EpisodeEnded(reason=reason):
            people = change(state.people, paused=False, stepping=False, proposed=())
            return change(state, number=number, ended=reason, unanswered=(), people=people)
        case EpisodeFailed():
            return change(state, number=number, ended="failed")
        case EpisodeReopened():
            failing = (0,) * len(state.failing)
            return change(state, number=number, ended=None, failing=failing)
        case ActionProposed():
            proposed = (*state.people.proposed, event)
            return change(state, number=number, people=change(state.people, proposed=proposed))
        case SeatTaken(seat=seat, participant=participant, mind=mind):
            return _seated(state, number, seat, participant, mind)
        case SeatReleased(seat=seat, mind=mind):
            return _seated(state, number, seat, "", mind)
        case EpisodePaused() | EpisodeStepped() | EpisodeContinued():
            paused, stepping = type(event) is not EpisodeContinued, type(event) is EpisodeStepped
            people = change(state.people, paused=paused, stepping=stepping)
            return change(state, number=number, people=people)
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of an episode")


def _seated(
    state: EpisodeState, number: int, seat: int, participant: str, mind: MindSpec
) -> EpisodeState:
    """After a seat has changed hands: who sits there now was shown nothing yet, and what somebody
    else proposed there is not theirs."""
    people, before = state.people, state.minds[seat]
    displaced = people.displaced or state.minds
    if before.kind != "person":
        displaced = _with(displaced, seat, before)
    proposed = people.proposed
    if participant:
        proposed = tuple(one for one in proposed if one.seat != seat)
    change = msgspec.structs.replace
    return change(
        state,
        number=number,
        minds=_with(state.minds, seat, mind),
        last_seen=_with(state.last_seen, seat, -1),
        failing=_with(state.failing, seat, 0),
        people=change(
            people,
            participants=_with(state.participants, seat, participant),
            displaced=displaced,
            proposed=proposed,
        ),
    )


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[place] = value
    return tuple(changed)


def _without(asked: tuple[Asked, ...], seat: int, question: int) -> tuple[Asked, ...]:
    match asked:
        case (_,):
            return ()
    for place, one in enumerate(asked):
        if one.seat == seat and one.id == question:
            return asked[:place] + asked[place + 1 :]
    return asked


def _not_of(
    proposed: tuple[ActionProposed, ...], seat: int, question: int
) -> tuple[ActionProposed, ...]:
    return tuple(one for one in proposed if one.seat != seat or one.question != question)
