"""What a call to a model costs: `python -m tests.benchmarks.bench_models` prints the figures.

The stub server runs in a process of its own and answers at once; CPU is this process's alone.
Beside it, where `make bench-peers` has installed it, `sotopia` plays on a stub of the same kind.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import uvloop

from actors.minds.mind import Scene
from actors.minds.model import ModelMind
from actors.models.caller import ModelCaller
from actors.models.port import Msg, request_of
from actors.models.recording import CallEvent, CallLog
from actors.models.registry import Models
from events.agent import ModelAnswered
from events.catalog import Character
from events.messages import Background, OtherSeat, SeenAction
from events.minds import ModelSpec

AT_ONCE = 50
TURNS = 20
PEERS = Path(__file__).parents[2] / ".venv-peers" / "bin" / "python"


class Cost(NamedTuple):
    """What so many calls cost."""

    what: str
    per_s: float
    cpu_ms: float

    def __str__(self) -> str:
        return f"{self.what:<52}{self.per_s:>10,.0f} /s{self.cpu_ms:>9.2f} ms CPU each"


@contextmanager
def stub_server() -> Iterator[str]:
    """The stub in a process of its own; gives its address."""
    command = [sys.executable, "-m", "tests.stub_llm"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[1]
        finally:
            process.terminate()


async def cost_of(what: str, total: int, call: Callable[[int], Awaitable[object]]) -> Cost:
    """Make ``total`` calls, ``AT_ONCE`` at once."""
    await call(0)  # warms up
    numbers = iter(range(total))

    async def some() -> None:
        for number in numbers:
            await call(number)

    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return Cost(what, total / wall, 1e3 * cpu / total)


class Kept:
    """A recorder that keeps calls in memory: the store's cost is measured elsewhere."""

    def __init__(self) -> None:
        self.log = CallLog()

    def answer_of(self, turn: int, attempt: int, request_hash: str) -> ModelAnswered | None:
        return self.log.answer_of(turn, attempt, request_hash)

    async def record(self, event: CallEvent) -> None:
        self.log = self.log.evolve(event)


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
    )


async def measure(adapter: str, url: str, total: int) -> list[Cost]:
    """The port alone, with limits and retries around it, and a mind's whole turn."""
    models = Models()
    caller = ModelCaller(models)
    spec = ModelSpec(name="openai/stub", adapter=adapter, base_url=url, max_concurrency=AT_ONCE)
    request = request_of(spec, (Msg("system", '"kind" ' + "x" * 3000), Msg("user", "y" * 1500)))
    model = await models.model_of(spec)
    mind = ModelMind(spec, caller)
    scenes = [scene(turn) for turn in range(1, TURNS + 1)]

    async def decide(number: int) -> None:
        decision = await mind.decide(scenes[number % TURNS], Kept())
        if decision.failure is not None:
            raise RuntimeError(f"the stub was not understood: {decision.failure.detail}")

    costs = [
        await cost_of(f"{adapter}: adapter alone", total, lambda _: model.complete(request)),
        await cost_of(
            f"{adapter}: with limits, retries and metrics",
            total,
            lambda _: caller.call(spec, request, purpose="act"),
        ),
        await cost_of(f"{adapter}: a model mind's turn, store aside", total, decide),
    ]
    await caller.close()
    return costs


def peer(python: Path, url: str) -> dict[str, float] | str:
    """The peer's figures, or why there are none."""
    if not python.exists():
        return f"skipped: {python} is not there; `make bench-peers` installs it"
    script = Path(__file__).with_name("peer_sotopia.py")
    command = [python, script, url]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return "failed: not done after two minutes"
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1:]}"
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-python", type=Path, default=PEERS)
    asked = parser.parse_args()
    with stub_server() as url:
        for adapter, total in (("direct", 3000), ("litellm", 400)):
            for cost in uvloop.run(measure(adapter, url, total)):
                print(cost)
        theirs = peer(asked.peer_python, url)
    if isinstance(theirs, str):
        print(f"sotopia 0.1.5: {theirs}")
    else:
        what = f"sotopia 0.1.5: a turn of the whole path, {AT_ONCE} at once"
        print(Cost(what, theirs["episodes_per_s"] * TURNS, theirs["cpu_ms_per_turn"]))


if __name__ == "__main__":
    main()
