"""Many episodes at once: 10,000 live ones in one process, each turn a mind that takes a second.

    python -m tests.benchmarks.bench_live [EPISODES]

Twice: with a mind that only thinks for a second, and with a model mind over a model that answers in
process after a second, which also writes its prompt, and records question and answer as events.
"""

import asyncio
import gc
import sys
import time
from functools import partial

import psutil

from actors.minds.mind import Decision, Scene
from actors.models.caller import ModelCaller
from actors.models.port import ModelReply, ModelRequest
from actors.models.recording import CallRecorder
from actors.models.registry import Models
from events.episode import Action, ActionTaken
from events.ids import EPISODE, new_id
from events.minds import MindSpec, ModelSpec
from gateway.workbench import Workbench
from tests.benchmarks.episodes import LINE, on_workbench, play_all, started
from tests.benchmarks.table import Row

TURNS = 10
THINKS_S = 1.0


class SlowModel:
    """Answers in-process after a second."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Always the same action."""
        await asyncio.sleep(THINKS_S)
        return ModelReply(text=f'{{"kind": "speak", "text": "{LINE}"}}', output_tokens=20)


class SlowMind:
    """Thinks for a second, asks nobody."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Always the same action."""
        await asyncio.sleep(THINKS_S)
        return Decision(action=Action(kind="speak", text=LINE))


async def live(bench: Workbench, episodes: int, *, model: bool) -> tuple[float, float, int]:
    """Seconds for all, KiB of memory an episode at the peak, and actions stored."""
    if model:
        models = Models({"litellm": lambda _: SlowModel()})
        bench.company.minds.caller = ModelCaller(models)
    else:
        bench.company.minds.make = lambda *_: SlowMind()  # type: ignore[method-assign,assignment]
    spec = ModelSpec(name="slow", max_concurrency=2 * episodes)
    mind = MindSpec(name="slow", kind="model", model=spec)
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


def rows(episodes: int = 10_000) -> list[Row]:
    """The table."""
    found = []
    for what, model in (("a mind that thinks 1 s", False), ("a model mind, model of 1 s", True)):
        wall, memory, stored = on_workbench(partial(live, episodes=episodes, model=model))
        ideal = TURNS * THINKS_S
        found += [
            Row(
                f"{episodes:,} live episodes, {what}",
                f"{wall:.1f} s",
                f"ideal: {ideal:.0f} s; {stored:,} actions",
                f"≤ {2 * ideal:.0f} s",
                wall <= 2 * ideal and stored == episodes * TURNS,
            ),
            Row("  memory of each", f"{memory:.0f} KiB", "", "≤ 40 KiB", memory <= 40),
        ]
    return found


def main() -> None:
    """Print the table."""
    for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000):
        print(row)


if __name__ == "__main__":
    main()
