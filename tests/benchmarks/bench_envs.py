"""Seats as environments and as samples, beside remote seats and beside inspect alone.

    python -m tests.benchmarks.bench_envs

Both sides of each pair play in one process: what plays the episodes has a thread, and what answers
another. Without a judge, so that nothing but playing is measured.
"""

import asyncio
import importlib.util
import statistics
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import nats

import troupe
from gateway.process.discovery import Address, addresses
from tests.benchmarks.table import Row
from troupe.arguments import settings_at

EPISODES, TURN_CAP = 20, 20
SAMPLES = 40
ROUNDS = 3
"""Pairs that are measured in turns; the median ratio counts."""
STEPS_SHARE, SAMPLES_SHARE = 0.7, 0.5
SAYS = '{"kind": "speak", "text": "Let us split it, half and half, and say no more of it."}'
ACTION = {"kind": "speak", "text": "Let us split it, half and half, and say no more of it."}


def plan(episodes: int, **more: Any) -> dict[str, Any]:
    """So many episodes opposite a rehearsal."""
    return {
        "name": "bench",
        "minds": {"mine": "remote", "wily": "rehearsal:stubborn"},
        "tasks": {"limit": episodes},
        "seats": {"pairings": [["mine", "wily"], ["mine", "wily", "wily"]]},
        "social": {"turn_cap": TURN_CAP},
        **more,
    }


def steps_of_env(folder: Path) -> float:
    """Steps a second of a Gymnasium environment, beginning episodes included."""
    from troupe.gymnasium_env import SeatEnv

    env = SeatEnv(plan(EPISODES), where=folder)
    env.reset(seed=1)  # What is started once is not measured.
    steps, began = 0, time.perf_counter()
    for place in range(EPISODES):
        if place:
            env.reset()
        over = False
        while not over:
            _, _, ended, given_up, _ = env.step(SAYS)
            steps, over = steps + 1, ended or given_up
    taken = time.perf_counter() - began
    env.close()
    return steps / taken


def steps_of_remote_seat(folder: Path) -> float:
    """Answers a second of a program that speaks the seat protocol, as docs/how-to/remote_seat.py
    does."""
    settings = settings_at(folder)
    runs: list[troupe.Run] = []

    def run() -> None:
        given = plan(EPISODES, concurrency=1)
        runs.append(troupe.run(given, where=folder, progress=False))

    playing = threading.Thread(target=run)
    playing.start()
    while not (found := addresses(settings)) and playing.is_alive():
        time.sleep(0.01)
    steps, taken = asyncio.run(_answer(found[0]))
    playing.join()
    assert runs[0].status == "ended"
    return steps / taken


async def _answer(at: Address) -> tuple[int, float]:
    """Answer until all episodes are over, one after the other as an environment has them: how
    often, and how many seconds from the first question on."""
    client = await nats.connect(at.url, token=at.token)
    heard = await client.subscribe(f"troupe.{at.space}.seat.*.0")
    aside: deque[tuple[str, dict[str, Any]]] = deque()
    steps, over, began, current = 0, 0, 0.0, ""
    while over < EPISODES:
        if current or not aside:
            message = await heard.next_msg(timeout=60)
            subject, seen = message.subject, msgspec.msgpack.decode(message.data)
        else:
            subject, seen = aside.popleft()
        began = began or time.perf_counter()
        current = current or seen["episode"]
        if seen["episode"] != current:
            aside.append((subject, seen))
        elif seen["type"] == "EpisodeOver":
            over, current = over + 1, ""
        else:
            command = {"type": "TakeAction", "seat": 0, "turn": seen["turn"], "action": ACTION}
            await client.request(f"{subject}.command", msgspec.msgpack.encode(command), timeout=5)
            steps += 1
    taken = time.perf_counter() - began
    await client.close()
    return steps, taken


def _model(said: str) -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def says(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm", said)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=says, memoize=False)


def _evaluated(task: Any, folder: Path) -> tuple[float, Any]:
    """Seconds that inspect takes for a task, and its log."""
    from inspect_ai import eval as evaluate

    began = time.perf_counter()
    (log,) = evaluate(task, model=_model(SAYS), log_dir=str(folder / "logs"), display="none")
    taken = time.perf_counter() - began
    assert log.status == "success", log.error
    return taken, log


def samples_of_plan(folder: Path) -> tuple[float, list[list[Any]]]:
    """Samples a second of a plan, and what the model was asked in each."""
    from troupe.inspect_task import episodes

    taken, log = _evaluated(episodes(plan(SAMPLES), where=str(folder)), folder)
    asked = [
        [event.input for event in sample.events if event.event == "model"] for sample in log.samples
    ]
    return len(asked) / taken, asked


def samples_alone(asked: list[list[Any]], folder: Path) -> float:
    """Samples a second of a task that asks the model the same, and does nothing else."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model
    from inspect_ai.solver import Generate, TaskState, solver

    @solver  # type: ignore[untyped-decorator]
    def asks() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            for messages in asked[state.metadata["place"]]:
                state.output = await get_model().generate(messages)
            return state

        return solve

    samples = [Sample(input="ask", metadata={"place": place}) for place in range(len(asked))]
    taken, _ = _evaluated(Task(dataset=samples, solver=asks()), folder)
    return len(asked) / taken


def _missing(module: str, what: str, how: str) -> Row | None:
    if importlib.util.find_spec(module) is not None:
        return None
    return Row(what, "skipped", f"{module} is not installed: {how}")


def _row(what: str, ours: list[float], theirs: list[float], unit: str, share: float) -> Row:
    ratio = statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))
    return Row(
        what,
        f"{statistics.median(ours):,.1f} {unit}",
        f"{statistics.median(theirs):,.1f} {unit}: {ratio:.2f} ×",
        f"≥ {share} ×",
        ratio >= share,
    )


def _in_folder(measure: Callable[[Path], Any]) -> Any:
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        return measure(Path(name))


def steps() -> Row:
    """An environment beside a remote seat."""
    what = "steps of a seat as an environment"
    if (missing := _missing("gymnasium", what, "make gym")) is not None:
        return missing
    ours, theirs = [], []
    for measure in (steps_of_remote_seat, steps_of_env):
        _in_folder(measure)  # What is imported and compiled once is not measured.
    for _ in range(ROUNDS):
        theirs.append(_in_folder(steps_of_remote_seat))
        ours.append(_in_folder(steps_of_env))
    return _row(f"{what}, beside a remote seat", ours, theirs, "/s", STEPS_SHARE)


def samples() -> Row:
    """A plan as a task beside the same questions asked by inspect alone."""
    what = "samples of a plan in inspect"
    if (missing := _missing("inspect_ai", what, "make inspect")) is not None:
        return missing
    ours, theirs = [], []
    _, asked = _in_folder(samples_of_plan)  # Likewise.
    for _ in range(ROUNDS):
        theirs.append(_in_folder(partial(samples_alone, asked)))
        rate, asked = _in_folder(samples_of_plan)
        ours.append(rate)
    return _row(f"{what}, beside inspect alone", ours, theirs, "/s", SAMPLES_SHARE)


def rows() -> Iterator[Row]:
    """The table."""
    yield steps()
    yield samples()


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
