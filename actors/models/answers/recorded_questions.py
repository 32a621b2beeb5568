"""Questions to a model that are no part of an episode: recorded in a stream that no actor owns, so
that nothing is paid for twice."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from actors.models.answers.ask import Answered, ModelQuestion, ask
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.errors import Unreadable
from actors.models.port import Msg
from actors.models.recording.call_log import CallEvent
from actors.models.response_formats.schemas import Schema
from events.agent import ModelAnswered
from events.base import Event
from events.minds import ModelSpec
from events.serialization.codec import event_of
from events.untrusted.safe_text import shortened
from store.log.event_store import ANY, Appended, EventStore

T = TypeVar("T")
A = TypeVar("A")


class StoredCalls:
    """A ``CallRecorder`` over a stream that no actor owns."""

    def __init__(self, store: EventStore, stream: str, run: str = "") -> None:
        """Reads what is there already. Blocking."""
        self._store, self._stream, self._run = store, stream, run
        self._answers: dict[tuple[int, int], list[ModelAnswered]] = {}
        for stored in store.read(stream):
            self._keep(event_of(stored))

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self._answers.get((turn, attempt), ())

    def record(self, event: CallEvent) -> asyncio.Future[Appended]:
        self._keep(event)
        return self._store.append_soon(self._stream, ANY, (event,), correlation=self._run)

    def _keep(self, event: Event) -> None:
        if isinstance(event, ModelAnswered):
            self._answers.setdefault((event.turn, event.attempt), []).append(event)

    async def confirm(self) -> None:
        """Nobody owns the stream: two who ask the same at once both pay."""


class NoUsableAnswer(ValueError):
    """A model gave no answer, or none that could be used."""

    def __init__(self, model: str, why: str) -> None:
        super().__init__(
            f"model {shortened(model)!r} gave no usable answer: {shortened(why, 1_000)}"
        )
        self.model, self.why = model, why


class Asking(Generic[A]):
    """Puts one kind of question to one model."""

    def __init__(
        self,
        prompt_version: str,
        reader: AnswerReader[A],
        model: ModelSpec,
        caller: ModelCaller,
        calls: StoredCalls,
    ) -> None:
        self.prompt_version, self.reader, self.model = prompt_version, reader, model
        self.caller, self.calls = caller, calls

    async def ask(
        self, turn: int, asked: tuple[Msg, ...], schema: Schema, use: Callable[[A], T]
    ) -> T:
        """What ``use`` makes of the answer, of which ``schema`` is the shape; ``use`` raises
        ``ValueError`` with a sentence where the answer is not as asked for. Raises
        ``NoUsableAnswer``."""
        return (await self.answered(turn, asked, schema, use)).value

    async def answered(
        self, turn: int, asked: tuple[Msg, ...], schema: Schema, use: Callable[[A], T]
    ) -> Answered[T]:
        """The same, with the answers that it took."""

        def read(text: str, label: str) -> T:
            given = self.reader.read(text, label)
            try:
                return use(given)
            except ValueError as unusable:
                raise Unreadable(str(unusable), text) from unusable

        question = ModelQuestion(
            messages=asked,
            read=read,
            purpose="find",
            json_schema=schema,
            prompt_version=self.prompt_version,
        )
        answer = await ask(
            question, turn=turn, model=self.model, caller=self.caller, calls=self.calls
        )
        if isinstance(answer, Answered):
            return answer
        raise NoUsableAnswer(self.model.name, answer.detail)
