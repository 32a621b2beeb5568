"""Whether memory stays flat: over a chain of 1,000 episodes, and over 10,000 waiting ones.

python -m tests.benchmarks.bench_flat

It is the memory that only the process has (USS), after a full garbage collection and, on Linux,
after ``malloc_trim`` has given back what was free. Beside that of a chain stands how many blocks
Python's objects hold: the process also has the room that large texts once took, as far as it lies
between others that stay. Each measurement has a process for itself. SQLite's page caches have a
limit of 32 MiB a connection, and fill and empty as others write; here they are held at 2 MiB
together, which are full before the first look, so that they do not hide what is measured.

The chain leaves out the scenarios that ask to remember something: rehearsal minds search all of
their memory there, which takes time and not memory. An episode that waits has two remote seats,
and nobody has connected to either.
"""

import asyncio
import ctypes
import gc
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

import psutil

from actors.lifelong.memory.modules import BUILT_IN, with_prompt
from events.ids import CHAIN, new_id
from events.memory import MemorySpec
from events.wire.messages import PlayEpisode
from gateway.process.worker_node import WorkerNode
from store.read_model import queries
from tests.benchmarks.bench_memory import SMALL, beginnings, chain_of
from tests.benchmarks.episodes import on_worker_node
from tests.benchmarks.table import Row
from tests.support.runs import REMOTE_MINDS, plan, record

T = TypeVar("T")

EARLY, LATE = 100, 1000
TURN_CAP = 4
WAITING = 10_000
AWAKE = 2000
"""Of those that do not rest: their cost does not depend on their number."""
WARM = 2000
"""Waiting episodes before the first look: caches are full, and memory freed meanwhile is used."""
AT_ONCE = 64
"""Episodes played at once where they rest, which is the default of a worker."""
QUEUED_AT_ONCE = 256
KIB, MIB = 1024, 1024 * 1024
PAGES = 2 * MIB
"""Bytes that SQLite may keep."""


def memory() -> int:
    """Bytes that only this process has in use, after it gave back what it could."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return int(psutil.Process().memory_full_info().uss)


def limit_page_caches() -> None:
    """Have SQLite keep less. (The limit is the whole process's, whoever sets it.)"""
    with closing(sqlite3.connect(":memory:")) as any_connection:
        any_connection.execute(f"PRAGMA soft_heap_limit = {PAGES}")


def apart(work: Callable[[], T]) -> T:
    """Do something in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as new:
        return new.submit(work).result()


# ------------------------------------------------------------------------------------- a chain


def memories() -> Iterator[MemorySpec]:
    """Those compared."""
    yield BUILT_IN["summary"]
    name = f"full, context of {SMALL:,}"
    yield with_prompt(MemorySpec(name=name, module="full", context_tokens=SMALL))


class Use(NamedTuple):
    """Memory in use."""

    process: int
    """Bytes of the process."""
    blocks: int
    """Of Python's objects."""


def use() -> Use:
    """What is in use now."""
    return Use(memory(), sys.getallocatedblocks())


async def chain(bench: WorkerNode, remembered: MemorySpec) -> tuple[Use, Use]:
    """What is in use after ``EARLY`` and after ``LATE`` episodes."""
    limit_page_caches()
    starts = beginnings(new_id(CHAIN), LATE, "memory-hard", turn_cap=TURN_CAP)
    begun = chain_of(remembered, starts)
    early = use()
    for number, (episode, started) in enumerate(zip(begun.episodes, starts, strict=True), 1):
        await bench.chains.play(begun, episode, started)
        if number == EARLY:
            early = use()
    return early, use()


def on_a_chain(remembered: MemorySpec) -> tuple[Use, Use]:
    """``chain`` on a worker node of its own."""
    return on_worker_node(partial(chain, remembered=remembered))


# ------------------------------------------------------------------------------------- waiting


async def queue(bench: WorkerNode, run: str, episodes: Sequence[str]) -> None:
    """Have episodes played."""
    left = iter(episodes)

    async def some() -> None:
        for episode in left:
            job = PlayEpisode(run=run, episode=episode)
            await bench.jobs.enqueue("episode", job, id=episode)

    await asyncio.gather(*(some() for _ in range(QUEUED_AT_ONCE)))


async def until(bench: WorkerNode, condition: Callable[[], bool]) -> None:
    """Return once it holds. What may rest is told so every second, not every 15 s; more often,
    thousands of episodes would repeat their questions faster than NATS takes them."""
    told = time.monotonic()
    while not condition():
        if bench.episodes.passivation.after_s == 0 and time.monotonic() - told > 1:
            bench.episodes.redeliver()
            told = time.monotonic()
        await asyncio.sleep(0.05)


def is_idle(bench: WorkerNode) -> bool:
    """Whether nothing is under way any more."""
    return not bench.jobs.report().episodes and len(bench.host) == 0


async def waiting(bench: WorkerNode, *, resting: bool) -> tuple[float, float]:
    """KiB an episode that waits takes; and, where they did not rest at once, when they rest."""
    count = WAITING if resting else AWAKE
    limit_page_caches()
    with tempfile.TemporaryDirectory() as folder:
        repeats = (count + WARM) // 2
        text = plan(REMOTE_MINDS, tasks=2, pairings='[["far", "far"]]', repeats=repeats)
        run = record(bench.store, Path(folder), text)
    episodes = [row.id for row in queries.episodes(bench.store, run=run)]
    there = bench.episodes.passivation
    there.after_s = 0.0 if resting else inf
    here: Callable[[], int] = there.__len__ if resting else bench.episodes.endings.__len__
    await bench.work(AT_ONCE if resting else len(episodes))
    await queue(bench, run, episodes[:WARM])
    await until(bench, lambda: here() == WARM)
    before = memory()
    await queue(bench, run, episodes[WARM:])
    await until(bench, lambda: here() == len(episodes) and (not resting or is_idle(bench)))
    each = (memory() - before) / count / KIB
    there.after_s = 0.0
    await until(bench, lambda: len(there) == len(episodes) and is_idle(bench))
    return each, (memory() - before) / count / KIB


def who_wait(resting: bool) -> tuple[float, float]:
    """``waiting`` on a worker node of its own."""
    return on_worker_node(partial(waiting, resting=resting))


# ------------------------------------------------------------------------------------- the table


def rows() -> Iterator[Row]:
    """The table."""
    resting, _ = apart(partial(who_wait, True))
    awake, then_resting = apart(partial(who_wait, False))
    yield Row(
        f"{WAITING:,} waiting episodes at rest, each",
        f"{resting:.2f} KiB",
        f"in memory: {awake:.1f} KiB",
        "≤ 1 KiB",
        resting <= 1,
    )
    yield Row(f"  {AWAKE:,} in memory first, then at rest", f"{then_resting:.2f} KiB")
    yield Row(f"memory after {EARLY} and {LATE:,} episodes of a chain:", "")
    for remembered in memories():
        early, late = apart(partial(on_a_chain, remembered))
        yield Row(
            f"  {remembered.name}",
            f"{early.process / MIB:.0f} and {late.process / MIB:.0f} MiB",
            f"blocks that Python holds: {late.blocks / early.blocks:.2f} ×",
            f"≤ 1.1 × ({late.process / early.process:.2f})",
            late.process <= 1.1 * early.process,
        )


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
