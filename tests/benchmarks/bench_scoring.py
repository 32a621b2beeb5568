"""How long both scorers take for the town of a task: two days of 13 people.

python -m tests.benchmarks.bench_scoring
"""

import random
import statistics
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import get_args

import numpy as np

from actors.sandbox.catalog_items import Goal, Task, TaskKind
from actors.sandbox.movement.trajectory import Talk, Trajectory, TrajectorySpan
from actors.sandbox.setup import Tile
from evaluators.sandbox.scorers.score_task import both_scores
from tests.benchmarks.table import Row

STEPS, PEOPLE, SIZE = 2_800, 13, 100
ACTIONS = 300
"""Each, in two days: one in less than ten minutes."""
ROUNDS = 5
MOST = 0.5
"""Seconds."""
WORDS = ("sleeping", "dancing at the party", "buying milk", "conversing about the party", "reading")
PLACES = [f"Elm:sector {n % 19}:room {n % 63}:object {n}" for n in range(222)]


def address_of(tile: Tile) -> str:
    """Of a made-up map."""
    return PLACES[(tile[0] // 8 * 13 + tile[1] // 8) % len(PLACES)]


def spans(chance: random.Random) -> Iterator[TrajectorySpan]:
    """One person's days."""
    starts = [0, *sorted(chance.sample(range(1, STEPS), ACTIONS - 1)), STEPS]
    for number, (start, end) in enumerate(pairwise(starts)):
        text = f"{chance.choice(WORDS)} {number}"
        yield TrajectorySpan(start, end, text, chance.choice(PLACES))


def town() -> Trajectory:
    """Everybody acts and wanders without an end."""
    chance = random.Random(14)
    steps = np.random.default_rng(14).integers(-1, 2, (STEPS, PEOPLE, 2))
    return Trajectory(
        start=datetime(2023, 2, 13),
        step_s=60,
        steps=STEPS,
        names=tuple(f"Person {n}" for n in range(PEOPLE)),
        spans=tuple(tuple(spans(chance)) for _ in range(PEOPLE)),
        tiles=((50 + steps.cumsum(axis=0)) % SIZE).astype(np.int16),
        talks=tuple(Talk(n, n + 3, (n % 3, 3 + n % 9), ()) for n in range(0, 400, 10)),
    )


def task(kind: TaskKind) -> Task:
    """One of each kind."""
    goal = Goal(keyword="party", start="2023-02-14 19:00", minutes=180, place="sector 3")
    fetch = Goal(keyword="milk", place="sector 4")
    return Task(
        id=kind,
        kind=kind,
        town="elm",
        goal="",
        brief="",
        description="",
        goals=(fetch, fetch) if kind == "help" else (goal,),
        people=7,
        targets=("Person 1",),
        performer="Person 0",
        characters=tuple(f"Person {n}" for n in range(PEOPLE)),
    )


def rows() -> list[Row]:
    """The table: medians."""
    lived = town()
    found = []
    for kind in get_args(TaskKind):
        of, taken = task(kind), []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            both_scores(of, lived, address_of)
            taken.append(time.perf_counter() - began)
        middle = statistics.median(taken)
        found.append(
            Row(
                f"both scorers, {STEPS:,} steps × {PEOPLE}: {kind}",
                f"{1_000 * middle:.1f} ms",
                goal=f"≤ {1_000 * MOST:.0f} ms",
                reached=middle <= MOST,
            )
        )
    return found


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
