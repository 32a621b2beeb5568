"""Turns by scripted minds and by models, the whole path."""

from typing import Any

from evaluators.judges.judge_file import judge_from
from events.evaluation import JudgeSpec
from events.minds import MindSpec, ModelSpec
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.episodes import LineMind, play_all, started
from tests.benchmarks.stub import stub_server
from tests.budgets.counting import Figure
from tests.budgets.node import judge_all, new_ids, on_node

TURNS = 20


def turn_scripted() -> Figure:
    """Calls of a turn by a mind that says one line, its share of an episode of 20 included."""

    async def play(bench: WorkerNode, episodes: int) -> int:
        await by_lines(bench, episodes)
        return episodes * TURNS

    return on_node(play, 30)


def turn_direct() -> Figure:
    """Calls of a model's turn through the direct adapter, with one model judge an episode."""
    return _by_model("direct", 8)


def turn_litellm() -> Figure:
    """The same through LiteLLM."""
    return _by_model("litellm", 1)


def _by_model(adapter: str, size: int) -> Figure:
    async def play(bench: WorkerNode, episodes: int) -> int:
        ids = new_ids(episodes)
        await play_all(bench, ids, lambda _: started(TURNS, mind), episodes)
        await judge_all(bench, judge, ids)
        return episodes * TURNS

    with stub_server() as stub:
        model, judge = asking(stub.url, adapter)
        mind = MindSpec(name="stub", kind="model", model=model)
        return on_node(play, size)


async def by_lines(bench: WorkerNode, episodes: int) -> list[str]:
    """Play so many episodes at once, by minds that say one line."""
    bench.episodes.make_mind = lambda *_: LineMind()
    ids = new_ids(episodes)
    await play_all(bench, ids, lambda _: started(TURNS), episodes)
    return ids


def asking(url: str, adapter: str) -> tuple[ModelSpec, JudgeSpec]:
    """A model of a server, and a judge that asks it."""
    settings: dict[str, Any] = {"adapter": adapter, "base_url": url, "max_concurrency": 200}
    judge = judge_from({"model": "openai/stub", **settings}, "judge")
    return ModelSpec(name="openai/stub", **settings), judge
