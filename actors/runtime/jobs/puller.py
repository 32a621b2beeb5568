"""Pulls jobs from JetStream, and detects when a pull request has been lost."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable

import structlog
from nats import errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.api import Header, StatusCode

from actors.runtime.backoff import backoff
from actors.runtime.bus.errors import BusDown
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.streams import JobStreams, JobsUnavailable, translate_errors
from events.wire.messages import JobKind

_log = structlog.get_logger(__name__)

Take = Callable[[Msg], Awaitable[None]]
Backpressure = Callable[[], str]
"""Says what is too full for more work to be taken on; empty while nothing is."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
_BACKPRESSURE_PAUSE = 0.25
_LAST_ARRIVALS = 2.0


class JobPuller:
    """Keeps one request for jobs standing while more can be taken.

    nats-py's ``fetch`` is not used: after a server restart it waits out its whole time-out, and
    a job that arrives just after a time-out lies unanswered. Here each request has a subject of
    its own, the server's heartbeats tell that it stands, and what arrives late is taken all the
    same.
    """

    def __init__(
        self,
        streams: JobStreams,
        kind: JobKind,
        *,
        capacity: Callable[[], int],
        backpressure: Backpressure,
        take: Take,
        recreated: Callable[[], None],
    ) -> None:
        """``capacity`` says how many more jobs may come now; ``take`` gets each one. While
        ``backpressure`` names something no more are asked for; a request that stands may still
        bring what it asked for. ``recreated`` is called when the queue was made again: what was
        delivered before is not of this one."""
        self._bus: Bus = streams.bus
        self._streams = streams
        self._settings = streams.settings
        self._capacity = capacity
        self._backpressure = backpressure
        self._held_back = ""
        """What no more jobs were asked for over, at the last look."""
        self._take = take
        self._recreated = recreated
        self._log = _log.bind(kind=kind, space=streams.bus.space)
        self._next = f"$JS.API.CONSUMER.MSG.NEXT.{streams.jobs}.{kind}"
        self._inbox = streams.bus.nats.new_inbox()
        self._outstanding = 0
        """Jobs the standing request may still bring."""
        self._request = 0
        """Number of the standing request."""
        self._heard_at = 0.0
        self._lost = False
        """The streams are to be looked after before asking again."""
        self._wake = asyncio.Event()
        self._recoveries = 0
        """Since a request was last seen to stand."""
        self._stopped = False
        self._epoch = ""
        """When the work queue was made."""
        self._subscription: Subscription | None = None
        self._forget: Callable[[], None] | None = None

    async def run(self) -> None:
        """Pull until ``stop()``."""
        loop = asyncio.get_running_loop()
        self._subscription = await self._bus.nats.subscribe(f"{self._inbox}.*", cb=self._arrived)
        self._forget = self._bus.on_reconnect(self._reconnected)
        silence = self._settings.pull_heartbeat * 2.5
        try:
            await self._recover()
            while not self._stopped:
                self._wake.clear()
                if self._lost:
                    await self._recover()
                wait = None
                if self._outstanding <= 0 and self._capacity() > 0:
                    if self._is_held_back():
                        wait = _BACKPRESSURE_PAUSE
                    else:
                        await self._ask(loop.time())
                if self._outstanding > 0:
                    wait = self._heard_at + silence - loop.time()
                await self._woken_within(wait)
                if self._outstanding > 0 and loop.time() - self._heard_at >= silence:
                    self._log.warning("job_request_unheard", seconds=round(silence, 1))
                    self._lost_request()
        finally:
            self._forget()

    def wake(self) -> None:
        """More may be taken."""
        self._wake.set()

    async def stop(self) -> None:
        """Ask for no more; returns when what was under way has arrived."""
        self._stopped = True
        self._outstanding = 0
        self._wake.set()
        subscription, self._subscription = self._subscription, None
        if subscription is None:
            return
        with contextlib.suppress(errors.Error, TimeoutError):
            if self._bus.connected:  # otherwise nothing is under way
                async with asyncio.timeout(_LAST_ARRIVALS):
                    await subscription.drain()  # type: ignore[no-untyped-call]
            else:
                await subscription.unsubscribe()

    async def _woken_within(self, seconds: float | None) -> None:
        if self._stopped:
            return  # the wake that told so may have been cleared since
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    def _is_held_back(self) -> bool:
        before, self._held_back = self._held_back, self._backpressure()
        if self._held_back and not before:
            self._log.warning("jobs_held_back", by=self._held_back)
        elif before and not self._held_back:
            self._log.info("jobs_taken_again")
        return bool(self._held_back)

    async def _ask(self, now: float) -> None:
        capacity = self._capacity()
        self._request += 1
        request = {
            "batch": capacity,
            "expires": int(self._settings.pull * 1e9),
            "idle_heartbeat": int(self._settings.pull_heartbeat * 1e9),
        }
        reply = f"{self._inbox}.{self._request}"
        # Before the request leaves: the answers are heard by another task.
        self._outstanding, self._heard_at = capacity, now
        try:
            async with translate_errors("ask for jobs"):
                await self._bus.nats.publish(self._next, json.dumps(request).encode(), reply)
        except JobsUnavailable as error:
            self._log.warning("jobs_unavailable", error=str(error))
            self._lost_request()

    async def _arrived(self, message: Msg) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        # A job comes under the subject it was queued on, so which request brought it is not
        # told; one too many, after a request wrongly held for lost, waits in the worker.
        if message.reply.startswith("$JS.ACK."):
            self._recoveries = 0
            self._outstanding = max(0, self._outstanding - 1)
            self._wake.set()
            await self._take(message)
            return
        status = (message.headers or {}).get(Header.STATUS, "")
        if status == StatusCode.CONTROL_MESSAGE:
            self._recoveries = 0
        elif message.subject == f"{self._inbox}.{self._request}":
            self._outstanding = 0
            # When the request has been open for its whole time, it is simply repeated. Anything
            # else means that something is missing: the consumer, the stream, JetStream itself.
            if status != StatusCode.REQUEST_TIMEOUT:
                self._log.info("job_request_refused", status=status)
                self._lost = True
            self._wake.set()

    def _reconnected(self) -> None:
        # The request stood in the old connection.
        self._recoveries = 0
        self._lost_request()

    def _lost_request(self) -> None:
        self._outstanding = 0
        self._lost = True
        self._wake.set()

    async def _recover(self) -> None:
        """See that streams and consumers are there, with growing pauses so as not to spin."""
        while not self._stopped:
            if self._recoveries:
                pause = backoff(self._recoveries, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)
                await self._woken_within(pause)
                self._wake.clear()
            self._recoveries += 1
            try:
                epoch = await self._streams.ensure()
            except (JobsUnavailable, BusDown) as error:
                self._log.warning("jobs_unavailable", error=str(error))
                continue
            if self._epoch not in ("", epoch):
                self._log.warning("job_queue_recreated")
                self._recreated()
            self._epoch, self._lost = epoch, False
            return
