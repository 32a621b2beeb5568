"""Which events of a store came in from outside, and which were written here."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from events.serialization.codec import event_of
from events.unexported_events import EventsImported
from events.wire.subjects import stream_name
from store.log.event_store import EventStore

STREAM: Final = stream_name("imports", "here")
"""Where imports are recorded. No file can hold it."""


class ImportedEvents:
    """The positions of what came in. Positions never change, so neither do the answers."""

    def __init__(self, imports: Sequence[EventsImported] = ()) -> None:
        """``imports``: in the store's order."""
        self._first = [one.first for one in imports]
        self._last = [one.last for one in imports]

    def __contains__(self, position: object) -> bool:
        assert isinstance(position, int)
        place = bisect_right(self._first, position)
        return place > 0 and position <= self._last[place - 1]

    def __len__(self) -> int:
        return len(self._first)


def imported_events(store: EventStore) -> ImportedEvents:
    """What came into a store from outside, so far."""
    events = map(event_of, store.read(STREAM))
    return ImportedEvents([event for event in events if isinstance(event, EventsImported)])
