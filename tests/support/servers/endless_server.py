"""A model server whose replies are as long as you like and whose memory stays small.

``python -m tests.support.servers.endless_server`` prints ``READY <port>``; in a test, ``async with
EndlessServer() as server`` serves on the test's own loop. How it answers stands in the address:
``server.url(kind, size)``.
"""

import asyncio
import json
import zlib
from collections.abc import Callable, Iterator
from typing import Final, Self

BLOCK: Final = 64 * 1024
KINDS: Final = (
    *("plain", "gzip", "deflate", "raw-deflate", "members", "brotli", "broken-gzip", "zipped"),
    *("refused", "refused-gzip", "boastful", "trickle", "headers", "header", "nested"),
)
"""A chat completion that says very much; the same compressed, in three ways; gzip of very many
members; what calls itself brotli; what calls itself gzip and is none; a short one, compressed
though nobody asked; a 401 with very many words, plain and compressed; a short body with a long
``Content-Length``; a byte a second; very many headers; one long header; and a completion with very
many small objects."""
ANSWER: Final = '{"kind": "speak", "text": "Hello"}'


def completion(text: str) -> bytes:
    """A chat completion that says something."""
    message = {"role": "assistant", "content": text}
    reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "endless"}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps({**reply, "choices": [choice]}).encode()


def plain(size: int, filling: bytes = b"x") -> Iterator[bytes]:
    """A completion whose text has some ``size`` bytes."""
    head, tail = completion("CUT").split(b"CUT")
    yield head
    for _ in range(size // BLOCK):
        yield filling * BLOCK
    yield filling * (size % BLOCK) + tail


def nested(size: int) -> Iterator[bytes]:
    """A completion beside which stand some ``size`` bytes of the smallest objects."""
    yield completion(ANSWER)[:-1] + b', "more": ['
    for sent in range(0, size, BLOCK):
        yield b'{"":0},' * (min(BLOCK, size - sent) // 7)
    yield b"[]]}"


def gzip(size: int, window: int = 31) -> Iterator[bytes]:
    """``plain``, compressed: a thousandth of its size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    head, tail = completion("CUT").split(b"CUT")
    yield packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    # After a full flush the same bytes are compressed to the same ones, so once is enough.
    large = 16 * BLOCK
    packed = packer.compress(b"x" * large) + packer.flush(zlib.Z_FULL_FLUSH) if size else b""
    for _ in range(size // large):
        yield packed
    # Where it was repeated the checksum is not right; nobody is to come so far.
    yield packer.compress(tail) + packer.flush()


def members(size: int) -> Iterator[bytes]:
    """Empty gzip members, one after the other, ``size`` bytes of them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    empty = packer.compress(b"") + packer.flush()
    for _ in range(size // BLOCK + 1):
        yield empty * (BLOCK // len(empty))


_BODIES: dict[str, Callable[[int], Iterator[bytes]]] = {
    "plain": plain,
    "brotli": plain,
    "broken-gzip": plain,
    "refused": plain,
    "boastful": lambda _: iter((b'{"choices"',)),
    "nested": nested,
    "gzip": gzip,
    "refused-gzip": gzip,
    "zipped": lambda _: gzip(0),
    "deflate": lambda size: gzip(size, 15),
    "raw-deflate": lambda size: gzip(size, -15),
    "members": members,
}
_ENCODINGS = {
    **dict.fromkeys(("gzip", "refused-gzip", "members", "zipped", "broken-gzip"), "gzip"),
    "deflate": "deflate",
    "raw-deflate": "deflate",
    "brotli": "br",
}


class EndlessServer:
    """Answers requests to ``url(kind, size)``."""

    def __init__(self) -> None:
        self.port = 0
        self.sent = 0
        """Bytes of the last reply's body that went out."""
        self.encodings: set[str] = set()
        """What requests asked for as ``Accept-Encoding``."""
        self._server: asyncio.Server | None = None

    def url(self, kind: str, size: int = 0) -> str:
        """The address of a model that answers in a way; ``size`` is in bytes."""
        return f"http://127.0.0.1:{self.port}/{kind}/{size}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            headers = {
                name.lower(): value.strip()
                for name, _, value in (line.partition(":") for line in head.splitlines()[1:])
            }
            await reader.readexactly(int(headers.get("content-length", 0)))
            self.encodings.add(headers.get("accept-encoding", ""))
            _, kind, size, *_ = head.split()[1].split("/")
            await self._answer(writer, kind, int(size))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, kind: str, size: int) -> None:
        self.sent = 0
        status = "401 Unauthorized" if kind.startswith("refused") else "200 OK"
        writer.write(f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n".encode())
        if kind in ("header", "headers"):
            await self._head(writer, kind, size)
        if encoding := _ENCODINGS.get(kind):
            writer.write(f"Content-Encoding: {encoding}\r\n".encode())
        if kind == "boastful":
            writer.write(f"Content-Length: {size}\r\n".encode())
        writer.write(b"Connection: close\r\n\r\n")
        if kind == "trickle":
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.05)
        for piece in _BODIES.get(kind, plain)(size):
            writer.write(piece)
            self.sent += len(piece)
            await writer.drain()

    async def _head(self, writer: asyncio.StreamWriter, kind: str, size: int) -> None:
        while self.sent < size:
            line = b"x" * BLOCK if kind == "header" else b"X-More: and more\r\n" * 1000
            writer.write(line if self.sent else b"X-First: " + line)
            self.sent += len(line)
            await writer.drain()
        writer.write(b"\r\n")


async def main() -> None:
    """Serve until the process ends."""
    async with EndlessServer() as server:
        print(f"READY {server.port}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
