"""The rules of a chain: which episode is next, and when all are over.

LIFELONG-SOTOPIA (Goel and Zhu 2025), section 3. Everything here is pure: no clock, no random
number, no I/O. The states hold counters, no lists: their size does not grow with the chain.
"""

import msgspec

from actors.runtime.errors import CommandRefused
from events.base import Event, Value
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted, EpisodeOutcome
from events.memory import MemoryFailed, MemoryOpened, MemoryRecalled, MemoryWritten
from events.serialization.struct_types import decodable

SNAPSHOT_SCHEMA = "chain-1"
"""Name and version of ``ChainState`` as snapshots hold it; any change of its fields raises it."""


class ChainState(Value, frozen=True, kw_only=True):
    """A chain after some event of its stream."""

    length: int = 0
    """Episodes it has; 0: it has not begun."""
    next: int = 0
    """Index of the first episode that is not over and remembered."""
    failed: int = 0
    """Episodes before that one that were given up."""
    over: bool = False
    """All episodes are over, or the chain was given up."""


class Begin(Value, frozen=True, kw_only=True):
    """The chain is to begin."""

    started: ChainStarted


class Advance(Value, frozen=True, kw_only=True):
    """An episode is over, and every seat remembers it."""

    index: int
    episode: str
    outcome: EpisodeOutcome


ChainCommand = Begin | Advance

_snapshot = msgspec.msgpack.Decoder(decodable(ChainState))
dump_state = msgspec.msgpack.Encoder().encode
"""A state as bytes, for a snapshot of ``SNAPSHOT_SCHEMA``."""


def load_state(snapshot: bytes) -> ChainState:
    """The state that ``dump_state`` wrote. Raises ``msgspec.ValidationError``."""
    return _snapshot.decode(snapshot)


def evolve(state: ChainState, event: Event) -> ChainState:
    """The state after one more event of the chain's stream.

    Raises ``TypeError`` for an event that is none of a chain's.
    """
    match event:
        case ChainStarted(episodes=episodes):
            return ChainState(length=len(episodes))
        case ChainAdvanced(index=index, outcome=outcome):
            failed = state.failed + (outcome == "failed")
            return msgspec.structs.replace(state, next=index + 1, failed=failed)
        case ChainEnded() | ChainFailed():
            return msgspec.structs.replace(state, over=True)
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of a chain")


def decide(state: ChainState, command: ChainCommand) -> tuple[Event, ...]:
    """The events a command leads to, to be appended together; none when it was done before.

    Raises ``CommandRefused`` where the rules forbid it.
    """
    match command:
        case Begin(started=started):
            return _begin(state, started)
        case Advance():
            return _advance(state, command)


def _begin(state: ChainState, started: ChainStarted) -> tuple[Event, ...]:
    if state.length or state.over:
        return ()
    if not started.episodes:
        raise CommandRefused("a chain needs at least one episode")
    if len(started.minds) != len(started.characters):
        raise CommandRefused(
            f"{len(started.minds)} minds were given for {len(started.characters)} characters; "
            "one each is needed"
        )
    return (started,)


def _advance(state: ChainState, command: Advance) -> tuple[Event, ...]:
    if state.over or command.index < state.next:
        return ()
    if not state.length:
        raise CommandRefused("the chain has not begun, so none of its episodes can be over")
    if command.index > state.next:
        raise CommandRefused(
            f"episode {command.index} cannot be over before episode {state.next}, which is not"
        )
    advanced = ChainAdvanced(index=command.index, episode=command.episode, outcome=command.outcome)
    then = evolve(state, advanced)
    if then.next < then.length:
        return (advanced,)
    return advanced, ChainEnded(ended=then.length - then.failed, failed=then.failed)


# ------------------------------------------------------------------------------ memories


class MemoryState(Value, frozen=True, kw_only=True):
    """How far a seat's memory is, after some event of its stream."""

    opened: bool = False
    recalled: int = -1
    """The last episode before which the seat was reminded of what it knows; -1: none."""
    written: int = -1
    """The last episode it remembers; -1: none."""


def evolve_memory(state: MemoryState, event: Event) -> MemoryState:
    """The state after one more event of the memory's stream. Calls of models change nothing."""
    change = msgspec.structs.replace
    match event:
        case MemoryOpened():
            return change(state, opened=True)
        case MemoryRecalled(index=index):
            return change(state, recalled=index)
        case MemoryWritten(index=index):
            return change(state, written=index)
        case MemoryFailed(index=index, during="recall"):
            # Once and for all: an episode is not begun without its memories and gone on with them.
            return change(state, recalled=index)
        case MemoryFailed(index=index):
            return change(state, written=index)
    return state
