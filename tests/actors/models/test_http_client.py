"""Requests over real connections, on the loop of asyncio and on uvloop."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvloop

from actors.models.http_client import BadAddress, HttpClient, target_of
from actors.models.http_response import Response

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
LAST = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"


class Server:
    """Answers each request with the next of its answers; None closes the connection instead."""

    def __init__(self, *answers: bytes | None) -> None:
        self.answers = list(answers)
        self.connections = 0
        self.requests: list[bytes] = []
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1/chat"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                answer = self.answers.pop(0)
                if answer is None:
                    return
                writer.write(answer)
                if b"close" in answer or b"Length" not in answer:
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[HttpClient]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        client = HttpClient()
        try:
            yield client
        finally:
            await client.close()
            server.close()

    async def post(self, client: HttpClient, body: bytes = b"{}") -> Response:
        async with asyncio.timeout(10):
            return await client.post(target_of(self.url), b"X-Key: 1\r\n", body)


Runs = Callable[[Awaitable[None]], None]


@pytest.fixture(params=["asyncio", "uvloop"])
def runs(request: pytest.FixtureRequest) -> Runs:
    """Runs a coroutine on one of the loops."""
    return {"asyncio": asyncio.run, "uvloop": uvloop.run}[request.param]  # type: ignore[return-value]


def test_a_request_is_whole_and_its_connection_is_used_again(runs: Runs):
    async def main() -> None:
        server = Server(OK, OK)
        async with server.open() as client:
            for body in (b"one", b"two!"):
                response = await server.post(client, body)
                assert (response.status, response.body) == (200, b"ok")
        assert server.connections == 1
        assert server.requests[0].startswith(b"POST /v1/chat HTTP/1.1\r\nHost: 127.0.0.1:")
        assert b"\r\nX-Key: 1\r\n" in server.requests[0]
        assert server.requests[1].endswith(b"Content-Length: 4\r\nX-Key: 1\r\n\r\ntwo!")

    runs(main())


def test_a_connection_that_the_server_does_not_keep_is_not_used_again(runs: Runs):
    async def main() -> None:
        server = Server(LAST, b"HTTP/1.1 200 OK\r\n\r\nuntil the end", OK)
        async with server.open() as client:
            assert (await server.post(client)).body == b"ok"
            assert (await server.post(client)).body == b"until the end"
            assert (await server.post(client)).body == b"ok"
        assert server.connections == 3

    runs(main())


def test_a_connection_that_closes_before_the_answer_is_an_error(runs: Runs):
    async def main() -> None:
        server = Server(None, OK[:-1], OK)
        async with server.open() as client:
            with pytest.raises(ConnectionResetError, match="before it had answered"):
                await server.post(client)
            posting = asyncio.create_task(server.post(client))
            while len(server.requests) < 2:
                await asyncio.sleep(0.001)
            assert not posting.done()
            posting.cancel()
            await asyncio.gather(posting, return_exceptions=True)
            assert (await server.post(client)).body == b"ok"
        assert server.connections == 3, "what was given up carries nothing else"

    runs(main())


def test_requests_at_once_have_connections_of_their_own(runs: Runs):
    async def main() -> None:
        server = Server(*[OK] * 20)
        async with server.open() as client:
            await asyncio.gather(*(server.post(client) for _ in range(10)))
            assert server.connections == 10
            await asyncio.gather(*(server.post(client) for _ in range(10)))
        assert server.connections == 10

    runs(main())


def test_nobody_there_is_an_error(runs: Runs):
    async def main() -> None:
        with pytest.raises(OSError, match=r"refused|Connect"):
            await HttpClient().post(target_of("http://127.0.0.1:9/x"), b"", b"")

    runs(main())


def test_a_target_is_made_of_an_address():
    target = target_of("https://me:p%40ss@host.example/a b/ü?version=1")
    assert (target.host, target.port, target.tls) == ("host.example", 443, True)
    lines = target.head.split(b"\r\n")
    assert lines[:2] == [b"POST /a%20b/%C3%BC?version=1 HTTP/1.1", b"Host: host.example"]
    assert b"Authorization: Basic bWU6cEBzcw==" in lines
    assert target_of("http://[::1]:8000/v1").head.split(b"\r\n")[1] == b"Host: [::1]:8000"


@pytest.mark.parametrize(
    "url", ["", "host/v1", "ftp://host/v1", "http:///v1", "http://host:none/v1", "http://[::1/v1"]
)
def test_what_is_no_address_is_refused(url: str):
    with pytest.raises(BadAddress):
        target_of(url)


@pytest.mark.parametrize("url", ["http://host/a\r\nX: 1", "http://host/%0d%0aX:1", "http://h\r\n/"])
def test_an_address_cannot_add_a_header(url: str):
    try:
        head = target_of(url).head
    except BadAddress:
        return
    assert b"X:" not in [line[:2] for line in head.split(b"\r\n")]
