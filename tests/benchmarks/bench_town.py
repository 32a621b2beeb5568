"""A town lives: every instant over NATS and into the store, rehearsal minds in all seats.

python -m tests.benchmarks.bench_town
"""

import resource
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from actors.episodes.mind import Decision, Journal, Mind, Scene
from actors.episodes.port.rules import Ask, End, Step
from actors.sandbox.catalog.generator import generated
from actors.sandbox.environment import TOWN
from actors.sandbox.perception.perceive import noticed
from actors.sandbox.setup import CarryOn, Happened, Settings, Town, WhatToDo
from actors.sandbox.town import town_rules
from actors.sandbox.town.outcomes import outcomes
from actors.sandbox.town.questions import questions
from actors.sandbox.world import World
from events.base import replace
from events.episode import Asked, EpisodeStarted
from events.ids import EPISODE, new_id
from events.minds import MindSpec
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.episodes import on_worker_node
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row

STEP_S = 60
DAY = 24 * 60
"""Steps of a day."""
NOON = 12 * 60
MIND = MindSpec(name="ga", kind="rehearsal", temper="ga")
FEW_RATE, MANY_RATE = 40_000, 800
"""Simulated seconds a second, of 25 and of 1,000, on the machine of the goals."""


class Lived(NamedTuple):
    """What an episode took."""

    seconds: float
    decisions: int
    mebibytes: float
    """By which the process grew."""


def beginning(people: int, steps: int) -> EpisodeStarted:
    """A generated town."""
    town, inhabitants = generated(1, people)
    settings = Settings(steps=steps, step_s=STEP_S, seed=1)
    return EpisodeStarted(
        run="",
        task="bench",
        catalog="bench",
        environment="sandbox",
        setup=Town(map=town, inhabitants=inhabitants, settings=settings),
        characters=tuple(one.id for one in inhabitants),
        minds=(MIND,) * people,
    )


def lived(people: int, steps: int) -> Callable[[WorkerNode], Coroutine[Any, Any, Lived]]:
    """Plays a town to its end, warmed up."""

    async def play(bench: WorkerNode) -> Lived:
        await bench.episodes.play(new_id(EPISODE), "", beginning(2, 60))
        started, before = beginning(people, steps), _mebibytes()
        head, began = bench.store.head(), time.perf_counter()
        await bench.episodes.play(new_id(EPISODE), "", started)
        seconds, after, decisions = time.perf_counter() - began, _mebibytes(), 0
        while found := bench.store.read_all(head, tags=["ActionTaken"], limit=10_000):
            decisions, head = decisions + len(found), found[-1].position
        return Lived(seconds, decisions, after - before)

    return play


def _mebibytes() -> float:
    """The most that the process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Patient:
    """Goes on with what it does where nothing is the matter, else as another mind."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """At once, where it is asked because a step has passed."""
        question = scene.question
        if isinstance(question, WhatToDo) and question.why == "met" and not question.met:
            return Decision(action=CarryOn())
        return await self._mind.decide(scene, calls)


_next_step = town_rules.RULES.next_step
"""Before ``step_loop`` puts another in its place."""


def stepwise(world: World) -> Step:
    """The same town by a loop over steps, each of which asks everybody."""
    if world.at < 0:
        return _next_step(world)
    if world.answers or any(talk.over for talk in world.talks):
        if facts := outcomes(world):
            return Happened(at=world.at, facts=facts, turn=world.turn)
        world = replace(world, answers=())
    if asked := questions(world):
        return Ask(asked=_everybody(world, asked))
    step = world.at + 1
    if step >= world.town.settings.steps:
        return End(reason="lived", summary=town_rules.summary(world))
    if found := noticed(world, step):
        facts = tuple(found[seat] for seat in sorted(found))
        return Happened(at=step, facts=facts, turn=world.turn)
    world = replace(world, at=step)
    return Ask(asked=_everybody(world, questions(world)))


def _everybody(world: World, asked: tuple[Asked, ...]) -> tuple[Asked, ...]:
    """Once a step."""
    if world.asked_at == world.at:
        return asked
    waiting = WhatToDo(at=world.at, why="met")
    own = {one.seat: one for one in asked}
    seats = range(len(world.doings))
    return tuple(own.get(seat, Asked(seat=seat, question=waiting)) for seat in seats)


@contextmanager
def step_loop(bench: WorkerNode) -> Iterator[None]:
    """Have this node's towns live step by step."""
    make = bench.episodes.make_mind
    bench.episodes.make_mind = lambda *given: Patient(make(*given))
    TOWN.rules.next_step = stepwise  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        del TOWN.rules.next_step
        bench.episodes.make_mind = make


async def by_steps(bench: WorkerNode) -> Lived:
    """Until noon, step by step."""
    with step_loop(bench):
        return await lived(25, NOON)(bench)


def rows() -> Iterator[Row]:
    """The table, each row as soon as it is known: the last ones take minutes."""
    speed = machine_speed()
    two_days = on_worker_node(lived(25, 2 * DAY))
    rate, least = 2 * DAY * STEP_S / two_days.seconds, FEW_RATE * speed
    yield Row(
        "25 agents, 2 days, rehearsal, NATS and store",
        f"{rate:,.0f} simulated s/s",
        f"{two_days.decisions:,} decisions",
        f"≥ {least:,.0f}: {FEW_RATE:,} at {speed:.2f}",
        rate >= least,
    )
    until_noon, steps = on_worker_node(lived(25, NOON)), on_worker_node(by_steps)
    assert steps.decisions > until_noon.decisions, "steps ask everybody, and must have been played"
    yield Row(
        "the same until noon, beside a step loop",
        f"{steps.seconds / until_noon.seconds:.1f} ×",
        f"{until_noon.decisions:,} decisions, not {steps.decisions:,}",
        "≥ 4 ×",
        steps.seconds >= 4 * until_noon.seconds,
    )
    speed = machine_speed()
    many = on_worker_node(lived(1000, DAY))
    rate, least = DAY * STEP_S / many.seconds, MANY_RATE * speed
    yield Row(
        "1,000 agents, 1 day, one process",
        f"{rate:,.0f} simulated s/s",
        f"{many.decisions:,} decisions",
        f"≥ {least:,.0f}: {MANY_RATE:,} at {speed:.2f}",
        rate >= least,
    )
    yield Row(
        "  its memory",
        f"{many.mebibytes / 1000:.2f} MiB an agent",
        "",
        "≤ 1 MiB",
        many.mebibytes <= 1000,
    )


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
