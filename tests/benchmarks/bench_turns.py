"""A turn, the whole path: observation, action and event over NATS, everything stored durably.

python -m tests.benchmarks.bench_turns
"""

import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import uvloop

from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.social.rehearsal import RehearsalMind
from events.ids import EPISODE, new_id
from gateway.process.worker_node import WorkerNode
from tests.benchmarks import bench_nats
from tests.benchmarks.episodes import LineMind, on_worker_node, play_all, started
from tests.benchmarks.shares import shares_of_cpu
from tests.benchmarks.table import Row

EPISODES, TURNS, AT_ONCE = 600, 20, 300
ROUNDS = 3


async def turns_per_second(bench: WorkerNode, mind: Callable[[], object]) -> tuple[float, float]:
    """Turns a second, and microseconds of this process's CPU a turn, warmed up."""
    bench.episodes.make_mind = lambda *_: mind()
    await play_all(bench, _ids(20), lambda _: started(TURNS), 20)
    head = bench.store.head()
    wall, cpu = time.perf_counter(), time.process_time()
    await play_all(bench, _ids(EPISODES), lambda _: started(TURNS), AT_ONCE)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    # Minds that leave play fewer turns than they may.
    played = len(bench.store.read_all(head, tags=["ActionTaken"], limit=EPISODES * TURNS))
    return played / wall, 1e6 * cpu / played


async def breakdown(bench: WorkerNode) -> list[Row]:
    """Where the loop's CPU goes."""
    bench.episodes.make_mind = lambda *_: LineMind()
    with shares_of_cpu("a turn") as table:
        await play_all(bench, _ids(100), lambda _: started(TURNS), 100)
    return table


async def cost_of_late_turns(bench: WorkerNode) -> tuple[float, float]:
    """Microseconds of CPU a turn costs about turn 10 and about turn 1,000 of the same episodes."""
    bench.episodes.make_mind = lambda *_: LineMind()
    ids, marks = _ids(40), [5, 55, 950, 1000]
    clock: dict[int, float] = {}
    reached: Counter[int] = Counter()

    def witness(_: str, state: object) -> None:
        turn = getattr(state, "turn", 0)
        if turn in marks and len(getattr(state, "waiting", ())) == 1:
            reached[turn] += 1
            if reached[turn] == len(ids):
                clock[turn] = time.process_time()

    bench.episodes.witness = witness
    await play_all(bench, ids, lambda _: started(1001), len(ids))
    early, late = (clock[b] - clock[a] for a, b in (marks[:2], marks[2:]))
    return 1e6 * early / (50 * len(ids)), 1e6 * late / (50 * len(ids))


def nats_alone() -> float:
    """Microseconds of CPU for a turn's three messages and nothing else."""
    with (
        tempfile.TemporaryDirectory() as data,
        EmbeddedNats(Path(data)) as server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(bench_nats.turns(server))[0].value


def rows() -> list[Row]:
    """The table."""
    limit = nats_alone()
    rate, cpu = on_worker_node(lambda bench: turns_per_second(bench, LineMind))
    rehearsal, rehearsal_cpu = on_worker_node(
        lambda bench: turns_per_second(bench, lambda: RehearsalMind("generous"))
    )
    rounds = [on_worker_node(cost_of_late_turns) for _ in range(ROUNDS)]
    early, late = (statistics.median(each) for each in zip(*rounds, strict=True))
    return [
        Row(
            "a turn, whole path, no-latency mind",
            f"{rate:,.0f}/s, {cpu:.0f} µs CPU",
            f"NATS alone: {limit:.0f} µs CPU",
            "≥ 4,000/s",
            rate >= 4000,
        ),
        Row("the same, rehearsal minds", f"{rehearsal:,.0f}/s, {rehearsal_cpu:.0f} µs CPU"),
        Row(
            "a turn's cost at turn 1,000",
            f"{late:.0f} µs CPU",
            f"at turn 10: {early:.0f} µs",
            "within 25 %",
            late <= 1.25 * early,
        ),
        *on_worker_node(breakdown),
    ]


def _ids(number: int) -> list[str]:
    return [new_id(EPISODE) for _ in range(number)]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
