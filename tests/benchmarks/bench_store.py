"""What the store costs: `python -m tests.benchmarks.bench_store` prints the figures beside raw
drivers and `eventsourcing`, measured in turns in the same run.

`--events N` sets how many events the large store of the growth figures has.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from actors.social.actions import Action
from events.base import Event
from events.episode import ActionTaken
from events.serialization.codec import encode, event_of
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from tests.benchmarks import store_peers
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row
from tests.support.servers.postgres_server import start_postgres

ROUNDS = 25
SLICE_S = 0.05
ACTORS = 256
REBUILT = 5_000
REBUILT_PER_S = 300_000
TEXT = "x" * 220
GROWN, SMALL = 2_000_000, 20_000
STREAM = 100
"""Events of one stream in the growth figures."""

Work = Callable[[], float]
"""Works for about ``SLICE_S`` and returns events per second."""


def row(what: str, ours: float, peer: str, theirs: float, at_least: float | None = None) -> Row:
    """A line that compares events per second."""
    ratio = ours / theirs
    if at_least is None:
        return Row(what, f"{ours:,.0f}/s", f"{peer} {theirs:,.0f}/s", f"{ratio:.2f} ×")
    goal = f"{ratio:.2f} × (≥ {at_least:g} ×)"
    return Row(what, f"{ours:,.0f}/s", f"{peer} {theirs:,.0f}/s", goal, ratio >= at_least)


def action(turn: int) -> ActionTaken:
    """An event of about 300 bytes."""
    return ActionTaken(turn=turn, seat=0, action=Action(kind="speak", text=TEXT))


def in_turns(*works: Work) -> list[float]:
    """The speed of each that one slice in five reaches, which is one that little else disturbed.

    They take turns, so that all meet the same disturbances.
    """
    speeds: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(ROUNDS):
        for number, work in enumerate(works):
            speeds[number].append(work())
    return [statistics.quantiles(each, n=5)[-1] for each in speeds]


def appending(store: EventStore, batch: int) -> Work:
    """Blocking appends to one stream; events are made beforehand, encoding is measured."""
    version = NEW
    events: list[Event] = [action(turn) for turn in range(batch)]

    def work() -> float:
        nonlocal version
        stored, began = 0, time.perf_counter()
        while (spent := time.perf_counter() - began) < SLICE_S:
            version = store.append(
                f"episode-{batch}", version, events, correlation="r1"
            ).last_version
            stored += batch
        return stored / spent

    return work


def inserting(make: Callable[[int], Any], insert: Callable[[Any], object], batch: int) -> Work:
    """A peer; making the rows is not measured."""

    def work() -> float:
        stored, spent = 0, 0.0
        while spent < SLICE_S:
            rows = make(batch)
            began = time.perf_counter()
            insert(rows)
            spent += time.perf_counter() - began
            stored += batch
        return stored / spent

    return work


def acting(store: EventStore) -> Work:
    """``ACTORS`` tasks that append one event each, over and over."""
    versions = [NEW] * ACTORS

    async def actors() -> float:
        began = time.perf_counter()
        counts = await asyncio.gather(*(actor(n, began + SLICE_S * 8) for n in range(ACTORS)))
        return sum(counts) / (time.perf_counter() - began)

    async def actor(number: int, until: float) -> int:
        stored = 0
        while time.perf_counter() < until:
            appended = await store.append_soon(
                f"actor-{number}", versions[number], [action(stored)], correlation="r1"
            )
            versions[number] = appended.last_version
            stored += 1
        return stored

    return lambda: uvloop.run(actors())


def sqlite_rows(folder: Path) -> Iterator[Row]:
    payload = encode(action(1))
    with closing(open_store(f"sqlite:///{folder}/ours.db")) as store:
        raw_rows, raw = store_peers.raw_sqlite(folder / "raw.db", payload)
        library = store_peers.Saving(folder / "theirs.db", TEXT)
        for batch in (1, 10, 100):
            ours, plain, theirs = in_turns(
                appending(store, batch),
                inserting(raw_rows.take, raw, batch),
                inserting(library.act, library.save, batch),
            )
            yield row(f"append, SQLite FULL, batch {batch}", ours, "sqlite3", plain, 0.8)
            yield row("", ours, "eventsourcing", theirs, 1)
        ours, plain = in_turns(acting(store), inserting(raw_rows.take, raw, 1))
        yield row(f"{ACTORS} actors, one event each", ours, "sqlite3, batch 1,", plain, 5)


def postgresql_rows(url: str) -> Iterator[Row]:
    payload = encode(action(1))
    with closing(open_store(url)) as store:
        peer = {}
        for copy, database in ((False, "peer_insert"), (True, "peer_copy")):
            with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as admin:
                admin.exec_driver_sql(f"CREATE DATABASE {database}")
            peer_url = url.replace("/postgres?", f"/{database}?")
            peer[copy] = store_peers.raw_postgresql(peer_url, payload, copy)
        (insert_rows, insert), (copy_rows, copy_in) = peer[False], peer[True]
        for batch in (1, 10, 100):
            ours, inserted, copied = in_turns(
                appending(store, batch),
                inserting(insert_rows.take, insert, batch),
                inserting(copy_rows.take, copy_in, batch),
            )
            goal = 0.5 if batch > 1 else None
            yield row(f"append, PostgreSQL, batch {batch}", ours, "psycopg", inserted, goal)
            yield row("", ours, "psycopg, binary COPY", copied, goal)
        many, single = in_turns(acting(store), inserting(insert_rows.take, insert, 1))
        yield row(f"{ACTORS} actors, one event each", many, "psycopg, batch 1", single, 8)


class Played(msgspec.Struct, frozen=True):
    """The state of the rebuild figures."""

    turn: int = 0
    spoken: int = 0


def evolve(state: Played, event: Event) -> Played:
    """The fold that is measured."""
    if isinstance(event, ActionTaken):
        return Played(event.turn, state.spoken + (event.action.kind == "speak"))
    return state


def rebuild_rows(folder: Path) -> Iterator[Row]:
    library = store_peers.Saving(folder / "aggregate.db", TEXT)
    library.act(REBUILT)
    library.save(None)
    with closing(open_store(f"sqlite:///{folder}/rebuild.db", durable=False)) as store:
        store.append("episode-a", NEW, [action(turn) for turn in range(1, REBUILT + 1)])

        def rebuild() -> int:
            state = Played()
            for envelope in store.read("episode-a"):
                state = evolve(state, event_of(envelope))
            return state.turn

        ours, theirs = in_turns(_rebuilding(rebuild), _rebuilding(library.rebuild))
        yield row("rebuild state from the log", ours, "eventsourcing", theirs, 5)
        most = round(REBUILT_PER_S * machine_speed())
        yield row("", ours, f"a goal of {REBUILT_PER_S:,}/s at speed 1.0, here", most, 1)


def _rebuilding(rebuild: Callable[[], int]) -> Work:
    def work() -> float:
        began = time.perf_counter()
        assert rebuild() == REBUILT
        return REBUILT / (time.perf_counter() - began)

    return work


def growth_rows(folder: Path, events: int) -> Iterator[Row]:
    """Without the wait for the disk, which would hide what grows."""
    with (
        closing(open_store(f"sqlite:///{folder}/large.db", durable=False)) as large,
        closing(open_store(f"sqlite:///{folder}/small.db", durable=False)) as small,
    ):
        for store, count in ((small, SMALL), (large, events)):
            _fill(store, count)
        for batch in (1, 10):
            at_large, at_small = in_turns(
                _appending_to_some(large, batch), _appending_to_some(small, batch)
            )
            what = f"append, batch {batch}, at {events:,} events"
            yield row(what, at_large, f"at {SMALL:,}", at_small, 0.8)
        at_large, at_small = in_turns(_reading_some(large, events), _reading_some(small, SMALL))
        yield row(f"read a stream, at {events:,} events", at_large, f"at {SMALL:,}", at_small, 0.8)


def _fill(store: EventStore, events: int) -> None:
    """Streams of ``STREAM`` events, written side by side, so that each is spread out."""
    at_once, batch = 50, 10

    async def fill() -> None:
        for first in range(0, events // STREAM, at_once):
            for version in range(NEW, STREAM - 1, batch):
                happenings = [action(version + n) for n in range(1, batch + 1)]
                await asyncio.gather(
                    *(
                        store.append_soon(f"episode-{stream}", version, happenings)
                        for stream in range(first, first + at_once)
                    )
                )

    uvloop.run(fill())
    assert store.head() == events


def _appending_to_some(store: EventStore, batch: int) -> Work:
    """To a hundred new streams in turn."""
    versions = dict.fromkeys((f"new-{batch}-{number}" for number in range(100)), NEW)
    events: list[Event] = [action(turn) for turn in range(batch)]

    def work() -> float:
        stored, began = 0, time.perf_counter()
        while (spent := time.perf_counter() - began) < SLICE_S:
            for stream, version in versions.items():
                versions[stream] = store.append(stream, version, events).last_version
            stored += batch * len(versions)
        return stored / spent

    return work


def _reading_some(store: EventStore, events: int) -> Work:
    """Some streams of the whole store, over and over."""
    streams = range(0, events // STREAM, max(1, events // STREAM // 200))

    def work() -> float:
        read, began = 0, time.perf_counter()
        for number in streams:
            read += len(store.read(f"episode-{number}"))
        return read / (time.perf_counter() - began)

    return work


@contextmanager
def postgresql() -> Iterator[str]:
    """A server of the bench's own, with its usual settings."""
    server = start_postgres(f"bench-{time.time_ns():x}")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def rows(events: int = GROWN) -> Iterator[Row]:
    """The whole table; the growth figures at so many events."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as folder:
        yield from sqlite_rows(Path(folder))
        yield from rebuild_rows(Path(folder))
        with postgresql() as url:
            yield from postgresql_rows(url)
        yield from growth_rows(Path(folder), events)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=GROWN)
    events = arguments.parse_args().events
    for line in rows(events):
        print(line, flush=True)


if __name__ == "__main__":
    main()
