"""Replies to ``ask``: Pykka futures that can be awaited on the event loop or waited for in a
thread."""

import asyncio
import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, Final, TypeVar, cast

import pykka
import structlog

from actors.runtime.errors import LoopWouldBlock

T = TypeVar("T")
_ExcInfo = tuple[type[BaseException], BaseException | None, TracebackType | None]

_PENDING: Final = 0
_VALUE: Final = 1
_ERROR: Final = 2

log = structlog.get_logger(__name__)


class LoopFuture(pykka.Future[T]):
    """The answer to an ``ask``.

    ``await`` it on an event loop. ``get()`` blocks, so it is for threads without a loop; on a loop
    it raises ``LoopWouldBlock`` unless the answer is there already. No lock is taken: whoever waits
    first leaves a callback and then looks again whether the answer has come; whoever answers first
    writes the answer and then takes the callbacks. ``list.append`` and ``list.pop`` are atomic, so
    each callback is called once.
    """

    __slots__ = ("_callbacks", "_hook", "_outcome", "_state")

    # Pykka's constructor is left out: it only sets the two fields of its own get hook.
    def __init__(self) -> None:
        self._state = _PENDING
        self._outcome: Any = None
        self._hook: Callable[[float | None], T] | None = None
        self._callbacks: list[Callable[[LoopFuture[T]], object]] = []

    def set(self, value: T | None = None) -> None:
        """Answer. Raises ``asyncio.InvalidStateError`` when there is an answer already."""
        self._settle(_VALUE, value)

    def set_exception(self, exc_info: object = None) -> None:
        """Answer with an error: an exception, Pykka's ``exc_info`` triple, or the error being
        handled now. Raises ``asyncio.InvalidStateError`` when there is an answer already."""
        if isinstance(exc_info, BaseException):
            self._settle(_ERROR, exc_info)
            return
        kind, error, traceback = cast(_ExcInfo, exc_info or sys.exc_info())
        self._settle(_ERROR, (kind() if error is None else error).with_traceback(traceback))

    def _settle(self, state: int, outcome: object) -> None:
        if self._state != _PENDING or self._hook is not None:
            raise asyncio.InvalidStateError("the future has its answer already")
        self._outcome = outcome
        self._state = state
        if self._callbacks:
            self._call_back()

    def done(self) -> bool:
        """Whether the answer is there."""
        return self._state != _PENDING

    def add_done_callback(self, callback: Callable[["LoopFuture[T]"], object]) -> None:
        """Call ``callback(self)`` once the answer is there: in the thread that answers, or here and
        now if it is there already. Not for futures made by ``map`` and its like."""
        self._callbacks.append(callback)
        if self._state != _PENDING:
            self._call_back()

    def _call_back(self) -> None:
        callbacks = self._callbacks
        while callbacks:
            try:
                callback = callbacks.pop(0)
            except IndexError:  # another thread took the last one
                return
            try:
                callback(self)
            except Exception:
                log.exception("answer_callback_failed")

    def get(self, *, timeout: float | None = None) -> T:
        """The answer; an error is raised. Waits up to ``timeout`` seconds, then raises
        ``pykka.Timeout``; on an event loop it does not wait but raises ``LoopWouldBlock``."""
        if self._hook is not None and self._state == _PENDING:
            self._outcome = self._hook(timeout)
            self._state = _VALUE
        if self._state == _PENDING:
            if asyncio._get_running_loop() is not None:
                raise LoopWouldBlock(self)
            arrived = threading.Event()
            self.add_done_callback(lambda _: arrived.set())
            if not arrived.wait(timeout):
                raise pykka.Timeout(f"{timeout} seconds")
        if self._state == _ERROR:
            raise self._outcome
        return cast(T, self._outcome)

    def set_get_hook(self, func: Callable[[float | None], T]) -> None:
        """Compute the answer when it is asked for; Pykka's ``stop``, ``map``, ``join``, … use it.

        The hook is tried again after each future that it had to wait for, so it should do nothing
        but compute.
        """
        if self._state != _PENDING:
            raise asyncio.InvalidStateError("the future has its answer already")
        self._hook = func

    def __await__(self) -> Generator[None, None, T]:
        if self._hook is None:
            if self._state == _PENDING:
                yield from self._arrival()
            return self.get()
        while True:
            try:
                return self.get()
            except LoopWouldBlock as blocked:
                missing: LoopFuture[object] = blocked.future
            yield from missing._arrival()

    __iter__ = __await__

    def _arrival(self) -> Generator[None, None, None]:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.add_done_callback(functools.partial(_wake, waiter))
        yield from waiter


def _wake(waiter: asyncio.Future[None], _answer: object) -> None:
    loop = waiter.get_loop()
    if loop is asyncio._get_running_loop():
        if not waiter.done():
            waiter.set_result(None)
        return
    # A closed loop has nobody left who waits.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_wake, waiter, None)
