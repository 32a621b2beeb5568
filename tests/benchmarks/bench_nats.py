"""What NATS costs: `python -m tests.benchmarks.bench_nats` prints the figures.

Everything runs in this process against one embedded server, on the loop the application uses.
CPU is this process's; the server has its own.
"""

import asyncio
import gc
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import nats
import psutil
import uvloop
from nats.aio.msg import Msg

from actors.episodes.delivery.wire import wire_of
from actors.runtime.bus.nats_bus import Bus, Received
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.social.actions import Action
from actors.social.views import SeenAction
from events.serialization.codec import decode_command, encode
from events.wire import subjects
from events.wire.messages import Observation, TakeAction
from tests.benchmarks.table import Row

SPACE, PLAIN = "bench", "plain"


class Figure(NamedTuple):
    """Something measured that has no goal of its own."""

    what: str
    value: float
    unit: str

    @property
    def row(self) -> Row:
        """As a line of the table."""
        return Row(self.what, f"{self.value:,.1f} {self.unit}")


def observation(turn: int) -> Observation:
    seen = SeenAction(number=turn, turn=turn, seat=1, label="Ada", kind="speak", text="x" * 120)
    return Observation(episode="e1", seat=0, turn=turn, news=(seen,))


def action(turn: int) -> TakeAction:
    return TakeAction(seat=0, turn=turn, action=Action(kind="speak", text="x" * 120))


EVENT = b"e" * 400


async def turns(server: EmbeddedNats, total: int = 40_000, episodes: int = 200) -> list[Figure]:
    """Observation to a seat, TakeAction back, event out; everything encoded and decoded."""
    bus = await Bus.connect(server.url, token=server.token, space=SPACE)
    done, taken, over = asyncio.Event(), 0, 0

    def play(number: int) -> None:
        seat = subjects.seat(SPACE, f"e{number}", 0)
        command = subjects.command(SPACE, "episode", f"e{number}")
        event = subjects.event(SPACE, "episode", f"e{number}")

        def observed(message: Received) -> None:
            bus.publish(
                command, encode(action(wire_of("social").decode_seat_message(message.data).turn))
            )

        def commanded(message: Received) -> None:
            nonlocal taken
            turn = decode_command(message.data).turn + 1
            bus.publish(event, EVENT)
            taken += 1
            if taken + episodes <= total:
                bus.publish(seat, encode(observation(turn)))

        def announced(_: Received) -> None:
            nonlocal over
            over += 1
            if over == total:
                done.set()

        bus.subscribe_now(seat, observed)
        bus.subscribe_now(command, commanded)
        bus.subscribe_now(event, announced)

    for number in range(episodes):
        play(number)
    await bus.flush()
    cpu, wall = time.process_time(), time.perf_counter()
    for number in range(episodes):
        bus.publish(subjects.seat(SPACE, f"e{number}", 0), encode(observation(0)))
    await done.wait()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await bus.close()
    return [
        Figure(f"a turn's traffic, {episodes} episodes: CPU", cpu / total * 1e6, "µs"),
        Figure("  rate", total / wall, "turns/s"),
    ]


async def plain_turns(
    server: EmbeddedNats, total: int = 20_000, episodes: int = 200
) -> list[Figure]:
    """The same through nats-py's own publish and as many of its subscriptions."""
    client = await nats.connect(server.url, token=server.token)
    done, taken, over = asyncio.Event(), 0, 0

    async def play(number: int) -> None:
        seat = subjects.seat(PLAIN, f"e{number}", 0)
        command = subjects.command(PLAIN, "episode", f"e{number}")
        event = subjects.event(PLAIN, "episode", f"e{number}")

        async def observed(message: Msg) -> None:
            await client.publish(
                command, encode(action(wire_of("social").decode_seat_message(message.data).turn))
            )

        async def commanded(message: Msg) -> None:
            nonlocal taken
            turn = decode_command(message.data).turn + 1
            await client.publish(event, EVENT)
            taken += 1
            if taken + episodes <= total:
                await client.publish(seat, encode(observation(turn)))

        async def announced(_: Msg) -> None:
            nonlocal over
            over += 1
            if over == total:
                done.set()

        await client.subscribe(seat, cb=observed)
        await client.subscribe(command, cb=commanded)
        await client.subscribe(event, cb=announced)

    for number in range(episodes):
        await play(number)
    await client.flush()
    cpu, wall = time.process_time(), time.perf_counter()
    for number in range(episodes):
        await client.publish(subjects.seat(PLAIN, f"e{number}", 0), encode(observation(0)))
    await done.wait()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await client.close()
    return [
        Figure("  with nats-py's own subscriptions: CPU", cpu / total * 1e6, "µs"),
        Figure("  with nats-py's own subscriptions: rate", total / wall, "turns/s"),
    ]


async def plain_subscriptions(server: EmbeddedNats, count: int = 30_000) -> list[Figure]:
    """Memory and time of many of nats-py's own subscriptions."""
    client = await nats.connect(server.url, token=server.token)
    process = psutil.Process()

    async def handler(_: Msg) -> None:
        raise AssertionError("nothing is published")

    gc.collect()
    before, start = process.memory_info().rss, time.perf_counter()
    for number in range(count):
        await client.subscribe(subjects.seat(PLAIN, f"e{number:012d}", 1), cb=handler)
    await client.flush()
    made = time.perf_counter() - start
    gc.collect()
    here = (process.memory_info().rss - before) / count / 1024
    await client.close()
    return [
        Figure("nats-py's own, each: memory here", here, "KiB"),
        Figure("  subscribe", count / made, "/s"),
    ]


async def subscriptions(server: EmbeddedNats, count: int = 30_000) -> list[Figure]:
    """Memory and time of many subscriptions."""
    bus = await Bus.connect(server.url, token=server.token, space=SPACE)
    process = psutil.Process()
    (watchdog,) = process.children()
    (server_process,) = watchdog.children()

    def handler(_: Received) -> None:
        raise AssertionError("nothing is published")

    gc.collect()
    before, there = process.memory_info().rss, server_process.memory_info().rss
    start = time.perf_counter()
    names = (subjects.seat(SPACE, f"e{number:012d}", 1) for number in range(count))
    held = [await bus.subscribe(name, handler) for name in names]
    await bus.flush()
    made = time.perf_counter() - start
    gc.collect()
    here = (process.memory_info().rss - before) / count / 1024
    there = (server_process.memory_info().rss - there) / count / 1024
    start = time.perf_counter()
    for subscribed in held:
        subscribed.unsubscribe()
    await bus.flush()
    gone = time.perf_counter() - start
    await bus.close()
    return [
        Figure(f"{count:,} subscriptions, each: memory here", here, "KiB"),
        Figure("  memory in the server", there, "KiB"),
        Figure("subscribe", count / made, "/s"),
        Figure("unsubscribe", count / gone, "/s"),
    ]


async def latency(server: EmbeddedNats, rate: int = 1000, seconds: int = 4) -> list[Figure]:
    """From publish to handler, two connections, at a steady rate."""
    sending = await Bus.connect(server.url, token=server.token, space=SPACE)
    hearing = await Bus.connect(server.url, token=server.token, space=SPACE)
    delays: list[float] = []
    clock = time.perf_counter
    await hearing.subscribe("late", lambda m: delays.append(clock() - float(m.data)))
    await hearing.flush()
    start = clock()
    for number in range(rate * seconds):
        await asyncio.sleep(start + number / rate - clock())
        sending.publish("late", repr(clock()).encode())
    await sending.flush()
    await hearing.flush()
    await asyncio.gather(sending.close(), hearing.close())
    delays.sort()
    return [
        Figure(f"publish to handler at {rate:,}/s: median", delays[len(delays) // 2] * 1e3, "ms"),
        Figure(
            f"publish to handler at {rate:,}/s: p99", delays[len(delays) * 99 // 100] * 1e3, "ms"
        ),
    ]


def rows() -> Iterator[Row]:
    """The table."""
    with (
        tempfile.TemporaryDirectory() as data,
        EmbeddedNats(Path(data)) as server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        # Memory first: later it would come out of what others have left free.
        parts: tuple[Callable, ...] = (
            subscriptions,
            plain_subscriptions,
            turns,
            plain_turns,
            latency,
        )
        for part in parts:
            for figure in runner.run(part(server)):
                yield figure.row


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
