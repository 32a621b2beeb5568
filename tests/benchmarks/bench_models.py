"""What a call to a model costs: `python -m tests.benchmarks.bench_models` prints the figures.

The stub server runs in a process of its own and answers at once; CPU is this process's alone.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

import uvloop

from actors.episodes.mind import Scene
from actors.minds.model import ModelMind
from actors.models.caller import ModelCaller
from actors.models.port import Msg, request_of
from actors.models.recording.call_log import CallEvent, CallLog
from actors.models.registry import Models
from actors.social.actions import ACT
from actors.social.catalog_items import Character
from actors.social.environment import GAME
from actors.social.views import Background, OtherSeat, SeenAction
from events.agent import ModelAnswered
from events.minds import ModelSpec
from tests.benchmarks.stub import stub_server
from tests.benchmarks.table import Row

AT_ONCE = 50
TURNS = 20


async def cost_of(what: str, total: int, call: Callable[[int], Awaitable[object]]) -> Row:
    """Make ``total`` calls, ``AT_ONCE`` at once."""
    await call(0)  # warms up
    numbers = iter(range(total))

    async def some() -> None:
        for number in numbers:
            await call(number)

    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return Row(what, f"{total / wall:,.0f}/s, {1e3 * cpu / total:.2f} ms CPU")


class Kept:
    """A recorder that keeps calls in memory: the store's cost is measured elsewhere."""

    def __init__(self) -> None:
        self.log = CallLog()

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self.log.answers_to(turn, attempt)

    async def record(self, event: CallEvent) -> None:
        self.log = self.log.evolve(event)

    async def confirm(self) -> None:
        """Nobody else writes here."""


def scene(turn: int) -> Scene:
    """A seat's scene after ``turn - 1`` utterances of usual length."""
    return Scene(
        background=Background(
            episode="e1",
            seat=0,
            character=Character(id="a", first_name="Ann", last_name="Lee", age=30, secret="s" * 90),
            context="Two friends share a restaurant bill. " * 5,
            goal="Pay less than half.",
            others=(OtherSeat(seat=1, label="Bo Lee", relationship="friend", story="x" * 200),),
            turn_cap=TURNS,
            order="round_robin",
            seed=0,
        ),
        seen=[
            SeenAction(number=n, turn=n, seat=n % 2, label="Bo Lee", kind="speak", text="x" * 200)
            for n in range(1, turn)
        ],
        turn=turn,
        question=ACT,
        seat=0,
        seats=2,
    )


async def measure(adapter: str, url: str, total: int) -> list[Row]:
    """The port alone, with limits and retries around it, and a mind's whole turn."""
    models = Models()
    caller = ModelCaller(models)
    spec = ModelSpec(name="openai/stub", adapter=adapter, base_url=url, max_concurrency=AT_ONCE)
    request = request_of(spec, (Msg("system", '"kind" ' + "x" * 3000), Msg("user", "y" * 1500)))
    model = await models.model_of(spec)
    mind = ModelMind(spec, GAME, caller)
    scenes = [scene(turn) for turn in range(1, TURNS + 1)]

    async def decide(number: int) -> None:
        decision = await mind.decide(scenes[number % TURNS], Kept())
        if decision.failure is not None:
            raise RuntimeError(f"the stub was not understood: {decision.failure.detail}")

    costs = [
        await cost_of(f"{adapter}: adapter alone", total, lambda _: model.complete(request)),
        await cost_of(
            f"{adapter}: with limits and retries",
            total,
            lambda _: caller.call(spec, request, purpose="act"),
        ),
        await cost_of(f"{adapter}: a mind's turn, store aside", total, decide),
    ]
    await caller.close()
    return costs


def rows() -> Iterator[Row]:
    """The table."""
    with stub_server() as stub:
        for adapter, total in (("direct", 3000), ("litellm", 400)):
            yield from uvloop.run(measure(adapter, stub.url, total))


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
