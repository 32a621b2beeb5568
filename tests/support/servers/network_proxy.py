"""A network between a process and a server that can be broken without either of them being told."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self, cast

LOST_REPLY = b"C\x00\x00\x00\x0bCOMMIT\x00"
"""PostgreSQL's word that a transaction is committed."""
Reach = Callable[[Callable[[], asyncio.Protocol]], Awaitable[object]]


class Proxy:
    """Forwards connections on a port of its own. ``async with Proxy.to_port(…) as proxy``."""

    def __init__(self, reach: Reach) -> None:
        """``reach`` makes a connection to the server, for a protocol."""
        self.reach = reach
        self.whole = asyncio.Event()
        self.whole.set()
        self.sides: set[_Side] = set()
        self.swallow: asyncio.Future[None] | None = None
        """Done once the reply to a commit was swallowed."""
        self.port = 0
        self._server: asyncio.Server | None = None
        self._connecting: set[asyncio.Task[None]] = set()

    @classmethod
    def to_port(cls, port: int) -> Self:
        """A way to a server of this machine."""
        loop = asyncio.get_running_loop()
        return cls(lambda protocol: loop.create_connection(protocol, "127.0.0.1", port))

    @classmethod
    def to_socket(cls, path: str) -> Self:
        """A way to a server that listens on a socket of the file system."""
        loop = asyncio.get_running_loop()
        return cls(lambda protocol: loop.create_unix_connection(protocol, path))

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Side(self), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._connecting:
            task.cancel()
        for side in tuple(self.sides):
            side.transport.abort()

    def part(self) -> None:
        """From now on nothing gets through, and nobody hears of it: connections stay as they are,
        new ones are made and get no answer."""
        self.whole.clear()
        for side in self.sides:
            side.transport.pause_reading()

    def heal(self) -> None:
        """What was sent meanwhile gets through, and all that follows, as after packets that are
        sent again."""
        self.whole.set()
        for side in self.sides:
            if side.other is not None:
                side.transport.resume_reading()

    def lose_reply(self) -> asyncio.Future[None]:
        """Break the next connection on which a transaction is committed, before who asked for it
        is told. Done once that has happened; not to happen any more once it is cancelled."""
        self.swallow = asyncio.get_running_loop().create_future()
        return self.swallow

    def opened(self, side: "_Side") -> None:
        """A client has come."""
        task = asyncio.ensure_future(self._connect(side))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _connect(self, client: "_Side") -> None:
        server = _Side(self, client)
        try:
            await self.whole.wait()
            await self.reach(lambda: server)
        except OSError:
            client.transport.abort()
            return
        client.other = server
        if self.whole.is_set():
            client.transport.resume_reading()


class _Side(asyncio.Protocol):
    """One end of a forwarded connection: the client's, or the server's, which knows the other."""

    def __init__(self, proxy: Proxy, other: "_Side | None" = None) -> None:
        self.proxy, self.other, self.is_server = proxy, other, other is not None
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.proxy.sides.add(self)
        if not self.is_server:
            self.transport.pause_reading()  # nobody is there yet to take it
            self.proxy.opened(self)
        elif not self.proxy.whole.is_set():
            self.transport.pause_reading()

    def data_received(self, data: bytes) -> None:
        assert self.other is not None
        swallow = self.proxy.swallow
        if swallow is not None and self.is_server and LOST_REPLY in data and not swallow.done():
            swallow.set_result(None)
            self.transport.abort()
            self.other.transport.abort()
            return
        self.other.transport.write(data)

    def connection_lost(self, _: Exception | None) -> None:
        self.proxy.sides.discard(self)
        if self.other is not None:
            self.other.transport.close()
