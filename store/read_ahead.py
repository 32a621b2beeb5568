"""Reading a log from one position to another, a batch at a time."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from events.base import Envelope
from store.log import EventStore


def read_ahead(
    store: EventStore, after: int, upto: int, size: int, *, tags: Sequence[str] | None = None
) -> Iterator[list[Envelope]]:
    """The events behind one position up to and including another; of some tags only.

    While a batch of ``size`` events is worked on the next one is being read: a database that is a
    process of its own would else idle meanwhile, and be waited for afterwards.
    """
    if after >= upto:
        return
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(store.read_all, after, tags=tags, limit=size)
        more = True
        while more:
            found = coming.result()
            more = len(found) == size and found[-1].position < upto
            if more:
                coming = reader.submit(store.read_all, found[-1].position, tags=tags, limit=size)
            yield [envelope for envelope in found if envelope.position <= upto]
