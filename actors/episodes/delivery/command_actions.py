"""Reads the actions of commands, which come as plain data, as values of their environment."""

from typing import Any, TypeVar

import msgspec

from actors.episodes.delivery.wire import wire_of
from actors.episodes.rules.answers import posed
from actors.episodes.rules.state import EpisodeState
from actors.runtime.errors import CommandRefused
from events.untrusted.safe_text import shortened
from events.wire.messages import Answer, EditAction, TakeAction, TakeActions

C = TypeVar("C", TakeAction[Any], EditAction[Any])


def read_action(command: C, state: EpisodeState) -> C:
    """A command with its action as the episode's environment reads it; as it is where the episode
    has not begun: the rules refuse it. Raises ``CommandRefused``."""
    if state.started is None:
        return command
    try:
        action = wire_of(state.started.environment).action(command.action)
    except msgspec.ValidationError as error:
        raise _refusal(error, state, command.seat) from error
    return msgspec.structs.replace(command, action=action)


def read_actions(command: TakeActions, state: EpisodeState) -> TakeActions:
    """The same for several answers."""
    if state.started is None:
        return command
    given = [one.action for one in command.answers]
    try:
        actions = wire_of(state.started.environment).actions(given)
    except msgspec.ValidationError as error:
        raise _refusal(error, state, command.seat) from error
    answers = [
        Answer(question=one.question, action=action, failure=one.failure)
        for one, action in zip(command.answers, actions, strict=True)
    ]
    return TakeActions(seat=command.seat, turn=command.turn, answers=tuple(answers))


def _refusal(error: msgspec.ValidationError, state: EpisodeState, seat: int) -> CommandRefused:
    why = f"the action cannot be read: {shortened(str(error))}"
    return CommandRefused(why, "bad_action", posed(state, seat))
