"""The rules of a social episode: whose turn it is, what is refused, and when it is over.

SOTOPIA (Zhou et al. 2024), sections 2.3 and 4. Everything here is pure: no clock, no random
number, no I/O, so that the state after any prefix of a history is the state as it was then.
The state does not hold the transcript; its size does not grow with the turns.
"""

import hashlib
from typing import Literal

import msgspec

from actors.runtime.errors import CommandRefused
from actors.social.soundness import start_fault
from events.base import Event, Value
from events.episode import (
    ACTION_KINDS,
    Action,
    ActionTaken,
    EndReason,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeReopened,
    EpisodeStarted,
    TurnOpened,
)
from events.messages import StopEpisode, TakeAction
from events.minds import MindSpec

SNAPSHOT_SCHEMA = "social-1"
"""Name and version of ``State`` as snapshots hold it; any change of its fields raises it."""


LONGEST_TEXT = 10_000
"""Characters of an action: whatever is said has to fit into everybody's observations."""


class State(msgspec.Struct, frozen=True, kw_only=True):
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
    waiting: tuple[int, ...] = ()
    """Seats that still have to act in the open turn; empty: no turn is open."""
    present: tuple[int, ...] = ()
    """Seats that have not left, in seat order."""
    acted: tuple[int, ...] = ()
    """For each seat the last turn it acted in; 0: none."""
    last_seen: tuple[int, ...] = ()
    """For each seat the last event number it had been shown when it last acted; -1: it has not
    acted yet, or not since the fork, so that it needs its background first."""
    active: bool = False
    """Whether somebody did something in the last turn opened."""
    stale: int = 0
    """Turns in a row, up to the last one closed, in which nobody did anything."""
    ended: EndReason | Literal["failed"] | None = None


INITIAL = State()


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


class GiveUp(Value, frozen=True, kw_only=True):
    """The episode's actor failed ``attempts`` times; nothing more is to be tried."""

    reason: str
    attempts: int


class Reopen(Value, frozen=True, kw_only=True):
    """The episode was given up and is to go on after all."""

    detail: str = ""


EpisodeCommand = Start | Fork | Continue | TakeAction | StopEpisode | GiveUp | Reopen

_snapshot = msgspec.msgpack.Decoder(State)
dump_state = msgspec.msgpack.Encoder().encode
"""A state as bytes, for a snapshot of ``SNAPSHOT_SCHEMA``."""


def load_state(snapshot: bytes) -> State:
    """The state that ``dump_state`` wrote. Raises ``msgspec.ValidationError``."""
    return _snapshot.decode(snapshot)


# ------------------------------------------------------------------------------ what happened


def evolve(state: State, event: Event) -> State:
    """The state after one more event of the history. Costs the same at any length.

    Raises ``TypeError`` for an event that is none of an episode's.
    """
    number = state.number + 1
    match event:
        case ActionTaken(turn=turn, seat=seat, action=action):
            waiting = tuple(s for s in state.waiting if s != seat)
            active = state.active or action.kind != "none"
            stale = state.stale
            if not waiting:
                stale = 0 if active else stale + 1
            present = state.present
            if action.kind == "leave":
                present = tuple(s for s in present if s != seat)
            return msgspec.structs.replace(
                state,
                number=number,
                waiting=waiting,
                present=present,
                acted=_with(state.acted, seat, turn),
                last_seen=_with(state.last_seen, seat, state.opened),
                active=active,
                stale=stale,
            )
        case TurnOpened(turn=turn, seats=seats):
            return msgspec.structs.replace(
                state, number=number, turn=turn, opened=number, waiting=seats, active=False
            )
        case EpisodeStarted(cast=cast, minds=minds):
            return State(
                started=event,
                minds=minds,
                number=number,
                present=tuple(range(len(cast))),
                acted=(0,) * len(cast),
                last_seen=(-1,) * len(cast),
            )
        case EpisodeForked(minds=minds):
            # The minds are new even where their names are not: none of them was shown anything.
            unseen = (-1,) * len(state.last_seen)
            return msgspec.structs.replace(state, number=number, minds=minds, last_seen=unseen)
        case EpisodeEnded(reason=reason):
            return msgspec.structs.replace(state, number=number, waiting=(), ended=reason)
        case EpisodeFailed():
            return msgspec.structs.replace(state, number=number, waiting=(), ended="failed")
        case EpisodeReopened():
            waiting = _still_to_act(state)
            return msgspec.structs.replace(state, number=number, waiting=waiting, ended=None)
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of a social episode")


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


# ------------------------------------------------------------------------------ what is to be


def decide(state: State, command: EpisodeCommand) -> tuple[Event, ...]:
    """The events a command leads to, to be appended together; none when it was done before.

    Raises ``CommandRefused`` where the rules forbid it.
    """
    match command:
        case TakeAction():
            return _take_action(state, command)
        case Continue():
            follows = next_turn(state)
            return () if follows is None else (follows,)
        case Start(started=started):
            return _start(state, started)
        case Fork():
            return _fork(state, command)
        case StopEpisode(detail=detail):
            if state.ended is not None:
                return ()
            if state.started is None:
                raise CommandRefused("the episode has not started, so it cannot be stopped")
            return (EpisodeEnded(reason="stopped", turn=_last_played(state), detail=detail),)
        case GiveUp(reason=reason, attempts=attempts):
            if state.ended is not None:
                return ()
            return (EpisodeFailed(reason=reason, attempts=attempts),)
        case Reopen(detail=detail):
            if state.ended != "failed":
                raise CommandRefused("the episode was not given up, so it cannot be reopened")
            return (EpisodeReopened(detail=detail),)


def next_turn(state: State) -> TurnOpened | EpisodeEnded | None:
    """What must follow: the next turn, or the end. None while a turn is open or all is over.

    Where several endings fall together, the one that says most is recorded: somebody left,
    then nobody did anything, then the turn cap.
    """
    started = state.started
    if started is None or state.ended is not None or state.waiting:
        return None
    rules = started.rules
    if len(state.present) < 2:
        return EpisodeEnded(reason="left", turn=state.turn)
    if rules.stale_turns and state.stale >= rules.stale_turns:
        return EpisodeEnded(reason="stale", turn=state.turn)
    if state.turn >= rules.turn_cap:
        return EpisodeEnded(reason="turn_cap", turn=state.turn)
    return TurnOpened(turn=state.turn + 1, seats=_speakers(state, started))


def open_turn(state: State) -> int | None:
    """The turn that some seat still has to act in; None when there is none."""
    return state.turn if state.waiting else None


def action_fault(action: Action, seat: int, seats: int) -> str | None:
    """What is wrong with an action of ``seat`` in an episode of ``seats`` seats; None if nothing.

    Minds ask this before they answer, so that a refusal does not come as a surprise.
    """
    if action.kind not in ACTION_KINDS:
        return f"{action.kind!r} is no kind of action; kinds are {', '.join(ACTION_KINDS)}"
    if action.kind not in ("none", "leave") and not action.text.strip():
        return f"an action of kind {action.kind} needs a text that says what is said or done"
    if len(action.text) > LONGEST_TEXT:
        return f"a text has at most {LONGEST_TEXT:,} characters, this one has {len(action.text):,}"
    for other in action.to:
        if not 0 <= other < seats:
            return f"there is no seat {other} to whisper to; seats are 0 to {seats - 1}"
        if other == seat:
            return f"seat {seat} cannot whisper to itself"
    return None


def _speakers(state: State, started: EpisodeStarted) -> tuple[int, ...]:
    """Who acts in the turn after ``state.turn``."""
    match started.rules.order:
        case "simultaneous":
            return state.present
        case "random":
            # A function of seed and turn alone: a fork or a replay draws the same seat again.
            word = f"{started.rules.seed}:{state.turn + 1}".encode()
            drawn = int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "big")
            return (state.present[drawn % len(state.present)],)
        case "round_robin":
            last = state.acted.index(state.turn) if state.turn else -1
            return (next((s for s in state.present if s > last), state.present[0]),)


def _still_to_act(state: State) -> tuple[int, ...]:
    """The seats that had not acted yet in the last turn opened."""
    if state.started is None or not state.turn:
        return ()
    if state.started.rules.order != "simultaneous" and state.turn in state.acted:
        return ()
    before = msgspec.structs.replace(state, turn=state.turn - 1)
    speakers = _speakers(before, state.started)
    return tuple(seat for seat in speakers if state.acted[seat] < state.turn)


def _take_action(state: State, command: TakeAction) -> tuple[Event, ...]:
    started, seat, turn = state.started, command.seat, command.turn
    if started is None:
        raise CommandRefused("the episode has not started, so nobody can act")
    seats = len(started.cast)
    if not 0 <= seat < seats:
        raise CommandRefused(f"there is no seat {seat}; seats are 0 to {seats - 1}")
    if 0 < turn <= state.acted[seat]:
        # Delivered at least once, taken once. Only a seat's last turn is remembered, so that the
        # state stays small: an older turn of a seat that acted since then counts as taken.
        return ()
    if state.ended is not None:
        raise CommandRefused(f"the episode is over ({state.ended}); seat {seat} cannot act")
    if seat not in state.present:
        raise CommandRefused(f"seat {seat} has left and cannot act any more")
    if turn != state.turn or seat not in state.waiting:
        raise CommandRefused(
            f"seat {seat} cannot act in turn {turn}: turn {state.turn} is open"
            f" and waits for {_seats_in_words(state.waiting)}"
        )
    action = command.action
    fault = action_fault(action, seat, seats)
    if fault is not None:
        raise CommandRefused(fault)
    if action.kind == "none" and (action.text or action.to):
        action = Action(kind="none")  # Doing nothing has neither words nor witnesses of its own.
    taken = ActionTaken(turn=turn, seat=seat, action=action, failure=command.failure)
    follows = next_turn(evolve(state, taken))
    return (taken,) if follows is None else (taken, follows)


def _start(state: State, started: EpisodeStarted) -> tuple[Event, ...]:
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
    follows = next_turn(evolve(state, started))
    return (started,) if follows is None else (started, follows)


def _fork(state: State, command: Fork) -> tuple[Event, ...]:
    started = state.started
    if started is None:
        raise CommandRefused(f"episode {command.parent} has not started, so it cannot be forked")
    if state.ended is not None:
        raise CommandRefused(
            f"event {state.number} of episode {command.parent} is its end ({state.ended});"
            f" the last event it can be forked at is {state.number - 1}"
        )
    if len(command.minds) != len(started.cast):
        raise CommandRefused(
            f"{len(command.minds)} minds were given for {len(started.cast)} seats;"
            " one each is needed"
        )
    return (
        EpisodeForked(parent=command.parent, at=state.number, minds=command.minds, run=command.run),
    )


def _last_played(state: State) -> int:
    """The last turn in which somebody acted."""
    return max(state.acted, default=0)


def _seats_in_words(seats: tuple[int, ...]) -> str:
    if not seats:
        return "nobody"
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
