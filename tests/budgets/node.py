"""Work on a whole worker node: embedded NATS, actors, SQLite with every commit synced."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import count

from events.episode import ActionTaken
from events.evaluation import JudgeSpec
from events.ids import EPISODE, EVALUATION, derived_id
from events.serialization.codec import event_of
from events.wire.messages import Evaluate
from gateway.process.worker_node import WorkerNode
from store.log.event_store import EventStore
from tests.benchmarks.episodes import on_worker_node
from tests.budgets.counting import Figure, counted_on_loop, watching_threads

Work = Callable[[WorkerNode, int], Awaitable[int]]
"""Does work of a size; answers how many units it made."""

_numbers = count()


def on_node(work: Work, size: int) -> Figure:
    """What a unit of work of a size takes on a worker node. Raises ``RuntimeError`` where an
    episode, an action or a score failed."""

    async def measure(bench: WorkerNode) -> Figure:
        found = await counted_on_loop(lambda: work(bench, size))
        _check_that_nothing_failed(bench.store)
        return found

    with watching_threads():
        return on_worker_node(measure)


def new_ids(number: int, kind: str = EPISODE) -> list[str]:
    """So many, the same in each process: what is drawn from them is the same, too."""
    return [derived_id(kind, "budgets", str(next(_numbers))) for _ in range(number)]


async def judge_all(bench: WorkerNode, judge: JudgeSpec, episodes: Sequence[str]) -> None:
    """Have each evaluated, all at once."""
    evaluations = zip(new_ids(len(episodes), EVALUATION), episodes, strict=True)
    jobs = (Evaluate(evaluation=own, episode=episode) for own, episode in evaluations)
    await asyncio.gather(*(bench.evaluations.evaluate(job, judge) for job in jobs))


def _check_that_nothing_failed(store: EventStore) -> None:
    tags = ("EpisodeFailed", "EvaluationFailed", "ScoreFailed", "ActionTaken")
    position = 0
    while found := store.read_all(position, tags=tags, limit=5_000):
        position = found[-1].position
        for event in map(event_of, found):
            if not isinstance(event, ActionTaken) or event.failure is not None:
                raise RuntimeError(f"the work was not done: {event}")
