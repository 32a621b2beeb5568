"""Calls models with rate limits, time-outs, retries and metrics, in one place for all adapters."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final, Self

import msgspec
import structlog
import tenacity
from tenacity import RetryCallState

from actors.models.errors import (
    LASTING,
    REQUEST_FAULTS,
    CallFailed,
    HeldTooLong,
    ModelError,
)
from actors.models.limits.backoff import Backoff
from actors.models.limits.circuit_breaker import Breaker, HeldModel
from actors.models.limits.rates import ModelLimits, Quota, quota_of
from actors.models.metrics import BreakerMetrics, CallMetrics, label_of
from actors.models.port import Model, ModelReply, ModelRequest
from actors.models.registry import Models
from actors.models.remedies import unavailable
from actors.models.response_formats.formats import is_object, names_form
from actors.models.response_formats.model_formats import AnswerForms
from actors.models.response_formats.probe import found_out
from events.agent import ModelAnswered
from events.minds import ModelSpec
from store.model_abilities import AnswerForm, ModelAbilities

log = structlog.get_logger(__name__)


class CalledAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A reply, and what it took to get it."""

    reply: ModelReply
    retries: int
    """Attempts after the first."""
    latency_s: float
    """Seconds from the question to the answer, waiting and retries included."""


class _Lane(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept for one specification between calls."""

    spec: ModelSpec
    model: Model
    limits: ModelLimits
    breaker: Breaker
    metrics: CallMetrics
    quota: Quota
    listed: bool
    """Whether its list says that it takes an answer's schema."""


Confirm = Callable[[], Awaitable[None]]


MOST_LANES: Final = 256
"""Specifications that are remembered, the latest ones. Forks that differ in their seeds alone have
each their own."""


class _Question(msgspec.Struct, frozen=True):
    """One call, however often it is tried."""

    request: ModelRequest
    purpose: str
    confirm: Confirm | None

    @property
    def plain(self) -> "_Question":
        """The same in no form."""
        request = msgspec.structs.replace(self.request, json_schema=None, json_mode=False)
        return _Question(request, self.purpose, self.confirm)


class ModelCaller:
    """Asks models for everybody in a process. Lives on one event loop."""

    label = ""
    """What figures call every model whose answers are read; empty: by its name."""
    noted: Callable[[ModelAnswered, Any], None] | None = None
    """Told what was read of each answer, where somebody wants to know."""

    def __init__(
        self,
        models: Models,
        backoff: Backoff | None = None,
        *,
        patience_s: float | None = None,
        abilities: ModelAbilities | None = None,
    ) -> None:
        """``patience_s``: instead of that of ``backoff``. ``abilities``: where it is remembered
        what models were found to take."""
        self.waiting = 0
        """Requests that wait for a place under a limit."""
        self.unread = False
        """A first answer to a question could not be used."""
        self.forms = AnswerForms(abilities)
        self._models = models
        given = backoff or Backoff()
        self._backoff = (
            given if patience_s is None else msgspec.structs.replace(given, patience_s=patience_s)
        )
        self._lanes: dict[ModelSpec, _Lane] = {}
        self._limits: dict[Quota, ModelLimits] = {}
        self._breakers: dict[Quota, Breaker] = {}
        self._warned: set[ModelSpec] = set()
        """Specifications some of whose parameters were said not to be taken."""
        self._late: set[asyncio.Task[object]] = set()
        """Calls under way that nobody waits for."""
        self._schema_refused: set[Quota] = set()
        """Models that are to be sent a JSON Schema whatever was found out, and whose server has
        refused it and then answered without."""
        self._no_prefix: set[Quota] = set()
        """Models whose server began a new answer where it was to go on with one, or refused."""
        self._jitter = tenacity.wait_random_exponential(
            multiplier=self._backoff.first_s, max=self._backoff.longest_s
        )

    async def call(
        self,
        spec: ModelSpec,
        request: ModelRequest,
        *,
        purpose: str,
        confirm: Confirm | None = None,
    ) -> CalledAnswer:
        """The model's answer.

        ``purpose`` is one of ``recording.Purpose``; it is what the cost is counted under.
        ``confirm`` is awaited immediately before each request; what it raises ends the call.
        Raises ``CallFailed`` when no answer came after ``spec.retries`` retries. While the model's
        breaker is open the call waits, for as long as the breaker has patience.
        """
        lane = self._lanes.get(spec) or await self._lane(spec)
        question = _Question(request, purpose, confirm)
        started = time.perf_counter()
        retries = 0
        try:
            try:
                reply = await self._attempt(lane, question)
            except ModelError as first:
                # Only a question that has failed once pays for the machinery of patience.
                retrying = self._retrying(lane)
                try:
                    reply = await retrying(self._again(first, lane, question))
                finally:
                    retries = retrying.statistics["attempt_number"] - 1
        except ModelError as error:
            log.warning("model_call_failed", model=lane.metrics.label, reason=error.reason)
            raise CallFailed(
                spec.name,
                error,
                lasting=self._lasts(error) or (error.may_pass and lane.breaker.out_of_patience),
                retries=retries,
                latency_s=time.perf_counter() - started,
            ) from error
        return CalledAnswer(reply=reply, retries=retries, latency_s=time.perf_counter() - started)

    async def probe(self, spec: ModelSpec, *, again: bool = False) -> tuple[str, ...]:
        """See with one tiny request that the model can be had at all, and which of its parameters
        the provider does not take; and what form its server takes, with one more for each that it
        does not. Where that is known, the form is asked for that is used; ``again``: as if it were
        not.

        Raises ``ModelUnavailable``. A server that is busy (429) is there and takes the key.
        """
        try:
            lane = await self._lane(spec)

            async def put(request: ModelRequest) -> ModelReply:
                return await self._ask(lane, _Question(request, "probe", None))

            found = await found_out(
                spec, put, self.forms.of(spec, listed=True), self.forms.known_of(spec), again=again
            )
            context = await self._models.context_of(spec)
            await self.forms.found(spec, found, context=context, again=again)
        except ModelError as error:
            # What refuses so small a request refuses every other.
            lasting = self._lasts(error) or error.reason in REQUEST_FAULTS
            if lasting or error.reason != "rate_limited":
                raise unavailable(spec, error, lasting=lasting) from error
            return ()
        return found.dropped

    async def ready(self, specs: Iterable[ModelSpec]) -> None:
        """Load what asking some models needs, before anything depends on how long that takes; and
        what other processes have found out of them."""
        for spec in dict.fromkeys(specs):
            await self.forms.load(spec, again=True)
            if spec not in self._lanes:
                await self._models.ready(spec)

    @property
    def breakers(self) -> Sequence[HeldModel]:
        """The models that are not asked at present, because most of their last attempts failed."""
        return [held for one in self._breakers.values() if (held := one.held) is not None]

    async def form_for(self, spec: ModelSpec) -> AnswerForm:
        """The form that the model is asked for its answers in, where they are to have a shape."""
        lane = self._lanes.get(spec) or await self._lane(spec)
        return self.forms.of(spec, listed=lane.listed)

    async def came(self, spec: ModelSpec, request: ModelRequest, text: str, *, read: bool) -> None:
        """The first answer to a question came. ``read``: whether it could be used."""
        self.unread |= not read
        if request.json_schema is not None or request.json_mode:
            form = self._form_of(spec, request)
            await self.forms.answered(spec, form, holds=read or is_object(text))

    def context_of(self, spec: ModelSpec) -> int:
        """Tokens that fit into a prompt with its answer, as far as was found out; 0: it was not."""
        return self.forms.known_of(spec).context

    def _form_of(self, spec: ModelSpec, request: ModelRequest) -> AnswerForm:
        if request.json_schema is None:
            return "json" if request.json_mode else "none"
        return "simple" if self.forms.known_of(spec).form == "simple" else "schema"

    async def continues(self, spec: ModelSpec) -> bool:
        """Whether the model may go on from the beginning of an answer."""
        return quota_of(spec) not in self._no_prefix and await self._models.continues(spec)

    def began_anew(self, spec: ModelSpec) -> None:
        """The model did not go on from the beginning of an answer: it is not asked to again."""
        if spec.completes_prefix is None:
            self._no_prefix.add(quota_of(spec))
            log.info("model_takes_no_prefix", model=label_of(spec.name))

    def let_go(self) -> None:
        """Have no call wait for a model that is held: it fails at once. The process ends."""
        for breaker in self._breakers.values():
            breaker.let_go()

    def await_late(self, call: asyncio.Task[object]) -> None:
        """Let a call that nobody waits for any more come to its end."""
        self._late.add(call)
        call.add_done_callback(self._came_late)

    def _came_late(self, call: asyncio.Task[object]) -> None:
        self._late.discard(call)
        if not call.cancelled() and (error := call.exception()) is not None:
            self.late_call_failed(error)

    def late_call_failed(self, error: BaseException) -> None:
        """A call that nobody waits for failed. It is recorded as such; what is not recorded is told
        of here."""
        log.warning("late_answer_not_had", error_type=type(error).__name__, error=str(error))

    async def close(self, grace_s: float = 10.0) -> None:
        """Close the models' connections. Calls that nobody waits for may go on for so many seconds:
        what they bring is paid for."""
        if self._late:
            await asyncio.wait(self._late, timeout=grace_s)
            late = list(self._late)
            for call in late:
                call.cancel()
            if late:
                log.warning("answers_not_awaited", calls=len(late))
                await asyncio.gather(*late, return_exceptions=True)
        for breaker in self._breakers.values():
            breaker.stop()
        await self._models.close()

    async def _lane(self, spec: ModelSpec) -> _Lane:
        lane = self._lanes.get(spec)
        if lane is None:
            asked = self._models.asked(spec)
            model = await self._models.model_of(asked)
            quota = quota_of(asked)
            await self.forms.load(spec)
            limits = self._limits.setdefault(quota, ModelLimits(quota))
            breaker = self._breakers.setdefault(
                quota, Breaker(spec, self._backoff, BreakerMetrics(spec))
            )
            lane = _Lane(
                spec=asked,
                model=model,
                limits=limits,
                breaker=breaker,
                metrics=CallMetrics(spec),
                quota=quota,
                listed=await self._models.takes_schema(spec),
            )
            while len(self._lanes) >= MOST_LANES:
                oldest = next(iter(self._lanes))
                del self._lanes[oldest]
                self._warned.discard(oldest)
            self._lanes[spec] = lane
        return lane

    async def _attempt(self, lane: _Lane, question: _Question) -> ModelReply:
        """One attempt, when the breaker lets it through. Raises ``ModelError``."""
        breaker = lane.breaker
        probe = breaker.is_open and await breaker.passage()
        try:
            reply = await self._placed(lane, question)
        except ModelError as error:
            breaker.failed(error, passes=self._worth_another(error), probe=probe)
            raise
        except BaseException:
            if probe:
                breaker.left()
            raise
        breaker.answered()
        return reply

    async def _placed(self, lane: _Lane, question: _Question) -> ModelReply:
        """One attempt under the model's limits. Raises ``ModelError``."""
        limits = lane.limits
        if limits.free:
            async with limits.place(question.request):
                return await self._ask_in_form(lane, question)
        with _Waiting(self, lane.metrics) as waiting:
            async with limits.place(question.request):
                waiting.over()
                return await self._ask_in_form(lane, question)

    async def _ask_in_form(self, lane: _Lane, question: _Question) -> ModelReply:
        """One attempt at a question, and one more without its form where the server takes none."""
        request = question.request
        if request.json_schema is None and not request.json_mode:
            return await self._ask(lane, question)
        if lane.quota in self._schema_refused and lane.spec.structured_output is not None:
            return await self._ask(lane, question.plain)
        try:
            return await self._ask(lane, question)
        except ModelError as error:
            if not names_form(error):
                raise
            why = f"the server refused it: {error.detail}"
        reply = await self._ask(lane, question.plain)
        # Only now: the refusal may have named the parameter for another reason.
        self._schema_refused.add(lane.quota)
        log.info("model_takes_no_schema", model=lane.metrics.label)
        await self.forms.lower(lane.spec, self._form_of(lane.spec, request), why)
        return reply

    async def _ask(self, lane: _Lane, question: _Question) -> ModelReply:
        metrics = lane.metrics
        if question.confirm is not None:
            # Behind all that is waited for: what comes now is the request.
            await question.confirm()
        metrics.inflight.inc()
        sent = time.perf_counter()
        try:
            async with asyncio.timeout(lane.spec.timeout_s):
                reply = await lane.model.complete(question.request)
        except TimeoutError:
            metrics.failed("timeout", time.perf_counter() - sent)
            raise ModelError(
                "timeout", f"no answer within {lane.spec.timeout_s:g} s", may_pass=True
            ) from None
        except ModelError as error:
            metrics.failed(error.reason, time.perf_counter() - sent)
            raise
        finally:
            metrics.inflight.dec()
        metrics.answered(reply, time.perf_counter() - sent, question.purpose)
        if reply.dropped and lane.spec not in self._warned:
            self._warned.add(lane.spec)
            log.warning("model_parameters_not_taken", model=metrics.label, parameters=reply.dropped)
        return reply

    def _again(
        self, first: ModelError, lane: _Lane, question: _Question
    ) -> Callable[[], Awaitable[ModelReply]]:
        """The attempts as tenacity is to see them: the first, which has failed already, and then
        real ones."""
        failed = iter((first,))

        async def attempt() -> ModelReply:
            for error in failed:
                raise error
            return await self._attempt(lane, question)

        return attempt

    def _retrying(self, lane: _Lane) -> tenacity.AsyncRetrying:
        def count_retry(state: RetryCallState) -> None:
            error = _error_of(state)
            lane.metrics.retried(error.reason)
            log.info("model_call_retried", model=lane.metrics.label, reason=error.reason)

        def tried_enough(state: RetryCallState) -> bool:
            # What fails because the model is failing for all waits with them.
            return state.attempt_number > lane.spec.retries and not lane.breaker.is_open

        return tenacity.AsyncRetrying(
            stop=tried_enough,
            retry=tenacity.retry_if_exception(self._worth_another),
            wait=self._wait,
            before_sleep=count_retry,
            sleep=lane.breaker.rest,
            reraise=True,
        )

    def _worth_another(self, error: BaseException) -> bool:
        return isinstance(error, ModelError) and error.may_pass and not self._lasts(error)

    def _lasts(self, error: ModelError) -> bool:
        """Whether no retry mends it."""
        if isinstance(error, HeldTooLong) or error.reason in LASTING:
            return True
        return error.may_pass and (error.retry_after or 0.0) > self._backoff.longest_asked_s

    def _wait(self, state: RetryCallState) -> float:
        # Jitter on top of what the server asked for: else all it turned away come back at once.
        return self._jitter(state) + (_error_of(state).retry_after or 0.0)


class _Waiting:
    """One request that waits for its place, counted."""

    __slots__ = ("caller", "metrics", "waits")

    def __init__(self, caller: ModelCaller, metrics: CallMetrics) -> None:
        self.caller, self.metrics, self.waits = caller, metrics, True

    def over(self) -> None:
        """It has its place, or needs none any more."""
        if self.waits:
            self.waits = False
            self.caller.waiting -= 1
            self.metrics.queued.dec()

    def __enter__(self) -> Self:
        self.caller.waiting += 1
        self.metrics.queued.inc()
        return self

    def __exit__(self, *_: object) -> None:
        self.over()


def _error_of(state: RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, ModelError)
    return error
