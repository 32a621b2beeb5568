"""Pykka actors without a thread each: many of them on one asyncio loop.

``LoopActor`` overrides how an actor gets its inbox, its future and its time to run. ``ActorRef``,
``tell``, ``ask``, ``proxy``, ``stop``, the hooks and the registry stay Pykka's.
"""

import asyncio
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import ClassVar, Self, TypeVar

import structlog
from pykka import ActorDeadError, ActorRef, ActorRegistry

from actors.runtime import metrics
from actors.runtime.actors import registry
from actors.runtime.actors.dispatcher import LoopDispatcher
from actors.runtime.actors.future import LoopFuture
from actors.runtime.actors.inbox import LoopInbox
from actors.runtime.actors.message_handler import UNFINISHED, MessageHandling
from actors.runtime.actors.spawned_task import SpawnedTask
from actors.runtime.errors import NoLoop
from actors.runtime.ownership.lease import Lease

__all__ = ["UNFINISHED", "LoopActor", "LoopFuture"]

T = TypeVar("T")
Watcher = Callable[["LoopActor", BaseException | None], None]

log = structlog.get_logger(__name__)
registry.install()


class LoopActor(MessageHandling):
    """An actor on an asyncio loop.

    ``on_start`` and ``on_receive`` may be plain or ``async`` methods; either way one message is
    handled at a time. An error in an ``ask`` goes to who asked; in a ``tell`` it ends the actor, as
    in Pykka, save for ``CommandRefused``, which is counted. What is spawned with ``spawn`` belongs
    to the actor. An actor is *gone* when it has stopped and everything it had under way has ended.
    """

    inbox_limit: ClassVar[int] = 0
    """The most messages that may wait, for actors whose inbox an outsider can fill: ``tell`` and
    ``ask`` raise ``InboxFull`` beyond it. 0: no limit."""

    __slots__ = ("_cause", "_gone", "_watcher", "_winding_up", "lease")

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        super().__init__()
        self.actor_inbox.limit = self.inbox_limit
        self.lease: Lease | None = None
        """The process's hold on its work, where others may take that over; set by the host."""
        self._winding_up = self._gone = False
        self._cause: BaseException | None = None
        """The error that ended the actor."""
        self._watcher: Watcher | None = None

    @staticmethod
    def _create_actor_inbox() -> LoopInbox:
        return LoopInbox()

    @staticmethod
    def _create_future() -> LoopFuture[object]:
        return LoopFuture()

    def _start_actor_loop(self) -> None:
        try:
            dispatcher = LoopDispatcher.current(type(self).__name__)
        except NoLoop:
            ActorRegistry.unregister(self.actor_ref)  # Pykka has registered it already
            raise
        self.actor_inbox.open(self, dispatcher)

    def launch(self, watcher: Watcher | None = None) -> ActorRef[Self]:
        """Start an actor that was made by its constructor; ``start()`` is both in one.

        ``watcher(actor, cause)`` is called on the loop once the actor is gone; ``cause`` is the
        error that ended it, or None. It may take the messages left in ``actor.actor_inbox``.
        """
        self._watcher = watcher
        ActorRegistry.register(self.actor_ref)
        self._start_actor_loop()
        return self.actor_ref

    # ------------------------------------------------------------ for subclasses

    def spawn(self, work: Coroutine[object, None, T]) -> asyncio.Task[T]:
        """Run something beside the inbox: a model call, a timer. Only from the actor's own code.

        The task is cancelled when the actor stops, unless it is at ``Lasting`` work; an error it
        does not catch ends the actor, as one in a ``tell`` does. It runs between messages, so it
        may read and set fields; what must be in order with the messages it should ``tell`` to
        ``actor_ref``.
        """
        if self.actor_stopped._flag:
            work.close()
            raise ActorDeadError(f"{self} has stopped; it cannot start anything any more")
        task = SpawnedTask(work, loop=asyncio.get_running_loop())
        if self._tasks is None:
            self._tasks = set()
        self._tasks.add(task)
        task.add_done_callback(self._spawned_ended)
        return task

    def leave(self) -> None:
        """Stop at once, from the actor's own code; ``stop`` handles first what waits. A host that
        is given a message for its address from now on makes another actor."""
        self._stop()
        self._wind_up()

    def may_passivate(self) -> bool:
        """Whether the actor may leave memory when nobody has written to it for a while. Asked only
        when no message, spawned task or append is under way."""
        return True

    def fail(self, error: BaseException) -> None:
        """End the actor as an error in a ``tell`` does: log, ``on_failure``, supervision."""
        if self.actor_stopped.is_set():
            if error is not self._cause:
                log.warning("actor_error_after_stop", actor=str(self), exc_info=error)
            return
        self._cause = error
        exc_info = (type(error), error, error.__traceback__)
        self._handle_failure(*exc_info)
        try:
            self.on_failure(*exc_info)
        except Exception as another:  # noqa: BLE001 as Pykka does: it is logged and counted
            self._handle_failure(type(another), another, another.__traceback__)
        self._wind_up()

    # ------------------------------------------------------------ passivation

    @property
    def busy(self) -> bool:
        """Whether a message waits or anything is under way."""
        inbox = self.actor_inbox
        return inbox.scheduled or not inbox.empty() or self._under_way()

    def passivate(self, *, now: bool = False) -> bool:
        """Called now and then, on the loop: an actor that had nothing to do since the last call
        leaves memory, if it ``may_passivate``. Says whether it did. ``now``: whenever the last call
        was."""
        if (self._touched and not now) or self.busy:
            self._touched = False
            return False
        if self.actor_stopped.is_set() or not self.may_passivate():
            return False
        self._stop()
        self._wind_up()
        return True

    # ------------------------------------------------------------ the end

    def _handle_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Pykka's, with a figure and our log."""
        del traceback  # the exception has it
        name = type(self).__name__
        error_type = exception_type.__name__ if exception_type else "unknown"
        metrics.FAILURES.labels(name, error_type).inc()
        log.error("actor_failed", actor_class=name, error_type=error_type, exc_info=exception_value)
        ActorRegistry.unregister(self.actor_ref)
        self.actor_stopped.set()

    def _spawned_ended(self, task: asyncio.Task[object]) -> None:
        tasks, self._touched = self._tasks, True
        if tasks is not None:
            tasks.discard(task)
        try:
            error = task.exception()
        except asyncio.CancelledError:
            error = None
        if error is not None:
            self.fail(error)
        if self.actor_stopped._flag:
            self._wind_up()

    def _under_way(self) -> bool:
        """Whether anything must end before the actor is gone."""
        return self._open is not None or bool(self._tasks)

    def _wind_up(self) -> None:
        """The actor has stopped: cancel what it has under way, and be gone when that has ended."""
        if not self._winding_up:
            self._winding_up = True  # a second cancel would cut short how a task cleans up
            tasks = self._tasks or set()
            for task in tuple(tasks):
                if type(task) is not SpawnedTask:
                    task.cancel()
                elif task.leave():
                    task.remove_done_callback(self._spawned_ended)
                    tasks.discard(task)
        if self._under_way() or self._gone:
            return
        self._gone = True
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            try:
                watcher(self, self._cause)
            except Exception:
                log.exception("actor_watcher_failed", actor=str(self))
        self._actor_loop_teardown()
        if self._stopping is not None and self._stopping.reply_to is not None:
            self._stopping.reply_to.set(None)
        self.actor_inbox.close()
