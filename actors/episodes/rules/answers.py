"""Answers to the questions of a turn: which are accepted, and which events follow from them."""

from typing import Any

from actors.episodes.registry import game_of, game_with
from actors.episodes.rules.consequences import follow
from actors.episodes.rules.foreseen_states import ForeseenStates
from actors.episodes.rules.state import EpisodeState, Evolve
from actors.runtime.errors import CommandRefused
from events.base import Event
from events.episode import ActionFailure, ActionProposed, ActionTaken, Asked
from events.wire.messages import (
    Answer,
    EditAction,
    EpisodeOver,
    Posed,
    TakeAction,
    TakeActions,
)


def take_action(state: EpisodeState, command: TakeAction, evolve: Evolve) -> tuple[Event, ...]:
    """What a seat's answer leads to; while the episode waits it is proposed. Raises
    ``CommandRefused``."""
    seat, turn, people = command.seat, command.turn, state.people
    asked = _find(state, state.open, seat, turn, command.question)
    if asked is None:
        check_begun(state)
        check_seat(state, seat)
        if taken_before(state, command):
            return ()
        check_going_on(state)
    if command.participant or people.participants or state.minds[seat].kind == "person":
        check_sits_there(state, seat, command.participant)
    if asked is None:
        asked = question_of(state, state.open, seat, turn, command.question)
    if command.failure is not None:
        # Whatever came with it is no answer.
        assert state.started is not None, "it has begun"
        action = game_of(state.started).rules.nothing(asked.question)
    else:
        action = _checked(state, asked, command.action)
    if people.paused and people.held:
        return (
            ActionProposed(
                turn=turn, seat=seat, question=asked.id, action=action, failure=command.failure
            ),
        )
    taken = ActionTaken(
        turn=turn, seat=seat, question=asked.id, action=action, failure=command.failure
    )
    return (taken, *follow(evolve(state, taken), evolve))


def take_actions(
    state: EpisodeState, command: TakeActions, foreseen: ForeseenStates
) -> tuple[list[Event], list[CommandRefused]]:
    """What a seat's answers to several questions lead to, and why some were refused: each is taken
    or refused as if it had come alone. ``foreseen.last`` is the state after them, if one is
    taken."""
    events: list[Event] = []
    refusals: list[CommandRefused] = []
    for answer in command.answers:
        alone = TakeAction(
            seat=command.seat,
            turn=command.turn,
            question=answer.question,
            action=answer.action,
            failure=answer.failure,
        )
        try:
            taken = take_action(state, alone, foreseen.foresee)
        except CommandRefused as refused:
            refusals.append(refused)
            continue
        events += taken
        if taken and type(taken[-1]) is ActionProposed:
            state = foreseen.foresee(state, taken[-1])
        elif foreseen.last is not None:
            state = foreseen.last
    return events, refusals


def failed_answers(state: EpisodeState, seat: int, reason: str) -> TakeActions:
    """What is recorded of a seat whose agent was given up: that no question was answered. Of an
    episode that has started."""
    assert state.started is not None, "only then there are agents"
    rules = game_of(state.started).rules
    failure = ActionFailure(reason="mind_error", detail=reason)
    answers = [
        Answer(question=one.id, action=rules.nothing(one.question), failure=failure)
        for one in state.open
        if one.seat == seat
    ]
    return TakeActions(seat=seat, turn=state.turn, answers=tuple(answers))


def edit_action(state: EpisodeState, command: EditAction, evolve: Evolve) -> tuple[Event, ...]:
    """What a researcher does in a seat's place leads to, whether its mind has proposed something
    or not. Raises ``CommandRefused``."""
    check_begun(state)
    check_seat(state, command.seat)
    check_going_on(state)
    asked = question_of(state, state.unanswered, command.seat, command.turn, command.question)
    taken = ActionTaken(
        turn=command.turn,
        seat=command.seat,
        question=asked.id,
        action=_checked(state, asked, command.action),
        by=command.by,
    )
    return (taken, *follow(evolve(state, taken), evolve))


def proposals_taken(state: EpisodeState, evolve: Evolve) -> tuple[Event, ...]:
    """What is proposed, taken, and what follows."""
    events = list[Event]()
    for one in state.people.proposed:
        taken = ActionTaken(
            turn=one.turn,
            seat=one.seat,
            question=one.question,
            action=one.action,
            failure=one.failure,
        )
        state = evolve(state, taken)
        events.append(taken)
    return (*events, *follow(state))


def taken_before(state: EpisodeState, command: TakeAction) -> bool:
    """Whether a seat that there is has answered that question already: delivered at least once,
    taken once. Only a seat's last turn is remembered, so that the state stays small: an older turn
    of a seat that acted since then counts as taken. What is proposed is answered, too."""
    seat, turn = command.seat, command.turn
    if _find(state, state.open, seat, turn, command.question) is not None:
        return False
    if state.people.proposed and turn == state.turn:
        return _find(state, state.unanswered, seat, turn, command.question) is not None
    return 0 < turn <= state.acted[seat]


def posed(state: EpisodeState, seat: int) -> tuple[Posed, ...]:
    """The questions that wait for a seat's answer."""
    match state.open:
        case (one,) if one.seat == seat:
            return (Posed(id=one.id, question=one.question),)
        case several:
            mine = [Posed(id=one.id, question=one.question) for one in several if one.seat == seat]
            return tuple(mine)


def over_for(episode: str, state: EpisodeState, seat: int) -> EpisodeOver:
    """What a seat of an episode that has ended is told."""
    assert state.ended is not None, "it has ended"
    return EpisodeOver(episode=episode, seat=seat, mind=state.minds[seat].name, reason=state.ended)


def check_begun(state: EpisodeState) -> None:
    """Raises ``CommandRefused`` where an episode has not."""
    if state.started is None:
        raise CommandRefused("the episode has not started, so nobody can act", "not_playing")


def check_going_on(state: EpisodeState) -> None:
    """Raises ``CommandRefused`` where an episode is over."""
    if state.ended is not None:
        raise CommandRefused(
            f"the episode is over ({state.ended}); nothing more is done in it", "episode_over"
        )


def check_seat(state: EpisodeState, seat: int) -> None:
    """Raises ``CommandRefused`` where an episode that has started has no such seat."""
    seats = len(state.minds)
    if not 0 <= seat < seats:
        raise CommandRefused(f"there is no seat {seat}; seats are 0 to {seats - 1}", "no_such_seat")


def check_sits_there(state: EpisodeState, seat: int, participant: str) -> None:
    """Raises ``CommandRefused`` where somebody acts in a seat that is not theirs: a person in one
    that they have not taken or have no more, a mind or a program in a person's."""
    there = state.people.participant(seat)
    if there != participant:
        who = "a person" if there else "a mind"
        why = f"seat {seat} is not yours: {who} sits there now"
    elif not there and state.minds[seat].kind == "person":
        why = f"seat {seat} is free: a person has to take it before anybody can act there"
    else:
        return
    raise CommandRefused(why, "not_yours")


def question_of(
    state: EpisodeState, asked: tuple[Asked, ...], seat: int, turn: int, question: int | None
) -> Asked:
    """The one that is answered, of those that can be. Raises ``CommandRefused``."""
    found = _find(state, asked, seat, turn, question)
    if found is not None:
        return found
    if turn == state.turn and any(one.seat == seat for one in asked):
        raise CommandRefused(
            f"seat {seat} is asked no question {question} in turn {turn}", "not_asked"
        )
    raise CommandRefused(
        f"seat {seat} cannot act in turn {turn}: turn {state.turn} is open"
        f" and waits for {_seats_in_words(state.waiting)}",
        "not_asked",
    )


def _find(
    state: EpisodeState, asked: tuple[Asked, ...], seat: int, turn: int, question: int | None
) -> Asked | None:
    if turn != state.turn:
        return None
    for one in asked:
        if one.seat == seat and question in (None, one.id):
            return one
    return None


def _checked(state: EpisodeState, asked: Asked, action: Any) -> Any:
    """An action as it is recorded. Raises ``CommandRefused`` where it is no answer."""
    assert state.started is not None, "it has begun"
    game = game_with(state.started.environment, type(state.started.setup))
    if fault := game.rules.action_fault(asked.question, action, asked.seat, len(state.minds)):
        raise CommandRefused(fault, "bad_action", posed(state, asked.seat))
    return game.recording.canonical(asked.question, action)


def _seats_in_words(seats: tuple[int, ...]) -> str:
    if not seats:
        return "nobody"
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
