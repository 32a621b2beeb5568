"""Calls recorded in the stream of the actor that makes them."""

import asyncio
from collections.abc import Awaitable, Callable

from actors.models.call_log import CallLog
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.ids import new_event_id


class StreamCalls:
    """A ``CallRecorder`` over a persistent actor: looks calls up in its state, records in its
    stream, in order with everything else the actor appends."""

    __slots__ = ("_asked", "_log", "_record_soon", "confirm")

    def __init__(
        self,
        log: Callable[[], CallLog],
        record_soon: Callable[..., asyncio.Future[int]],
        confirm: Callable[[], Awaitable[None]],
    ) -> None:
        """``record_soon``: ``PersistentActor.record_soon``."""
        self._log, self._record_soon = log, record_soon
        self._asked = ""
        """The id of the question that is under way."""
        self.confirm = confirm
        """See that the stream is still the actor's."""

    def answer_of(self, turn: int, attempt: int, request_hash: str) -> ModelAnswered | None:
        """The answer that was paid for already, if there is one."""
        return self._log().answer_of(turn, attempt, request_hash)

    def record(self, event: ModelAsked | ModelAnswered | ModelFailed) -> asyncio.Future[int]:
        """Append to the actor's stream, beginning now; await it to know the event is durable. What
        comes of a question names it as its cause."""
        if isinstance(event, ModelAsked):
            self._asked = new_event_id()
            return self._record_soon((event,), event_ids=(self._asked,))
        return self._record_soon((event,), causation=self._asked)
