"""A real nats-server for tests: one a worker process of pytest, a space of its own each test."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
import pytest_asyncio

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.ids import new_id

Connect = Callable[..., Awaitable[Bus]]


@pytest.fixture(scope="session")
def nats_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedNats]:
    """The server shared by this process's tests. Who stops it uses ``own_nats_server``."""
    with EmbeddedNats(tmp_path_factory.mktemp("nats")) as server:
        yield server


@pytest.fixture
def own_nats_server(tmp_path) -> Iterator[EmbeddedNats]:
    """A server for one test, which may stop and start it."""
    with EmbeddedNats(tmp_path) as server:
        yield server


@pytest.fixture
def space() -> str:
    """A space no other test uses."""
    return new_id("t")


@pytest_asyncio.fixture
async def connect(nats_server: EmbeddedNats, space: str) -> AsyncIterator[Connect]:
    """Makes buses that are closed after the test: ``await connect()``, another server or space by
    keyword."""
    made: list[Bus] = []

    async def make(*, server: EmbeddedNats = nats_server, **options) -> Bus:
        options = {"token": server.token, "space": space, **options}
        made.append(await Bus.connect(server.url, **options))
        return made[-1]

    yield make
    await asyncio.gather(*(bus.close() for bus in made))


@pytest_asyncio.fixture
async def bus(connect: Connect) -> Bus:
    """A bus in the test's space."""
    return await connect()


async def until(condition: Callable[[], object], within: float = 60.0) -> None:
    """Return as soon as the condition holds; fail when it does not within so many seconds."""
    async with asyncio.timeout(within):
        while not condition():
            await asyncio.sleep(0.005)
