"""The circuit breaker: models that keep failing are not asked for a while.

While most attempts fail, further calls would only use up their retries. So calls wait instead, and
one at a time is let through to test whether the model works again.
"""

import asyncio
import time
from collections import deque
from contextlib import suppress

import msgspec
import structlog

from actors.models.errors import FailureReason, HeldTooLong, LetGo, ModelError
from actors.models.limits.backoff import Backoff
from actors.models.metrics import BreakerMetrics
from events.minds import ModelSpec

log = structlog.get_logger(__name__)

WINDOW = 20
"""The last attempts that are looked at."""
LEAST = 10
"""A breaker does not open before so many of them failed."""
SHARE = 0.75
"""Nor before they are this share of the window."""


class HeldModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model whose calls wait."""

    model: str
    base_url: str
    since: float
    """Seconds since the epoch."""
    reason: FailureReason
    """What its last call met."""
    detail: str
    """The same in the server's words, with keys taken out; one line."""
    waiting: int
    """Calls that wait for it, those included that are to try again in a moment."""


class Breaker:
    """One model's. Lives on one event loop."""

    def __init__(self, spec: ModelSpec, backoff: Backoff, metrics: BreakerMetrics) -> None:
        self.is_open = False
        self.out_of_patience = False
        """Whether it was open for as long as calls wait, and no answer has come since."""
        self._spec, self._backoff, self._metrics = spec, backoff, metrics
        self._failures: deque[bool] = deque(maxlen=WINDOW)
        """Whether each of the last attempts failed."""
        self._waiting: deque[asyncio.Future[bool]] = deque()
        """Those who wait; the result is whether they are the probe."""
        self._resting = 0
        """Those who wait before they come again."""
        self._ending = False
        self._let_go = asyncio.Event()
        """Set while nobody is to wait: the process ends, and the breaker is open."""
        self._last: ModelError | None = None
        self._since = 0.0
        self._delay = 0.0
        self._probe_is_due = False
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def held(self) -> HeldModel | None:
        """The model, while its calls wait."""
        if not self.is_open or self._last is None:
            return None
        return HeldModel(
            model=self._spec.name,
            base_url=self._spec.base_url,
            since=self._since,
            reason=self._last.reason,
            detail=self._last.detail,
            waiting=self._resting + sum(not one.done() for one in self._waiting),
        )

    async def passage(self) -> bool:
        """Wait until an attempt may be made; True for a probe, whose end must be told.

        Raises ``HeldTooLong`` and ``LetGo``.
        """
        if not self.is_open:
            return False
        if self._let_go.is_set():
            raise LetGo(self._met)
        if self._probe_is_due:
            self._probe_is_due = False
            return True
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._metrics.waiting.inc()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None and turn.result():
                self.left()
            raise
        finally:
            self._metrics.waiting.dec()

    async def rest(self, seconds: float) -> None:
        """Wait before another attempt, for less where that would not be let through."""
        self._resting += 1
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._let_go.wait()
        finally:
            self._resting -= 1

    def let_go(self) -> None:
        """The process ends: nobody waits any more while the breaker is open, now or later."""
        self._ending = True
        if self.is_open:
            self._let_go.set()
            self._turn_away(LetGo(self._met))

    def answered(self) -> None:
        """An attempt brought an answer."""
        self.out_of_patience = False
        if self.is_open:
            self._close()
        else:
            self._failures.append(False)

    def failed(self, error: ModelError, *, passes: bool, probe: bool) -> None:
        """An attempt failed; ``passes``: with what another attempt may mend."""
        if not passes:
            # The server answers. What it says, each call is to hear for itself.
            if self.is_open:
                self._close()
            return
        self._last = error
        if not self.is_open:
            self._failures.append(True)
            failed = sum(self._failures)
            if failed >= max(LEAST, SHARE * len(self._failures)):
                self._open(error)
        elif probe:
            self._delay = min(2 * self._delay, self._backoff.longest_s)
            self._probe_in(max(self._delay, error.retry_after or 0.0))

    def left(self) -> None:
        """A probe ended without having found out anything."""
        if self.is_open:
            self._probe_in(0.0)

    def stop(self) -> None:
        """Forget what is planned."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _open(self, error: ModelError) -> None:
        self.is_open, self._since = True, time.time()
        self._metrics.opened()
        if self._ending:
            self._let_go.set()
        log.warning("model_held", model=self._metrics.label, reason=error.reason)
        self._delay = self._backoff.first_s
        self._probe_in(max(self._delay, error.retry_after or 0.0))
        self._plan("patience", self._backoff.patience_s)

    def _close(self) -> None:
        self.is_open, self._probe_is_due = False, False
        self._let_go.clear()
        self._failures.clear()
        self.stop()
        self._metrics.closed()
        log.warning("model_asked_again", model=self._metrics.label)
        waiting, self._waiting = self._waiting, deque()
        for turn in waiting:
            if not turn.done():
                turn.set_result(False)

    def _probe_in(self, seconds: float) -> None:
        self._plan("probe", seconds)

    def _plan(self, what: str, seconds: float) -> None:
        then = self._probe if what == "probe" else self._give_up
        if (before := self._timers.pop(what, None)) is not None:
            before.cancel()
        self._timers[what] = asyncio.get_running_loop().call_later(seconds, then)

    def _probe(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(True)
                return
        # Whoever comes next.
        self._probe_is_due = True

    def _give_up(self) -> None:
        """The longest wait is over: waiting calls fail, and the next call starts a new wait."""
        self._turn_away(HeldTooLong(self._met, self._backoff.patience_s))
        self.out_of_patience = True
        self._close()

    def _turn_away(self, error: ModelError) -> None:
        waiting, self._waiting = self._waiting, deque()
        for turn in waiting:
            if not turn.done():
                turn.set_exception(error)

    @property
    def _met(self) -> ModelError:
        """What the last call met."""
        assert self._last is not None, "a breaker opens because of an error"
        return self._last
