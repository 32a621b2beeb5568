"""Evaluations of stored episodes, the whole path."""

from evaluators.judges.judge_file import judge_named
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.stub import stub_server
from tests.budgets.counting import Figure
from tests.budgets.node import judge_all, on_node
from tests.budgets.turns import asking, by_lines
from tests.budgets.worlds import walked

EPISODES = 20


def evaluation_model() -> Figure:
    """Calls of an evaluation of 20 turns by a model, through the direct adapter."""
    ids: list[str] = []

    async def judged(bench: WorkerNode, number: int) -> int:
        if not ids:
            ids.extend(await by_lines(bench, EPISODES))
        await judge_all(bench, judge, ids[:number])
        return number

    with stub_server() as stub:
        _, judge = asking(stub.url, "direct")
        return on_node(judged, EPISODES)


def evaluation_rule() -> Figure:
    """Calls of an evaluation of a walk through a world tree, 20 deep, by a rule."""
    ids: list[str] = []
    judge = judge_named("worldtree-goal")

    async def judged(bench: WorkerNode, number: int) -> int:
        if not ids:
            ids.extend(await walked(bench, EPISODES))
        await judge_all(bench, judge, ids[:number])
        return number

    return on_node(judged, EPISODES)
