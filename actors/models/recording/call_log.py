"""The recorded calls of one owner: where they are stored, and what a state must hold of them."""

from collections.abc import Awaitable, Sequence
from typing import Final, Protocol, get_args

import msgspec

from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event

CallEvent = ModelAsked | ModelAnswered | ModelFailed
_CALLS: Final = frozenset(get_args(CallEvent))
LATE: Final = frozenset({ModelAnswered.__name__, ModelFailed.__name__})
"""Tags of what may come after the owner of a stream is gone."""


class CallRecorder(Protocol):
    """Where the calls of one agent or one evaluation are kept: the owner's stream."""

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        """The answers that were paid for already under these numbers; mostly there are none. Which
        question each is to says its ``request_hash``."""
        ...

    def record(self, event: CallEvent) -> Awaitable[object]:
        """Append to the owner's stream, in the order of the calls, beginning now. Await it to
        know that the event is durable."""
        ...

    def confirm(self) -> Awaitable[None]:
        """See that nobody else puts the question that was recorded last. Raises what tells the
        owner that the stream is another's: what that is answered is not to be asked for again."""
        ...


class BranchingRecorder(CallRecorder, Protocol):
    """One for calls that are under way at the same time, too."""

    def apart(self) -> "BranchingRecorder":
        """The same stream, for a call that is under way at the same time as others."""
        ...


class CallLog(msgspec.Struct, frozen=True):
    """What an owner's state must keep of its calls to resume after a crash: the answers of the
    latest turn. Part of a persistent actor's state; it can be snapshotted."""

    turn: int = 0
    answers: tuple[ModelAnswered, ...] = ()

    def evolve(self, event: Event) -> "CallLog":
        """The log after one more event of the owner's stream (pure)."""
        # By exact type: every event of an agent comes through here.
        if type(event) not in _CALLS:
            return self
        turn: int = event.turn  # type: ignore[attr-defined]
        log = self if turn <= self.turn else CallLog(turn)
        if type(event) is ModelAnswered and turn == log.turn:
            return CallLog(turn, (*log.answers, event))
        return log

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        """The answers to a question of the latest turn, the first first."""
        if turn != self.turn or not self.answers:
            return ()
        return [one for one in self.answers if one.attempt == attempt]
