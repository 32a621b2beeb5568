"""Asks a model until its answer is usable, and reports a failure in the same way for all callers.

One loop for every mind, judge and memory. A ``ModelQuestion`` defines the prompt, how an answer is
read, and how a correction is requested; the owner decides where the calls are recorded.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar, cast

import msgspec

from actors.models.answers.corrections import correction
from actors.models.caller import ModelCaller
from actors.models.errors import (
    REQUEST_FAULTS,
    CallFailed,
    RequestFault,
    Unreadable,
)
from actors.models.limits.budget import BudgetKeeper
from actors.models.metrics import PARSE_FAILURES, label_of
from actors.models.port import ModelRequest, Msg, request_of
from actors.models.recording.call_log import CallRecorder
from actors.models.recording.recorded_call import known_answer, recorded_call
from actors.models.remedies import unavailable
from actors.models.replies.faults import (
    Language,
    NoAnswer,
    ReplyFault,
    beginning,
    completed,
    fault_of,
    fault_of_unreadable,
    is_cut,
)
from actors.models.replies.thoughts import parted
from actors.models.response_formats.formats import in_form
from actors.models.response_formats.schemas import Schema
from events.agent import ModelAnswered, Purpose
from events.minds import ModelSpec
from store.model_abilities import AnswerForm

T = TypeVar("T")

REASKS = 2
"""How often an answer that cannot be used is asked for again, where nothing says otherwise."""

Read = Callable[[str, str], T]
"""What a model's text, without its thoughts, says; the second argument is the model's label in the
metrics. Raises ``Unreadable`` with what is to be mended. It may keep what is complete in answers
that are not: it is called once an answer at most, in order."""
Again = Callable[[Sequence[str]], str]
"""The request to answer again, from what is wrong with an answer, a sentence each."""


class ModelQuestion(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """What a model is asked, and how its answer is understood. Pure."""

    messages: tuple[Msg, ...]
    read: Read[T]
    purpose: Purpose
    again: Again | None = None
    """Words of the question's own; None: those of ``actors.models.answers.corrections``."""
    hint: str = ""
    """What is said behind the request to answer again."""
    prompt_version: str = ""
    language: Language = "en"
    """What the messages are written in."""
    json_schema: Schema | None = None
    """The shape of the answer (``actors.models.response_formats.schemas``). Sent where the model
    can be held to it; the answer is read just the same."""
    max_tokens: int | None = None
    """The longest answer, in tokens; None: as the model's specification says."""
    first: int = 0
    """The number of the first attempt. Where a turn asks its owner several things, the attempts at
    one begin behind all that there can be at those before it: (turn, attempt) names one call."""
    reasks: int | None = None
    """How often it is put again; None: as the model's specification says, else ``REASKS`` times."""
    takes_parts: bool = False
    """Whether ``read`` sees for itself what is complete in an answer that was cut off."""

    def request(
        self,
        model: ModelSpec,
        again: int = 0,
        problems: Sequence[str] = (),
        begun: str = "",
    ) -> ModelRequest:
        """What is sent: the question, behind it, where it was put ``again`` times before, what was
        wrong with the answer then, and how an answer has ``begun`` that is to be gone on with; in
        the form of its schema."""
        messages = self.messages
        if again:
            words = (
                correction(problems, again, self.language, self.json_schema)
                if self.again is None
                else self.again(problems)
            )
            messages = (*messages, Msg("user", f"{words} {self.hint}".strip()))
        if begun:
            messages = (*messages, Msg("assistant", begun))
        return request_of(
            model,
            messages,
            max_tokens=self.max_tokens,
            json_schema=self.json_schema,
            again=again,
            continues=bool(begun),
        )


class Usable(msgspec.Struct, Generic[T], frozen=True):
    """A reply that holds an answer."""

    value: T


class Unusable(NamedTuple):
    """A reply that holds none."""

    fault: ReplyFault
    problems: tuple[str, ...]
    """What is wrong with it, for the model, a sentence each."""
    begun: str = ""
    """Where it was cut off: what the model can go on with."""


def read_reply(
    question: ModelQuestion[T], answer: ModelAnswered, longest: int, label: str
) -> Usable[T] | Unusable:
    """What a reply to a question holds. ``longest``: the longest answer that was asked for, in
    tokens. The same for what is stored as for what has just come."""
    parts = parted(answer.text)
    language = question.language
    fault = fault_of(answer, parts, longest, language)
    problems: tuple[str, ...] = ()
    if fault is None and is_cut(answer, parts) and not question.takes_parts:
        fault = fault_of_unreadable(answer, parts, longest, "", language)
    if fault is None:
        try:
            return Usable(question.read(parts.answer, label))
        except Unreadable as error:
            problems = error.problems
            fault = fault_of_unreadable(answer, parts, longest, error.detail, language)
            fault = fault or ReplyFault("unreadable", error.detail, "", error.kind)
    if fault.mend:
        problems = (fault.mend, *problems)
    return Unusable(fault, problems, beginning(answer, parts))


def reasks_of(model: ModelSpec, usual: int | None = None) -> int:
    """How often a question is put again to a model; ``usual``: where its specification says
    nothing."""
    if model.reasks is not None:
        return model.reasks
    return REASKS if usual is None else usual


class Answered(msgspec.Struct, Generic[T], frozen=True):
    """An answer that could be used."""

    value: T
    calls: tuple[ModelAnswered, ...]
    """Every answer that came, the last one last."""
    attempts: int
    """Questions that were put, 1 or more."""


class UnansweredQuestion(msgspec.Struct, frozen=True):
    """There is no answer that can be used."""

    reason: NoAnswer | RequestFault
    """As in ``events.episode.ActionFailure``."""
    detail: str
    calls: tuple[ModelAnswered, ...]
    """Every answer that came."""
    attempts: int
    """Questions that were put, 1 or more."""
    raw: str = ""
    """The last answer that said something, as far as it came."""


async def ask(
    question: ModelQuestion[T],
    *,
    turn: int,
    model: ModelSpec,
    caller: ModelCaller,
    calls: CallRecorder,
    budget: BudgetKeeper | None = None,
) -> Answered[T] | UnansweredQuestion:
    """The model's answer, asked for again while it cannot be used.

    ``calls`` records every attempt under ``turn``; what it has an answer for is not asked again.
    Raises ``BudgetSpent``, and ``ModelUnavailable`` where the model cannot be had for anything else
    than a fault of this request.
    """
    put = _Put(question, turn, model, caller, calls, budget)
    if question.json_schema is not None:
        put.form = await caller.form_for(model)
    reasks = reasks_of(model) if question.reasks is None else question.reasks
    unusable: Unusable | None = None
    attempt = 0
    try:
        for attempt in range(reasks + 1):
            read = await put.once(attempt, unusable)
            if isinstance(read, Unusable) and read.begun and not put.completed:
                read = await put.completion(attempt, unusable, read)
            if not isinstance(read, Unusable):
                return Answered(read.value, tuple(put.answers), attempt + 1)
            unusable = read
    except CallFailed as failure:
        if failure.reason not in REQUEST_FAULTS:
            raise unavailable(model, failure, lasting=failure.lasting) from failure
        reason, detail = cast(RequestFault, failure.reason), failure.detail
        return UnansweredQuestion(reason, detail, tuple(put.answers), attempt + 1, put.said)
    PARSE_FAILURES.labels(put.label, "reask").inc()
    assert unusable is not None, "at least one question was put"
    fault = unusable.fault
    return UnansweredQuestion(fault.reason, fault.detail, tuple(put.answers), reasks + 1, put.said)


@dataclass(slots=True)
class _Put(Generic[T]):
    """A question on its way to an answer."""

    question: ModelQuestion[T]
    turn: int
    model: ModelSpec
    caller: ModelCaller
    calls: CallRecorder
    budget: BudgetKeeper | None
    form: AnswerForm = "none"
    """What the answer is asked for in, where it has a schema."""
    answers: list[ModelAnswered] = field(default_factory=list)
    completed: bool = False
    """The model was let go on from where its answer was cut off."""
    said: str = ""
    """The last answer that said something."""

    @property
    def label(self) -> str:
        return self.caller.label or label_of(self.model.name)

    def once(
        self, attempt: int, before: Unusable | None
    ) -> Coroutine[object, None, Usable[T] | Unusable]:
        """What an answer holds. Raises what ``ask`` raises, and ``CallFailed``."""
        return self._asked(attempt, before, self._request(attempt, before))

    async def completion(
        self, attempt: int, before: Unusable | None, cut: Unusable
    ) -> Usable[T] | Unusable:
        """What an answer that was cut off holds with what follows it; ``cut`` where the model
        cannot be had to go on."""
        request = self._request(attempt, before, cut.begun)
        if not self._known(attempt, request):
            # What was asked instead, before a crash, is paid for.
            paid = self._known(attempt + 1, self._request(attempt + 1, cut))
            if paid or not await self.caller.continues(self.model):
                return cut
        self.completed = True
        try:
            return await self._asked(attempt, before, request, cut.begun)
        except CallFailed as failure:
            if failure.reason not in REQUEST_FAULTS:
                raise
            self.caller.began_anew(self.model)
            return cut

    def _request(self, attempt: int, before: Unusable | None, begun: str = "") -> ModelRequest:
        problems = before.problems if before is not None else ()
        request = self.question.request(self.model, attempt, problems, begun)
        schema = self.question.json_schema
        return request if schema is None else in_form(request, self.form, schema)

    def _known(self, attempt: int, request: ModelRequest) -> bool:
        number = self.question.first + attempt
        schema = self.question.json_schema
        return known_answer(self.calls, self.turn, number, self.model, request, schema) is not None

    async def _asked(
        self, attempt: int, before: Unusable | None, request: ModelRequest, begun: str = ""
    ) -> Usable[T] | Unusable:
        found: list[Usable[T] | Unusable] = []

        def read(answer: ModelAnswered) -> str:
            text, goes_on = completed(begun, answer.text) if begun else (answer.text, True)
            if not goes_on:
                self.caller.began_anew(self.model)
            self.said = text if text.strip() else self.said
            whole = msgspec.structs.replace(answer, text=text) if begun else answer
            one = read_reply(self.question, whole, request.longest, self.label)
            found.append(one)
            if self.caller.noted is not None:
                self.caller.noted(answer, one)
            return one.fault.counted if isinstance(one, Unusable) else ""

        answer = await recorded_call(
            self.caller,
            self.calls,
            turn=self.turn,
            attempt=self.question.first + attempt,
            purpose=self.question.purpose,
            spec=self.model,
            request=request,
            schema=self.question.json_schema,
            prompt_version=self.question.prompt_version,
            budget=self.budget,
            mends=before.fault.counted if before is not None else "",
            read=read,
        )
        self.answers.append(answer)
        if attempt == 0 and not begun:
            usable = not isinstance(found[-1], Unusable)
            await self.caller.came(self.model, request, answer.text, read=usable)
        return found[-1]
