"""Generative minds: what comes to mind, how much is thought at once, and with how many calls.

python -m tests.benchmarks.bench_minds
"""

import asyncio
import statistics
import time
from typing import Any, NamedTuple

from actors.minds.generative.decision import TOP
from actors.minds.generative.hashed_vectors import hashed
from actors.minds.generative.memory import Memories
from actors.minds.generative.mind import GenerativeMind
from actors.minds.generative.retrieval import Way, best
from actors.sandbox.catalog.generator import generated
from actors.sandbox.environment import SANDBOX, TOWN
from actors.sandbox.setup import Settings, Town
from events.episode import EpisodeStarted
from events.minds import GenerativeSpec
from events.thoughts import MemoryAdded
from tests.benchmarks.table import Row
from tests.support.generative_minds import InProcess, Memory, Played, thinker
from tests.support.servers import stub_thoughts
from tests.support.servers.stub_answers import WORDS

MEMORIES, LOOK_UPS = 10_000, 60
MOST_MS = 5.0
PEOPLE = 25
LATENCY_S = 0.5
TALKS_ONE_IN = 24
"""Of so many sightings one leads to a talk: some 90 a day among 25. The more they talk, the less is
thought at once, for a talk is one utterance after another and the town's clock waits for it."""
CHATTY_ONE_IN = 8
"""The same where people talk more."""
AT_LEAST = 4.0
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
        TOWN,
        started,
        [GenerativeMind(mind, TOWN, caller) for _ in setup.inhabitants],
        [Memory() for _ in setup.inhabitants],
    )


class ModelsClock(asyncio.SelectorEventLoop):
    """A loop whose time passes only where all wait: a day of answers after half a second each is
    over in as long as the work between them takes, which is not counted."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        select = self._selector.select  # type: ignore[attr-defined]

        def passing(timeout: float | None = None) -> Any:
            self.now += timeout or 0.0
            return select(0)

        self._selector.select = passing  # type: ignore[attr-defined]

    def time(self) -> float:
        return self.now


class Waited(NamedTuple):
    """How a town waited for its model in a day."""

    seconds: float
    instants: int
    """Turns in which somebody thought: one follows from the other, and takes an answer at least."""


def day_of_answers(*, one_by_one: bool) -> Waited:
    """How long a town waits for its model in a day."""
    town, people = generated(1, PEOPLE)
    setup = Town(map=town, inhabitants=people, settings=Settings(steps=STEPS_OF_A_DAY))
    model = InProcess()
    model.latency_s = LATENCY_S
    episode = played(setup, model, GenerativeSpec())

    async def day() -> Waited:
        loop, instants = asyncio.get_running_loop(), 0
        while not episode.over:
            before = loop.time()
            await episode.turn(one_by_one=one_by_one)
            instants += loop.time() > before
        return Waited(loop.time(), instants)

    with asyncio.Runner(loop_factory=ModelsClock) as runner:
        return runner.run(day())


def gain(talks_one_in: int) -> tuple[Waited, float]:
    """How a day is waited for, and how many times as long with one decision at a time."""
    usual, stub_thoughts.TALKS_ONE_IN = stub_thoughts.TALKS_ONE_IN, talks_one_in
    try:
        at_once = day_of_answers(one_by_one=False)
        return at_once, day_of_answers(one_by_one=True).seconds / at_once.seconds
    finally:
        stub_thoughts.TALKS_ONE_IN = usual


def calls_a_day(profile: str) -> float:
    """Calls that an inhabitant of the own town makes in a day."""
    catalog = SANDBOX.starter()
    setup = SANDBOX.begin(catalog, catalog.tasks[0].id, Settings(steps=STEPS_OF_A_DAY), 1).setup
    assert isinstance(setup, Town)
    model = InProcess()
    episode = played(setup, model, GenerativeSpec(profile=profile))  # type: ignore[arg-type]
    asyncio.run(episode.play())
    return len(model.prompts) / len(setup.inhabitants)


def rows() -> list[Row]:
    """The table."""
    ga, published = retrieval_ms("ga"), retrieval_ms("published")
    at_once, gained = gain(TALKS_ONE_IN)
    _, chatty = gain(CHATTY_ONE_IN)
    lean, full = calls_a_day("lean"), calls_a_day("published")
    return [
        Row(
            f"minds: retrieval over {MEMORIES:,} memories",
            f"{ga:.1f} ms",
            f"as published: {published:.1f} ms",
            f"≤ {MOST_MS:g} ms",
            max(ga, published) <= MOST_MS,
        ),
        Row(
            f"minds: {PEOPLE} agents, {LATENCY_S:g} s model, a day",
            f"{at_once.seconds:.0f} s, {gained:.1f} × one decision at a time",
            f"an answer in each of its {at_once.instants:,} instants of thought: "
            f"{at_once.instants * LATENCY_S:.0f} s; where one sighting of {CHATTY_ONE_IN} leads "
            f"to a talk: {chatty:.1f} ×",
            f"≥ {AT_LEAST:g} ×",
            gained >= AT_LEAST,
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
