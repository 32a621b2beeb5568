"""Asks JetStream for jobs, and notices when nobody is listening to the question any more."""

import asyncio
import contextlib
import json
from collections.abc import Callable

import structlog

from actors.runtime.bus import Bus
from actors.runtime.bus_client import Listener
from actors.runtime.bus_errors import BusDown
from actors.runtime.job_delivery import read_headers
from actors.runtime.job_streams import JobStreams, JobsUnavailable
from events.messages import JobKind

_log = structlog.get_logger(__name__)

Take = Callable[[str, bytes, str, bytes | None], None]
Backpressure = Callable[[], str]
"""Says what is too full for more work to be taken on; empty while nothing is."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 5.0
_BACKPRESSURE_PAUSE = 0.25
_LAST_ARRIVALS = 2.0


class JobPuller:
    """Keeps one request for jobs standing while there is room for more.

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
        room: Callable[[], int],
        backpressure: Backpressure,
        take: Take,
        recreated: Callable[[], None],
    ) -> None:
        """``room`` says how many more jobs may come now; ``take`` gets each one. While
        ``backpressure`` names something no more are asked for; a request that stands may still
        bring what it asked for.
        ``recreated`` is called when the queue was made anew: what was delivered before is not of
        this one."""
        self._bus: Bus = streams.bus
        self._streams = streams
        self._settings = streams.settings
        self._room = room
        self._backpressure = backpressure
        self._held_back = ""
        """What no more jobs were asked for over, at the last look."""
        self._take = take
        self._recreated = recreated
        self._log = _log.bind(kind=kind, space=streams.bus.space)
        self._question = f"$JS.API.CONSUMER.MSG.NEXT.{streams.jobs}.{kind}"
        self._inbox = streams.bus.nats.new_inbox()
        self._listener: Listener | None = None
        self._asked = 0
        """Jobs the standing request may still bring."""
        self._request = 0
        """Number of the standing request."""
        self._heard_at = 0.0
        self._lost = False
        """The streams are to be looked after before asking again."""
        self._wake = asyncio.Event()
        self._pause = 0.0
        self._stopped = False
        self._epoch = ""
        """When the work queue was made."""
        self._forget: Callable[[], None] | None = None

    async def run(self) -> None:
        """Pull until ``stop()``."""
        loop = asyncio.get_running_loop()
        self._listener = self._bus.nats.listen(f"{self._inbox}.*", "", self._arrived)
        self._forget = self._bus.on_reconnect(self._reconnected)
        silence = self._settings.pull_heartbeat * 2.5
        try:
            await self._recover()
            while not self._stopped:
                self._wake.clear()
                if self._lost:
                    await self._recover()
                wait = None
                if self._asked <= 0 and self._room() > 0:
                    if self._is_held_back():
                        wait = _BACKPRESSURE_PAUSE
                    else:
                        self._ask(loop.time())
                if self._asked > 0:
                    wait = self._heard_at + silence - loop.time()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._wake.wait()
                if self._asked > 0 and loop.time() - self._heard_at >= silence:
                    self._log.warning("job_request_unheard", seconds=round(silence, 1))
                    self._lost_request()
        finally:
            self._forget()

    def wake(self) -> None:
        """There may be room again."""
        self._wake.set()

    async def stop(self) -> None:
        """Ask for no more; returns when what was under way has arrived."""
        self._stopped = True
        self._asked = 0
        self._wake.set()
        listener, self._listener = self._listener, None
        if listener is None:
            return
        if self._bus.connected:  # otherwise nothing is under way
            self._bus.nats.let_go(listener)
            with contextlib.suppress(BusDown):
                await self._bus.flush(_LAST_ARRIVALS)
        self._bus.nats.unlisten(listener)

    def _is_held_back(self) -> bool:
        before, self._held_back = self._held_back, self._backpressure()
        if self._held_back and not before:
            self._log.warning("jobs_held_back", by=self._held_back)
        elif before and not self._held_back:
            self._log.info("jobs_taken_again")
        return bool(self._held_back)

    def _ask(self, now: float) -> None:
        room = self._room()
        self._request += 1
        question = {
            "batch": room,
            "expires": int(self._settings.pull * 1e9),
            "idle_heartbeat": int(self._settings.pull_heartbeat * 1e9),
        }
        try:
            self._bus.publish(
                self._question, json.dumps(question).encode(), f"{self._inbox}.{self._request}"
            )
        except BusDown as error:
            self._log.warning("jobs_unavailable", error=str(error))
            self._lost_request()
        else:
            self._asked = room
            self._heard_at = now

    def _arrived(self, subject: str, data: bytes, reply: str, raw: bytes | None) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        # A job comes under the subject it was queued on, so which request brought it is not
        # told; one too many, after a request wrongly held for lost, waits in the worker.
        if reply.startswith("$JS.ACK."):
            self._pause = 0.0
            self._asked = max(0, self._asked - 1)
            self._take(subject, data, reply, raw)
            self._wake.set()
            return
        status, _ = read_headers(raw)
        if status == "100":
            self._pause = 0.0
        elif subject == f"{self._inbox}.{self._request}":
            self._asked = 0
            # 408: it stood for its whole time. Anything else means that something is missing:
            # the consumer, the stream, JetStream itself.
            if status != "408":
                self._log.info("job_request_refused", status=status)
                self._lost = True
            self._wake.set()

    def _reconnected(self) -> None:
        # The request stood in the old connection.
        self._pause = 0.0
        self._lost_request()

    def _lost_request(self) -> None:
        self._asked = 0
        self._lost = True
        self._wake.set()

    async def _recover(self) -> None:
        """See that streams and consumers are there, with growing pauses so as not to spin."""
        while not self._stopped:
            if self._pause:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._pause):
                        await self._wake.wait()
                self._wake.clear()
            self._pause = min(max(_FIRST_PAUSE, self._pause * 2), _LONGEST_PAUSE)
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
