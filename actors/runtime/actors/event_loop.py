"""The process's single event loop, on which actors, NATS and model calls run."""

import asyncio
import ctypes
import gc
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import TypeVar

from actors.runtime.actors.dispatcher import LoopDispatcher

T = TypeVar("T")

GC_THRESHOLDS = (200_000, 20, 50)
"""New objects before the youngest are looked at, and how much more seldom the older ones. Ten
thousand calls to models under way are some 600,000 objects, none of them garbage."""


LARGE_BLOCK = 128 * 1024
"""Bytes; what glibc begins with."""
HEAPS = 2
"""Heaps of blocks, whatever the number of threads."""
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8


def run(main: Coroutine[object, None, T], *, guest: bool = False) -> T:
    """Run a program to its end on uvloop (asyncio's own loop where there is none).

    The loop is the default one meanwhile: actors started from other threads live on it too.
    ``guest``: the process is somebody else's, whose collector and heap stay as they are.
    """
    if not guest:
        _spare_the_collector()
        _keep_the_heap_small()
    with _signals_as_before(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        before = LoopDispatcher.default
        LoopDispatcher.default = LoopDispatcher.of(runner.get_loop())
        try:
            return runner.run(main)
        finally:
            LoopDispatcher.default = before


@contextmanager
def _signals_as_before() -> Iterator[None]:
    """Have Ctrl-C and SIGTERM do afterwards what they did before: uvloop's handlers outlive their
    loop, and would take the signals without a trace."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            if handler is not None:  # what is not Python's cannot be set from here
                signal.signal(one, handler)


def _spare_the_collector() -> None:
    """Have the garbage collector run seldom and look at little.

    Tens of thousands of waiting actors are live objects; with Python's defaults half of the CPU
    went into looking through them in vain. What was imported until here is never looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _keep_the_heap_small() -> None:
    """Have glibc give every large block back to the system when it is free, and have threads share
    their heaps.

    By itself it soon takes blocks of any size from the heap, where they leave holes: what a
    character remembers of hundreds of episodes is a text of a megabyte, made for each new one. And
    every thread that reads the store would have holes of its own.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries have none
        if mallopt is not None:
            mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
            mallopt(_M_ARENA_MAX, HEAPS)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
