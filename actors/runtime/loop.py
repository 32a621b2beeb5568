"""The program's one event loop: actors, NATS and model calls live on it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from actors.runtime.dispatcher import LoopDispatcher

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a program to its end on uvloop (asyncio's own loop where there is none).

    The loop is home meanwhile: actors started from other threads live on it too.
    """
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        before, LoopDispatcher.home = LoopDispatcher.home, LoopDispatcher.of(runner.get_loop())
        try:
            return runner.run(main)
        finally:
            LoopDispatcher.home = before


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
