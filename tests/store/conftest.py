"""Fixtures for everything that reads from a store."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from store.conformance.base import Open
from store.log.event_store import EventStore
from tests.store.backends import open_again, store_url

__all__ = ["open_again", "store", "store_url"]


@pytest.fixture
def store(open_again: Open) -> Iterator[EventStore]:
    """An empty store of each kind; it need not survive a power cut."""
    with closing(open_again(durable=False)) as opened:
        yield opened
