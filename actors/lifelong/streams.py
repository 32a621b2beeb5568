"""What the last event of a stream says."""

from events.base import Event
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.codec import event_of
from events.subjects import stream_name
from store.log import NEW, EventStore


def last_event(store: EventStore, stream: str) -> Event | None:
    """The last event of a stream; None where there is none. Blocking."""
    version = store.version(stream)
    return None if version == NEW else event_of(store.read(stream, version)[-1])


def due_in(store: EventStore, chain: str) -> int | None:
    """Index of the first episode of a chain that is not over and remembered; None where the chain
    is over. Blocking."""
    match last_event(store, stream_name("chain", chain)):
        case ChainAdvanced(index=index):
            return index + 1
        case ChainEnded() | ChainFailed():
            return None
        case _:
            return 0
