"""Connects actors with NATS: a message on a subject becomes a message to an actor, and vice
versa."""

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec
import structlog
from pykka import ActorDeadError

from actors.runtime.actors.future import LoopFuture
from actors.runtime.actors.host import ActorHost
from actors.runtime.bus.client import Deliver, Listener
from actors.runtime.bus.errors import BusError
from actors.runtime.bus.headers import content_type, media_type
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.errors import (
    CommandRefused,
    HostStopped,
    InboxFull,
    OwnershipLost,
    RuntimeFault,
)
from actors.runtime.log_throttle import seldom
from events.serialization.codec import JSON, MSGPACK, Form, form_of
from events.untrusted.limits import KIB, MIB
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import Accepted, Refused

Decode = Callable[[bytes], object]


class _Received(NamedTuple):
    """A message that is to be replied to; ``reply`` is empty when no answer is wanted."""

    subject: str
    reply: str
    form: Form
    """That of the message, and of the reply."""
    large: int = 0
    """Its bytes, where it is counted among those that wait."""


SMALL_BYTES: Final = 4 * KIB
"""So small a message is not counted: an inbox that is full of them holds some MiB."""
MOST_WAITING_BYTES: Final = 8 * MIB
"""Bytes of the larger ones that may wait for the actors of a process together; decoded, the worst
of them take 24 times that."""


class TooMuchWaits(RuntimeFault):
    """More bytes of messages wait for actors than may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"messages of {most:,} bytes wait already; send it again later")
        self.most = most


_NOT_TAKEN = (OwnershipLost, InboxFull, HostStopped)

log = structlog.get_logger(__name__)


class Bridge:
    """Subscriptions that feed a host's actors.

    A subscription outlives its actor: the next message revives it. It ends with ``unlisten``, and
    when the actor loses its stream, for then another process has taken over.

    Who wants a reply gets ``Accepted`` with the version the actor answers with, or ``Refused`` when
    surely nothing has changed. Where that is not sure there is no reply: the sender's time-out
    ends, and it sends the command again. A command comes as msgpack or as JSON, and so does its
    reply.
    """

    def __init__(self, host: ActorHost, bus: Bus) -> None:
        self.host = host
        self.bus = bus
        self._listeners: dict[str, dict[str, Listener]] = {}
        """By kind and id."""
        self._waiting_bytes = 0
        self._delivers: dict[tuple[str, Decode | None], Deliver] = {}
        """One for all listeners of a kind: thousands of them are of passivated actors."""
        host.on_ownership_lost.append(self.unlisten)

    async def listen(
        self, kind: str, id_: str, *, subject: str = "", decode: Decode | None = None
    ) -> None:
        """Pass on what comes for an actor; ``subject`` is its command subject by default, and what
        comes are commands unless ``decode`` says what they are.
        Listening twice is harmless. Raises ``UnknownKind`` at the message, not here."""
        self.listen_now(kind, id_, subject=subject, decode=decode)

    def listen_now(
        self, kind: str, id_: str, *, subject: str = "", decode: Decode | None = None
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

    def listens(self, kind: str, id_: str) -> bool:
        """Whether what comes for an actor is passed on to it here."""
        return id_ in self._listeners.get(kind, {})

    def _received(
        self,
        kind: str,
        decode: Decode | None,
        listener: Listener,
        subject: bytes,
        data: bytes,
        reply: bytes,
        headers: bytes | None,
    ) -> None:
        id_: str = listener.target
        form = MSGPACK
        try:
            if decode is None:
                form = form_of(data, media_type(headers) if headers else "")
                decode = form.decode_command
            message = decode(data)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            received = _Received(subject.decode(), reply.decode(), form)
            why = shortened(str(error))
            seldom.warning(log, "message_unreadable", subject=received.subject, error=why)
            why = f"the message cannot be read: {why}"
            self._reply(received, Refused(reason=why, code="unreadable"))
            return
        large = len(data) if len(data) > SMALL_BYTES else 0
        try:
            if not (reply or large):
                self.host.tell(kind, id_, message)
                return
            if large > MOST_WAITING_BYTES - self._waiting_bytes:
                raise TooMuchWaits(MOST_WAITING_BYTES)
            answer = self.host.ask(kind, id_, message)
        except (InboxFull, HostStopped, TooMuchWaits) as error:
            received = _Received(subject.decode(), reply.decode(), form)
            seldom.warning(log, "message_not_taken", subject=received.subject, error=str(error))
            self._reply(received, Refused(reason=str(error), code="try_again"))
            return
        self._waiting_bytes += large
        if reply:
            received = _Received(subject.decode(), reply.decode(), form, large)
            answer.add_done_callback(functools.partial(self._answered, received))
        else:
            answer.add_done_callback(functools.partial(self._told, kind, id_, large))

    def _told(self, kind: str, id_: str, large: int, answer: LoopFuture[object]) -> None:
        """What nobody waits for was handled: an error ends the actor, as where it is small."""
        self._waiting_bytes -= large
        try:
            answer.get()
        except (CommandRefused, ActorDeadError, *_NOT_TAKEN):
            pass
        except Exception as error:  # noqa: BLE001  supervision has it
            self.host.fail(kind, id_, error)

    def _answered(self, received: _Received, answer: LoopFuture[object]) -> None:
        self._waiting_bytes -= received.large
        try:
            result = answer.get()
        except CommandRefused as error:
            refused = Refused(reason=str(error), code=error.code, questions=error.questions)
            self._reply(received, refused)
        except _NOT_TAKEN as error:
            self._reply(received, Refused(reason=str(error), code="try_again"))
        except ActorDeadError as error:
            seldom.warning(log, "message_unanswered", subject=received.subject, error=str(error))
        except Exception as error:  # noqa: BLE001  the next command may be taken
            seldom.warning(log, "message_unanswered", subject=received.subject, exc_info=error)
        else:
            self._reply(received, Accepted(version=result) if isinstance(result, int) else result)

    def _reply(self, received: _Received, reply: object) -> None:
        if not received.reply or reply is None:
            return
        form = received.form
        headers = content_type(form.media_type) if form is JSON else b""
        try:
            self.bus.publish(received.reply, form.encode(reply), headers=headers)
        except BusError as error:
            seldom.warning(log, "reply_not_sent", subject=received.subject, error=str(error))
