"""Calls to models as facts: looked up before they are made, recorded when they are."""

from collections.abc import Awaitable
from typing import Literal, Protocol

import msgspec

from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed
from actors.models.port import ModelRequest, request_hash
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.minds import ModelSpec

Purpose = Literal["act", "judge", "remember", "find"]
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
        """See that the stream is still the owner's, where that is in doubt. Raises what tells the
        owner that it is not: what another process was answered is not to be asked again."""
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


async def recorded_call(
    caller: ModelCaller,
    calls: CallRecorder,
    *,
    turn: int,
    attempt: int,
    purpose: Purpose,
    spec: ModelSpec,
    request: ModelRequest,
    prompt_version: str = "",
    budget: BudgetKeeper | None = None,
) -> ModelAnswered:
    """The answer to a question, from the record where it has one, else from the model.

    What is returned is durable. Raises ``CallFailed`` (recorded too) and ``BudgetSpent``.
    """
    fingerprint = request_hash(spec, request)
    known = calls.answer_of(turn, attempt, fingerprint)
    if known is None and request.json_schema is not None:
        # What was paid for before the model was held to a schema answers the same question.
        plain = msgspec.structs.replace(request, json_schema=None)
        known = calls.answer_of(turn, attempt, request_hash(spec, plain))
    if known is not None:
        return known
    if budget is not None:
        budget.check()
    asked = ModelAsked(
        turn=turn,
        attempt=attempt,
        purpose=purpose,
        model=spec.name,
        request_hash=fingerprint,
        prompt_version=prompt_version,
        temperature=request.temperature,
        max_tokens=request.max_tokens,
    )
    # The question is on its way to the store before it is on its way to the model, but need not
    # have arrived there; its place before the answer is what counts.
    recording = calls.record(asked)
    try:
        answer = await caller.call(spec, request, purpose=purpose, confirm=calls.confirm)
    except CallFailed as failure:
        await recording
        await calls.record(
            ModelFailed(
                turn=turn,
                attempt=attempt,
                request_hash=fingerprint,
                reason=failure.reason,
                detail=failure.detail,
                retries=failure.retries,
                latency_s=failure.latency_s,
            )
        )
        raise
    await recording
    reply = answer.reply
    answered = ModelAnswered(
        turn=turn,
        attempt=attempt,
        request_hash=fingerprint,
        text=reply.text,
        model=reply.model,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        cost_usd=reply.cost_usd,
        latency_s=answer.latency_s,
        retries=answer.retries,
        finish_reason=reply.finish_reason,
    )
    if budget is not None:
        # Before it is durable: the money is gone either way.
        budget.add(answered)
    await calls.record(answered)
    return answered
