"""Gateways in this process."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from actors.runtime.embedded_nats.server import EmbeddedNats
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.gateway.live.served import Served, principal, serving


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    """An empty one."""
    opened = open_store(f"sqlite:///{tmp_path}/troupe.sqlite3")
    yield opened
    opened.close()


@pytest_asyncio.fixture
async def served(
    nats_server: EmbeddedNats, tmp_path: Path, store: EventStore, space: str
) -> AsyncIterator[Served]:
    """One that listens, to which a spectator, a researcher and the person of the second seat may
    come."""
    async with serving(nats_server, tmp_path, store, space) as one:
        one.people["watch"] = principal()
        one.people["all"] = principal("researcher", episode="", name="rae")
        one.people["sit"] = principal("participant", seat=1, name="p-abcdefgh")
        yield one
