"""A gateway in this process, for tests of its socket: real NATS, a real store, a real server."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, websocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.base import Event
from events.serialization.codec import encode
from events.wire import subjects
from gateway.live.conversation import SocketRefusal
from gateway.live.live_episodes import LiveEpisodes
from gateway.live.protocol import SETTINGS, SocketProtocol
from gateway.live.socket_handler import AnySocket, converse
from gateway.live.viewer_connection import ConnectionLimits
from gateway.servers.server import listen
from gateway.services.access.roles import Principal, Role
from gateway.services.viewers.frames import ServerFrame
from gateway.settings import read_settings
from store.log.event_store import ANY, NEW, EventStore

_frames = msgspec.json.Decoder(ServerFrame)


def principal(role: Role = "spectator", episode: str = "e1", **fields: Any) -> Principal:
    """Somebody whose token is valid for an hour."""
    given = {"token": f"t-{role}", "name": role, "expires": time.time_ns() // 1000 + 3_600_000_000}
    return Principal(role=role, episode=episode, **{**given, **fields})


class Watcher:
    """One socket, and all that came over it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.frames: list[Any] = []
        self.code: int | None = None
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        try:
            async for message in self.connection:
                self.frames.append(_frames.decode(message))
        except ConnectionClosed:
            pass
        self.code = self.connection.close_code

    async def send(self, frame: Any) -> None:
        await self.connection.send(msgspec.json.encode(frame).decode())

    def of(self, kind: type) -> list[Any]:
        """Those of a kind."""
        return [frame for frame in self.frames if isinstance(frame, kind)]

    @property
    def happened(self) -> list[Any]:
        """What happened, however it came."""
        found = []
        for frame in self.frames:
            name = type(frame).__name__
            found += [frame] if name == "Happened" else list(getattr(frame, "happened", ()))
        return found

    async def close(self) -> None:
        await self.connection.close()
        await self._reading


@dataclass
class Served:
    """A gateway that listens."""

    store: EventStore
    bus: Bus
    live: LiveEpisodes
    url: str
    people: dict[str, Principal] = field(default_factory=dict)
    """Who comes with which token."""
    _watchers: list[Watcher] = field(default_factory=list)

    async def tell(self, episode: str, events: Sequence[Event], *, announced: bool = True) -> None:
        """Store events of an episode, and say so."""
        stream = subjects.stream_name("episode", episode)
        appended = await asyncio.to_thread(self.store.append, stream, ANY, list(events))
        for envelope in appended.envelopes if announced else ():
            self.bus.publish(subjects.event(self.bus.space, "episode", episode), encode(envelope))

    async def begin(self, episode: str, events: Sequence[Event]) -> None:
        """Store the beginning of one."""
        stream = subjects.stream_name("episode", episode)
        await asyncio.to_thread(self.store.append, stream, NEW, list(events))

    async def socket(self, **headers: str) -> Watcher:
        """A socket on which nothing was said."""
        connection = await connect(
            self.url, max_size=None, open_timeout=60, additional_headers=headers or None
        )
        self._watchers.append(Watcher(connection))
        return self._watchers[-1]

    async def watch(self, token: str = "", episode: str = "e1", **hello: Any) -> Watcher:
        """A socket that said Hello."""
        watcher = await self.socket()
        await watcher.send({"type": "Hello", "token": token, "episode": episode, **hello})
        return watcher

    async def close(self) -> None:
        for watcher in self._watchers:
            with contextlib.suppress(Exception):
                await watcher.close()


@asynccontextmanager
async def serving(
    nats: EmbeddedNats,
    folder: Path,
    store: EventStore,
    space: str,
    limits: ConnectionLimits | None = None,
) -> AsyncIterator[Served]:
    """One gateway; several may share store and NATS."""
    settings = read_settings(
        {
            "TROUPE_DATA_DIR": str(folder),
            "TROUPE_NATS_URL": nats.url,
            "TROUPE_NATS_TOKEN": nats.token,
            "TROUPE_SPACE": space,
        }
    )
    bus = await Bus.connect(nats.url, token=nats.token, space=space)
    async with LiveEpisodes(settings, store, bus, limits) as live:
        served = Served(store=store, bus=bus, live=live, url="")

        async def principal_of(token: str) -> Principal:
            found = served.people.get(token)
            if found is None:
                raise SocketRefusal(4001, "forbidden", "that is no token")
            return found

        @websocket("/ws")
        async def watch(socket: AnySocket) -> None:
            await converse(socket, live, principal_of)

        config = uvicorn.Config(
            Litestar([watch], openapi_config=None),
            log_level="warning",
            lifespan="off",
            ws=SocketProtocol,
            **SETTINGS,
        )
        server = uvicorn.Server(config)
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
        with listen("127.0.0.1", 0) as listening:
            served.url = f"ws://127.0.0.1:{listening.getsockname()[1]}/ws"
            running = asyncio.get_running_loop().create_task(server.serve([listening]))
            try:
                yield served
            finally:
                await served.close()
                server.should_exit = True
                await running
    await bus.close()
