"""What actors under test need."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.log.event_store import EventStore
from tests.support.managed_episodes import open_at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    """A new store."""
    store = open_at(tmp_path)
    yield store
    store.close()
