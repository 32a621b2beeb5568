"""The program's event loop, and what it leaves behind."""

import asyncio
import signal

from actors.runtime.actors.event_loop import run


def test_signals_do_afterwards_what_they_did_before():
    async def program() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, lambda: None)

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run(program(), guest=True)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
