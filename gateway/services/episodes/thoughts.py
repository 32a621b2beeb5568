"""What a mind that thinks has concluded: the plans, memories and reflections of one seat."""

from collections.abc import Sequence
from typing import Any

from events.base import Value, replace
from events.episode import TurnOpened
from events.serialization.codec import event_of
from events.thoughts import AnyThought, Decided, MemoryAdded
from events.wire.subjects import agent_stream, split_stream
from gateway.services.episodes.episode_details import parse_viewer, read_begun
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import Numbered


class Thinking(Value, frozen=True, kw_only=True):
    """All that one decision led to."""

    turn: int
    """The episode's."""
    question: int
    at: float
    """Seconds since the episode's own time began."""
    thoughts: tuple[AnyThought, ...]
    """In order; without the numbers that stand for a memory's meaning."""
    action: Any
    """What it answered with: the environment's own."""


def thoughts_of(store: EventStore, given: str, seat: int) -> tuple[Thinking, ...]:
    """What the minds in a seat, from 0, concluded in an episode and in the past that it shares with
    others, oldest first. Raises ``UnknownId``, ``BadArgument``."""
    row = queries.episode(store, given)
    history = read_begun(store, row)
    parse_viewer(str(seat + 1), len(row.characters))
    found: dict[tuple[int, int], Thinking] = {}
    for episode, turns in _turns(history).items():
        for envelope in store.read(agent_stream(episode, seat)):
            event = event_of(envelope) if envelope.tag == Decided.__name__ else None
            if isinstance(event, Decided) and event.turn in turns:
                found[event.turn, event.question] = _thinking(event)
    return tuple(found[key] for key in sorted(found))


def _turns(history: Sequence[Numbered]) -> dict[str, set[int]]:
    """The turns that were opened in each of the episodes whose events these are."""
    turns: dict[str, set[int]] = {}
    for one in history:
        if isinstance(one.event, TurnOpened):
            episode = split_stream(one.envelope.stream)[1]
            turns.setdefault(episode, set()).add(one.event.turn)
    return turns


def _thinking(event: Decided) -> Thinking:
    bare = tuple(
        replace(one, embedding=b"") if isinstance(one, MemoryAdded) else one
        for one in event.thoughts
    )
    return Thinking(
        turn=event.turn,
        question=event.question,
        at=event.at,
        thoughts=bare,
        action=event.action,
    )
