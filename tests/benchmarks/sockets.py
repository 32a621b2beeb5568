"""What the benchmarks of the socket stand on: a gateway in a process of its own, told what to do
over a pipe, and clients so light that it is the gateway that is measured."""

import asyncio
import base64
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET, socket
from typing import Any

import msgspec
import psutil
import uvicorn
from litestar import Litestar, websocket
from websockets.asyncio.server import broadcast, serve

from actors.runtime.actors.event_loop import run
from actors.social.setup import EpisodeRules
from events.base import Event
from events.episode import EpisodeStarted
from events.serialization.codec import encode
from events.wire import subjects
from gateway.live.conversation import SocketRefusal
from gateway.live.live_episodes import LiveEpisodes
from gateway.live.protocol import SETTINGS, SocketProtocol
from gateway.live.socket_handler import AnySocket, converse
from gateway.live.viewer_connection import ConnectionLimits
from gateway.process.logs import set_up_logs
from gateway.process.worker_node import WorkerNode
from gateway.servers.server import listen
from gateway.services.access.roles import Principal
from gateway.settings import read_settings
from store.log.event_store import ANY
from store.open_store import open_store
from tests.benchmarks.episodes import CAST, LINE, SCENARIO
from tests.benchmarks.table_sessions import sessions
from tests.support.builders import mind, opened, social_start, taken

LIMITS = ConnectionLimits(
    per_token=100_000, per_address=100_000, heartbeat_s=60.0, stall_s=6.0, frames_per_s=1e6
)
YEAR_US = 31_536_000_000_000


def beginning(turns: int, *, people: bool) -> EpisodeStarted:
    """Two seats, of people or of nobody."""
    sits = mind("people", "person") if people else mind()
    rules = EpisodeRules(turn_cap=turns, stale_turns=0)
    return social_start(
        run="",
        task="t1",
        catalog="bench",
        scenario=SCENARIO,
        cast=CAST,
        minds=(sits, sits),
        rules=rules,
    )


# ------------------------------------------------------------ the gateway's process


class Gateway:
    """In its own process: does what comes over the pipe."""

    def __init__(self, node: WorkerNode, live: LiveEpisodes, listening: socket) -> None:
        self.node, self.live, self.listening = node, live, listening
        self.turns: dict[str, int] = {}
        self.playing: set[asyncio.Task[Any]] = set()

    async def principal(self, token: str) -> Principal:
        """``watch`` watches all; ``EPISODE.SEAT`` sits there."""
        expires = time.time_ns() // 1000 + YEAR_US
        if token == "watch":
            return Principal(token=token, role="researcher", name="w", expires=expires)
        episode, _, seat = token.partition(".")
        if not seat:
            raise SocketRefusal(4001, "forbidden", "that is no token")
        return Principal(
            token=token,
            role="participant",
            name=f"p-{episode}{seat}",
            expires=expires,
            episode=episode,
            seat=int(seat),
        )

    async def begin(self, episode: str, turns: int) -> None:
        """Store an episode with so many turns behind it: two events each."""
        events = [beginning(10**6, people=False)]
        for turn in range(1, turns + 1):
            events += [opened(turn, [turn % 2]), taken(turn, turn % 2, LINE)]  # type: ignore[list-item]
        stream = subjects.stream_name("episode", episode)
        for place in range(0, len(events), 500):
            await self.node.store.append_soon(stream, ANY, events[place : place + 500])
        self.turns[episode] = turns

    async def tell(self, episode: str, events: int, per_s: float) -> None:
        """Append and announce so many, at a rate; 0: all at once."""
        stream, bus = subjects.stream_name("episode", episode), self.node.bus
        subject = subjects.event(bus.space, "episode", episode)
        coming: list[Event] = []
        for number in range(events):
            turn = self.turns[episode] + 1
            if number % 2:
                self.turns[episode] = turn
            coming.append(taken(turn, turn % 2, LINE) if number % 2 else opened(turn, [turn % 2]))
        # At no rate, the disk is not what is waited for.
        at_once = 1 if per_s else events
        begun = time.perf_counter()
        for number in range(0, events, at_once):
            if per_s:
                await asyncio.sleep(max(0.0, begun + number / per_s - time.perf_counter()))
            some = coming[number : number + at_once]
            appended = await self.node.store.append_soon(stream, ANY, some)
            for envelope in appended.envelopes:
                bus.publish(subject, encode(envelope))

    async def pairs(self, count: int) -> None:
        """Begin so many episodes of two people each."""
        for number in range(count):
            playing = self.node.episodes.play(f"pair{number}", "", beginning(10**4, people=True))
            self.playing.add(asyncio.ensure_future(playing))

    async def tables(self, count: int) -> None:
        """Begin so many sessions of four players and a non-player character, all of them people."""
        for number, started in enumerate(sessions(count, 10**3, mind("people", "person"))):
            playing = self.node.episodes.play(f"table{number}", "", started)
            self.playing.add(asyncio.ensure_future(playing))

    async def rss(self) -> int:
        """Bytes of memory."""
        return psutil.Process().memory_info().rss

    async def cpu(self) -> float:
        """Seconds of CPU so far: what a busy machine does not spoil."""
        return time.process_time()

    async def squeeze(self) -> None:
        """Have the kernel hold little for each socket, so that one that does not read is felt."""
        self.listening.setsockopt(SOL_SOCKET, SO_SNDBUF, 8 * 1024)

    async def clients(self) -> int:
        """How many watch."""
        return len(self.live.clients)


def gateway_process(pipe: Connection) -> None:
    """Serve until the pipe says ``stop``."""

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            set_up_logs("error")
            settings = read_settings({"TROUPE_DATA_DIR": folder})
            store = open_store(settings.database_url)
            async with (
                WorkerNode(settings, store) as node,
                LiveEpisodes(settings, store, node.bus, LIMITS) as live,
            ):
                listening = listen("127.0.0.1", 0)
                gateway = Gateway(node, live, listening)

                @websocket("/ws")
                async def watch(socket: AnySocket) -> None:
                    await converse(socket, live, gateway.principal)

                config = uvicorn.Config(
                    Litestar([watch], openapi_config=None),
                    log_level="error",
                    lifespan="off",
                    ws=SocketProtocol,
                    backlog=4096,
                    **SETTINGS,
                )
                server = uvicorn.Server(config)
                with listening:
                    serving = asyncio.ensure_future(server.serve([listening]))
                    pipe.send(listening.getsockname()[1])
                    while True:
                        what, *given = await asyncio.to_thread(pipe.recv)
                        if what == "stop":
                            break
                        pipe.send(await getattr(gateway, what)(*given))
                    server.should_exit = True
                    await live.drain()
                    await serving
                for playing in gateway.playing:
                    playing.cancel()
            store.close()

    run(main())


def broadcast_process(pipe: Connection) -> None:
    """A bare ``websockets`` server that sends all it is told to all who are there."""

    async def main() -> None:
        there = set()

        async def handler(connection: Any) -> None:
            there.add(connection)
            await connection.wait_closed()

        async with serve(handler, "127.0.0.1", 0, compression=None, backlog=4096) as server:
            pipe.send(next(iter(server.sockets)).getsockname()[1])
            while True:
                what, *given = await asyncio.to_thread(pipe.recv)
                if what == "stop":
                    return
                if what == "tell":
                    data, events = given
                    for _ in range(events):
                        broadcast(there, data)
                        await asyncio.sleep(0)
                pipe.send(len(there))

    run(main())


class Remote:
    """A process on the other end of a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.port: int = pipe.recv()

    async def do(self, *what: Any) -> Any:
        """Have something done, and what comes of it."""
        self.pipe.send(what)
        return await asyncio.to_thread(self.pipe.recv)


@contextmanager
def apart(work: Callable[[Connection], None]) -> Iterator[Remote]:
    """Run a server in a process of its own."""
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=work, args=(there,))
    process.start()
    try:
        yield Remote(here)
    finally:
        here.send(("stop",))
        process.join(30)
        process.kill()


# ------------------------------------------------------------ clients


class Reader(asyncio.Protocol):
    """A websocket client that does next to nothing."""

    def __init__(self, path: str, heard: Callable[["Reader", bytes], None]) -> None:
        self._path, self._heard = path, heard
        self._buffer = bytearray()
        self.open = asyncio.get_running_loop().create_future()
        self.lost = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(  # type: ignore[union-attr]
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self.open.done():
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            del buffer[: end + 4]
            self.open.set_result(None)
        place = 0
        while len(buffer) - place >= 2:
            length, start = buffer[place + 1] & 127, place + 2
            if length > 125:
                size = 2 if length == 126 else 8
                if len(buffer) < start + size:
                    break
                length = int.from_bytes(buffer[start : start + size], "big")
                start += size
            if len(buffer) < start + length:
                break
            opcode = buffer[place] & 15
            if opcode == 1:
                self._heard(self, bytes(buffer[start : start + length]))
            place = start + length
        del buffer[:place]

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = True
        if not self.open.done():
            self.open.set_exception(error or ConnectionError("refused"))

    def say(self, frame: dict[str, Any]) -> None:
        """Send a frame."""
        data = msgspec.json.encode(frame)
        head = b"\x81" + (
            bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        )
        assert self.transport is not None
        self.transport.write(head + b"\0\0\0\0" + data)  # masked with nothing


async def reader(
    port: int, heard: Callable[[Reader, bytes], None], *, room: int = 0, path: str = "/ws"
) -> Reader:
    """One that is connected; ``room``: bytes that its socket may hold."""
    sock = socket()
    sock.setblocking(False)
    if room:
        sock.setsockopt(SOL_SOCKET, SO_RCVBUF, room)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(sock, ("127.0.0.1", port))
    _, made = await loop.create_connection(lambda: Reader(path, heard), sock=sock)
    await made.open
    return made


async def readers(
    port: int, count: int, heard: Callable[[Reader, bytes], None], hello: dict[str, Any] | None
) -> list[Reader]:
    """Many."""
    found: list[Reader] = []
    for start in range(0, count, 50):
        some = await asyncio.gather(*(reader(port, heard) for _ in range(min(50, count - start))))
        for one in some if hello else ():
            one.say(hello or {})
        found += some
    return found


@asynccontextmanager
async def closing(some: list[Reader]) -> AsyncIterator[None]:
    """Let go of them at the end."""
    try:
        yield
    finally:
        for one in some:
            if one.transport is not None:
                one.transport.abort()


def share(values: list[float], part: float) -> float:
    """What such a part of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]
