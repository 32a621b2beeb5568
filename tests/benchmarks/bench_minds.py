"""Generative minds: what comes to mind, how much is thought at once, and with how many calls.

python -m tests.benchmarks.bench_minds
"""

import asyncio
import statistics
import time

from actors.minds.generative.embedders import hashed
from actors.minds.generative.memory import Memories
from actors.minds.generative.mind import GenerativeMind
from actors.minds.generative.retrieval import Way, best
from actors.minds.generative.thinking import TOP
from actors.sandbox.environment import SANDBOX
from actors.sandbox.generator import generated
from actors.sandbox.setup import Settings, Town
from events.episode import EpisodeStarted
from events.minds import GenerativeSpec
from events.thoughts import MemoryAdded
from tests.benchmarks.table import Row
from tests.stub_answers import WORDS
from tests.thinkers import InProcess, Memory, Played, thinker

MEMORIES, LOOK_UPS = 10_000, 60
MOST_MS = 5.0
PEOPLE = 25
LATENCY_S = 0.5
FROM, TURNS = "2023-02-13 07:40:00", 16
"""From when on a town is played for the comparison, and for how many turns: from breakfast to the
way to work."""
AT_LEAST = 3.0
MOST_SHARE = 0.25
STEPS_OF_A_DAY = 1440


def retrieval_ms(way: Way) -> float:
    """How long it takes to look up what comes to mind of a sentence, its vector included."""
    memories = Memories()
    for id in range(MEMORIES):
        text = " ".join(WORDS[(id * prime) % len(WORDS)] for prime in (1, 3, 7, 11, 13))
        memories.add(
            MemoryAdded(
                id=id, kind="event", text=f"{text} {id}", at=60.0 * id, importance=1 + id % 10
            )
        )
    taken = []
    for number in range(LOOK_UPS):
        began = time.perf_counter()
        (query,) = hashed([f"what was agreed about {WORDS[number % len(WORDS)]} {number}"])
        found = best(memories, query, 60.0 * MEMORIES, way, TOP)
        taken.append(time.perf_counter() - began)
        memories.use(found, 60.0 * MEMORIES)
    return 1_000 * statistics.median(taken[2:])


def played(setup: Town, model: InProcess, spec: GenerativeSpec) -> Played:
    """A town whose inhabitants all think."""
    mind = thinker(profile=spec.profile)
    started = EpisodeStarted(
        run="",
        environment="sandbox",
        task="t",
        catalog="c",
        minds=(mind,) * len(setup.inhabitants),
        setup=setup,
    )
    caller = model.caller()
    return Played(
        SANDBOX,
        started,
        [GenerativeMind(mind, SANDBOX, caller) for _ in setup.inhabitants],
        [Memory() for _ in setup.inhabitants],
    )


def seconds_at_once(*, one_by_one: bool) -> tuple[float, int]:
    """How long some turns of a town take whose model answers after half a second, after a first one
    in which all plan their day; and how many calls they make."""
    town, people = generated(1, PEOPLE)
    setup = Town(map=town, inhabitants=people, settings=Settings(start=FROM, steps=600))
    model = InProcess()
    episode = played(setup, model, GenerativeSpec())

    async def turns() -> float:
        await episode.turn()
        model.latency_s = LATENCY_S
        began = time.perf_counter()
        for _ in range(TURNS):
            await episode.turn(one_by_one=one_by_one)
        return time.perf_counter() - began

    taken = asyncio.run(turns())
    return taken, len(model.prompts)


def calls_a_day(profile: str) -> float:
    """Calls that an inhabitant of the own town makes in a day."""
    catalog = SANDBOX.starter()
    setup = SANDBOX.begin(catalog, catalog.tasks[0].id, Settings(steps=STEPS_OF_A_DAY), 1).setup
    model = InProcess()
    episode = played(setup, model, GenerativeSpec(profile=profile))  # type: ignore[arg-type]
    asyncio.run(episode.play())
    return len(model.prompts) / len(setup.inhabitants)


def rows() -> list[Row]:
    """The table."""
    ga, published = retrieval_ms("ga"), retrieval_ms("published")
    at_once, calls = seconds_at_once(one_by_one=False)
    one_by_one, _ = seconds_at_once(one_by_one=True)
    lean, full = calls_a_day("lean"), calls_a_day("published")
    times = one_by_one / at_once
    return [
        Row(
            f"minds: retrieval over {MEMORIES:,} memories",
            f"{ga:.1f} ms",
            f"as published: {published:.1f} ms",
            f"≤ {MOST_MS:g} ms",
            max(ga, published) <= MOST_MS,
        ),
        Row(
            f"minds: {PEOPLE} agents, {LATENCY_S:g} s model, {TURNS} turns",
            f"{at_once:.1f} s, {calls - PEOPLE} calls",
            f"one by one: {one_by_one:.1f} s, {times:.1f} ×",
            f"≥ {AT_LEAST:g} ×",
            times >= AT_LEAST,
        ),
        Row(
            "minds: lean calls an agent-day",
            f"{lean:.0f}, {lean / full:.2f} of published",
            f"published: {full:.0f}",
            f"≤ {MOST_SHARE:g} of published",
            lean <= MOST_SHARE * full,
        ),
    ]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
