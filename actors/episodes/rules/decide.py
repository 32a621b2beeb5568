"""The rules of an episode of any environment: which commands are refused, which events follow, and
when the episode ends.

Everything here is pure: no clock, no random number, no I/O. Each kind of command has a module:
``answers``, ``seats``, and ``researcher_commands``; what follows without a command is in
``consequences``, the episode's state in ``state``.
"""

from typing import Any

from actors.episodes.registry import UnknownEnvironment, game_of
from actors.episodes.rules.answers import (
    check_seat,
    edit_action,
    over_for,
    posed,
    proposals_taken,
    take_action,
    taken_before,
)
from actors.episodes.rules.consequences import MOST_CHANGES, BrokenRules, follow
from actors.episodes.rules.researcher_commands import go_on, narrate, pause, step
from actors.episodes.rules.seats import Late, late, release_seat, take_seat
from actors.episodes.rules.state import INITIAL, EpisodeState, Evolve, evolve
from actors.runtime.errors import CommandRefused
from events.base import Event, Value
from events.episode import (
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeReopened,
    EpisodeStarted,
)
from events.minds import MindSpec
from events.wire.messages import (
    EditAction,
    GoOn,
    Narrate,
    PauseEpisode,
    ReleaseSeat,
    StepEpisode,
    StopEpisode,
    TakeAction,
    TakeSeat,
)

__all__ = [
    "INITIAL",
    "MOST_CHANGES",
    "BrokenRules",
    "Continue",
    "EpisodeCommand",
    "Evolve",
    "Fork",
    "Late",
    "PeoplesCommand",
    "Reopen",
    "Start",
    "EpisodeState",
    "check_seat",
    "decide",
    "evolve",
    "follow",
    "over_for",
    "posed",
    "start_fault",
    "taken_before",
]


class Start(Value, frozen=True, kw_only=True):
    """The episode is to begin."""

    started: EpisodeStarted


class Fork(Value, frozen=True, kw_only=True):
    """A new episode is to go on from this state, which is ``parent``'s after some event."""

    parent: str
    minds: tuple[MindSpec, ...]
    run: str = ""


class Continue(Value, frozen=True, kw_only=True):
    """What follows is to follow: for an episode that was forked, or cut off between two events."""


class Reopen(Value, frozen=True, kw_only=True):
    """The episode was given up and is to go on after all."""

    detail: str = ""


PeoplesCommand = (
    TakeSeat | ReleaseSeat | PauseEpisode | StepEpisode | GoOn | EditAction[Any] | Narrate
)
EpisodeCommand = Start | Fork | Continue | TakeAction | StopEpisode | Reopen | Late | PeoplesCommand


def decide(
    state: EpisodeState, command: EpisodeCommand, evolve: Evolve = evolve
) -> tuple[Event, ...]:
    """The events a command leads to, to be appended together; none when it was done before.

    ``evolve`` is asked for the state that what follows depends on. Raises ``CommandRefused`` where
    the rules forbid it.
    """
    match command:
        case TakeAction():
            return take_action(state, command, evolve)
        case Continue():
            return _continue(state, evolve)
        case Start(started=started):
            return _start(state, started, evolve)
        case Fork():
            return _fork(state, command)
        case StopEpisode(detail=detail):
            return _stop(state, detail)
        case Reopen(detail=detail):
            if state.ended != "failed":
                raise CommandRefused("the episode was not given up, so it cannot be reopened")
            return (EpisodeReopened(detail=detail),)
        case Late():
            return late(state, command, evolve)
        case TakeSeat():
            return take_seat(state, command)
        case ReleaseSeat():
            return release_seat(state, command)
        case PauseEpisode():
            return pause(state, command)
        case StepEpisode():
            return step(state, command, evolve)
        case GoOn():
            return go_on(state, command, evolve)
        case EditAction():
            return edit_action(state, command, evolve)
        case Narrate():
            return narrate(state, command)


def _start(state: EpisodeState, started: EpisodeStarted, evolve: Evolve) -> tuple[Event, ...]:
    if state.started == started:
        return ()
    if state.started is not None:
        raise CommandRefused("the episode has begun already, in another way")
    if state.ended is not None:
        # Given up before it began.
        return ()
    fault = start_fault(started)
    if fault is not None:
        raise CommandRefused(fault)
    return (started, *follow(evolve(state, started), evolve))


def _continue(state: EpisodeState, evolve: Evolve) -> tuple[Event, ...]:
    """What follows now. An episode that was imported may have begun as none here can: with a tree
    that leads in a circle it would never end, so it is given up."""
    if state.started is None or state.ended is not None or state.people.held:
        return ()
    fault = start_fault(state.started)
    return (
        proposals_taken(state, evolve)
        if fault is None
        else (EpisodeFailed(reason=fault, attempts=0),)
    )


def start_fault(started: EpisodeStarted) -> str | None:
    """What is wrong with the beginning of an episode, as a sentence; None if nothing is."""
    try:
        game = game_of(started)
    except (UnknownEnvironment, TypeError) as none:
        return str(none)
    seats = len(started.minds)
    if not seats:
        return "an episode needs at least one seat, this one has none"
    fault = game.rules.setup_fault(started.setup, seats)
    fault = fault or game.limits.minds_fault(started.setup, started.minds)
    if fault is None and len(started.characters) not in (0, seats):
        fault = f"{len(started.characters)} characters are named for {seats} seats; one each"
    return fault


def _stop(state: EpisodeState, detail: str) -> tuple[Event, ...]:
    if state.ended is not None:
        return ()
    if state.started is None:
        raise CommandRefused("the episode has not started, so it cannot be stopped")
    return (EpisodeEnded(reason="stopped", turn=max(state.acted, default=0), detail=detail),)


def _fork(state: EpisodeState, command: Fork) -> tuple[Event, ...]:
    started = state.started
    if started is None:
        raise CommandRefused(f"episode {command.parent} has not started, so it cannot be forked")
    if state.ended is not None:
        raise CommandRefused(
            f"event {state.number} of episode {command.parent} is its end ({state.ended});"
            f" the last event it can be forked at is {state.number - 1}"
        )
    if (fault := start_fault(started)) is not None:
        raise CommandRefused(f"episode {command.parent} cannot be played: {fault}")
    if len(command.minds) != len(started.minds):
        raise CommandRefused(
            f"{len(command.minds)} minds were given for {len(started.minds)} seats;"
            " one each is needed"
        )
    if fault := game_of(started).limits.minds_fault(started.setup, command.minds):
        raise CommandRefused(fault)
    return (
        EpisodeForked(parent=command.parent, at=state.number, minds=command.minds, run=command.run),
    )
