"""Commands about seats: people take seats, miss deadlines, and release their seats."""

from actors.episodes.port.prompts import UnknownTemper
from actors.episodes.registry import environment_of, game_of
from actors.episodes.rules.answers import check_begun, check_going_on, check_seat
from actors.episodes.rules.consequences import follow
from actors.episodes.rules.people import PERSON
from actors.episodes.rules.state import EpisodeState, Evolve
from actors.runtime.errors import CommandRefused
from events.base import Event, Value
from events.episode import ActionFailure, ActionTaken, EpisodeEnded, SeatReleased, SeatTaken
from events.minds import MindSpec
from events.serialization.named_models import named_models
from events.untrusted.safe_text import shortened
from events.wire.messages import ReleaseSeat, TakeSeat

ABANDONED = "abandoned"
"""How an episode ends whose plan says so where a person is late."""


class Late(Value, frozen=True, kw_only=True):
    """A person's deadline has passed: a command from a process that has checked its clock."""

    seat: int
    """From 0."""
    turn: int
    """The open turn."""
    participant: str
    """Who was to answer."""


def take_seat(state: EpisodeState, command: TakeSeat) -> tuple[Event, ...]:
    """Raises ``CommandRefused``."""
    seat, participant = command.seat, command.participant
    check_begun(state)
    check_seat(state, seat)
    if not participant:
        raise CommandRefused("whoever takes a seat needs a pseudonym: participant is empty")
    check_going_on(state)
    there = state.people.participant(seat)
    if there == participant:
        return ()
    if there:
        raise CommandRefused(f"somebody else sits in seat {seat} already", "seat_taken")
    mind = state.minds[seat]
    if mind.kind != "person":
        mind = PERSON
        _check_minds(state, seat, mind)
    taken = SeatTaken(
        seat=seat, participant=participant, mind=mind, by=command.by, sealed=command.sealed
    )
    return (taken,)


def release_seat(state: EpisodeState, command: ReleaseSeat) -> tuple[Event, ...]:
    """Raises ``CommandRefused``."""
    seat = command.seat
    check_begun(state)
    check_seat(state, seat)
    check_going_on(state)
    there = state.people.participant(seat)
    if not there:
        return ()
    if there != command.participant:
        raise CommandRefused(f"somebody else sits in seat {seat}", "not_yours")
    if command.mind is not None:
        _check_mind(state, command.mind)
    return (
        SeatReleased(
            seat=seat,
            participant=there,
            mind=command.mind or successor(state, seat),
            reason=command.reason,
            by=command.by,
        ),
    )


def late(state: EpisodeState, command: Late, evolve: Evolve) -> tuple[Event, ...]:
    """What follows where a person has not answered in time, as the episode's beginning says;
    nothing where they have meanwhile, or are not asked."""
    seat, started = command.seat, state.started
    if (
        started is None
        or state.people.held
        or command.turn != state.turn
        or seat not in state.waiting
        or state.people.participant(seat) != command.participant
        or not command.participant
    ):
        return ()
    match started.people.late:
        case "takeover":
            return (
                SeatReleased(
                    seat=seat,
                    participant=command.participant,
                    mind=successor(state, seat),
                    reason="late",
                ),
            )
        case "end":
            detail = f"the person in seat {seat + 1} did not answer in time"
            turn = max(state.acted, default=0)
            return (EpisodeEnded(reason=ABANDONED, turn=turn, detail=detail),)
    rules = game_of(started).rules
    failure = ActionFailure(reason="timeout", detail="the person did not answer in time")
    events = list[Event]()
    for asked in state.open:
        if asked.seat == seat:
            taken = ActionTaken(
                turn=state.turn,
                seat=seat,
                question=asked.id,
                action=rules.nothing(asked.question),
                failure=failure,
            )
            state = evolve(state, taken)
            events.append(taken)
    return (*events, *follow(state))


def successor(state: EpisodeState, seat: int) -> MindSpec:
    """Who gets a person's seat where nobody is named: of kind ``person``, it is free then."""
    assert state.started is not None, "people sit in episodes that have begun"
    return state.started.people.substitute or state.minds_without_people[seat]


def _check_minds(state: EpisodeState, seat: int, mind: MindSpec) -> None:
    """Raises ``CommandRefused`` where the game cannot be played with this mind in a seat."""
    started = state.started
    assert started is not None, "it has begun"
    minds = (*state.minds[:seat], mind, *state.minds[seat + 1 :])
    if fault := game_of(started).limits.minds_fault(started.setup, minds):
        raise CommandRefused(fault)


def _check_mind(state: EpisodeState, mind: MindSpec) -> None:
    """Raises ``CommandRefused`` for one that could not sit down."""
    started = state.started
    assert started is not None, "it has begun"
    known = (*started.minds, *state.minds, *state.minds_without_people, started.people.substitute)
    if strange := named_models(mind) - named_models(known):
        # A command comes from outside: it names nobody that prompts are sent to.
        names = ", ".join(sorted(repr(shortened(model.name)) for model in strange))
        why = f"mind {shortened(mind.name)!r} would ask {names}, which this episode does not name"
        raise CommandRefused(why)
    if mind.asks and mind.model is None:
        raise CommandRefused(f"mind {mind.name!r} names no model to ask")
    if mind.kind == "recorded" and not mind.episode:
        raise CommandRefused(f"mind {mind.name!r} names no episode to repeat")
    if mind.kind == "rehearsal":
        tempers = environment_of(started).tempers
        if mind.temper not in ("", *tempers):
            raise CommandRefused(str(UnknownTemper(mind.temper, tempers)))
