"""The processes that are looked at, and the servers they share."""

import asyncio
import os
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import psutil

from actors.runtime.embedded_nats.server import EmbeddedNats
from gateway.settings import Settings, read_settings
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.soak.figures import Inside

LISTENS = "Troupe listens on "
READY_S = 120.0
ANSWERS_S = 60.0
END_S = 60.0


class Watched:
    """A ``troupe`` command that answers the probe's questions."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name = name
        self.process = process
        self.url = ""
        """Where it listens, once it does."""
        self.seen = psutil.Process(process.pid)

    @classmethod
    async def start(cls, name: str, folder: Path, settings: dict[str, str]) -> "Watched":
        """Start ``serve`` or ``worker``; returns once it listens."""
        output = (folder / f"{name}.log").open("wb")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.soak.probe", name, "--port", "0"),
            env={**os.environ, **settings, "TROUPE_LOG": "warning"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
        )
        output.close()
        watched = cls(name, process)
        async with asyncio.timeout(READY_S):
            while not watched.url:
                line = (await watched._line()).decode()
                if line.startswith(LISTENS):
                    watched.url = line.removeprefix(LISTENS).strip()
        return watched

    async def inside(self, types: Path | None = None) -> Inside:
        """What it holds; ``types``: with the numbers of its objects in a file."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{types or ''}\n".encode())
        async with asyncio.timeout(ANSWERS_S):
            return msgspec.json.decode(await self._line(), type=Inside)

    async def stop(self) -> None:
        """Ask it to end, and wait for that; one that does not is killed."""
        if self.process.returncode is None:
            self.process.terminate()
        try:
            async with asyncio.timeout(END_S):
                await self.process.wait()
        except TimeoutError:
            self.process.kill()
            await self.process.wait()

    async def _line(self) -> bytes:
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} has ended by itself; see {self.name}.log")
        return line


class Place:
    """Where everything happens: a store, its settings, and the processes at work on it."""

    def __init__(self, folder: Path, settings: Settings, watched: list[Watched]) -> None:
        self.folder, self.settings, self.watched = folder, settings, watched
        self.store: EventStore = open_store(settings.database_url)

    @property
    def wal(self) -> int:
        """Bytes of SQLite's write-ahead log."""
        file = self.settings.data_dir / "troupe.db-wal"
        return file.stat().st_size if file.exists() else 0


@asynccontextmanager
async def place_in(folder: Path, *, fleet: bool) -> AsyncIterator[Place]:
    """A server with what it brings itself; or, as a ``fleet``, a server and a worker on PostgreSQL
    and a NATS server beside them. All of it ends with the block."""
    variables = {"TROUPE_DATA_DIR": str(folder / "data")}
    names = ["serve"]
    async with AsyncExitStack() as stack:
        if fleet:
            from tests.support.servers.postgres_server import start_postgres

            postgres = await asyncio.to_thread(start_postgres, uuid.uuid4().hex[:16])
            stack.push_async_callback(asyncio.to_thread, postgres.cleanup)
            nats = stack.enter_context(EmbeddedNats(folder))
            variables |= {
                "TROUPE_DATABASE_URL": postgres.get_uri(),
                "TROUPE_NATS_URL": nats.url,
                "TROUPE_NATS_TOKEN": nats.token,
            }
            names.append("worker")
        settings = read_settings(variables)
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        place = Place(folder, settings, [])
        stack.callback(place.store.close)
        for name in names:
            place.watched.append(await Watched.start(name, folder, variables))
            stack.push_async_callback(place.watched[-1].stop)
        yield place
