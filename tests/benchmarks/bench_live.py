"""Many episodes at once: 10,000 live ones in one process, each turn a mind that takes a second.

    python -m tests.benchmarks.bench_live [EPISODES]

Twice: with a mind that only thinks for a second, and with a model mind over a model that answers in
process after a second, which also writes its prompt, and records question and answer as events.
The goals in seconds are divided by the machine's speed.
"""

import asyncio
import gc
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import psutil

from actors.episodes.mind import Decision, Scene
from actors.models.caller import ModelCaller
from actors.models.port import ModelReply, ModelRequest
from actors.models.recording.call_log import CallRecorder
from actors.models.registry import Models
from actors.social.actions import Action
from events.episode import ActionTaken
from events.ids import EPISODE, new_id
from events.minds import MindSpec, ModelSpec
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.episodes import LINE, on_worker_node, play_all, started
from tests.benchmarks.shares import shares_of_cpu
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row

TURNS = 10
THINKS_S = 1.0
THINKING_S, MODEL_S = 14.0, 24.0
"""At most, for all, on a machine of speed 1.0."""
PROFILED = 300
"""Episodes under the profiler."""


class InProcessModel:
    """Answers in-process after so many seconds."""

    def __init__(self, thinks_s: float) -> None:
        self._thinks_s = thinks_s

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Always the same action."""
        await asyncio.sleep(self._thinks_s)
        return ModelReply(text=f'{{"kind": "speak", "text": "{LINE}"}}', output_tokens=20)


class SlowMind:
    """Thinks for a second, asks nobody."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Always the same action."""
        await asyncio.sleep(THINKS_S)
        return Decision(action=Action(kind="speak", text=LINE))


def caller_of(thinks_s: float) -> ModelCaller:
    """Asks the model in this process, whatever model is asked for."""
    return ModelCaller(Models({"litellm": lambda _: InProcessModel(thinks_s)}))


def model_mind(at_once: int) -> MindSpec:
    """A mind that asks it."""
    model = ModelSpec(name="in-process", max_concurrency=at_once)
    return MindSpec(name="in-process", kind="model", model=model)


async def breakdown(bench: WorkerNode) -> list[Row]:
    """Where the loop's CPU goes when a model plays that answers at once."""
    bench.minds.caller = caller_of(0.0)
    ids = [new_id(EPISODE) for _ in range(PROFILED)]
    mind = model_mind(2 * PROFILED)
    with shares_of_cpu("a model mind's turn") as table:
        await play_all(bench, ids, lambda _: started(TURNS, mind), PROFILED)
    return table


async def live(bench: WorkerNode, episodes: int, *, model: bool) -> tuple[float, float, int]:
    """Seconds for all, KiB of memory an episode at the peak, and actions stored."""
    if model:
        bench.minds.caller = caller_of(THINKS_S)
    else:
        bench.episodes.make_mind = lambda *_: SlowMind()
    mind = model_mind(2 * episodes)
    ids = [new_id(EPISODE) for _ in range(episodes)]
    process = psutil.Process()
    gc.collect()
    before, peak = process.memory_info().rss, 0
    begun = time.perf_counter()
    playing = asyncio.ensure_future(play_all(bench, ids, lambda _: started(TURNS, mind), episodes))
    while not playing.done():
        await asyncio.wait({playing}, timeout=0.5)
        peak = max(peak, process.memory_info().rss)
    await playing
    wall = time.perf_counter() - begun
    stored = bench.store.read_all(0, tags=[ActionTaken.__name__], limit=2 * episodes * TURNS)
    return wall, (peak - before) / episodes / 1024, len(stored)


def measured(episodes: int, model: bool) -> tuple[float, float, int]:
    """``live`` on a worker node of its own."""
    return on_worker_node(partial(live, episodes=episodes, model=model))


def apart(episodes: int, *, model: bool) -> tuple[float, float, int]:
    """``measured`` in a new process: memory that an earlier measurement left free would be used
    again and not be seen."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as new:
        return new.submit(measured, episodes, model).result()


def most_seconds(goal: float, speed: float) -> float:
    """What a machine of that speed may take where one of speed 1.0 may take ``goal``."""
    return goal / speed


def rows(episodes: int = 10_000) -> list[Row]:
    """The table."""
    found = []
    speed = machine_speed()
    for what, model, goal in (
        ("a mind that thinks 1 s", False, THINKING_S),
        ("a model mind, model of 1 s", True, MODEL_S),
    ):
        wall, memory, stored = apart(episodes, model=model)
        most = most_seconds(goal, speed)
        found += [
            Row(
                f"{episodes:,} live episodes, {what}",
                f"{wall:.1f} s",
                f"ideal: {TURNS * THINKS_S:.0f} s; {stored:,} actions",
                f"≤ {most:.0f} s ({goal:.0f} s at speed 1.0)",
                wall <= most and stored == episodes * TURNS,
            ),
            Row("  memory of each", f"{memory:.0f} KiB", "", "≤ 40 KiB", memory <= 40),
        ]
    return found + on_worker_node(breakdown)


def main() -> None:
    """Print the table."""
    for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000):
        print(row)


if __name__ == "__main__":
    main()
