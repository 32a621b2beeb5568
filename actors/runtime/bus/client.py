"""nats-py's client with messages handed straight to plain functions.

All code that uses private names of nats-py is in this file; the requirement pins nats-py 2.16 and
``tests/actors/runtime/bus/test_client.py`` holds the names.

Why: nats-py gives each subscription an ``asyncio.Queue`` and a task and each message a ``Msg``
object; publishing is a coroutine of four calls. Thirty thousand subscriptions of a busy process
(one a seat, one an episode) cannot pay that: 43 instead of 15 microseconds of CPU for a turn's
three messages, a quarter of a whole turn, and 4.8 instead of 0.8 KiB a subscription (``python -m
tests.benchmarks.bench_nats``). Here a subscription is a slotted object and a message costs one
function call. Subscriptions with few messages use ``Client.subscribe``.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, NoReturn

import structlog
from nats import errors
from nats.aio.client import Client
from nats.aio.transport import TcpTransport
from nats.protocol import command
from nats.protocol.parser import PING

from events.untrusted.limits import MOST_MESSAGE_BYTES

_log = structlog.get_logger(__name__)

Deliver = Callable[["Listener", bytes, bytes, bytes, bytes | None], None]
"""Gets the listener, and subject, data, reply and headers of a message as they came."""


class Listener:
    """A subscription without queue or task.

    It stands among nats-py's own in ``Client._subs``, which a reconnect sends again; the class
    attributes are those a reconnect and a close look at.
    """

    __slots__ = ("_id", "_queue", "_received", "_subject", "deliver", "target")

    _max_msgs: Final = 0
    _closed: Final = False
    _wait_for_msgs_task: Final = None
    _message_iterator: Final = None
    _pending_next_msgs_calls: Final = None

    def __init__(
        self, id_: int, subject: str, queue: str, deliver: Deliver, target: str = ""
    ) -> None:
        self._id = id_
        self._subject = subject
        self._queue = queue
        self._received = 0
        self.deliver = deliver
        self.target = target
        """Whose it is, for a ``deliver`` that many listeners share; empty: nobody's."""


class _Flush:
    """Wakes the flusher without anyone waiting for it; looks like a future that is done."""

    __slots__ = ()

    def done(self) -> bool:
        return True


_FLUSH: Final[Any] = _Flush()
_CONNECTED: Final = Client.CONNECTED
_AROUND: Final = 64
"""Bytes that stand around a message's own on the way to the server, about."""


class DirectClient(Client):
    """A nats-py client with synchronous publish, listen and unlisten."""

    def __init__(
        self,
        on_broken_message: Callable[[str, Exception], None],
        refuse: Callable[[bytes, int], NoReturn],
    ) -> None:
        """``on_broken_message`` hears of a message that nobody could be given, and why.
        ``refuse`` raises why one of so many bytes, whose line begins so, cannot be sent."""
        super().__init__()
        self._on_broken_message = on_broken_message
        self._refuse = refuse
        self.most_waiting = 0
        """Bytes that may wait to be sent; -1: nothing more is sent."""
        self._leaving = False
        """Whether what waits leaves at the end of this turn of the loop."""
        self._messages = 0
        """Received so far."""
        self._heard_at_ping = (0, 0)

    @property
    def heard(self) -> tuple[int, int]:
        """How many bytes were read from the server; the value changes while data arrives."""
        return self._messages, len(self._ps.buf)

    async def close(self) -> None:
        """Leave for good."""
        try:
            await super().close()
        except asyncio.CancelledError:
            # A reconnect that was waiting for its transport to close is cancelled by this, and
            # takes the transport's future, which we wait for next, with it. By then all is done.
            if _we_are_cancelled():
                raise

    def send(self, line: bytes) -> None:
        """Put protocol bytes behind all that was sent before.

        They leave with everything else of this turn of the loop in one write. While the
        connection is down they wait in nats-py's buffer, which a reconnect sends after the
        subscriptions.
        """
        self._pending.append(line)
        self._pending_data_size += len(line)
        if self._status == _CONNECTED:
            self._kick()

    def publish_line(self, head: bytes, data: bytes, headers: bytes = b"") -> None:
        """Publish ``data`` by a line that begins with ``head`` (verb, subject and reply, each with
        a blank behind it). Raises what ``refuse`` does."""
        # Four times a turn: all that is looked at before a message leaves, in one call.
        size = len(data)
        if headers:
            before = len(headers)
            size += before
            line = b"%b%d %d\r\n%b%b\r\n" % (head, before, size, headers, data)
        else:
            line = b"%b%d\r\n%b\r\n" % (head, size, data)
        waiting = self._pending_data_size + size + _AROUND
        if size > self._max_payload or size > MOST_MESSAGE_BYTES or waiting > self.most_waiting:
            self._refuse(head, size)
        pending = self._pending
        # Whoever put the first line there has kicked.
        if not pending and self._status == _CONNECTED:
            self._kick()
        pending.append(line)
        self._pending_data_size = waiting

    def _kick(self) -> None:
        if not self._leaving:
            self._leaving = True
            asyncio.get_running_loop().call_soon(self._leave)

    def _leave(self) -> None:
        """Write what waits, where the socket takes it at once. Else, and where it is no socket,
        nats-py's flusher does, which waits until the other side has read enough: its queue and
        its task cost nearly thirty calls a write."""
        self._leaving = False
        if not self._pending or self._status != _CONNECTED:
            return  # somebody has flushed, or a reconnect will
        transport = self._transport
        if (
            type(transport) is TcpTransport
            and (writer := transport._io_writer) is not None
            and not writer.transport.get_write_buffer_size()
        ):
            waiting, self._pending = self._pending, []
            self._pending_data_size = 0
            writer.writelines(waiting)
            return
        queue = self._flush_queue
        assert queue is not None
        # A kick that is already queued takes these bytes along.
        if queue.empty():
            queue.put_nowait(_FLUSH)

    def listen(self, subject: str, queue: str, deliver: Deliver, target: str = "") -> Listener:
        """Subscribe; whatever this connection sends afterwards finds the subscription there."""
        self._sid += 1
        listener = Listener(self._sid, subject, queue, deliver, target)
        subs: dict[int, Any] = self._subs
        subs[self._sid] = listener
        self.send(command.sub_cmd(subject, queue, self._sid))
        return listener

    def unlisten(self, listener: Listener) -> None:
        """Unsubscribe; not one message more is delivered."""
        if self._subs.pop(listener._id, None) is not None:
            self.send(command.unsub_cmd(listener._id, 0))

    def round_trip(self) -> asyncio.Future[bool]:
        """Done once the server has taken all that was sent before; False when the connection
        was lost meanwhile."""
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._ping(answered)
        return answered

    def give_up_round_trips(self) -> None:
        """The connection is lost: no answer will come."""
        lost, self._pongs = self._pongs, []
        for future in lost:
            future.set_result(False)

    def _ping(self, waiting: asyncio.Future[bool] | None) -> None:
        # nats-py sets the result of the very future that is awaited: one that was cancelled
        # (a flush that timed out) would raise in the reading task when its answer comes late.
        pong: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if waiting is not None:

            def tell(_: asyncio.Future[bool]) -> None:
                if not waiting.done():
                    waiting.set_result(pong.result())

            pong.add_done_callback(tell)
        self._pongs.append(pong)
        self.send(PING)

    async def _send_ping(self, future: asyncio.Future[bool] | None = None) -> None:
        # nats-py writes it past everything that waits to be sent, so that its flush can be
        # answered before the messages it is meant to follow have left.
        self._ping(future)
        # Of the pings that it sends now and then, it takes the connection for broken after some
        # that were not answered. The answers stand behind all messages that are not read yet.
        heard = self.heard
        if heard != self._heard_at_ping:
            self._heard_at_ping = heard
            self._pings_outstanding = min(1, self._pings_outstanding)

    def forget_unsent(self) -> None:
        """Drop what waits to be sent."""
        self._pending.clear()
        self._pending_data_size = 0

    async def _process_msg(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes | None
    ) -> None:
        # Whatever a message does, it must not get out of here: an exception would end nats-py's
        # reading task for good, with the connection still counted as connected. So would a
        # CancelledError raised by a handler.
        self._messages += 1
        try:
            subs: dict[int, Any] = self._subs
            if sid in subs and type(listener := subs[sid]) is Listener:
                listener.deliver(listener, subject, data, reply, headers)
            else:
                await super()._process_msg(sid, subject, reply, data, headers)  # type: ignore[arg-type]
        except asyncio.CancelledError as error:
            if _we_are_cancelled():
                raise
            self._on_broken_message(subject.decode(errors="replace"), RuntimeError(repr(error)))
        except Exception as error:  # noqa: BLE001  reported by the hook
            self._on_broken_message(subject.decode(errors="replace"), error)

    async def _read_loop(self) -> None:
        await super()._read_loop()
        # nats-py lets an unexpected exception end its reading and stays "connected", deaf.
        if self._status == Client.CONNECTED and self._reading_task is asyncio.current_task():
            await self._process_op_err(errors.ProtocolError())

    async def _process_err(self, err_msg: str) -> None:
        # nats-py closes the client for good over an error line ("slow consumer", "maximum
        # payload violation", …). We want to be there again.
        error = errors.Error(f"nats: {err_msg}")
        self._err = error
        await self._error_cb(error)
        if "permissions violation" not in err_msg:  # after those the server keeps the connection
            await self._process_op_err(error)


def _we_are_cancelled() -> bool:
    """Whether a ``CancelledError`` is meant for the running task, not just passing by."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
