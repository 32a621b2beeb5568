"""Calls recorded in the stream of the actor that makes them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from actors.models.recording import CallLog
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event


class StreamCalls:
    """A ``CallRecorder`` over a persistent actor: looks calls up in its state, records in its
    stream, in order with everything else the actor appends."""

    __slots__ = ("_log", "_record_soon", "confirm")

    def __init__(
        self,
        log: Callable[[], CallLog],
        record_soon: Callable[[Sequence[Event]], asyncio.Future[int]],
        confirm: Callable[[], Awaitable[None]],
    ) -> None:
        self._log, self._record_soon = log, record_soon
        self.confirm = confirm
        """See that the stream is still the actor's."""

    def answer_of(self, turn: int, attempt: int, request_hash: str) -> ModelAnswered | None:
        """The answer that was paid for already, if there is one."""
        return self._log().answer_of(turn, attempt, request_hash)

    def record(self, event: ModelAsked | ModelAnswered | ModelFailed) -> asyncio.Future[int]:
        """Append to the actor's stream, beginning now; await it to know the event is durable."""
        return self._record_soon((event,))
