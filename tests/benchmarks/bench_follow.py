"""How late a subscriber hears of what was stored: appended, announced over NATS, and heard on
another connection, at a steady thousand events a second.

An append waits for the transaction under way, which it may not join, and then for its own: for the
disk up to twice. So what the disk alone takes stands beside it, measured right before and after.

    python -m tests.benchmarks.bench_follow
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy.engine import make_url

from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.nats_bus import Bus, Received
from actors.social.actions import Action
from events.base import Envelope, Event
from events.episode import ActionTaken
from events.serialization.codec import decode_envelope, encode
from events.wire import subjects
from gateway.process.worker_node import WorkerNode
from store.log.event_store import EventStore
from tests.benchmarks import bench_nats
from tests.benchmarks.episodes import LINE, on_worker_node
from tests.benchmarks.table import Row

RATE = 1000
"""Events a second."""
SECONDS = 5
EPISODES = 50
LATEST_MS = 20
SYNCED, SYNCED_BYTES, PAUSE_S = 200, 32_768, 0.005
"""Waits for the disk that are measured alone, each after as many bytes as a transaction of a few
events writes, and what lies between two."""

Key = tuple[str, int]
"""Stream and version."""


class Clocks:
    """When each event was handed in, known to be stored, and heard."""

    def __init__(self) -> None:
        self.appended: dict[Key, float] = {}
        self.stored: dict[Key, float] = {}
        self.heard: dict[Key, float] = {}

    def late_ms(self, since: dict[Key, float], share: float) -> float:
        """The lateness that such a share of the events does not exceed, in milliseconds."""
        late = sorted(at - since[key] for key, at in self.heard.items())
        return 1e3 * late[min(len(late) - 1, int(share * len(late)))]


class Teller(PersistentActor[int]):
    """Appends what it is told and announces it, as an episode does."""

    def __init__(self, store: EventStore, bus: Bus, episode: str, clocks: Clocks) -> None:
        super().__init__(store, subjects.stream_name("episode", episode), fresh=True)
        self.bus, self.clocks = bus, clocks
        self.subject = subjects.event(bus.space, "episode", episode)

    def initial(self) -> int:
        """Nothing told yet."""
        return 0

    def evolve(self, state: int, event: Event) -> int:
        """One more."""
        return state + 1

    def decide(self, state: int, command: ActionTaken) -> Sequence[Event]:
        """Every command is an event."""
        self.clocks.appended[self.stream, self.version + 1] = time.perf_counter()
        return (command,)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """To whoever listens; the first thing that happens once the events are stored."""
        now = time.perf_counter()
        for envelope in envelopes:
            self.clocks.stored[envelope.stream, envelope.version] = now
            self.bus.publish(self.subject, encode(envelope))


class Lateness(NamedTuple):
    """Milliseconds."""

    since_stored: float
    since_stored_p50: float
    since_appended: float
    nats_alone: float
    disk_alone: float


def disk_waits(folder: Path) -> list[float]:
    """What it takes to write a few pages and to wait until they are on disk, in milliseconds."""
    taken, page = [], bytes(SYNCED_BYTES)
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCED):
            time.sleep(PAUSE_S)
            began = time.perf_counter()
            file.write(page)
            file.flush()
            os.fdatasync(file.fileno())
            taken.append(1e3 * (time.perf_counter() - began))
    return taken


async def follow(bench: WorkerNode) -> Lateness:
    """99 of 100 events are heard within these times."""
    clocks, total = Clocks(), RATE * SECONDS
    folder = Path(make_url(bench.store.url).database or "").parent
    waits = await asyncio.to_thread(disk_waits, folder)
    assert bench.nats is not None
    nats = await bench_nats.latency(bench.nats, RATE, 2)
    hearing = await Bus.connect(bench.nats.url, token=bench.nats.token, space=bench.bus.space)
    all_heard = asyncio.Event()

    def hear(message: Received) -> None:
        envelope = decode_envelope(message.data)
        clocks.heard[envelope.stream, envelope.version] = time.perf_counter()
        if len(clocks.heard) == total:
            all_heard.set()

    await hearing.subscribe(subjects.all_events(bench.bus.space, "episode"), hear)
    await hearing.flush()
    tellers = [
        Teller.start(bench.store, bench.bus, f"e{number}", clocks) for number in range(EPISODES)
    ]
    fact = ActionTaken(turn=1, seat=0, action=Action(kind="speak", text=LINE))
    begun = time.perf_counter()
    for number in range(total):
        await asyncio.sleep(begun + number / RATE - time.perf_counter())
        tellers[number % EPISODES].tell(msgspec.structs.replace(fact, turn=number))
    await all_heard.wait()
    for teller in tellers:
        await teller.stop(block=False)
    await hearing.close()
    waits += await asyncio.to_thread(disk_waits, folder)
    return Lateness(
        clocks.late_ms(clocks.stored, 0.99),
        clocks.late_ms(clocks.stored, 0.5),
        clocks.late_ms(clocks.appended, 0.99),
        nats[1].value,
        sorted(waits)[int(0.99 * len(waits))],
    )


def rows() -> list[Row]:
    """The table."""
    late = on_worker_node(follow)
    return [
        Row(
            f"commit to a subscriber at {RATE:,}/s, p99",
            f"{late.since_stored:.1f} ms",
            f"NATS alone: {late.nats_alone:.1f} ms",
            f"≤ {LATEST_MS} ms",
            late.since_stored <= LATEST_MS,
        ),
        Row("  median", f"{late.since_stored_p50:.1f} ms"),
        Row(
            "  from the call of append, p99",
            f"{late.since_appended:.1f} ms",
            f"the disk alone: {late.disk_alone:.1f} ms",
            f"≤ {LATEST_MS} ms",
            late.since_appended <= LATEST_MS,
        ),
    ]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
