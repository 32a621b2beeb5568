"""Calls to models as events: looked up before they are made, recorded when they are made."""

from collections.abc import Callable

import msgspec

from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import ModelRequest, request_hash
from actors.models.recording.call_log import CallRecorder
from actors.models.recording.late_calls import goes_on_when_left
from actors.models.response_formats.formats import in_every_form
from actors.models.response_formats.schemas import Schema
from events.agent import ModelAnswered, ModelAsked, ModelFailed, Purpose
from events.minds import ModelSpec


@goes_on_when_left
async def recorded_call(
    caller: ModelCaller,
    calls: CallRecorder,
    *,
    turn: int,
    attempt: int,
    purpose: Purpose,
    spec: ModelSpec,
    request: ModelRequest,
    schema: Schema | None = None,
    prompt_version: str = "",
    budget: BudgetKeeper | None = None,
    mends: str = "",
    read: Callable[[ModelAnswered], str] = lambda _: "",
) -> ModelAnswered:
    """The answer to a question, from the record where it has one, else from the model.

    ``schema``: the shape of the answer, whatever form the request is in: what was paid for in
    another, before that of the model was found out or lowered, answers the same question.
    ``mends``: as ``ModelAsked`` has it; ``read``: called once with the answer, says what is wrong
    with it as ``ModelAnswered.fault`` has it. What is returned is durable. Raises ``CallFailed``
    (recorded too) and ``BudgetSpent``.
    """
    known = known_answer(calls, turn, attempt, spec, request, schema)
    if known is not None:
        read(known)
        return known
    fingerprint = request_hash(spec, request)
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
        mends=mends,
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
    # All that a reply says is recorded under the same names.
    answered = ModelAnswered(
        turn=turn,
        attempt=attempt,
        request_hash=fingerprint,
        latency_s=answer.latency_s,
        retries=answer.retries,
        **msgspec.structs.asdict(answer.reply),
    )
    if fault := read(answered):
        answered = msgspec.structs.replace(answered, fault=fault)
    if budget is not None:
        # Before it is durable: the money is gone either way.
        budget.add(answered)
    await calls.record(answered)
    return answered


def known_answer(
    calls: CallRecorder,
    turn: int,
    attempt: int,
    spec: ModelSpec,
    request: ModelRequest,
    schema: Schema | None = None,
) -> ModelAnswered | None:
    """The recorded answer to a question, if there is one; with a ``schema``, whatever form it was
    asked for in."""
    stored = calls.answers_to(turn, attempt)
    if not stored:
        # As of nearly every question: its fingerprints in all forms need not be made.
        return None
    answers = {answer.request_hash: answer for answer in reversed(stored)}
    others = () if schema is None else in_every_form(request, schema)
    hashes = (request_hash(spec, form) for form in (request, *others))
    return next((answers[one] for one in hashes if one in answers), None)


def _parameters(request: ModelRequest) -> dict[str, object]:
    """What was chosen beside temperature and the longest answer."""
    chosen = request.chosen()
    if chosen:
        chosen.pop("extra", None)
    if request.seed is not None:
        chosen["seed"] = request.seed
    return chosen | ({"extra": request.extras()} if request.extra else {})
