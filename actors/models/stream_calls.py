"""Calls recorded in the stream of the actor that makes them."""

from collections.abc import Awaitable, Callable, Sequence

from actors.models.recording import CallLog
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event


class StreamCalls:
    """A ``CallRecorder`` over a persistent actor: looks calls up in its state, records in its
    stream, in order with everything else the actor appends."""

    __slots__ = ("_log", "_record")

    def __init__(
        self, log: Callable[[], CallLog], record: Callable[[Sequence[Event]], Awaitable[int]]
    ) -> None:
        self._log, self._record = log, record

    def answer_of(self, turn: int, attempt: int, request_hash: str) -> ModelAnswered | None:
        """The answer that was paid for already, if there is one."""
        return self._log().answer_of(turn, attempt, request_hash)

    async def record(self, event: ModelAsked | ModelAnswered | ModelFailed) -> None:
        """Append to the actor's stream. Returns once the event is durable."""
        await self._record((event,))
