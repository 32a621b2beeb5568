"""The calls of one owner: where they are kept, and what of them a state must hold."""

from collections.abc import Awaitable
from typing import Protocol

import msgspec

from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event

CallEvent = ModelAsked | ModelAnswered | ModelFailed


class CallRecorder(Protocol):
    """Where the calls of one agent or one evaluation are kept: the owner's stream."""

    def answer_of(self, turn: int, attempt: int, request_hash: str) -> ModelAnswered | None:
        """The answer that was paid for already, if there is one."""
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
        if not isinstance(event, CallEvent):
            return self
        log = self if event.turn <= self.turn else CallLog(event.turn)
        if isinstance(event, ModelAnswered) and event.turn == log.turn:
            return CallLog(log.turn, (*log.answers, event))
        return log

    def answer_of(self, turn: int, attempt: int, request_hash: str) -> ModelAnswered | None:
        """The answer to a question of the latest turn, if it was answered."""
        for answer in self.answers:
            if (answer.turn, answer.attempt, answer.request_hash) == (turn, attempt, request_hash):
                return answer
        return None
