"""Continuation of a chain in a new one, whose streams begin with the history of the earlier chain.

The episodes themselves are not copied: the new chain refers to them, and its seats take over the
memories. Nothing is played or paid for a second time.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from events.base import Event, replace
from events.chain import ChainAdvanced, ChainStarted
from events.memory import MemoryOpened, MemoryRecalled, MemoryWritten
from events.serialization.codec import event_of
from events.wire.subjects import memory_stream, stream_name
from store.log.event_store import EventStore


class ChainSoFar(NamedTuple):
    """What a chain has behind it."""

    begun: ChainStarted
    advanced: tuple[ChainAdvanced, ...]
    """One for each episode that is over and remembered, in order."""

    @property
    def episodes(self) -> tuple[str, ...]:
        """The ids of those episodes."""
        return self.begun.episodes[: len(self.advanced)]

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The ids of their scenarios."""
        return self.begun.scenarios[: len(self.advanced)]


class ChainBeginning(NamedTuple):
    """How a stream begins."""

    stream: str
    events: tuple[Event, ...]


def chain_so_far(store: EventStore, chain: str) -> ChainSoFar | None:
    """What a chain has behind it; None for one that never began. Blocking."""
    events = [event_of(envelope) for envelope in store.read(stream_name("chain", chain))]
    if not events or not isinstance(events[0], ChainStarted):
        return None
    return ChainSoFar(events[0], tuple(one for one in events if isinstance(one, ChainAdvanced)))


def beginnings(
    store: EventStore,
    chain: str,
    behind: ChainSoFar,
    *,
    new: str,
    run: str,
    catalog: str,
    episodes: Sequence[str],
    scenarios: Sequence[str],
) -> Iterator[ChainBeginning]:
    """How the streams of chain ``new`` begin, which goes on from ``chain`` with these episodes and
    their scenarios. Blocking."""
    started = replace(
        behind.begun,
        run=run,
        catalog=catalog,
        episodes=(*behind.episodes, *episodes),
        scenarios=(*behind.scenarios, *scenarios),
    )
    yield ChainBeginning(stream_name("chain", new), (started, *behind.advanced))
    for seat, character in enumerate(started.characters):
        opened = MemoryOpened(
            chain=new, seat=seat, character=character, memory=started.memory, run=run
        )
        kept = _kept(store, memory_stream(chain, seat), len(behind.advanced))
        yield ChainBeginning(memory_stream(new, seat), (opened, *kept))


def _kept(store: EventStore, stream: str, before: int) -> Iterator[Event]:
    """What a seat was reminded of before, and what it remembers of, the episodes before an index.
    What its notes cost was paid there."""
    for envelope in store.read(stream):
        match event_of(envelope):
            case MemoryRecalled() as recalled if recalled.index < before:
                yield recalled
            case MemoryWritten() as written if written.index < before:
                yield replace(written, cost_usd=None, input_tokens=0, output_tokens=0, attempts=0)
