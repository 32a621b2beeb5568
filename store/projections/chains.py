"""Which chains there are, how far they have come, and what their characters remember."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Delete, select

from events.base import Envelope, Event
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted
from events.memory import MemoryFailed, MemoryRecalled, MemoryWritten
from events.run import RunPlanned
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.amounts import pico_usd
from store.projections.changes import Change
from store.projections.projection import Past, Projection
from store.projections.seat_ids import split_seat


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for the lists of chains and of what is remembered."""
    id_ = split_stream(envelope.stream)[1]
    add: dict[str, int] = {}
    values: dict[str, Any]
    match event:
        case RunPlanned():
            yield from _planned(id_, event)
            return
        case MemoryWritten() | MemoryRecalled() | MemoryFailed():
            yield from _remembered(envelope, event)
            return
        case ChainStarted():
            values = {
                "run": event.run or envelope.correlation,
                "catalog": event.catalog,
                "characters": event.characters,
                "minds": tuple(mind.name for mind in event.minds),
                "memory": event.memory.name,
                "module": event.memory.module,
                "length": len(event.episodes),
                "status": "playing",
                "started_at": envelope.recorded_at,
            }
        case ChainAdvanced():
            # A chain that goes on is playing again, even after having been given up.
            values = {"status": "playing", "reason": "", "ended_at": None}
            add = {"done": 1, "failed": int(event.outcome == "failed")}
        case ChainEnded():
            values = {"status": "ended", "ended_at": envelope.recorded_at}
        case ChainFailed():
            values = {
                "status": "failed",
                "reason": event.reason,
                "ended_at": envelope.recorded_at,
            }
        case _:
            return
    yield Change(tables.chains, (id_,), values, add)


def _planned(run: str, event: RunPlanned) -> Iterator[Change]:
    # The status is left alone: "planned" is what a row begins with.
    modules = {memory.name: memory.module for memory in event.plan.memories}
    for place, planned in enumerate(event.chains):
        values = {
            "run": run,
            "place": place,
            "catalog": event.plan.catalog,
            "characters": planned.characters,
            "minds": planned.minds,
            "memory": planned.memory,
            "module": modules.get(planned.memory, ""),
            "length": len(planned.episodes),
        }
        yield Change(tables.chains, (planned.id,), values)


def _remembered(
    envelope: Envelope, event: MemoryWritten | MemoryRecalled | MemoryFailed
) -> Iterator[Change]:
    chain, seat = split_seat(split_stream(envelope.stream)[1])
    if isinstance(event, MemoryFailed):
        yield Change(tables.chains, (chain,), add={"memories_failed": 1})
        return
    values: dict[str, Any]
    if isinstance(event, MemoryRecalled):
        values = {
            "episode": event.episode,
            "recalled": event.recalled,
            "dropped": event.dropped,
            "recalled_tokens": event.tokens,
            "limit_tokens": event.limit,
            "recalled_at": envelope.recorded_at,
        }
    else:
        values = {
            "episode": event.episode,
            "words": event.words,
            "tokens": event.tokens,
            "writer": event.writer,
            "attempts": event.attempts,
            "within_bounds": event.within_bounds,
            "cost_pico_usd": pico_usd(event.cost_usd),
            "input_tokens": event.input_tokens,
            "output_tokens": event.output_tokens,
            "written_at": envelope.recorded_at,
        }
    # A seat that no name holds cannot be a key: -1 stands for it.
    yield Change(tables.memories, (chain, -1 if seat is None else seat, event.index), values)


def _rows_of(run: str) -> tuple[Delete, ...]:
    chains, memories = tables.chains, tables.memories
    own = select(chains.c.id).where(chains.c.run == run)
    return (
        memories.delete().where(memories.c.chain.in_(own)),
        chains.delete().where(chains.c.run == run),
    )


CHAINS = Projection.of_runs(
    "chains",
    (tables.chains, tables.memories),
    (
        RunPlanned,
        ChainStarted,
        ChainAdvanced,
        ChainEnded,
        ChainFailed,
        MemoryWritten,
        MemoryRecalled,
        MemoryFailed,
    ),
    changes,
    _rows_of,
)
