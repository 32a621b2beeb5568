"""What the suites share."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeAlias

import pytest

from events.base import Event
from events.episode import EpisodeEnded
from store.log.event_store import EventStore

Open: TypeAlias = Callable[[], EventStore]


def happened(turn: int, text: str = "") -> Event:
    """Some event; ``turn`` and ``text`` tell it from others."""
    return EpisodeEnded(turn=turn, reason=text)


def some(count: int, first: int = 0) -> list[Event]:
    """``count`` different events."""
    return [happened(turn) for turn in range(first, first + count)]


class Suite:
    """A store to test, and the same store opened a second time."""

    @pytest.fixture
    def store(self, open_again: Open) -> Iterator[EventStore]:
        with closing(open_again()) as store:
            yield store

    @pytest.fixture
    def other(self, store: EventStore, open_again: Open) -> Iterator[EventStore]:
        """The same database through a store of its own, as another process has it."""
        with closing(open_again()) as other:
            yield other
