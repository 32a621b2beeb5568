"""Reading a log from one position to another, a batch at a time."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from events.base import Envelope
from store.log.event_store import EventStore

Item = TypeVar("Item")


def read_ahead(
    store: EventStore, after: int, upto: int, size: int, *, tags: Sequence[str] | None = None
) -> Iterator[list[Envelope]]:
    """The events behind one position up to and including another; of some tags only. While a batch
    of ``size`` events is worked on the next one is being read."""
    return ahead(_batches(store, after, upto, size, tags))


def ahead(items: Iterable[Item]) -> Generator[Item]:
    """The same items. While one is worked on the next one is made, by a thread: a database that is
    a process of its own would else idle meanwhile, and be waited for afterwards. What the items are
    made of may be let go of once this was closed."""
    iterator, end = iter(items), object()
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, iterator, end)
        while (item := coming.result()) is not end:
            coming = thread.submit(next, iterator, end)
            yield item  # type: ignore[misc]


def _batches(
    store: EventStore, after: int, upto: int, size: int, tags: Sequence[str] | None
) -> Iterator[list[Envelope]]:
    more = after < upto
    while more:
        found = store.read_all(after, tags=tags, limit=size)
        more = len(found) == size and found[-1].position < upto
        yield [envelope for envelope in found if envelope.position <= upto]
        after = found[-1].position if found else upto
