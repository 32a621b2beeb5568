"""Asking a model until its answer can be used: asked, read, asked again, a failure said as one.

One loop for every mind, judge and memory. What is asked, how an answer is read and how the request
to mend it is worded is a ``ModelQuestion``; the calls are recorded where the owner says.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from actors.models.budget import BudgetKeeper
from actors.models.call_log import CallRecorder
from actors.models.caller import ModelCaller
from actors.models.errors import (
    REQUEST_FAULTS,
    CallFailed,
    RequestFault,
    Unreadable,
)
from actors.models.metrics import PARSE_FAILURES, label_of
from actors.models.port import Msg, request_of
from actors.models.recording import recorded_call
from actors.models.remedies import unavailable
from actors.models.replies import Fault, NoAnswer, fault_of, fault_of_unreadable, is_cut
from actors.models.thoughts import parted
from events.agent import ModelAnswered, Purpose
from events.minds import ModelSpec

T = TypeVar("T")

REASKS = 2
"""How often an answer that cannot be used is asked for again."""

Read = Callable[[str, str], T]
"""What a model's text, without its thoughts, says; the second argument is the model's label in the
metrics. Raises ``Unreadable`` with what is to be mended. It may keep what is complete in answers
that are not: it is called once an answer at most, in order."""
Again = Callable[[Sequence[str]], str]
"""The request to mend an answer, from what is wrong with it, a sentence each."""


class ModelQuestion(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """What a model is asked, and how its answer is understood. Pure."""

    messages: tuple[Msg, ...]
    read: Read[T]
    again: Again
    purpose: Purpose
    prompt_version: str = ""
    json_schema: dict[str, Any] | None = None
    """The shape of the answer (``actors.models.schemas``). Sent where the model can be held to it;
    the answer is read just the same."""
    max_tokens: int | None = None
    """The longest answer, in tokens; None: as the model's specification says."""
    first: int = 0
    """The number of the first attempt. Where a turn asks its owner several things, the attempts at
    one begin behind all that there can be at those before it: (turn, attempt) names one call."""
    reasks: int = REASKS
    shown_again: int = 16_000
    """Characters of an unusable answer that the model is shown when it is asked to mend it."""
    takes_parts: bool = False
    """Whether ``read`` sees for itself what is complete in an answer that was cut off."""
    cumulative: bool = False
    """Whether a request to mend follows all that was said since the question, or the latest answer
    alone."""


class Answered(msgspec.Struct, Generic[T], frozen=True):
    """An answer that could be used."""

    value: T
    calls: tuple[ModelAnswered, ...]
    """Every answer that came, the last one last."""
    attempts: int
    """Questions that were put, 1 or more."""


class Unanswered(msgspec.Struct, frozen=True):
    """There is no answer that can be used."""

    reason: NoAnswer | RequestFault
    """As in ``events.episode.ActionFailure``."""
    detail: str
    calls: tuple[ModelAnswered, ...]
    """Every answer that came."""
    attempts: int
    """Questions that were put, 1 or more."""
    raw: str = ""
    """Where it was unreadable: the last answer."""


async def ask(
    question: ModelQuestion[T],
    *,
    turn: int,
    model: ModelSpec,
    caller: ModelCaller,
    calls: CallRecorder,
    budget: BudgetKeeper | None = None,
) -> Answered[T] | Unanswered:
    """The model's answer, asked for again while it cannot be used.

    ``calls`` records every attempt under ``turn``; what it has an answer for is not asked again.
    Raises ``BudgetSpent``, and ``ModelUnavailable`` where the model cannot be had for anything else
    than a fault of this request.
    """
    label = label_of(model.name)
    messages, schema = question.messages, question.json_schema
    if schema is not None and not await caller.takes_schema(model):
        schema = None
    answers: list[ModelAnswered] = []
    fault: Fault | None = None
    for attempt in range(question.reasks + 1):
        request = request_of(model, messages, max_tokens=question.max_tokens, json_schema=schema)
        try:
            answer = await recorded_call(
                caller,
                calls,
                turn=turn,
                attempt=question.first + attempt,
                purpose=question.purpose,
                spec=model,
                request=request,
                prompt_version=question.prompt_version,
                budget=budget,
            )
        except CallFailed as failure:
            if failure.reason not in REQUEST_FAULTS:
                raise unavailable(model, failure, lasting=failure.lasting) from failure
            return Unanswered(
                cast(RequestFault, failure.reason), failure.detail, tuple(answers), attempt + 1
            )
        answers.append(answer)
        read = read_reply(question, answer, request.longest, label)
        if not isinstance(read, Unusable):
            return Answered(read.value, tuple(answers), attempt + 1)
        fault = read.fault
        messages = (*(messages if question.cumulative else question.messages), *read.mending)
    PARSE_FAILURES.labels(label, "reask").inc()
    assert fault is not None, "at least one question was put"
    return Unanswered(fault.reason, fault.detail, tuple(answers), question.reasks + 1, answer.text)


class Usable(NamedTuple, Generic[T]):
    """A reply that holds an answer."""

    value: T


class Unusable(NamedTuple):
    """A reply that holds none."""

    fault: Fault
    mending: tuple[Msg, ...]
    """What is said to have it mended, behind what was said before."""


def read_reply(
    question: ModelQuestion[T], answer: ModelAnswered, longest: int, label: str
) -> Usable[T] | Unusable:
    """What a reply to a question holds. ``longest``: the longest answer that was asked for, in
    tokens. The same for what is stored as for what has just come."""
    parts = parted(answer.text)
    fault = fault_of(answer, parts, longest)
    problems: Sequence[str] = ()
    if fault is None and is_cut(answer, parts) and not question.takes_parts:
        fault = fault_of_unreadable(answer, parts, longest, "")
    if fault is None:
        try:
            return Usable(question.read(parts.answer, label))
        except Unreadable as error:
            problems = error.problems
            fault = fault_of_unreadable(answer, parts, longest, error.detail)
            fault = fault or Fault("unreadable", error.detail, "")
    if fault.mend:
        problems = (fault.mend, *problems)
    return Unusable(fault, _mending(parts.answer, question, problems))


def _mending(answer: str, question: ModelQuestion[T], problems: Sequence[str]) -> tuple[Msg, ...]:
    """What follows a question whose answer, without its thoughts, cannot be used."""
    again = Msg("user", question.again(problems))
    shown = answer.strip()[: question.shown_again]
    # Some providers refuse an empty message.
    return (Msg("assistant", shown), again) if shown else (again,)
