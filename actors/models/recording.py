"""Calls to models as facts: looked up before they are made, recorded when they are."""

from typing import Any

import msgspec

from actors.models.budget import BudgetKeeper
from actors.models.call_log import CallRecorder
from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed
from actors.models.port import ModelRequest, request_hash
from events.agent import ModelAnswered, ModelAsked, ModelFailed, Purpose
from events.minds import ModelSpec


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
        parameters=_parameters(request),
    )
    # The question is on its way to the store before it is on its way to the model, but need not
    # have arrived there (``confirm`` may wait for it); its place before the answer is what counts.
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
        reasoning=reply.reasoning,
        reasoning_tokens=reply.reasoning_tokens,
        cached_tokens=reply.cached_tokens,
        cache_written_tokens=reply.cache_written_tokens,
        estimated=reply.estimated,
        dropped=reply.dropped,
    )
    if budget is not None:
        # Before it is durable: the money is gone either way.
        budget.add(answered)
    await calls.record(answered)
    return answered


def _parameters(request: ModelRequest) -> dict[str, Any]:
    """What was chosen beside temperature and the longest answer."""
    chosen = {name: value for name, value in request.chosen().items() if name != "extra"}
    if request.seed is not None:
        chosen["seed"] = request.seed
    return chosen | ({"extra": request.extras()} if request.extra else {})
