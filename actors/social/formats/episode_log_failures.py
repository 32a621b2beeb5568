"""Actions that failed, in the ``reasoning`` of SOTOPIA's episode logs.

The format has nothing but ``did nothing`` for them. That a failure is no choice of the seat's is
said in a line of its own, in whose words it is found again.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from events.base import Event
from events.episode import ActionFailure, ActionTaken
from events.serialization.struct_types import decodable

_BEGINS: Final = "Environment comments: no answer: "
_FAILURE: Final = re.compile(r"seat (\d+) in turn (\d+) \((\w+)\)")
_DETAIL: Final = "the log says that no answer came"

Failures = dict[tuple[int, int], ActionFailure]
"""By turn, from 1, and seat, from 0."""


def failures_line(history: Sequence[Event]) -> str:
    """The line for a history's failures; empty where there is none."""
    taken = [event for event in history if isinstance(event, ActionTaken)]
    turns = {turn: place for place, turn in enumerate(dict.fromkeys(e.turn for e in taken), 1)}
    told = [
        f"seat {event.seat + 1} in turn {turns[event.turn]} ({event.failure.reason})"
        for event in taken
        if event.failure
    ]
    return _BEGINS + "; ".join(told) if told else ""


def failures_in(reasoning: str) -> Failures:
    """The failures that a log tells of."""
    return {
        (int(turn), int(seat) - 1): _failure(reason)
        for line in reasoning.split("\n")
        if line.startswith(_BEGINS)
        for seat, turn, reason in _FAILURE.findall(line)
    }


def _failure(reason: str) -> ActionFailure:
    try:
        return msgspec.convert({"reason": reason, "detail": _DETAIL}, decodable(ActionFailure))
    except msgspec.ValidationError:
        return ActionFailure(reason="mind_error", detail=f"{_DETAIL}: {reason}")
