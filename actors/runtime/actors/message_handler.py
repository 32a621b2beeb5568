"""How an actor handles its messages: one at a time, by plain or asynchronous methods."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from types import CoroutineType
from typing import Any, Final, TypeVar

import structlog
import uuid_utils
from pykka import Actor, ActorRef, ActorRegistry
from pykka.messages import ProxyCall, ProxyGetAttr, ProxySetAttr, _ActorStop

from actors.runtime import metrics
from actors.runtime.actors.inbox import AnyEnvelope, LoopInbox, refuse
from actors.runtime.errors import CommandRefused, HandlerCancelled


class StopFlag(threading.Event):
    """Pykka's ``actor_stopped`` without the lock and condition of an event (half a KiB each)."""

    _flag: bool

    def __init__(self) -> None:
        self._flag = False

    def set(self) -> None:
        """From now on ``is_set``."""
        self._flag = True

    def clear(self) -> None:
        """Refused: an actor does not come back."""
        raise NotImplementedError("a stopped actor stays stopped")

    def wait(self, timeout: float | None = None) -> bool:
        """Refused: nothing to wait with."""
        raise NotImplementedError("await `ref.stop(block=False)` to see an actor stop")


T = TypeVar("T")

UNFINISHED: Final = object()
"""What ``on_receive`` returns when the answer comes later, through ``_finish``."""
_BATCH: Final = 64
"""Messages an actor handles at a time before others have their turn."""

_PYKKAS_OWN: Final = frozenset((_ActorStop, ProxyCall, ProxyGetAttr, ProxySetAttr))

log = structlog.get_logger(__name__)


class MessageHandling(Actor):
    """The part of ``LoopActor`` that handles messages when the dispatcher says so.

    While a message is unfinished (a coroutine runs, an append is under way) the inbox stays
    scheduled, so that no other message is begun.
    """

    # Beyond thirty attributes CPython gives each object a dictionary of its own, 1.5 KiB large.
    __slots__ = (
        "_actor_ref",
        "_begun",
        "_open",
        "_stopping",
        "_tasks",
        "_touched",
        "actor_inbox",
        "actor_stopped",
        "actor_urn",
    )

    actor_inbox: LoopInbox
    actor_stopped: StopFlag

    # Pykka's constructor without its threading.Event, and with a quicker maker of the same
    # random URNs (the standard library's takes half of the time); a test pins what it sets.
    def __init__(self, *_args: object, **_kwargs: object) -> None:
        self.actor_urn = uuid_utils.uuid4().urn
        self.actor_inbox = LoopInbox()
        self.actor_stopped = StopFlag()
        self._actor_ref: ActorRef[Any] = ActorRef(self)
        self._begun = False
        self._open: AnyEnvelope | None = None
        """The message whose answer comes later."""
        self._stopping: AnyEnvelope | None = None
        """Who asked the actor to stop: answered when it is gone."""
        self._tasks: set[asyncio.Task[object]] | None = None
        self._touched = False
        """Whether there was anything to do since ``passivate`` looked last."""

    def fail(self, error: BaseException) -> None:
        """End the actor as an error in a ``tell`` does."""
        raise NotImplementedError

    def _wind_up(self) -> None:
        """The actor has stopped: end what is under way, then be gone."""
        raise NotImplementedError

    def _run(self) -> None:
        """Handle what waits. Called by the dispatcher, and when an unfinished message is done."""
        # The path of every message, in one function: calls were a third of its cost.
        if not self._begun and not self._has_begun():
            return
        self._touched = True
        inbox = self.actor_inbox
        messages, stopped = inbox.messages, self.actor_stopped
        for _ in range(_BATCH):
            if stopped._flag:
                self._wind_up()
                return
            # Cleared before looking: a sender in another thread may have seen the flag still set.
            inbox.scheduled = False
            if inbox.backlog:
                envelope = inbox.backlog.pop()
            elif messages:
                envelope = messages.pop(0)
            else:
                return
            inbox.scheduled = True
            message = envelope.message
            try:
                if type(message) in _PYKKAS_OWN:
                    result = self._handle_receive(message)
                else:  # what Pykka would do, without asking four times what it is
                    result = self.on_receive(message)
            except BaseException as error:  # noqa: BLE001 goes to who asked, or to supervision
                self._raised(envelope, error)
                continue
            if result is UNFINISHED:
                self._open = envelope
                return
            if type(result) is CoroutineType:
                self._open = envelope
                self._follow(result, self._coroutine_ended)
                return
            if envelope.reply_to is not None:
                if stopped.is_set() and isinstance(message, _ActorStop):
                    self._stopping = envelope
                else:
                    envelope.reply_to.set(result)
        inbox.shorten()
        if inbox.dispatcher is not None:
            inbox.dispatcher.schedule(inbox)

    def _has_begun(self) -> bool:
        """Begin; whether messages may be handled at once."""
        self._begun = self._touched = True
        try:
            preparing = self._begin()
        except Exception as error:  # noqa: BLE001 an actor's error is the actor's end
            self.fail(error)
            return False
        if preparing is not None:
            self._follow(preparing, self._begin_ended)
        return preparing is None

    def _begin(self) -> Coroutine[object, None, None] | None:
        """What comes before the first message; messages wait for a coroutine to end."""
        # Pykka declares a plain method; ours may be a coroutine function.
        preparing: object = self.on_start()  # type: ignore[func-returns-value]
        return preparing if type(preparing) is CoroutineType else None

    def _begin_ended(self, task: asyncio.Task[object]) -> None:
        self._forget(task)
        error = _error_of(task, self)
        if error is not None and not self.actor_stopped.is_set():
            self.fail(error)
        else:
            self._run()

    def _raised(self, envelope: AnyEnvelope, error: BaseException) -> None:
        """What ``on_receive`` raised."""
        if isinstance(error, Exception):
            self._unhandled(envelope, error)
            return
        # An exit: as in Pykka, all actors stop.
        log.error("actor_stops_all", actor=str(self), exc_info=error)
        if envelope.reply_to is not None:
            envelope.reply_to.set_exception((type(error), error, error.__traceback__))
        self._stop()
        ActorRegistry.stop_all(block=False)

    def _follow(
        self, coroutine: Coroutine[object, None, T], ended: Callable[[asyncio.Task[T]], None]
    ) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        if self._tasks is None:
            self._tasks = set()
        self._tasks.add(task)
        task.add_done_callback(ended)

    def _coroutine_ended(self, task: asyncio.Task[object]) -> None:
        self._forget(task)
        error = _error_of(task, self)
        if error is None and task.result() is UNFINISHED:
            error = TypeError(
                "an async on_receive cannot leave its message unfinished; "
                "in a PersistentActor it calls `await self.execute(command)`"
            )
        if error is None:
            self._finish(task.result())
        else:
            self._finish_with(error)

    def _finish(self, value: object) -> None:
        """Answer the message that ``on_receive`` left unfinished, and go on with the next."""
        envelope, self._open = self._open, None
        if envelope is not None and envelope.reply_to is not None:
            envelope.reply_to.set(value)
        self._run()

    def _finish_with(self, error: BaseException) -> None:
        """Like ``_finish``, with an error."""
        envelope, self._open = self._open, None
        if envelope is not None:
            self._unhandled(envelope, error)
        self._run()

    def note_refusal(self, refused: CommandRefused) -> None:
        """Count a command that was not taken."""
        name = type(self).__name__
        metrics.REFUSALS.labels(name).inc()
        log.debug("command_refused", actor_class=name, reason=refused.reason)

    def _unhandled(self, envelope: AnyEnvelope, error: BaseException) -> None:
        if isinstance(error, CommandRefused):
            self.note_refusal(error)
            if envelope.reply_to is None:
                return
        if envelope.reply_to is None:
            self.fail(error)
        elif isinstance(error, asyncio.CancelledError):
            # Raised at the asker it would look as if the asker had been cancelled.
            refuse(envelope, str(self))
        else:
            envelope.reply_to.set_exception((type(error), error, error.__traceback__))

    def _forget(self, task: asyncio.Task[object]) -> None:
        if self._tasks is not None:
            self._tasks.discard(task)


def _error_of(task: asyncio.Task[object], actor: MessageHandling) -> BaseException | None:
    if not task.cancelled():
        return task.exception()
    if actor.actor_stopped.is_set():
        return asyncio.CancelledError()
    return HandlerCancelled(str(actor))
