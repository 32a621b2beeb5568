"""Many episodes at once: 10,000 live ones in one process, each turn a model that takes a second.

    python -m tests.benchmarks.bench_live [EPISODES]
"""

import asyncio
import gc
import sys
import time

import psutil

from actors.models.caller import ModelCaller
from actors.models.port import ModelReply, ModelRequest
from actors.models.registry import Models
from events.episode import ActionTaken
from events.ids import EPISODE, new_id
from events.minds import MindSpec, ModelSpec
from gateway.workbench import Workbench
from tests.benchmarks.bench_turns import on_workbench
from tests.benchmarks.episodes import LINE, play_all, started
from tests.benchmarks.table import Row

TURNS = 10
THINKS_S = 1.0


class SlowModel:
    """Answers in-process after a second."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Always the same action."""
        await asyncio.sleep(THINKS_S)
        return ModelReply(text=f'{{"kind": "speak", "text": "{LINE}"}}', output_tokens=20)


async def live(bench: Workbench, episodes: int) -> tuple[float, float, int]:
    """Seconds for all, KiB of memory an episode at the peak, and actions stored."""
    models = Models({"litellm": lambda _: SlowModel()})
    bench.company.minds.caller = ModelCaller(models)
    spec = ModelSpec(name="slow", max_concurrency=2 * episodes)
    mind = MindSpec(name="slow", kind="model", model=spec)
    ids = [new_id(EPISODE) for _ in range(episodes)]
    process = psutil.Process()
    gc.collect()
    before, peak = process.memory_info().rss, 0
    begun = time.perf_counter()
    playing = asyncio.ensure_future(
        play_all(bench, ids, lambda _: started(TURNS, mind), episodes)
    )
    while not playing.done():
        await asyncio.wait({playing}, timeout=0.5)
        peak = max(peak, process.memory_info().rss)
    await playing
    wall = time.perf_counter() - begun
    stored = bench.store.read_all(0, tags=[ActionTaken.__name__], limit=2 * episodes * TURNS)
    return wall, (peak - before) / episodes / 1024, len(stored)


def rows(episodes: int = 10_000) -> list[Row]:
    """The table."""
    wall, memory, stored = on_workbench(lambda bench: live(bench, episodes))
    ideal = TURNS * THINKS_S
    return [
        Row(
            f"{episodes:,} live episodes, {TURNS} turns each",
            f"{wall:.1f} s",
            f"ideal: {ideal:.0f} s; {stored:,} actions",
            f"≤ {2 * ideal:.0f} s",
            wall <= 2 * ideal and stored == episodes * TURNS,
        ),
        Row("  memory of each", f"{memory:.0f} KiB", "", "≤ 40 KiB", memory <= 40),
    ]


def main() -> None:
    """Print the table."""
    for row in rows(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000):
        print(row)


if __name__ == "__main__":
    main()
