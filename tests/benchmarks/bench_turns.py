"""A turn, the whole path: observation, action and event over NATS, everything stored durably.

python -m tests.benchmarks.bench_turns
"""

import asyncio
import cProfile
import pstats
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import uvloop

from actors.minds.rehearsal import RehearsalMind
from actors.runtime.nats_server import EmbeddedNats
from events.ids import EPISODE, new_id
from gateway.workbench import Workbench
from tests.benchmarks import bench_nats
from tests.benchmarks.episodes import LineMind, on_workbench, play_all, started
from tests.benchmarks.table import Row

EPISODES, TURNS, AT_ONCE = 600, 20, 300


async def turns_per_second(bench: Workbench, mind: Callable[[], object]) -> tuple[float, float]:
    """Turns a second, and microseconds of this process's CPU a turn, warmed up."""
    bench.company.minds.make = lambda *_: mind()  # type: ignore[method-assign,assignment]
    await play_all(bench, _ids(20), lambda _: started(TURNS), 20)
    head = bench.store.head()
    wall, cpu = time.perf_counter(), time.process_time()
    await play_all(bench, _ids(EPISODES), lambda _: started(TURNS), AT_ONCE)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    # Minds that leave play fewer turns than they may.
    played = len(bench.store.read_all(head, tags=["ActionTaken"], limit=EPISODES * TURNS))
    return played / wall, 1e6 * cpu / played


async def breakdown(bench: Workbench) -> list[tuple[str, float]]:
    """Where the loop's CPU goes, by part of the house, in per cent (under a profiler)."""
    bench.company.minds.make = lambda *_: LineMind()  # type: ignore[method-assign,assignment]
    profile = cProfile.Profile()
    profile.enable()
    await play_all(bench, _ids(100), lambda _: started(TURNS), 100)
    profile.disable()
    shares: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        shares[_part(file, name)] += own
    whole = sum(shares.values())
    return [(part, 100 * own / whole) for part, own in shares.most_common(12)]


async def cost_of_late_turns(bench: Workbench) -> tuple[float, float]:
    """Microseconds of CPU a turn costs about turn 10 and about turn 1,000 of the same episodes."""
    bench.company.minds.make = lambda *_: LineMind()  # type: ignore[method-assign,assignment]
    ids, marks = _ids(40), [5, 55, 950, 1000]
    clock: dict[int, float] = {}
    reached: Counter[int] = Counter()

    def witness(_: str, state: object) -> None:
        turn = getattr(state, "turn", 0)
        if turn in marks and len(getattr(state, "waiting", ())) == 1:
            reached[turn] += 1
            if reached[turn] == len(ids):
                clock[turn] = time.process_time()

    bench.company.witness = witness
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
    rate, cpu = on_workbench(lambda bench: turns_per_second(bench, LineMind))
    rehearsal, rehearsal_cpu = on_workbench(
        lambda bench: turns_per_second(bench, lambda: RehearsalMind("generous"))
    )
    early, late = on_workbench(cost_of_late_turns)
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
    ]


def _ids(number: int) -> list[str]:
    return [new_id(EPISODE) for _ in range(number)]


def _part(file: str, name: str) -> str:
    root = Path(__file__).parents[2]
    path = Path(file)
    if path.is_relative_to(root) and ".venv" not in path.parts:
        parts = path.relative_to(root).parts
        return "/".join(parts[: 2 if parts[0] in ("actors", "tests") else 1])
    if "site-packages" in path.parts:
        return path.parts[path.parts.index("site-packages") + 1]
    return "msgspec" if "msgspec" in name else "python and its library"


def main() -> None:
    """Print the table and the breakdown."""
    for row in rows():
        print(row)
    print("\nwhere a turn's CPU goes on the loop (profiled, so relative only):")
    for part, share in on_workbench(breakdown):
        print(f"  {part:<40}{share:>6.1f} %")


if __name__ == "__main__":
    main()
