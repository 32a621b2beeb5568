"""Reads the streams of chains and memories, no further than needed. All functions block."""

from collections.abc import Iterator
from typing import Final

from events.base import Envelope, Event
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import NEW, EventStore

PAGE: Final = 100
"""Events of a stream that are held at a time: a long chain is to take no more memory."""


def oldest_first(store: EventStore, stream: str) -> Iterator[Envelope]:
    """A stream's events in order."""
    version = 0
    while page := store.read(stream, version, version + PAGE - 1):
        yield from page
        version += len(page)


def newest_first(store: EventStore, stream: str) -> Iterator[Envelope]:
    """A stream's events, the last first."""
    last = store.version(stream)
    while last >= 0:
        first = max(0, last - PAGE + 1)
        yield from reversed(store.read(stream, first, last))
        last = first - 1


def last_event(store: EventStore, stream: str) -> Event | None:
    """The last event of a stream; None where there is none."""
    version = store.version(stream)
    return None if version == NEW else event_of(store.read(stream, version)[-1])


def due_in(store: EventStore, chain: str) -> int | None:
    """Index of the first episode of a chain that is not over and remembered; None where the chain
    is over."""
    match last_event(store, stream_name("chain", chain)):
        case ChainAdvanced(index=index):
            return index + 1
        case ChainEnded() | ChainFailed():
            return None
        case _:
            return 0
