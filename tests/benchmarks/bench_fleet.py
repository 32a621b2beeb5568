"""Several workers on one PostgreSQL and one NATS: what a second one brings, and how soon the
episodes of one that was killed go on.

    python -m tests.benchmarks.bench_fleet

All processes share this machine, so its cores are a limit that a fleet of machines does not have:
the CPU that was used stands beside the figure.
"""

import asyncio
import math
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil

from actors.runs.execution.coordinator import Work, carry_out, end_run
from actors.runs.state import load_run
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue
from events.episode import ActionTaken, EpisodeStarted
from events.ids import new_id
from gateway.services.runs.plan_run import prepare, record_run
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.benchmarks.stub import Stub, stub_server
from tests.benchmarks.table import Row
from tests.faults.chaos.checks import read_round
from tests.faults.chaos.faults import kill_worker
from tests.faults.chaos.fleet import ACK_WAIT_S, Fleet, fleet_in
from tests.faults.chaos.recovery import recoveries
from tests.faults.chaos.signing import KEY_VARIABLE
from tests.faults.process import Troupe
from tests.support.runs import model_minds, plan, record, state_of
from tests.support.servers.postgres_server import start_postgres

LATENCY_S = 0.5
"""Of the model, in seconds."""
AT_ONCE = 100
"""Episodes that a worker plays at once."""
WAVES = 4
"""How many times so many each worker plays."""
TASKS, TURNS = 20, 8
BEGAN, PLAYED = EpisodeStarted.__name__, ActionTaken.__name__
ROUNDS = 3
GOAL = 1.9

KILLS = 6
KILLED_TASKS, KILLED_TURNS, KILLED_LATENCY_S = 50, 12, 0.3
LATE_S = 3.0
"""How much longer than the ack wait it may take until an episode goes on."""


class Shared(msgspec.Struct, frozen=True):
    """What workers share."""

    folder: Path
    server: EmbeddedNats
    database_url: str
    stub: Stub

    def machine(self, space: str, number: int) -> Troupe:
        """Where a worker runs."""
        return Troupe(
            self.folder / f"{space}-{number}",
            TROUPE_NATS_URL=self.server.url,
            TROUPE_NATS_TOKEN=self.server.token,
            TROUPE_SPACE=space,
            TROUPE_DATABASE_URL=self.database_url,
            TROUPE_EPISODES_AT_ONCE=str(AT_ONCE),
            STUB_KEY=space,
        )


class Pace(msgspec.Struct, frozen=True):
    """How fast some workers were."""

    rate: float
    """Episodes a second."""
    cpu: float
    """Cores that a worker was busy with, on average."""
    busy: float
    """The share of the whole machine's CPU that anybody used."""


async def pace(shared: Shared, store: EventStore, workers: int) -> Pace:
    """Have so many workers play ``WAVES`` times what they can play at once."""
    space = new_id("b")
    bus = await Bus.connect(shared.server.url, token=shared.server.token, space=space)
    jobs = JobQueue(bus)
    await jobs.ensure()
    processes = [
        await shared.machine(space, number).start("worker", "--port", "0")
        for number in range(workers)
    ]
    try:
        while len(await jobs.fleet()) < workers:
            pass  # asking takes a while by itself
        watched = [psutil.Process(one.process.pid) for one in processes]
        minds = model_minds(shared.stub.url, max_concurrency=2 * AT_ONCE)
        text = plan(
            f'{minds}\napi_key_env = "STUB_KEY"',
            tasks=TASKS,
            repeats=workers * WAVES * AT_ONCE // TASKS,
            concurrency=1000,
            rules=f"turn_cap = {TURNS}\nstale_turns = 0",
        )
        run = record(store, shared.folder, text)
        work = Work.of(run, state_of(store, run))
        head, start = store.head(), time.perf_counter()
        psutil.cpu_percent()
        before = sum(_cpu_s(one) for one in watched)
        progress = await carry_out(
            store, jobs, work, stop=asyncio.Event(), on_progress=lambda _: None
        )
        busy = psutil.cpu_percent() / 100
        cpu_s = sum(_cpu_s(one) for one in watched) - before
        end_run(store, run, progress)
        seconds = time.perf_counter() - start
    finally:
        for one in processes:
            await one.stop()
        await bus.close()
    assert {row.status for row in queries.episodes(store, run=run)} == {"ended"}
    return Pace(_steady_rate(store, head), cpu_s / workers / seconds, busy)


def _steady_rate(store: EventStore, after: int) -> float:
    """Episodes a second as long as others waited to begin, in turns played: towards the end
    places are empty, and episodes that began together end together."""
    at: dict[str, list[int]] = {}
    while batch := store.read_all(after, tags=(BEGAN, PLAYED), limit=10_000):
        after = batch[-1].position
        for envelope in batch:
            at.setdefault(envelope.tag, []).append(envelope.recorded_at)
    first, last = min(at[PLAYED]), max(at[BEGAN])
    played = sum(first <= moment <= last for moment in at[PLAYED])
    return played / TURNS / ((last - first) / 1e6)


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def two_against_one() -> Iterator[Row]:
    """The same for each worker: does the second one double what is done?"""
    postgres = start_postgres(uuid.uuid4().hex[:16])
    try:
        with (
            tempfile.TemporaryDirectory() as data,
            EmbeddedNats(Path(data)) as server,
            stub_server(LATENCY_S) as stub,
        ):
            shared = Shared(Path(data), server, postgres.get_uri(), stub)
            store = open_store(shared.database_url)
            try:
                rounds = [
                    [asyncio.run(pace(shared, store, workers)) for workers in (1, 2)]
                    for _ in range(ROUNDS)
                ]
            finally:
                store.close()
    finally:
        postgres.cleanup()
    rounds.sort(key=lambda paces: paces[1].rate / paces[0].rate)
    one, two = rounds[ROUNDS // 2]  # the median
    ideal = AT_ONCE / (TURNS * LATENCY_S)
    yield Row(
        f"one worker, {AT_ONCE} episodes at once, model of {LATENCY_S:g} s",
        f"{one.rate:.1f} episodes/s",
        f"ideal: {ideal:.1f}; {one.cpu:.0%} of a core",
    )
    yield Row(
        "two workers",
        f"{two.rate:.1f} episodes/s, {two.rate / one.rate:.2f} ×",
        f"{two.cpu:.0%} of a core each; machine {two.busy:.0%} busy",
        f"≥ {GOAL} × one worker",
        two.rate >= GOAL * one.rate,
    )


async def after_kills(folder: Path) -> list[float]:
    """Seconds from each ``kill -9`` of a worker to the next event of each of its episodes."""
    found: list[float] = []
    async with fleet_in(folder, KILLED_LATENCY_S) as fleet:
        for seed in range(KILLS):
            found += await _after_kill(fleet, random.Random(seed))
            await fleet.heal()
    return found


async def _after_kill(fleet: Fleet, draw: random.Random) -> list[float]:
    store = fleet.store
    after = await asyncio.to_thread(store.head)
    fleet.stub.asked.clear()
    path = fleet.folder / "plan.toml"
    # No two episodes may ask the same: it is by the question that it is told who asked.
    minds = [
        model_minds(fleet.stub.url, temperature=temperature).replace("minds.stub", f"minds.{name}")
        + f'api_key_env = "{KEY_VARIABLE}"'
        for name, temperature in (("warm", 0.6), ("warmer", 0.8))
    ]
    path.write_text(
        plan(
            "\n".join(minds),
            tasks=KILLED_TASKS,
            pairings='"same"',
            concurrency=1000,
            rules=f"turn_cap = {KILLED_TURNS}\nstale_turns = 0",
        )
    )
    prepared = prepare(store, path)
    record_run(store, prepared, detached=True)
    calls = len(prepared.planned.episodes) * KILLED_TURNS
    moment = draw.uniform(0.2, 0.6) * calls
    while sum(asked.paid for asked in fleet.stub.asked) < moment:
        await asyncio.sleep(0.005)
    struck = await kill_worker(fleet, draw)
    while (state := await asyncio.to_thread(load_run, store, prepared.run)) is None or (
        state.status != "ended"
    ):
        await asyncio.sleep(0.1)
    told = read_round(store, prepared.run, after, list(fleet.stub.asked), ())
    return recoveries(store, told, struck)


def recovery() -> Iterator[Row]:
    """How soon the episodes of a killed worker go on elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        times = sorted(asyncio.run(after_kills(Path(folder))))
    p95 = times[math.ceil(0.95 * len(times)) - 1]
    yield Row(
        f"from a worker's kill -9 to its episodes' next event, ack wait {ACK_WAIT_S:g} s",
        f"p95 {p95:.2f} s",
        f"median {statistics.median(times):.2f} s; {len(times)} episodes, {KILLS} kills",
        f"p95 ≤ the ack wait + {LATE_S:g} s",
        p95 <= ACK_WAIT_S + LATE_S,
    )


def rows() -> Iterator[Row]:
    """The table."""
    yield from two_against_one()
    yield from recovery()


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
