"""Asking a model with patience: limits, time-outs, retries and figures, once for every adapter."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple, Self

import msgspec
import structlog
import tenacity
from tenacity import RetryCallState

from actors.models.backoff import Backoff
from actors.models.breaker import Breaker, HeldModel
from actors.models.errors import (
    LASTING,
    REQUEST_FAULTS,
    CallFailed,
    HeldTooLong,
    ModelError,
)
from actors.models.limits import ModelLimits, Quota, quota_of
from actors.models.metrics import BreakerMetrics, CallMetrics
from actors.models.port import Model, ModelReply, ModelRequest, Msg, request_of
from actors.models.registry import Models
from actors.models.remedies import unavailable
from events.minds import ModelSpec

log = structlog.get_logger(__name__)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
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
    takes_schema: bool


_PROBE = (Msg("user", "Answer with the word: yes"),)

Confirm = Callable[[], Awaitable[None]]


MOST_LANES: Final = 256
"""Specifications that are remembered, the latest ones. Forks that differ in their seeds alone have
each their own."""


class _Question(NamedTuple):
    """One call, however often it is tried."""

    request: ModelRequest
    purpose: str
    confirm: Confirm | None


class ModelCaller:
    """Asks models for everybody in a process. Lives on one event loop."""

    def __init__(
        self, models: Models, backoff: Backoff | None = None, *, patience_s: float | None = None
    ) -> None:
        """``patience_s``: instead of that of ``backoff``."""
        self.waiting = 0
        """Requests that wait for a place under a limit."""
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
        self._schema_refused: set[Quota] = set()
        """Models whose server has refused a JSON Schema and then answered without."""
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
    ) -> Answer:
        """The model's answer.

        ``purpose`` is one of ``recording.Purpose``; it is what the cost is counted under.
        ``confirm`` is awaited immediately before each attempt; what it raises ends the call.
        Raises ``CallFailed`` when no answer came after ``spec.retries`` retries. While the model's
        breaker is open the call waits, for as long as the breaker has patience.
        """
        lane = await self._lane(spec)
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
        return Answer(reply=reply, retries=retries, latency_s=time.perf_counter() - started)

    async def probe(self, spec: ModelSpec) -> tuple[str, ...]:
        """See with one tiny request that the model can be had at all, and which of its parameters
        the provider does not take.

        Raises ``ModelUnavailable``. A server that is busy (429) is there and takes the key.
        """
        try:
            lane = await self._lane(spec)
            reply = await self._ask(lane, request_of(spec, _PROBE), "probe")
        except ModelError as error:
            # What refuses so small a request refuses every other.
            lasting = self._lasts(error) or error.reason in REQUEST_FAULTS
            if lasting or error.reason != "rate_limited":
                raise unavailable(spec, error, lasting=lasting) from error
            return ()
        return reply.dropped

    @property
    def breakers(self) -> Sequence[HeldModel]:
        """The models that are not asked at present, because most of their last attempts failed."""
        return [held for one in self._breakers.values() if (held := one.held) is not None]

    async def takes_schema(self, spec: ModelSpec) -> bool:
        """Whether to send the model the JSON Schema of an answer along with a question."""
        return (await self._lane(spec)).takes_schema

    def let_go(self) -> None:
        """Have no call wait for a model that is held: it fails at once. The process ends."""
        for breaker in self._breakers.values():
            breaker.let_go()

    async def close(self) -> None:
        """Close the models' connections."""
        for breaker in self._breakers.values():
            breaker.stop()
        await self._models.close()

    async def _lane(self, spec: ModelSpec) -> _Lane:
        lane = self._lanes.get(spec)
        if lane is None:
            model = await self._models.model_of(spec)
            quota = quota_of(spec)
            limits = self._limits.setdefault(quota, ModelLimits(quota))
            breaker = self._breakers.setdefault(
                quota, Breaker(spec, self._backoff, BreakerMetrics(spec))
            )
            lane = _Lane(
                spec=spec,
                model=model,
                limits=limits,
                breaker=breaker,
                metrics=CallMetrics(spec),
                quota=quota,
                takes_schema=await self._models.takes_schema(spec),
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
        probe = await breaker.passage()
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
        metrics = lane.metrics
        with _Waiting(self, metrics) as waiting:
            async with lane.limits.place(question.request):
                waiting.over()
                if question.confirm is not None:
                    await question.confirm()
                request = question.request
                if request.json_schema is None:
                    return await self._ask(lane, request, question.purpose)
                return await self._ask_with_schema(lane, request, question.purpose)

    async def _ask_with_schema(
        self, lane: _Lane, request: ModelRequest, purpose: str
    ) -> ModelReply:
        """One attempt at a question with a schema, and one without where the server takes none."""
        plain = msgspec.structs.replace(request, json_schema=None)
        if lane.quota in self._schema_refused:
            return await self._ask(lane, plain, purpose)
        try:
            return await self._ask(lane, request, purpose)
        except ModelError as error:
            if not _refuses_schema(error):
                raise
        reply = await self._ask(lane, plain, purpose)
        # Only now: the refusal may have named the parameter for another reason.
        self._schema_refused.add(lane.quota)
        log.info("model_takes_no_schema", model=lane.metrics.label)
        return reply

    async def _ask(self, lane: _Lane, request: ModelRequest, purpose: str) -> ModelReply:
        metrics = lane.metrics
        metrics.inflight.inc()
        sent = time.perf_counter()
        try:
            async with asyncio.timeout(lane.spec.timeout_s):
                reply = await lane.model.complete(request)
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
        metrics.answered(reply, time.perf_counter() - sent, purpose)
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


def _refuses_schema(error: ModelError) -> bool:
    """Whether a server does not know, or does not like, the schema it was sent."""
    return error.reason == "refused" and "response_format" in error.detail


def _error_of(state: RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, ModelError)
    return error
