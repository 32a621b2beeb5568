"""``troupe`` that says what it holds when it is asked.

    python -m tests.soak.probe ARGUMENT…

It is the command with the arguments that follow. For each line on its standard input it prints a
line: figures as JSON (``figures.Inside``). Where the line names a file, the numbers of objects by
type are written there first; it takes a moment, and hands out objects that other threads are about
to make, so nothing is to be expected of the process afterwards.

Caches would fill for hours, large enough as they are for ten thousand live episodes, and hide in
what they take what is never given back. So they are small here, or empty whenever it is asked.
"""

import _sqlite3
import asyncio
import ctypes
import gc
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

import gateway.process.worker_node
from gateway.cli.main import main
from gateway.error_sentences import OURS
from gateway.process.worker_node import WorkerNode
from store.read_model.list_pages import RunRows
from store.writer.version_cache import LastVersions
from tests.soak.figures import Inside

_TYPES: Final = 60
"""Of the most frequent ones, in a file."""


class _MallInfo(ctypes.Structure):
    """``struct mallinfo2`` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


class Probe:
    """Looks at the process it is in."""

    def __init__(self) -> None:
        self.node: WorkerNode | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def answer(self) -> None:
        """Answer lines on standard input, until it ends; an error ends the process."""
        try:
            for line in sys.stdin:
                if name := line.strip():
                    Path(name).write_text(self.types())
                sys.stdout.write(msgspec.json.encode(self.inside()).decode() + "\n")
                sys.stdout.flush()
        except BaseException:  # noqa: BLE001 - it is printed, and the process ends
            traceback.print_exc()
            # Whoever asked would wait for ever, and be served on meanwhile.
            os._exit(1)

    def inside(self) -> Inside:
        """What is held now."""
        _empty_caches()
        node, malloc = self.node, _mallinfo()
        return Inside(
            blocks=sys.getallocatedblocks(),
            tasks=0 if self.loop is None else len(asyncio.all_tasks(self.loop)),
            actors=0 if node is None else len(node.host),
            episodes=0 if node is None else len(node.episodes.seats.tables),
            malloc_used=malloc.uordblks + malloc.hblkhd,
            malloc_free=malloc.fordblks,
            sqlite=_sqlite_bytes(),
        )

    def types(self) -> str:
        """How many objects of each type only the collector could free, and how many are left."""
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        gc.set_debug(0)
        freed = _counted(gc.garbage)
        gc.garbage.clear()
        gc.collect()
        return f"in cycles that nobody refers to\n{freed}\nleft\n{_counted(gc.get_objects())}"


def _empty_caches() -> None:
    """Have no function of ours remember its results, and nothing unused in memory."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in OURS:
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
    gc.collect()
    trim: Any = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _counted(objects: Iterable[object]) -> str:
    names = (f"{type(one).__module__}.{type(one).__qualname__}" for one in objects)
    most = Counter(names).most_common(_TYPES)
    return "".join(f"{count:>9,}  {name}\n" for name, count in most)


def _mallinfo() -> Any:
    find: Any = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if find is None:
        return _MallInfo()
    find.restype = _MallInfo
    return find()


def _sqlite_bytes() -> int:
    ask: Any = getattr(ctypes.CDLL(_sqlite3.__file__), "sqlite3_memory_used", None)
    if ask is None:
        return 0
    ask.restype = ctypes.c_int64
    return int(ask())


if __name__ == "__main__":
    probe = Probe()
    LastVersions.__init__.__defaults__ = (1_000,)
    RunRows.__init__.__defaults__ = (100,)
    enter = WorkerNode.__aenter__

    async def entered(node: WorkerNode) -> WorkerNode:
        """Have the probe know of a node."""
        probe.node, probe.loop = node, asyncio.get_running_loop()
        return await enter(node)

    gateway.process.worker_node.WorkerNode.__aenter__ = entered
    threading.Thread(target=probe.answer, daemon=True).start()
    main()
