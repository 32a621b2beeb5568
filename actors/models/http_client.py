"""Requests over HTTP/1.1 on connections that are kept, for one event loop.

Small on purpose: what a model server needs, and nothing else. A request through it costs a third of
the CPU of one through aiohttp, which was a third of what a model's whole turn costs
(``docs/decisions/0013-requests-without-aiohttp.md``).
"""

import asyncio
import base64
import ssl
from collections import deque
from typing import Final, NamedTuple, cast
from urllib.parse import quote, unquote, urlsplit

from actors.models.http_response import BadResponse, Response, ResponseReader

IDLE_S: Final = 15.0
"""Seconds after which a connection that was not used is not used again: servers close theirs."""


class BadAddress(ValueError):
    """Not an address of a server."""


class Target(NamedTuple):
    """Where requests of one kind go."""

    host: str
    port: int
    tls: bool
    head: bytes
    """The beginning of each request, up to its own headers."""


def target_of(url: str) -> Target:
    """The target of a URL that is posted to. Raises ``BadAddress``."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, (parts.hostname or "").encode("idna").decode()
    except ValueError as error:  # UnicodeError among them
        raise BadAddress(url) from error
    if parts.scheme not in ("http", "https") or not host:
        raise BadAddress(url)
    tls = parts.scheme == "https"
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~") + (
        f"?{quote(parts.query, safe='/%:@!$&()*+,;=~?')}" if parts.query else ""
    )
    name = f"[{host}]" if ":" in host else host
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {name}{f':{port}' if port else ''}\r\n"
        "User-Agent: troupe\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
    )
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        head += f"Authorization: Basic {base64.b64encode(pair.encode()).decode()}\r\n"
    return Target(host, port or (443 if tls else 80), tls, head.encode("ascii"))


class HttpClient:
    """All connections of a process to model servers.

    There is no limit to them: how many requests are under way is each model's own.
    """

    def __init__(self) -> None:
        self._idle: dict[tuple[str, int, bool], deque[_Connection]] = {}
        self._tls: ssl.SSLContext | None = None

    async def post(self, target: Target, headers: bytes, body: bytes) -> Response:
        """The response to one request; ``headers`` are whole lines. Redirects are not followed.

        Raises ``OSError`` where no connection is to be had or it breaks, and ``BadResponse``.
        """
        place = (target.host, target.port, target.tls)
        connection = self._kept(place) or await self._connected(place)
        try:
            response = await connection.ask(
                b"%sContent-Length: %d\r\n%s\r\n%s" % (target.head, len(body), headers, body)
            )
        except BaseException:
            # Whoever waited has gone, or it is broken: what still comes must answer nobody else.
            connection.transport.abort()
            raise
        if response.reusable and not connection.transport.is_closing():
            connection.idle_since = connection.loop.time()
            self._idle.setdefault(place, deque()).append(connection)
        else:
            connection.transport.close()
        return response

    async def close(self) -> None:
        """Close the connections that are kept."""
        for kept in self._idle.values():
            for connection in kept:
                connection.transport.close()
        self._idle.clear()
        await asyncio.sleep(0)  # the loop closes them

    def _kept(self, place: tuple[str, int, bool]) -> "_Connection | None":
        """The connection used last, if one is kept; those that were idle too long are closed."""
        kept = self._idle.get(place)
        if not kept:
            return None
        oldest = kept[-1].loop.time() - IDLE_S
        while kept and kept[0].idle_since < oldest:
            kept.popleft().transport.close()
        while kept:
            connection = kept.pop()
            if not connection.transport.is_closing():
                return connection
        return None

    async def _connected(self, place: tuple[str, int, bool]) -> "_Connection":
        host, port, tls = place
        if tls and self._tls is None:
            self._tls = ssl.create_default_context()
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(
            lambda: _Connection(loop), host, port, ssl=self._tls if tls else None
        )
        return connection


class _Connection(asyncio.Protocol):
    """One connection; it carries one request at a time."""

    __slots__ = ("_reader", "_response", "idle_since", "loop", "transport")

    transport: asyncio.Transport

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.idle_since = 0.0
        self._reader = ResponseReader()
        self._response: asyncio.Future[Response] | None = None

    async def ask(self, request: bytes) -> Response:
        """The response. Raises ``OSError``, ``BadResponse``."""
        self._reader = ResponseReader()
        self._response = self.loop.create_future()
        self.transport.write(request)
        try:
            return await self._response
        finally:
            self._response = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is there."""
        # An assertion would not hold: uvloop's are no subclass.
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Some of a response."""
        waiting = self._response
        if waiting is None or waiting.done():
            self.transport.close()  # nobody asked
            return
        try:
            response = self._reader.feed(data)
        except BadResponse as error:
            waiting.set_exception(error)
        else:
            if response is not None:
                waiting.set_result(response)

    def connection_lost(self, error: Exception | None) -> None:
        """It is gone, which is the end of a response whose length was not said."""
        waiting = self._response
        if waiting is None or waiting.done():
            return
        response = self._reader.end()
        if response is not None and error is None:
            waiting.set_result(response)
        else:
            waiting.set_exception(
                ConnectionResetError(
                    f"the server closed the connection: {error}"
                    if error
                    else "the server closed the connection before it had answered"
                )
            )
