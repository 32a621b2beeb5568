"""The rules of an episode of any environment: what is refused, what follows, and when it is over.

Everything here is pure: no clock, no random number, no I/O, so that the state after any prefix of a
history is the state as it was then. What its environment adds stands in ``State.world``.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from actors.episodes.environment import Ask, End, Environment
from actors.episodes.failures import failure_words
from actors.episodes.registry import UnknownEnvironment, environment_named, environment_of
from actors.runtime.errors import CommandRefused
from events.base import Event, Value
from events.episode import (
    ActionFailure,
    ActionTaken,
    Asked,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeReopened,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)
from events.harmless import shortened
from events.messages import (
    EditAction,
    EpisodeOver,
    GoOn,
    Narrate,
    PauseEpisode,
    Posed,
    ReleaseSeat,
    StepEpisode,
    StopEpisode,
    TakeAction,
    TakeSeat,
)
from events.minds import MindSpec

FAILURES_IN_A_ROW = 3
"""So often a seat's mind may fail in a row; then the episode is given up, for what is left of it
would be as much of a failure, and would be paid for."""
MOST_CHANGES = 1000
"""Changes of a world between two turns; an environment that has more never comes to an end."""


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
    world: Any = None
    """The environment's own state."""

    @property
    def open(self) -> tuple[Asked, ...]:
        """The questions that wait for an answer."""
        return () if self.ended is not None else self.unanswered

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that still have to act in the open turn, each once; empty: no turn is open."""
        if len(self.unanswered) == 1 and self.ended is None:
            return (self.unanswered[0].seat,)
        return tuple(dict.fromkeys(asked.seat for asked in self.open))


INITIAL = State()


class BrokenRules(RuntimeError):
    """An environment that does what none may do; the episode cannot go on."""

    def __init__(self, environment: str, why: str) -> None:
        super().__init__(f"environment {shortened(environment)!r} {shortened(why, 1_000)}")
        self.environment, self.why = environment, why


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


Evolve = Callable[[State, Event], State]
PeoplesCommand = (
    TakeSeat | ReleaseSeat | PauseEpisode | StepEpisode | GoOn | EditAction[Any] | Narrate
)
EpisodeCommand = Start | Fork | Continue | TakeAction | StopEpisode | Reopen | PeoplesCommand


# ------------------------------------------------------------------------------ what happened


def evolve(state: State, event: Event) -> State:
    """The state after one more event of the history. Costs the same at any length.

    Raises ``TypeError`` for an event that is none of an episode's, ``UnknownEnvironment`` where the
    episode's environment is not installed.
    """
    number = state.number + 1
    change = msgspec.structs.replace
    match event:
        case ActionTaken(turn=turn, seat=seat, question=question, failure=failure):
            environment = _environment(state.started)
            if failure is not None and environment.accepts(event.action, failure):
                failure = None
            failing = state.failing
            if failure is not None or failing[seat]:
                failing = _with(failing, seat, failing[seat] + 1 if failure is not None else 0)
            return change(
                state,
                number=number,
                failing=failing,
                last_failure=state.last_failure if failure is None else failure,
                answered=state.answered or failure is None,
                unanswered=_without(state.unanswered, seat, question),
                acted=_with(state.acted, seat, turn),
                last_seen=_with(state.last_seen, seat, state.opened),
                world=environment.evolve(state.world, event),
            )
        case TurnOpened(turn=turn, asked=asked):
            return change(
                state,
                number=number,
                turn=turn,
                opened=number,
                unanswered=asked,
                world=_environment(state.started).evolve(state.world, event),
            )
        case WorldChanged():
            world = _environment(state.started).evolve(state.world, event)
            return change(state, number=number, world=world)
        case EpisodeStarted(minds=minds):
            return State(
                started=event,
                minds=minds,
                number=number,
                acted=(0,) * len(minds),
                last_seen=(-1,) * len(minds),
                failing=(0,) * len(minds),
                world=environment_of(event).initial(event.setup),
            )
        case EpisodeForked(minds=minds):
            # The minds are new even where their names are not: none of them was shown anything.
            unseen = (-1,) * len(state.last_seen)
            failing = (0,) * len(state.failing)
            return change(state, number=number, minds=minds, last_seen=unseen, failing=failing)
        case EpisodeEnded(reason=reason):
            return change(state, number=number, ended=reason, unanswered=())
        case EpisodeFailed():
            return change(state, number=number, ended="failed")
        case EpisodeReopened():
            failing = (0,) * len(state.failing)
            return change(state, number=number, ended=None, failing=failing)
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of an episode")


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _without(asked: tuple[Asked, ...], seat: int, question: int) -> tuple[Asked, ...]:
    if len(asked) == 1:
        return ()
    return tuple(one for one in asked if one.seat != seat or one.id != question)


def _environment(started: EpisodeStarted | None) -> Environment[Any]:
    if started is None:
        raise TypeError("an episode begins with EpisodeStarted")
    return environment_named(started.environment)


# ------------------------------------------------------------------------------ what is to be


def decide(state: State, command: EpisodeCommand, evolve: Evolve = evolve) -> tuple[Event, ...]:
    """The events a command leads to, to be appended together; none when it was done before.

    ``evolve`` is asked for the state that what follows depends on. Raises ``CommandRefused`` where
    the rules forbid it.
    """
    match command:
        case TakeAction():
            return _take_action(state, command, evolve)
        case Continue():
            return _continue(state)
        case Start(started=started):
            return _start(state, started, evolve)
        case Fork():
            return _fork(state, command)
        case StopEpisode(detail=detail):
            if state.ended is not None:
                return ()
            if state.started is None:
                raise CommandRefused("the episode has not started, so it cannot be stopped")
            played = max(state.acted, default=0)
            return (EpisodeEnded(reason="stopped", turn=played, detail=detail),)
        case Reopen(detail=detail):
            if state.ended != "failed":
                raise CommandRefused("the episode was not given up, so it cannot be reopened")
            return (EpisodeReopened(detail=detail),)
        case _:
            raise CommandRefused("this cannot be done here")


def follow(state: State) -> tuple[Event, ...]:
    """What must follow: changes of the world, then the next turn or the end. Nothing while a turn
    is open or all is over. An episode one of whose seats fails again and again is given up, and so
    is one that ends without an answer of anybody."""
    if state.started is None or state.ended is not None or state.unanswered:
        return ()
    if (times := max(state.failing)) >= FAILURES_IN_A_ROW:
        seat = state.failing.index(times) + 1
        return (_given_up(state, f"seat {seat} gave no answer {times} times in a row"),)
    environment = _environment(state.started)
    world, events = state.world, list[Event]()
    while True:
        match environment.next_step(world):
            case Ask(asked=asked):
                _check_asked(environment.name, asked, len(state.minds))
                return (*events, TurnOpened(turn=state.turn + 1, asked=asked))
            case End(reason=reason, summary=summary):
                if reason not in environment.endings:
                    raise BrokenRules(environment.name, f"knows no ending {reason!r}")
                if state.last_failure is not None and not state.answered:
                    return (*events, _given_up(state, "no seat gave an answer at all"))
                return (*events, EpisodeEnded(reason=reason, turn=state.turn, summary=summary))
            case change:
                changed = WorldChanged(change=change)
                world = environment.evolve(world, changed)
                events.append(changed)
        if len(events) > MOST_CHANGES:
            raise BrokenRules(environment.name, f"changes its world {MOST_CHANGES} times a turn")


def _check_asked(environment: str, asked: tuple[Asked, ...], seats: int) -> None:
    if not asked:
        raise BrokenRules(environment, "opens a turn that asks nobody")
    seen: set[tuple[int, int]] = set()
    for one in asked:
        if not 0 <= one.seat < seats:
            raise BrokenRules(environment, f"asks seat {one.seat}; seats are 0 to {seats - 1}")
        if (one.seat, one.id) in seen:
            why = f"asks seat {one.seat} two questions with id {one.id} in one turn"
            raise BrokenRules(environment, why)
        seen.add((one.seat, one.id))


def _take_action(state: State, command: TakeAction, evolve: Evolve) -> tuple[Event, ...]:
    started, seat, turn = state.started, command.seat, command.turn
    if started is None:
        raise CommandRefused("the episode has not started, so nobody can act", "not_playing")
    check_seat(state, seat)
    if taken_before(state, command):
        return ()
    if state.ended is not None:
        raise CommandRefused(
            f"the episode is over ({state.ended}); seat {seat} cannot act", "episode_over"
        )
    asked = _question(state, command)
    if asked is None and turn == state.turn and seat in state.waiting:
        raise CommandRefused(
            f"seat {seat} is asked no question {command.question} in turn {turn}", "not_asked"
        )
    if asked is None:
        raise CommandRefused(
            f"seat {seat} cannot act in turn {turn}: turn {state.turn} is open"
            f" and waits for {_seats_in_words(state.waiting)}",
            "not_asked",
        )
    seats = len(started.minds)
    environment, action = environment_named(started.environment), command.action
    if command.failure is not None:
        # Whatever came with it is no answer.
        action = environment.nothing(asked.question)
    elif fault := environment.action_fault(asked.question, action, seat, seats):
        raise CommandRefused(fault, "bad_action", posed(state, seat))
    else:
        action = environment.canonical(asked.question, action)
    taken = ActionTaken(
        turn=turn, seat=seat, question=asked.id, action=action, failure=command.failure
    )
    return (taken, *follow(evolve(state, taken)))


def check_seat(state: State, seat: int) -> None:
    """Raises ``CommandRefused`` where an episode that has started has no such seat."""
    seats = len(state.minds)
    if not 0 <= seat < seats:
        raise CommandRefused(f"there is no seat {seat}; seats are 0 to {seats - 1}", "no_such_seat")


def taken_before(state: State, command: TakeAction) -> bool:
    """Whether a seat that there is has answered that question already: delivered at least once,
    taken once. Only a seat's last turn is remembered, so that the state stays small: an older turn
    of a seat that acted since then counts as taken."""
    return _question(state, command) is None and 0 < command.turn <= state.acted[command.seat]


def posed(state: State, seat: int) -> tuple[Posed, ...]:
    """The questions that wait for a seat's answer."""
    return tuple(
        [Posed(id=asked.id, question=asked.question) for asked in state.open if asked.seat == seat]
    )


def over_for(episode: str, state: State, seat: int) -> EpisodeOver:
    """What a seat of an episode that has ended is told."""
    assert state.ended is not None, "it has ended"
    return EpisodeOver(episode=episode, seat=seat, mind=state.minds[seat].name, reason=state.ended)


def _given_up(state: State, why: str) -> EpisodeFailed:
    assert state.last_failure is not None, "some action failed"
    reason = f"{why} ({failure_words(state.last_failure)})"
    return EpisodeFailed(reason=reason, attempts=max(state.failing))


def _question(state: State, command: TakeAction) -> Asked | None:
    """The open question that a command answers."""
    if command.turn != state.turn:
        return None
    for asked in state.open:
        if asked.seat == command.seat and command.question in (None, asked.id):
            return asked
    return None


def _start(state: State, started: EpisodeStarted, evolve: Evolve) -> tuple[Event, ...]:
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
    return (started, *follow(evolve(state, started)))


def _continue(state: State) -> tuple[Event, ...]:
    """What follows now. An episode that was imported may have begun as none here can: with a tree
    that leads in a circle it would never end, so it is given up."""
    if state.started is None or state.ended is not None:
        return ()
    fault = start_fault(state.started)
    return follow(state) if fault is None else (EpisodeFailed(reason=fault, attempts=0),)


def start_fault(started: EpisodeStarted) -> str | None:
    """What is wrong with the beginning of an episode, as a sentence; None if nothing is."""
    try:
        environment = environment_of(started)
    except UnknownEnvironment as unknown:
        return str(unknown)
    seats = len(started.minds)
    if not seats:
        return "an episode needs at least one seat, this one has none"
    fault = environment.setup_fault(started.setup, seats)
    if fault is None and len(started.characters) not in (0, seats):
        fault = f"{len(started.characters)} characters are named for {seats} seats; one each"
    return fault


def _fork(state: State, command: Fork) -> tuple[Event, ...]:
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
    return (
        EpisodeForked(parent=command.parent, at=state.number, minds=command.minds, run=command.run),
    )


def _seats_in_words(seats: tuple[int, ...]) -> str:
    if not seats:
        return "nobody"
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
