"""What memories cost: tokens of the first prompt of each episode of a chain, per memory module.

python -m tests.benchmarks.bench_memory

One pair of the starter catalog meets 40 times, rehearsal minds in both seats; the prompts are those
that a model mind in the first seat would be sent.
"""

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from actors.lifelong.memory.modules import BUILT_IN, with_prompt
from actors.lifelong.memory.recall import memory_text
from actors.models.tokens import count
from actors.social import prompt_writer
from actors.social.catalog.starter import starter_catalog
from actors.social.setup import EpisodeRules
from actors.social.sight import background
from events.base import replace
from events.chain import ChainStarted
from events.episode import EpisodeStarted
from events.ids import CHAIN, EPISODE, new_id
from events.memory import MemoryRecalled, MemorySpec, MemoryWritten
from events.minds import MindSpec
from events.serialization.codec import event_of
from events.wire import subjects
from gateway.process.worker_node import WorkerNode
from store.log.event_store import EventStore
from tests.benchmarks.episodes import on_worker_node
from tests.benchmarks.table import Row
from tests.support.social_episodes import cast_episode

LENGTH = 40
SHOWN = (1, 10, 20, 40)
"""Episodes whose prompts are shown, counted from 1."""
SMALL = 16_000
"""A context, in tokens, that 40 episodes do not fit into."""
HEADINGS = 10
"""Words around the three parts of a note: its episode's number and the parts' titles."""
MINDS = tuple(
    MindSpec(name=temper, kind="rehearsal", temper=temper) for temper in ("generous", "stubborn")
)


class Measured(msgspec.Struct):
    """A chain with one memory."""

    memory: MemorySpec
    prompts: list[int]
    """Tokens of each episode's first prompt, the first seat's."""
    words: list[int]
    """Words of what was recalled for it."""
    dropped: int
    """Episodes left out before the last one."""
    within: int
    """Notes within their bounds, of both seats."""
    notes: int
    ms: float
    """Milliseconds an episode took, all of it."""

    @property
    def growth(self) -> int:
        """The most words that an episode added."""
        return max(after - before for before, after in itertools.pairwise(self.words))


def memories() -> Iterator[MemorySpec]:
    """Those compared: the built-in ones, and two with a context that is soon full."""
    yield from BUILT_IN.values()
    for module in ("full", "summary"):
        name = f"{module}, context of {SMALL:,}"
        spec = MemorySpec(name=name, module=module, context_tokens=SMALL)  # type: ignore[arg-type]
        yield with_prompt(spec)


def beginnings(
    chain: str, length: int = LENGTH, without: str = "", **rules: Any
) -> list[EpisodeStarted]:
    """A pair's episodes: every scenario for two, again and again, each time with another seed.
    ``without``: a tag of those left out."""
    catalog = starter_catalog()
    pair = catalog.tasks[0]
    fitting = [one for one in catalog.scenarios if len(one.goals) == 2 and without not in one.tags]
    scenarios = itertools.cycle(one.id for one in fitting)
    return [
        cast_episode(
            catalog,
            replace(pair, id=scenario, scenario=scenario),
            MINDS,
            EpisodeRules(seed=number, **rules),
            chain=chain,
            index=number,
        )
        for number, scenario in zip(range(length), scenarios, strict=False)
    ]


def chain_of(memory: MemorySpec, starts: Sequence[EpisodeStarted]) -> ChainStarted:
    """The chain that episodes make up."""
    return ChainStarted(
        run="",
        catalog=starts[0].catalog,
        characters=tuple(one.id for one in starts[0].setup.cast),
        minds=MINDS,
        memory=memory,
        episodes=tuple(new_id(EPISODE) for _ in starts),
        scenarios=tuple(one.scenario for one in starts),
    )


async def measure(bench: WorkerNode, memory: MemorySpec) -> Measured:
    """Play a chain and look at what each episode began with."""
    chain = new_id(CHAIN)
    starts = beginnings(chain)
    begun = chain_of(memory, starts)
    wall = time.perf_counter()
    for episode, started in zip(begun.episodes, starts, strict=True):
        await bench.chains.play(begun, episode, started)
    ms = 1e3 * (time.perf_counter() - wall) / LENGTH
    texts = [memory_text(bench.store, chain, 0, number) for number in range(LENGTH)]
    asked = [
        prompt_writer.act_prompt(background(episode, started, 0, text), (), 1)
        for episode, started, text in zip(begun.episodes, starts, texts, strict=True)
    ]
    written = [event for seat in (0, 1) for event in _of(bench.store, chain, seat, MemoryWritten)]
    notes = [event for event in written if event.note is not None]
    return Measured(
        memory=memory,
        prompts=[count(prompt.system) + count(prompt.user) for prompt in asked],
        words=[len(text.split()) for text in texts],
        dropped=len(_of(bench.store, chain, 0, MemoryRecalled)[-1].dropped),
        within=sum(event.within_bounds for event in notes),
        notes=len(notes),
        ms=ms,
    )


def rows() -> Iterator[Row]:
    """The table."""
    yield Row(f"prompt tokens, episode {', '.join(map(str, SHOWN))} of {LENGTH}:", "")
    for memory in memories():
        yield _row(on_worker_node(lambda bench, memory=memory: measure(bench, memory)))  # type: ignore[misc]


def _row(measured: Measured) -> Row:
    memory = measured.memory
    figure = " ".join(f"{measured.prompts[number - 1]:,}" for number in SHOWN)
    beside = [f"{measured.ms:.0f} ms an episode"]
    if measured.notes:
        beside.append(f"{measured.within}/{measured.notes} in bounds")
    if measured.dropped:
        beside.append(f"{measured.dropped} dropped")
    goal, reached = "", None
    if memory.module == "summary":
        most = memory.words_high + HEADINGS
        goal = f"≤ {memory.words_high} + {HEADINGS} words more each time"
        beside.insert(0, f"{measured.growth} words")
        reached = measured.growth <= most
    return Row(f"  {memory.name}", figure, ", ".join(beside), goal, reached)


def _of(store: EventStore, chain: str, seat: int, kind: type) -> list:  # type: ignore[type-arg]
    """Events of one kind in the stream of a seat's memory."""
    stream = subjects.memory_stream(chain, seat)
    return [event_of(one) for one in store.read(stream) if one.tag == kind.__name__]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
