"""The process's single event loop, on which actors, NATS and model calls run."""

import asyncio
import ctypes
import gc
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from actors.runtime.actors.dispatcher import LoopDispatcher

T = TypeVar("T")

YOUNG = 200_000
"""New objects, at least, before the youngest are looked at."""
_OLDER, _OLDEST = 20 * YOUNG, 50
"""New objects before those that were looked at once are looked at again; how much more seldom all
are."""

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
    if _collect_in_proportion not in gc.callbacks:
        gc.callbacks.append(_collect_in_proportion)
    gc.collect()
    gc.freeze()


def _collect_in_proportion(phase: str, _: Mapping[str, int]) -> None:
    """After a collection, begin the next one when there is a quarter more of Python's objects. Of
    ten thousand live episodes there are four million, none of them garbage, and turns replace a
    great part of them: with a fixed number of new ones, looking took a tenth of the CPU."""
    if phase == "stop":
        young = max(YOUNG, sys.getallocatedblocks() // 4)
        gc.set_threshold(young, max(1, _OLDER // young), _OLDEST)


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
