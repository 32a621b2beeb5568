"""Real sockets against the server as it is served: what comes slowly, too much or too often."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import structlog
import uvicorn
from litestar import Litestar, WebSocket, websocket
from websockets.asyncio.client import connect

from gateway.http.app import make_app
from gateway.http.connections import ServerConfig
from gateway.http.server_config import server_config
from gateway.live.protocol import SETTINGS, SocketProtocol
from gateway.process.process_limits import Tuning
from gateway.servers.server import listen
from store.open_store import open_store
from tests.gateway.served import gateway_over, signed_in
from tests.support.servers.nats_server import until

MOST = 12
"""Connections at once."""
HEAD = b"POST /api/v1/catalogs HTTP/1.1\r\nhost: t\r\ncontent-type: application/zip\r\n"
GET = b"GET /healthz HTTP/1.1\r\nhost: t\r\n"
WHOLE = 125 * 1024 * 1024


class Served(msgspec.Struct):
    port: int
    token: str
    server: uvicorn.Server

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    async def connect(self, first: bytes = b"") -> "Client":
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(first)
        await writer.drain()
        return Client(reader, writer)


class Client(msgspec.Struct):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    heard: bytes = b""

    async def drip(self, piece: bytes = b"x", every_s: float = 0.1) -> None:
        """Send, a little at a time, until the server will not have it."""
        with contextlib.suppress(OSError):
            while True:
                self.writer.write(piece)
                await self.writer.drain()
                await asyncio.sleep(every_s)

    async def told(self) -> bytes:
        """All that the server says until it closes."""
        with contextlib.suppress(ConnectionResetError):
            while piece := await asyncio.wait_for(self.reader.read(1000), 30):
                self.heard += piece
        return self.heard


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """With little patience, as the settings' numbers give it."""
    store = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    gateway = gateway_over(store, tmp_path / "data")
    tuning = msgspec.structs.replace(
        gateway.settings.tuning, head_s=0.5, body_s=1.0, connections=MOST
    )
    settings = msgspec.structs.replace(gateway.settings, tuning=tuning)
    _, headers = signed_in(gateway, "researcher")
    async with listening(server_config(make_app(gateway), settings)) as one:
        one.token = headers["authorization"]
        yield one
    store.close()


@contextlib.asynccontextmanager
async def listening(config: uvicorn.Config) -> AsyncIterator[Served]:
    config.lifespan = "off"
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    with listen("127.0.0.1", 0) as bound:
        running = asyncio.get_running_loop().create_task(server.serve([bound]))
        await until(lambda: server.started, 30)
        yield Served(bound.getsockname()[1], "", server)
        server.should_exit = True
        await running


@pytest.mark.parametrize("first", [b"GET / HT", GET])
async def test_a_head_that_comes_slowly_is_given_up(served: Served, first: bytes) -> None:
    client = await served.connect(first)
    dripping = asyncio.create_task(client.drip(b"x-slow: 1\r\n" if first == GET else b"x"))
    told = await client.told()
    dripping.cancel()
    assert told.startswith(b"HTTP/1.1 408 ")
    await until(lambda: served.connections == 0, 30)


async def test_a_connection_on_which_nothing_comes_is_closed_without_a_word(served: Served) -> None:
    assert await (await served.connect()).told() == b""


async def test_a_second_head_that_comes_slowly_is_given_up_too(served: Served) -> None:
    client = await served.connect(GET + b"\r\n")
    assert (await client.reader.readline()).startswith(b"HTTP/1.1 200 ")
    client.writer.write(GET)
    dripping = asyncio.create_task(client.drip(b"x-slow: 1\r\n"))
    assert b"HTTP/1.1 408 " in await client.told()
    dripping.cancel()


@pytest.mark.parametrize("sized", [True, False])
async def test_a_body_that_comes_slowly_is_given_up(served: Served, sized: bool) -> None:
    head = HEAD + b"authorization: " + served.token.encode() + b"\r\n"
    head += b"content-length: 1000\r\n\r\n" if sized else b"transfer-encoding: chunked\r\n\r\n"
    client = await served.connect(head)
    dripping = asyncio.create_task(client.drip(b"x" if sized else b"1\r\nx\r\n"))
    told = await client.told()
    dripping.cancel()
    assert told.startswith(b"HTTP/1.1 408 ")
    await until(lambda: served.connections == 0, 30)


@pytest.mark.parametrize("framed", [b"1;" + b"x" * 100_000, b"5\r\nab"])
async def test_a_body_that_breaks_off_is_no_fault_of_the_server(
    served: Served, framed: bytes
) -> None:
    head = HEAD + b"authorization: " + served.token.encode()
    with structlog.testing.capture_logs() as logged:
        client = await served.connect(head + b"\r\ntransfer-encoding: chunked\r\n\r\n")
        await until(lambda: served.server.server_state.tasks, 30)
        client.writer.write(framed)
        client.writer.write_eof()
        await client.told()
        client.writer.close()
        await until(lambda: served.connections == 0 and not served.server.server_state.tasks, 30)
    assert [one["event"] for one in logged if one["log_level"] in ("warning", "error")] == []


async def test_a_body_that_comes_steadily_may_take_longer(served: Served) -> None:
    size, piece = 40_000, 2_000
    head = HEAD + b"authorization: " + served.token.encode() + b"\r\n"
    client = await served.connect(head + b"content-length: %d\r\n\r\n" % size)
    began = time.monotonic()
    for _ in range(size // piece):
        client.writer.write(b"x" * piece)
        await client.writer.drain()
        await asyncio.sleep(0.1)
    assert time.monotonic() - began > 1.0
    answer = await asyncio.wait_for(client.reader.readline(), 30)
    client.writer.close()
    assert b" 408 " not in answer
    assert answer.startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize("token", [True, False])
@pytest.mark.parametrize("sized", [True, False])
async def test_a_refused_body_is_not_read(served: Served, token: bool, sized: bool) -> None:
    head = HEAD + (b"authorization: " + served.token.encode() + b"\r\n" if token else b"")
    head += b"content-length: %d\r\n" % WHOLE if sized else b"transfer-encoding: chunked\r\n"
    client = await served.connect(head + b"\r\n")
    telling = asyncio.create_task(client.told())
    piece, sent = b"x" * 2**20, 0
    framed = piece if sized else b"%x\r\n%s\r\n" % (len(piece), piece)
    with contextlib.suppress(OSError):
        while sent < WHOLE:
            client.writer.write(framed)
            await asyncio.wait_for(client.writer.drain(), 30)
            sent += len(piece)
    told = await telling
    client.writer.transport.abort()
    # What is allowed, and what systems keep between two programs.
    assert sent < (48 if token else 24) * 2**20
    assert told.startswith(b"HTTP/1.1 413 " if token else b"HTTP/1.1 401 ")
    await until(lambda: served.connections == 0, 30)


async def test_a_client_that_sends_first_and_reads_then_is_told_why(served: Served) -> None:
    def ask() -> tuple[int, int]:
        with httpx.Client(base_url=f"http://127.0.0.1:{served.port}", timeout=60) as client:
            refused = client.post(
                "/api/v1/catalogs",
                content=b"x" * WHOLE,
                headers={"content-type": "application/zip", "authorization": served.token},
            )
            return refused.status_code, client.get("/healthz").status_code

    assert await asyncio.to_thread(ask) == (413, 200)


async def test_a_small_body_that_is_not_wanted_does_not_cost_the_connection(served: Served) -> None:
    client = await served.connect(HEAD + b"content-length: 1000\r\n\r\n")
    assert (await client.reader.readline()).startswith(b"HTTP/1.1 401 ")
    client.writer.write(b"x" * 1000 + GET + b"\r\n")
    found = await asyncio.wait_for(client.reader.readuntil(b"ok\n"), 30)
    assert b"HTTP/1.1 200 " in found


async def test_half_sent_requests_keep_nobody_out(served: Served) -> None:
    slow = [await served.connect(GET) for _ in range(3 * MOST)]
    assert served.connections <= MOST
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}") as client:
        assert (await client.get("/healthz")).status_code == 200
    for one in slow:
        one.writer.close()


async def test_where_all_connections_are_busy_another_is_refused(served: Served) -> None:
    head = HEAD + b"authorization: " + served.token.encode() + b"\r\ncontent-length: 9\r\n\r\n"
    busy = [await served.connect(head) for _ in range(MOST)]
    await until(lambda: served.connections == MOST and not served.server.config.idle, 30)  # type: ignore[attr-defined]
    refused = await (await served.connect(GET + b"\r\n")).told()
    for one in busy:
        one.writer.close()
    assert refused.startswith(b"HTTP/1.1 503 ")


async def test_a_socket_is_not_taken_for_a_body_that_comes_slowly() -> None:
    @websocket("/ws")
    async def echo(socket: WebSocket[Any, Any, Any]) -> None:
        await socket.accept()
        await socket.send_text(await socket.receive_text())

    app = Litestar([echo], openapi_config=None)
    config = ServerConfig(app, Tuning(body_s=0.2), ws=SocketProtocol, **SETTINGS)
    async with (
        listening(config) as served,
        connect(f"ws://127.0.0.1:{served.port}/ws", open_timeout=30) as socket,
    ):
        await asyncio.sleep(0.6)
        await socket.send("still here")
        assert await asyncio.wait_for(socket.recv(), 30) == "still here"
