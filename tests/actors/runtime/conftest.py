import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pykka import ActorRegistry

from actors.runtime.actors.dispatcher import LoopDispatcher
from store.log.event_store import EventStore
from store.open_store import open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    store = open_store(f"sqlite:///{tmp_path / 'events.db'}", durable=False)
    yield store
    store.close()


@pytest.fixture
async def home() -> AsyncIterator[None]:
    """The test's loop is where actors live; none of them outlives the test."""
    LoopDispatcher.default = LoopDispatcher.of(asyncio.get_running_loop())
    # Those that a failed test has left on its closed loop would never say that they have stopped.
    before = {one.actor_urn for one in ActorRegistry.get_all()}
    yield
    ours = [one for one in ActorRegistry.get_all() if one.actor_urn not in before]
    for stopped in [one.stop(block=False) for one in ours]:
        await stopped
    LoopDispatcher.default = None
