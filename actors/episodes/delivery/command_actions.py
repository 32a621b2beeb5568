"""Reads the actions of commands, which come as plain data, as values of their environment."""

from typing import Any

import msgspec

from actors.episodes.delivery.wire import wire_of
from actors.episodes.rules.answers import posed
from actors.episodes.rules.state import EpisodeState
from actors.runtime.errors import CommandRefused
from events.untrusted.safe_text import shortened
from events.wire.messages import Answer, EditAction, TakeAction, TakeActions

WithActions = TakeAction[Any] | TakeActions[Any] | EditAction[Any]


def read_actions(command: WithActions, state: EpisodeState) -> WithActions:
    """A command with its action, or all of them, as the episode's environment reads them; as it is
    where the episode has not begun: the rules refuse it. Raises ``CommandRefused``."""
    if state.started is None:
        return command
    wire = wire_of(state.started.environment)
    try:
        match command:
            case TakeActions(answers=given):
                actions = wire.actions([one.action for one in given])
                answers = [
                    Answer(question=one.question, action=action, failure=one.failure)
                    for one, action in zip(given, actions, strict=True)
                ]
                return TakeActions(seat=command.seat, turn=command.turn, answers=tuple(answers))
            case TakeAction() | EditAction():
                return msgspec.structs.replace(command, action=wire.action(command.action))
    except msgspec.ValidationError as error:
        why = f"the action cannot be read: {shortened(str(error))}"
        raise CommandRefused(why, "bad_action", posed(state, command.seat)) from error
