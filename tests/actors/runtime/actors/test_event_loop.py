"""The program's event loop, and what it leaves behind."""

import asyncio
import signal
import subprocess
import sys

from actors.runtime.actors.event_loop import run


def test_signals_do_afterwards_what_they_did_before():
    async def program() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, lambda: None)

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run(program(), guest=True)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


_THRESHOLDS = """
import gc, sys
from actors.runtime.actors.event_loop import run

async def program():
    print(*gc.get_threshold())
    kept = [[] for _ in range(2_000_000)]
    gc.collect()
    print(*gc.get_threshold(), sys.getallocatedblocks())
    del kept
    gc.collect()
    print(*gc.get_threshold())

run(program())
"""


def test_the_collector_waits_for_a_quarter_more_objects():
    # In a process of its own, whose collector is nobody else's.
    done = subprocess.run(
        [sys.executable, "-c", _THRESHOLDS], capture_output=True, text=True, check=True
    )
    few, many, few_again = (
        [int(word) for word in line.split()] for line in done.stdout.split("\n")[:3]
    )
    assert few == few_again == [200_000, 20, 50]
    young, older, oldest, blocks = many
    assert blocks > 2_000_000
    assert abs(young - blocks / 4) < 10_000
    assert (older, oldest) == (4_000_000 // young, 50)
