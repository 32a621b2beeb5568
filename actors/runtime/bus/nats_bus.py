"""The message bus between actors and other programs: core NATS, with handlers called in place."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, Self

import structlog
from nats import errors

from actors.runtime import metrics
from actors.runtime.bus.client import Deliver, DirectClient, Listener
from actors.runtime.bus.errors import BusDown, BusRefused, MessageTooLarge, UnsendableSubject
from actors.runtime.log_throttle import seldom
from events.untrusted.limits import MOST_MESSAGE_BYTES
from events.untrusted.redacted_urls import without_secrets
from events.untrusted.safe_text import shortened

_log = structlog.get_logger(__name__)

_RECONNECT_SECONDS = 0.25
_PING_SECONDS = 20
_LOOKS = 10
"""How often it is looked whether the server says anything, before it is taken to be away: however
late a busy loop looks, it has read in between what had come."""
MAX_PENDING_BYTES = 64 * 1024 * 1024
_NOBODY_THERE = (ConnectionRefusedError, socket.gaierror)


class Received(NamedTuple):
    """A message as it arrived. ``reply`` is empty when no answer is wanted."""

    subject: str
    data: bytes
    reply: str


Handler = Callable[[Received], None]


class Subscribed:
    """A live subscription."""

    __slots__ = ("_client", "_listener")

    def __init__(self, client: DirectClient, listener: Listener) -> None:
        self._client = client
        self._listener = listener

    @property
    def subject(self) -> str:
        return self._listener._subject

    def unsubscribe(self) -> None:
        """End it: the handler is not called again. Twice is harmless."""
        self._client.unlisten(self._listener)


@dataclass(slots=True)
class BusCounts:
    """What has happened on a bus since it was connected."""

    handler_failures: int = 0
    """Messages whose handler raised, or that could not be read at all."""
    slow_consumers: int = 0
    """Messages lost because one of nats-py's own queues was full."""
    errors: int = 0
    """Everything else the client complained of, failed attempts to reconnect included."""
    disconnects: int = 0
    reconnects: int = 0


class Bus:
    """One connection to NATS, used from the one loop it was made on.

    Messages are at most once: what matters is repeated by whoever needs the answer.
    """

    def __init__(self, url: str, space: str, max_pending_bytes: int) -> None:
        """Use ``connect``."""
        self.url = without_secrets(url)
        """As it may be shown."""
        self.space = space
        """The first word of every subject after ``troupe``: keeps installations apart."""
        self.counts = BusCounts()
        self._max_pending = max_pending_bytes
        self._client = DirectClient(self._broken_message, self._refuse)
        self._client.most_waiting = max_pending_bytes
        self.send: Callable[[bytes, bytes], None] = self._client.publish_line
        """``publish`` for those who publish to a subject again and again: takes its ``head_of``
        in place of the subject, and raises the same."""
        self._on_reconnect: list[Callable[[], None]] = []
        self._last_complaint = ""
        self._give_up_at = 0.0
        """When an address where nobody listens is not tried any more, on the loop's clock."""
        self._established = False
        self._closed = False
        self._connected = asyncio.Event()

    @classmethod
    async def connect(
        cls,
        url: str,
        *,
        token: str = "",
        space: str = "main",
        name: str = "",
        timeout: float = 5.0,  # noqa: ASYNC109  names a bound on retries, too
        absent: float = 1.0,
        max_pending_bytes: int = MAX_PENDING_BYTES,
    ) -> Self:
        """Connect to the server at ``url``, or to one of those of a cluster, with commas between
        them; trying for ``timeout`` seconds, but for ``absent`` where nobody listens (a
        server may just be starting); from then on a lost connection is made again for ever, with
        every subscription.

        ``max_pending_bytes``: bytes that may wait to be sent before publishing raises ``BusDown``.
        Raises ``BusDown`` when nothing answers, ``BusRefused`` when the token is wrong.
        """
        bus = cls(url, space, max_pending_bytes)
        began = asyncio.get_running_loop().time()
        bus._give_up_at = began + absent
        try:
            async with asyncio.timeout(timeout):
                await bus._client.connect(
                    url.split(","),
                    token=token or None,
                    name=name or f"troupe-{space}",
                    error_cb=bus._complained,
                    disconnected_cb=bus._lost,
                    reconnected_cb=bus._found,
                    closed_cb=bus._ended,
                    # While connecting, an error that is not a refused connection is final: a
                    # wrong token is not tried for ever.
                    allow_reconnect=False,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=_RECONNECT_SECONDS,  # type: ignore[arg-type]
                    ping_interval=_PING_SECONDS,
                    pending_size=max_pending_bytes,
                )
        except TimeoutError:
            seconds = asyncio.get_running_loop().time() - began
            await bus._client.close()
            raise BusDown(bus.url, f"no answer for {seconds:.0f} s") from None
        except (errors.Error, OSError) as error:
            await bus._client.close()
            if "authorization" in str(error).lower():
                raise BusRefused(bus.url, _refused(bus.url, token)) from error
            raise BusDown(bus.url, _in_words(error)) from error
        bus._client.options["allow_reconnect"] = True
        bus._established = True
        metrics.connections.add(bus)
        bus._connected.set()
        return bus

    @property
    def pending_bytes(self) -> int:
        """How much is published but not yet sent."""
        return self._client.pending_data_size

    @property
    def max_pending_bytes(self) -> int:
        """With more than so many bytes waiting, publishing raises ``BusDown``."""
        return self._max_pending

    @property
    def connected(self) -> bool:
        """Whether the server is there now, as far as is known."""
        return not self._closed and self._client.is_connected

    @property
    def max_payload(self) -> int:
        """Bytes of the largest message that may be sent."""
        return min(self._client.max_payload, MOST_MESSAGE_BYTES)

    @property
    def nats(self) -> DirectClient:
        """The client underneath, for JetStream's interface."""
        return self._client

    def publish(self, subject: str, data: bytes, reply: str = "", headers: bytes = b"") -> None:
        """Send, without waiting: it leaves with the rest of this turn of the loop. ``headers``: as
        they go over the wire, or empty.

        While NATS is away messages wait for it. Raises ``BusDown`` when too much waits or the
        bus is closed, ``MessageTooLarge``, ``UnsendableSubject``.
        """
        head = head_of(subject, reply)
        self._client.publish_line(b"H" + head if headers else head, data, headers)

    async def subscribe(self, subject: str, handler: Handler, *, queue: str = "") -> Subscribed:
        """Have ``handler`` called with each message, in order, in place.

        It must be quick and plain: the whole connection waits for it. What it raises is logged
        and counted. Messages published on *this* bus from now on are heard; await ``flush()`` to
        know the same of others'. Of those who subscribe with the same ``queue`` one hears each
        message.
        """
        return self.subscribe_now(subject, handler, queue=queue)

    def subscribe_now(self, subject: str, handler: Handler, *, queue: str = "") -> Subscribed:
        """``subscribe`` for callers that cannot await."""

        def deliver(_: Listener, subject: bytes, data: bytes, reply: bytes, __: object) -> None:
            handler(Received(subject.decode(), data, reply.decode()))

        return Subscribed(self._client, self.listen_now(subject, deliver, queue=queue))

    def listen_now(
        self, subject: str, deliver: Deliver, *, target: str = "", queue: str = ""
    ) -> Listener:
        """``subscribe_now`` with nothing in between: for those who have very many subscriptions,
        which share one ``deliver`` and differ in their ``target``. ``unlisten`` ends it."""
        if not subject or not subject.isprintable() or " " in subject + queue:
            raise UnsendableSubject(subject)
        self._ensure_room()
        return self._client.listen(subject, queue, deliver, target)

    def unlisten(self, listener: Listener) -> None:
        """End what ``listen_now`` began; twice is harmless."""
        self._client.unlisten(listener)

    async def flush(self, timeout: float = 10.0) -> None:  # noqa: ASYNC109
        """Wait until the server has taken all that was sent (its subscribers may not have yet).

        Waits for a reconnect, too. Raises ``BusDown`` where nothing comes from the server for
        ``timeout`` seconds. They run only while this process listens: that its loop is busy with
        something else says nothing of the server, whose answer stands behind all that it has sent
        before and that is not read yet.
        """
        answered = asyncio.ensure_future(self._round_trip())
        try:
            heard, silent = self._client.heard, 0
            while silent < _LOOKS and not answered.done():
                await asyncio.wait((answered,), timeout=timeout / _LOOKS)
                before, heard = heard, self._client.heard
                silent = silent + 1 if heard == before else 0
            if not answered.done():
                raise BusDown(self.url, f"no answer to a flush within {timeout:g} s")
            answered.result()
        finally:
            answered.cancel()

    async def _round_trip(self) -> None:
        taken = False
        while not taken:
            await self._connected.wait()
            self._ensure_room()
            taken = await self._client.round_trip()

    def on_reconnect(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have ``callback`` called after each reconnect, subscriptions already sent again.

        Returns what takes it back."""
        self._on_reconnect.append(callback)
        return lambda: self._on_reconnect.remove(callback)

    async def close(self) -> None:
        """Send what waits, if the server is there, and leave. Closing twice is harmless."""
        if self._closed:
            return
        if self.connected:
            with contextlib.suppress(BusDown):  # we are leaving anyway; it is lost with a log line
                await self.flush(2.0)
        self._end()
        metrics.connections.discard(self)
        self._connected.set()  # whoever waits in flush() learns it
        if self._client.pending_data_size:
            _log.warning("bus_closed_with_unsent", bytes=self._client.pending_data_size)
            self._client.forget_unsent()
        await self._client.close()

    def _end(self) -> None:
        self._closed = True
        self._client.most_waiting = -1

    def _ensure_room(self) -> None:
        if self._closed or self._client.pending_data_size > self._max_pending:
            raise self._down()

    def _refuse(self, head: bytes, size: int) -> NoReturn:
        if size > self.max_payload:
            raise MessageTooLarge(head.split()[1].decode(), size, self.max_payload)
        raise self._down()

    def _down(self) -> BusDown:
        if self._closed:
            return BusDown(self.url, "this connection is closed")
        metrics.PENDING_REFUSALS.inc()
        state = "slow" if self._client.is_connected else "away"
        waiting = self._client.pending_data_size
        return BusDown(self.url, f"it is {state} and {waiting} bytes already wait for it")

    def _broken_message(self, subject: str, error: Exception) -> None:
        self.counts.handler_failures += 1
        seldom.warning(_log, "bus_handler_failed", subject=shortened(subject), exc_info=error)

    async def _complained(self, error: Exception) -> None:
        if isinstance(error, errors.SlowConsumerError):
            self.counts.slow_consumers += 1
            _log.error("bus_slow_consumer", subject=error.subject)
            return
        self.counts.errors += 1
        if not self._established and isinstance(error, _NOBODY_THERE) and self._is_late():
            raise error  # ends nats-py's attempts to connect
        text = str(error) or type(error).__name__
        # The same refusal comes with every attempt to reconnect: once is news.
        if text != self._last_complaint and self._established:
            _log.warning("bus_error", error=text)
        self._last_complaint = text

    def _is_late(self) -> bool:
        return asyncio.get_running_loop().time() >= self._give_up_at

    async def _lost(self) -> None:
        self._client.give_up_round_trips()
        if self._closed:
            return
        self._connected.clear()
        if self._established:
            self.counts.disconnects += 1
            _log.warning("bus_disconnected", url=self.url)

    async def _found(self) -> None:
        self.counts.reconnects += 1
        self._last_complaint = ""
        self._connected.set()
        _log.info("bus_reconnected", url=self.url)
        for callback in tuple(self._on_reconnect):
            try:
                callback()
            except Exception:  # noqa: BLE001  one's trouble must not end the reconnect
                _log.exception("bus_reconnect_callback_failed")

    async def _ended(self) -> None:
        if self._established and not self._closed:
            self._end()
            self._connected.set()
            _log.error("bus_ended", url=self.url, error=self._last_complaint)


def head_of(subject: str, reply: str = "") -> bytes:
    """How the line begins that publishes to a subject. Raises ``UnsendableSubject``."""
    # A blank or line break would let the rest of the subject speak to the server.
    if not subject or not subject.isprintable() or " " in subject:
        raise UnsendableSubject(subject)
    if not reply:
        return b"PUB %b " % subject.encode()
    if not reply.isprintable() or " " in reply:
        raise UnsendableSubject(reply)
    return b"PUB %b %b " % (subject.encode(), reply.encode())


def _refused(url: str, token: str) -> str:
    """Why a server does not let in who comes with this."""
    if token:
        return "wrong token"
    return "wrong user or password" if "@" in url else "it wants a token"


def _in_words(error: Exception) -> str:
    """What an attempt to connect ended with, without numbers that only a program understands."""
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
