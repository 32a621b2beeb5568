"""Calls recorded in the stream of the actor that makes them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from actors.models.recording.call_log import CallLog
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.ids import new_event_id


class StreamCalls:
    """A ``CallRecorder`` over a persistent actor: looks calls up in its state, records in its
    stream, in order with everything else the actor appends."""

    __slots__ = ("_claim", "_id", "_log", "_question", "_record_soon")

    def __init__(
        self,
        log: Callable[[], CallLog],
        record_soon: Callable[..., asyncio.Future[int]],
        claim: Callable[[Sequence[Event]], Awaitable[None]],
    ) -> None:
        """``record_soon``, ``claim``: those of a ``PersistentActor``."""
        self._log, self._record_soon, self._claim = log, record_soon, claim
        self._question: tuple[ModelAsked, ...] = ()
        """The question that is under way."""
        self._id = ""
        """The id of its event."""

    def apart(self) -> "StreamCalls":
        """Where a call is recorded that is under way at the same time as others: of one recorder
        one call is at a time."""
        return StreamCalls(self._log, self._record_soon, self._claim)

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self._log().answers_to(turn, attempt)

    def record(self, event: ModelAsked | ModelAnswered | ModelFailed) -> asyncio.Future[int]:
        """Append to the actor's stream, beginning now; await it to know the event is durable. What
        comes of a question names it as its cause."""
        if type(event) is ModelAsked:
            self._question, self._id = (event,), new_event_id()
            return self._record_soon(self._question, event_ids=(self._id,))
        # An answer is paid for, also where the actor is gone.
        return self._record_soon((event,), causation=self._id, late=True)

    def confirm(self) -> Awaitable[None]:
        """Make sure that no other process sends the same question. If this is in doubt, the
        question is sent only once it is in the stream, and only one process succeeds in appending
        it. A question that was recorded before the doubt arose is recorded again."""
        return self._claim(self._question)
