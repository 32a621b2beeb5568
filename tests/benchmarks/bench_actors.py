"""What actors cost: `python -m tests.benchmarks.bench_actors` prints the figures beside Pykka's
thread per actor, measured in the same run.

Speeds are taken in turns, ours and Pykka's, several times; the table shows the medians and how far
the ratio of one round lies from that of another. An actor counts as created when it has begun:
when its ``on_start`` has run.

Threads that hand over to each other have two speeds, whatever runs here: a question to a thread was
seen to take 17 µs in one run and 80 µs in the next. A ratio far above its goal is mostly that, so
compare our own column from run to run.
"""

import asyncio
import gc
import logging
import statistics
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar, NamedTuple, cast

import psutil
from pykka import ActorRef, ActorRegistry, ThreadingActor

from actors.runtime.actors.event_loop import run
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.actors.persistent_actor import PersistentActor
from events.agent import ModelAnswered
from events.base import Event
from store.log.event_store import Appended, EventStore
from tests.benchmarks.table import Row

POOLED_IDLE = 100_000
THREADED_IDLE = 2_000
CREATED = 20_000
TELLS = 50_000
ASKS = 5_000
COMMANDS = 20_000
ROUNDS = 5


class Echo:
    """Answers what it is asked, and says when the last of many messages has come."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 0
        self.done = threading.Event()

    def on_receive(self, message: object) -> object:
        if self.left:
            self.left -= 1
            if not self.left:
                self.done.set()
        return message


class PooledEcho(Echo, LoopActor):
    """On the loop."""


class ThreadedEcho(Echo, ThreadingActor):
    """In a thread of its own."""


class Begun:
    """Counts actors that have begun; appending to a list is safe from any thread."""

    begun: ClassVar[list[None]] = []

    def on_start(self) -> None:
        """One more."""
        self.begun.append(None)


class Idle(Begun, LoopActor):
    """Waits on the loop."""


class ThreadedIdle(Begun, ThreadingActor):
    """Waits in a thread."""


class Sender:
    """Tells another actor many things."""

    def on_receive(self, message: tuple[ActorRef[Any], int]) -> None:
        other, times = message
        for number in range(times):
            other.tell(number)


class PooledSender(Sender, LoopActor):
    """On the loop."""


class ThreadedSender(Sender, ThreadingActor):
    """In a thread of its own."""


def resident() -> int:
    """Bytes of memory this process has in use."""
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def stop_threads() -> None:
    """Stop actors that have a thread each, all at once."""
    for stopped in ActorRegistry.stop_all(block=False):
        stopped.get()


async def stop_pooled() -> None:
    """Stop actors of this loop."""
    for stopped in ActorRegistry.stop_all(block=False):
        await stopped
    gc.collect()


def threaded_memory() -> float:
    """KiB an idle actor with a thread takes, address space aside."""
    before = resident()
    for _ in range(THREADED_IDLE):
        ThreadedIdle.start()
    each = (resident() - before) / THREADED_IDLE / 1024
    stop_threads()
    return each


async def pooled_memory() -> float:
    """KiB an idle actor on the loop takes."""
    Begun.begun.clear()
    before = resident()
    for _ in range(POOLED_IDLE):
        Idle.start()
    while len(Begun.begun) < POOLED_IDLE:
        await asyncio.sleep(0)
    each = (resident() - before) / POOLED_IDLE / 1024
    await stop_pooled()
    return each


def threaded_starts() -> float:
    """Actors that begin in a second, a thread each."""
    Begun.begun.clear()
    began = time.perf_counter()
    for _ in range(THREADED_IDLE):
        ThreadedIdle.start()
    while len(Begun.begun) < THREADED_IDLE:
        time.sleep(0)
    taken = time.perf_counter() - began
    stop_threads()
    return THREADED_IDLE / taken


async def pooled_starts() -> float:
    """Actors that begin in a second, on the loop."""
    Begun.begun.clear()
    began = time.perf_counter()
    for _ in range(CREATED):
        Idle.start()
    while len(Begun.begun) < CREATED:
        await asyncio.sleep(0)
    taken = time.perf_counter() - began
    await stop_pooled()
    return CREATED / taken


def threaded_tells() -> float:
    """Messages a second from one actor to another, a thread each."""
    echo = ThreadedEcho()
    echo.left = TELLS
    sender = ThreadedSender.start()
    other = cast(ActorRef[Any], echo.actor_ref)
    began = time.perf_counter()
    ActorRegistry.register(other)
    echo._start_actor_loop()
    sender.tell((other, TELLS))
    echo.done.wait()
    taken = time.perf_counter() - began
    stop_threads()
    return TELLS / taken


async def pooled_tells() -> float:
    """Messages a second from one actor to another on the loop."""
    echo = PooledEcho()
    echo.left = TELLS
    sender = PooledSender.start()
    other = echo.launch()
    began = time.perf_counter()
    sender.tell((other, TELLS))
    while not echo.done.is_set():
        await asyncio.sleep(0)
    taken = time.perf_counter() - began
    await stop_pooled()
    return TELLS / taken


def threaded_ask() -> float:
    """Median microseconds of a question to an actor with a thread."""
    echo = ThreadedEcho.start()
    times = []
    for number in range(ASKS):
        began = time.perf_counter()
        echo.ask(number)
        times.append(time.perf_counter() - began)
    stop_threads()
    return statistics.median(times) * 1e6


async def pooled_ask() -> float:
    """Median microseconds of a question to an actor on the loop, from the loop."""
    echo = PooledEcho.start()
    times = []
    for number in range(ASKS):
        began = time.perf_counter()
        await echo.ask(number, block=False)
        times.append(time.perf_counter() - began)
    await stop_pooled()
    return statistics.median(times) * 1e6


class InstantStore:
    """Takes every append at once, so that what is left is the actor's own cost."""

    def append_then(
        self,
        stream: str,
        expected: int,
        events: Sequence[Event],
        done: Callable[[Appended | Exception], None],
        **_: Any,
    ) -> None:
        """Durable without doing anything."""
        last = expected + len(events)
        appended = Appended(
            stream=stream,
            first_version=expected + 1,
            last_version=last,
            last_position=last + 1,
            envelopes=(),
        )
        asyncio.get_running_loop().call_soon(done, appended)


class Tally(PersistentActor[int]):
    """Counts its commands."""

    def initial(self) -> int:
        """None yet."""
        return 0

    def evolve(self, state: int, event: Event) -> int:
        """One more."""
        return state + 1

    def decide(self, state: int, command: ModelAnswered) -> Sequence[Event]:
        """Every command is an event."""
        return (command,)


async def command_cost() -> float:
    """Microseconds of an actor's own time for a command, store and NATS left out."""
    tally = Tally.start(cast(EventStore, InstantStore()), "agent-bench.0", fresh=True)
    fact = ModelAnswered(turn=0, attempt=0, request_hash="", text="")
    began = time.perf_counter()
    for _ in range(COMMANDS - 1):
        tally.tell(fact)
    await tally.ask(fact, block=False)
    taken = time.perf_counter() - began
    await stop_pooled()
    return taken / COMMANDS * 1e6


class Compared(NamedTuple):
    """Medians of several rounds, and the smallest and largest ratio of ours to the peer's."""

    ours: float
    peer: float
    least: float
    most: float

    @property
    def ratio(self) -> float:
        """Ours in relation to the peer's."""
        return self.ours / self.peer

    @property
    def times(self) -> str:
        """The ratio with its spread."""
        return f"{self.ratio:.1f}, {self.least:.1f} to {self.most:.1f}"


def compared(ours: Callable[[], Coroutine[Any, Any, float]], peer: Callable[[], float]) -> Compared:
    """Measure both in turns."""
    rounds = [(run(ours()), peer()) for _ in range(ROUNDS)]
    ratios = [here / there for here, there in rounds]
    return Compared(
        statistics.median(here for here, _ in rounds),
        statistics.median(there for _, there in rounds),
        min(ratios),
        max(ratios),
    )


def rows() -> list[Row]:
    """Everything, measured now."""
    logging.disable(logging.CRITICAL)
    peer_memory, memory = threaded_memory(), run(pooled_memory())
    starts = compared(pooled_starts, threaded_starts)
    tells = compared(pooled_tells, threaded_tells)
    asks = compared(pooled_ask, threaded_ask)
    command = statistics.median(run(command_cost()) for _ in range(ROUNDS))
    return [
        Row(
            f"memory of {POOLED_IDLE:,} idle actors, each",
            f"{memory:.2f} KiB",
            f"a thread each: {peer_memory:.1f} KiB",
            "≤ 3 KiB",
            memory <= 3,
        ),
        Row(
            "actors created in a second",
            f"{starts.ours:,.0f}",
            f"a thread each: {starts.peer:,.0f}",
            f"≥ 20 × ({starts.times})",
            starts.ratio >= 20,
        ),
        Row(
            "tell, one to one, in a second",
            f"{tells.ours:,.0f}",
            f"a thread each: {tells.peer:,.0f}",
            f"≥ 2 × ({tells.times})",
            tells.ratio >= 2,
        ),
        Row(
            "ask on the loop, median",
            f"{asks.ours:.1f} µs",
            f"a thread each: {asks.peer:.1f} µs",
            f"no slower ({asks.times})",
            asks.ratio <= 1,
        ),
        Row(
            "a persistent actor's own cost of a command",
            f"{command:.1f} µs",
            "",
            "≤ 30 µs",
            command <= 30,
        ),
    ]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
