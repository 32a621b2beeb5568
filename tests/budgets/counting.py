"""Counts what a piece of work takes: calls of functions, or bytes.

Calls are those of Python and of C functions that cProfile sees, in the thread that counts and in
every thread that began while ``watching_threads`` lasted. Left out are the store's writer thread,
which commits in groups whose sizes depend on timing (blocking appends commit in their own thread
and show what it does), and whatever runs in other processes: stub servers, NATS, clients. The
resumption of a coroutine is a call. The collector is off, so that nothing it runs is counted.
"""

import asyncio
import cProfile
import gc
import re
import statistics
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import msgspec

ROOT = Path(__file__).parents[2]
ROUNDS = 3
WRITER = "store-writer"
SHORT_S = 0.02
"""Sleeps below this are part of the work."""

_METHOD = re.compile(r"<method '(\w+)' of '([\w.]+)' objects>")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_profiles: list[cProfile.Profile] = []


class Figure(msgspec.Struct, frozen=True):
    """What a unit of some work takes."""

    value: float
    parts: dict[str, float]
    """What it is made up of: calls by function, bytes by line, modules by package."""


class Count:
    """Calls so far, by function."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def per(self, units: int) -> Figure:
        """For each of so many units."""
        return figure(self.calls, units)


def figure(parts: Mapping[str, float], units: float = 1) -> Figure:
    """The sum of some parts for each of so many units, with the largest parts first."""
    each = {name: value / units for name, value in parts.items() if value}
    ordered = sorted(each.items(), key=lambda item: (-item[1], item[0]))
    return Figure(sum(each.values()), dict(ordered))


def median(rounds: Sequence[Figure]) -> Figure:
    """The one in the middle."""
    value = statistics.median_low([one.value for one in rounds])
    return next(one for one in rounds if one.value == value)


def growth(small: Figure, large: Figure, units: int) -> Figure:
    """What each further unit takes, where ``large`` is of so many more: set-up does not count."""
    names = small.parts.keys() | large.parts.keys()
    more = {name: large.parts.get(name, 0) - small.parts.get(name, 0) for name in names}
    return figure(more, units)


@contextmanager
def counting() -> Iterator[Count]:
    """Count the calls made while the block lasts; it is the calling thread's own."""
    count = Count()
    gc.collect()
    gc.disable()
    before = _elsewhere()
    profile = cProfile.Profile()
    profile.enable()
    try:
        yield count
    finally:
        profile.disable()
        count.calls = _tally(profile) + _elsewhere()
        count.calls.subtract(before)
        gc.enable()


@contextmanager
def watching_threads() -> Iterator[None]:
    """Have threads that begin in the block counted."""

    def begin(*_: object) -> None:
        # Called once in each: what is enabled here takes its place.
        if threading.current_thread().name == WRITER:
            sys.setprofile(None)
            return
        profile = cProfile.Profile()
        _profiles.append(profile)
        profile.enable()

    threading.setprofile(begin)
    try:
        yield
    finally:
        threading.setprofile(None)


def counted(work: Callable[[], object], units: int) -> Figure:
    """The median of some rounds of work that makes so many units each time, after a first one
    that is not counted."""
    work()
    rounds = []
    for _ in range(ROUNDS):
        with counting() as count:
            work()
        rounds.append(count.per(units))
    return median(rounds)


async def counted_on_loop(work: Callable[[], Awaitable[int]]) -> Figure:
    """The same on the running loop; the work answers how many units it made."""
    with _still_clocks():
        await work()
        rounds = []
        for _ in range(ROUNDS):
            with counting() as count:
                units = await work()
            rounds.append(count.per(units))
    return median(rounds)


@contextmanager
def _still_clocks() -> Iterator[None]:
    """Have what is done every so often not be done: a busy machine does it more often a unit."""
    sleep, over = asyncio.sleep, asyncio.Event()

    async def asleep(delay: float, result: Any = None) -> Any:
        if delay < SHORT_S:
            return await sleep(delay, result)
        await over.wait()
        return result

    asyncio.sleep = asleep  # type: ignore[assignment]
    try:
        yield
    finally:
        asyncio.sleep = sleep
        over.set()


def _elsewhere() -> Counter[str]:
    found: Counter[str] = Counter()
    for profile in _profiles:
        found += _tally(profile)
    return found


def _tally(profile: cProfile.Profile) -> Counter[str]:
    found: Counter[str] = Counter()
    for entry in profile.getstats():
        found[name_of(entry.code)] += entry.callcount
    return found


def name_of(code: CodeType | str) -> str:
    """A function as messages call it: without a line, which any edit above it would change."""
    if isinstance(code, CodeType):
        return f"{place(code.co_filename)}:{code.co_qualname}"
    if found := _METHOD.match(code):  # <method 'append' of 'list' objects>
        return f"{found[2]}.{found[1]}"
    # Where a type lies in memory is another place each time.
    return _ADDRESS.sub("", code.removeprefix("<built-in method ").strip("<>"))


def place(file: str) -> str:
    """A file as messages call it, wherever the checkout and Python are."""
    path = Path(file)
    for name in ("site-packages", "lib-dynload"):
        if name in path.parts:
            return "/".join(path.parts[path.parts.index(name) + 1 :])
    if path.is_relative_to(ROOT):
        return str(path.relative_to(ROOT))
    return "/".join(path.parts[-2:])
