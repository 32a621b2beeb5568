"""What an event costs the gateway on its way to those who watch."""

import asyncio
import tempfile
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from actors.runtime.actors.event_loop import run
from actors.runtime.embedded_nats.server import EmbeddedNats
from store.open_store import open_store
from tests.benchmarks.sockets import LIMITS, Reader, beginning, readers
from tests.budgets.counting import Figure, counted_on_loop, watching_threads
from tests.gateway.live.served import Served, principal, serving
from tests.support.builders import opened, taken

TURNS = 60
"""A round; two events each."""


def frame_to_one() -> Figure:
    """Calls of an event from its append to the socket of one who watches."""
    return _frames(1)


def frame_to_hundred() -> Figure:
    """The same to the sockets of a hundred."""
    return _frames(100)


def _frames(viewers: int) -> Figure:
    with (
        _another_loop() as elsewhere,
        watching_threads(),
        tempfile.TemporaryDirectory() as name,
        EmbeddedNats(Path(name)) as nats,
        closing(open_store(f"sqlite:///{name}/troupe.db", durable=False)) as store,
    ):

        async def measure() -> Figure:
            async with serving(nats, Path(name), store, "budgets", LIMITS) as served:
                return await _told(served, viewers, elsewhere)

        return run(measure())


async def _told(
    served: Served, viewers: int, elsewhere: Callable[[Coroutine[Any, Any, Any]], Awaitable[Any]]
) -> Figure:
    heard, turn, loop = 0, 0, asyncio.get_running_loop()
    all_heard = asyncio.Event()

    def count(_: Reader, data: bytes) -> None:
        nonlocal heard
        heard += data.count(b'"type":"Happened"')
        if heard == viewers:
            loop.call_soon_threadsafe(all_heard.set)

    async def tell() -> int:
        nonlocal heard, turn
        for _ in range(TURNS):
            turn += 1
            for event in (opened(turn, [turn % 2]), taken(turn, turn % 2, "Good evening.")):
                # None is told before all have the last: a frame never holds two.
                heard = 0
                all_heard.clear()
                await served.tell("e1", [event])
                await asyncio.wait_for(all_heard.wait(), 30)
        return 2 * TURNS

    served.people["watch"] = principal()
    await served.begin("e1", [beginning(10**6, people=False)])
    hello = {"type": "Hello", "token": "watch", "episode": "e1", "viewer": "spectator"}
    port = int(served.url.rpartition(":")[2].partition("/")[0])
    people = await elsewhere(readers(port, viewers, count, hello))
    while len(served.live.clients) < viewers:
        await asyncio.sleep(0.05)
    found = await counted_on_loop(tell)
    for one in people:
        assert one.transport is not None
        one.transport.abort()
    return found


@contextmanager
def _another_loop() -> Iterator[Callable[[Coroutine[Any, Any, Any]], Awaitable[Any]]]:
    """A loop in a thread of its own, whose calls are not counted, for clients."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield lambda work: asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
