"""Whole episodes by language models beside `sotopia` 0.1.5, on the same stub server.

    python -m tests.benchmarks.bench_peers

20 turns and one question to the judge an episode, no latency, 50 episodes at once. Ours is a run as
`troupe run` carries it out: job queue, NATS, SQLite with every commit synced, calls recorded. The
peer keeps its episodes in memory. Both share two cores with the stub.
"""

import asyncio
import json
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from actors.runs.execution.coordinator import Work, carry_out
from gateway.process.worker_node import WorkerNode
from gateway.services.runs.plan_run import prepare, record_run
from store.read_model import queries
from tests.benchmarks.episodes import on_worker_node
from tests.benchmarks.shares import shares_of_cpu
from tests.benchmarks.stub import Stub, stub_server
from tests.benchmarks.table import Row
from tests.support import runs

AT_ONCE = 50
TURNS = 20
ROUNDS = 3
EPISODES = {"litellm": 50, "direct": 300}
GOALS = {"litellm": 1.4, "direct": 10.0}
ADAPTERS = tuple(GOALS)
PYTHON = Path(__file__).parents[2] / ".venv-peers" / "bin" / "python"


class Speed(NamedTuple):
    """What playing some episodes took."""

    episodes_per_s: float
    cpu_ms_per_turn: float
    """Of the playing process; the stub and nats-server have their own."""
    stub_share: float = 0.0
    """Of one core."""


class NoPeer(Exception):
    """The peer cannot be measured."""


def plan(url: str, adapter: str, episodes: int, folder: Path) -> str:
    """A plan file's text: one model in both seats, one model as judge."""
    settings = f'model = "openai/stub"\nadapter = "{adapter}"\nbase_url = "{url}"\n'
    settings += f"max_concurrency = {2 * AT_ONCE}\n"
    (folder / "judge.toml").write_text(settings)
    return runs.plan(
        runs.model_minds(url, adapter, max_concurrency=2 * AT_ONCE),
        tasks=1,
        repeats=episodes,
        judges='["judge.toml"]',
        concurrency=AT_ONCE,
        rules=f"turn_cap = {TURNS}",
    )


async def play(bench: WorkerNode, text: str) -> str:
    """Carry a plan out whole; the run's id."""
    path = bench.settings.data_dir / "plan.toml"
    path.write_text(text)
    prepared = prepare(bench.store, path)
    run = record_run(bench.store, prepared)
    planned = prepared.planned
    work = Work(run, [episode.id for episode in planned.episodes], planned.plan.judges)
    progress = await carry_out(
        bench.store, bench.jobs, work, stop=asyncio.Event(), on_progress=lambda _: None
    )
    assert progress.done, progress.paused
    return run


async def our_speed(bench: WorkerNode, stub: Stub, adapter: str, episodes: int) -> Speed:
    """A run's speed, once everything is warm. Checks that all was played and judged."""
    folder = bench.settings.data_dir
    await bench.work(AT_ONCE)
    await play(bench, plan(stub.url, adapter, 2, folder))
    served, cpu, wall = stub.cpu_s(), time.process_time(), time.perf_counter()
    run = await play(bench, plan(stub.url, adapter, episodes, folder))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    served = stub.cpu_s() - served
    rows = queries.episodes(bench.store, run=run)
    scores = queries.scores(bench.store, run=run)
    assert all(row.turns == TURNS and not row.failed_actions for row in rows), (
        "not every turn was spoken"
    )
    assert len(scores) == 14 * episodes, "not every episode was judged"
    assert all(score.status == "scored" for score in scores), "not every score was read"
    return Speed(episodes / wall, 1e3 * cpu / (episodes * TURNS), served / wall)


def peer_speed(url: str, python: Path = PYTHON) -> Speed:
    """The peer's speed. Raises ``NoPeer``."""
    if not python.exists():
        raise NoPeer("skipped: `make bench-peers` installs it")
    command = [str(python), str(Path(__file__).with_name("peer_sotopia.py")), url]
    more = [f"--episodes={AT_ONCE}", f"--turns={TURNS}", f"--concurrency={AT_ONCE}"]
    try:
        done = subprocess.run(
            [*command, *more], capture_output=True, text=True, check=False, timeout=180
        )
    except subprocess.TimeoutExpired:
        raise NoPeer("failed: not done after three minutes") from None
    if done.returncode:
        raise NoPeer(f"failed: {done.stderr.strip().splitlines()[-1:]}")
    figures = json.loads(done.stdout.splitlines()[-1])
    return Speed(figures["episodes_per_s"], figures["cpu_ms_per_turn"])


def rows() -> Iterator[Row]:
    """The table: in each round the peer and both adapters, one after the other."""
    ours: dict[str, list[Speed]] = {adapter: [] for adapter in ADAPTERS}
    theirs: list[Speed] = []
    why = ""
    with stub_server() as stub:
        for _ in range(ROUNDS):
            if not why:
                try:
                    theirs.append(peer_speed(stub.url))
                except NoPeer as error:
                    why = f"sotopia {error}"
            for adapter in ADAPTERS:
                ours[adapter].append(_played(stub, adapter))
        for adapter in ADAPTERS:
            yield _row(adapter, ours[adapter], theirs, why)
            share = statistics.median(speed.stub_share for speed in ours[adapter])
            yield Row("  the stub's share of a core", f"{share:.0%}")
        for adapter in ADAPTERS:
            yield from breakdown(stub, adapter)


def _played(stub: Stub, adapter: str) -> Speed:
    return on_worker_node(lambda bench: our_speed(bench, stub, adapter, EPISODES[adapter]))


def _row(adapter: str, ours: list[Speed], theirs: list[Speed], why: str) -> Row:
    rate = statistics.median(speed.episodes_per_s for speed in ours)
    cpu = statistics.median(speed.cpu_ms_per_turn for speed in ours)
    what = f"episodes by models, {TURNS} turns, {adapter}"
    figure = f"{rate:.1f}/s, {cpu:.2f} ms CPU a turn"
    goal = GOALS[adapter]
    if not theirs:
        return Row(what, figure, why, f"≥ {goal:g} ×")
    peer = statistics.median(speed.episodes_per_s for speed in theirs)
    peer_cpu = statistics.median(speed.cpu_ms_per_turn for speed in theirs)
    beside = f"sotopia {peer:.1f}/s, {peer_cpu:.2f} ms"
    # By rounds, so that whatever slows the machine for a while slows both.
    ratio = statistics.median(
        here.episodes_per_s / there.episodes_per_s
        for here, there in zip(ours, theirs, strict=False)
    )
    return Row(what, figure, beside, f"{ratio:.2f} × (≥ {goal:g} ×)", ratio >= goal)


def breakdown(stub: Stub, adapter: str) -> list[Row]:
    """Where the CPU of a run goes."""

    async def profiled(bench: WorkerNode) -> list[Row]:
        await our_speed(bench, stub, adapter, 2)
        with shares_of_cpu(f"episodes by models, {adapter}") as table:
            await play(bench, plan(stub.url, adapter, AT_ONCE, bench.settings.data_dir))
        return table

    return on_worker_node(profiled)


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
