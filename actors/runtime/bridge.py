"""From NATS to actors and back: a message on a subject becomes one to an address."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import structlog
from pykka import ActorDeadError

from actors.runtime.bus import Bus
from actors.runtime.bus_client import Deliver, Listener
from actors.runtime.bus_errors import BusError
from actors.runtime.errors import CommandRefused, HostStopped, InboxFull, OwnershipLost
from actors.runtime.future import LoopFuture
from actors.runtime.host import ActorHost
from events import subjects
from events.codec import decode_command, encode
from events.messages import Accepted, Refused

Decode = Callable[[bytes], Any]


class _Received(NamedTuple):
    """A message that is to be replied to; ``reply`` is empty when no answer is wanted."""

    subject: str
    reply: str


_NOTHING_CHANGED = (CommandRefused, OwnershipLost, InboxFull, HostStopped)

log = structlog.get_logger(__name__)


class Bridge:
    """Subscriptions that feed a host's actors.

    A subscription outlives its actor: the next message revives it. It ends with ``unlisten``, and
    when the actor loses its stream, for then another process has taken over.

    Who wants a reply gets ``Accepted`` with the version the actor answers with, or ``Refused`` when
    surely nothing has changed. Where that is not sure there is no reply: the sender's time-out
    ends, and it sends the command again.
    """

    def __init__(self, host: ActorHost, bus: Bus) -> None:
        self.host = host
        self.bus = bus
        self._listeners: dict[str, dict[str, Listener]] = {}
        """By kind and id."""
        self._delivers: dict[tuple[str, Decode], Deliver] = {}
        """One for all listeners of a kind: thousands of them are of passivated actors."""
        host.on_ownership_lost.append(self.unlisten)

    async def listen(
        self, kind: str, id_: str, *, subject: str = "", decode: Decode = decode_command
    ) -> None:
        """Pass on what comes for an actor; ``subject`` is its command subject by default.
        Listening twice is harmless. Raises ``UnknownKind`` at the message, not here."""
        self.listen_now(kind, id_, subject=subject, decode=decode)

    def listen_now(
        self, kind: str, id_: str, *, subject: str = "", decode: Decode = decode_command
    ) -> None:
        """``listen`` for callers that cannot await."""
        listeners = self._listeners.setdefault(kind, {})
        if id_ in listeners:
            return
        deliver = self._delivers.get((kind, decode))
        if deliver is None:
            deliver = functools.partial(self._received, kind, decode)
            self._delivers[kind, decode] = deliver
        subject = subject or subjects.command(self.bus.space, kind, id_)
        listeners[id_] = self.bus.listen_now(subject, deliver, target=id_)

    def unlisten(self, kind: str, id_: str) -> None:
        """End an actor's subscription, if it has one."""
        listener = self._listeners.get(kind, {}).pop(id_, None)
        if listener is not None:
            self.bus.unlisten(listener)

    def _received(
        self,
        kind: str,
        decode: Decode,
        listener: Listener,
        subject: bytes,
        data: bytes,
        reply: bytes,
    ) -> None:
        id_: str = listener.target
        try:
            message = decode(data)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            received = _Received(subject.decode(), reply.decode())
            log.warning("message_unreadable", subject=received.subject, error=str(error))
            self._reply(received, Refused(reason=f"the message cannot be read: {error}"))
            return
        try:
            if not reply:
                self.host.tell(kind, id_, message)
                return
            received = _Received(subject.decode(), reply.decode())
            answer = self.host.ask(kind, id_, message)
        except (InboxFull, HostStopped) as error:
            received = _Received(subject.decode(), reply.decode())
            log.warning("message_not_taken", subject=received.subject, error=str(error))
            self._reply(received, Refused(reason=str(error)))
            return
        answer.add_done_callback(functools.partial(self._answered, received))

    def _answered(self, received: _Received, answer: LoopFuture[Any]) -> None:
        try:
            result = answer.get()
        except _NOTHING_CHANGED as error:
            self._reply(received, Refused(reason=str(error)))
        except ActorDeadError as error:
            log.warning("message_unanswered", subject=received.subject, error=str(error))
        except Exception:
            log.exception("message_unanswered", subject=received.subject)
        else:
            self._reply(received, Accepted(version=result) if isinstance(result, int) else result)

    def _reply(self, received: _Received, reply: Any) -> None:
        if not received.reply or reply is None:
            return
        try:
            self.bus.publish(received.reply, encode(reply))
        except BusError as error:
            log.warning("reply_not_sent", subject=received.subject, error=str(error))
