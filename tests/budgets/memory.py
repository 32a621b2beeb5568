"""What an episode takes while it is under way."""

import asyncio
import gc
import tracemalloc

from actors.models.caller import ModelCaller
from actors.models.port import ModelReply, ModelRequest
from actors.models.registry import Models
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.bench_live import TURNS, model_mind
from tests.benchmarks.episodes import LINE, on_worker_node, play_all, started
from tests.budgets.counting import Figure, figure, place
from tests.budgets.node import new_ids

EPISODES = (30, 90)
"""Under way one after the other; what the second lot takes is counted."""


class LastTurnModel:
    """Answers at once, but for the last line of an episode: that waits until all is over."""

    def __init__(self) -> None:
        self.waiting = 0
        self.over = asyncio.Event()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Always the same action."""
        if sum(message.content.count(LINE) for message in request.messages) == TURNS - 1:
            self.waiting += 1
            await self.over.wait()
        return ModelReply(text=f'{{"kind": "speak", "text": "{LINE}"}}', output_tokens=20)


def live_episode_bytes() -> Figure:
    """Bytes that Python has allocated for an episode by model minds in its tenth turn."""
    return on_worker_node(_measure)


async def _measure(bench: WorkerNode) -> Figure:
    model = LastTurnModel()
    bench.minds.caller = ModelCaller(Models({"litellm": lambda _: model}))
    playing, taken = [], []
    tracemalloc.start()
    for episodes in EPISODES:
        ids, wanted = new_ids(episodes), model.waiting + episodes
        mind = model_mind(1_000)
        playing.append(
            asyncio.ensure_future(
                play_all(bench, ids, lambda _, mind=mind: started(TURNS, mind), episodes)  # type: ignore[misc]
            )
        )
        while model.waiting < wanted:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)  # What is said last is stored and heard by all.
        gc.collect()
        taken.append(tracemalloc.take_snapshot())
    tracemalloc.stop()
    model.over.set()
    await asyncio.gather(*playing)
    grown = taken[1].compare_to(taken[0], "filename")
    sizes = {place(one.traceback[0].filename): one.size_diff for one in grown}
    return figure(sizes, EPISODES[1])
