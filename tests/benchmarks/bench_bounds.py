"""The most memory that one reply, one line of a file or one message takes above idle.

python -m tests.benchmarks.bench_bounds

Each case has a process of its own. What is sent to it comes from another process and is made while
it is sent; files are sparse.
"""

import asyncio
import json
import multiprocessing
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any

import psutil

from events.untrusted.limits import (
    MIB,
    MOST_LINE_BYTES,
    MOST_MESSAGE_BYTES,
    MOST_REPLY_BYTES,
    PLAIN_LINE_BYTES,
)
from tests.benchmarks.table import Row

GB = 10**9
LARGE = 3 * GB
INFLATED = 10 * GB
MOST_MIB = 256
MESSAGES = 1000
AT_ONCE = 8
ADAPTERS = ("direct", "litellm")
REPLIES = (
    ("a reply of 3 GB", "plain", LARGE),
    ("gzip, 10 GB inflated", "gzip", INFLATED),
    ("deflate, 10 GB inflated", "deflate", INFLATED),
    ("gzip of very many members", "members", LARGE),
    ("an error of 3 GB", "refused", LARGE),
    ("an error, gzip, 10 GB inflated", "refused-gzip", INFLATED),
    ("headers of 3 GB", "headers", LARGE),
    ("a header of 3 GB", "header", LARGE),
    ("4 MiB of small objects", "nested", MOST_REPLY_BYTES - 10_000),
    ("240,000 small objects", "nested", 240_000 * 7),
)


class Measured:
    """The peak of this process above where it stood when the measuring began."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._over = Event()
        self._peak = 0

    def __enter__(self) -> "Measured":
        self._idle = self._process.memory_info().rss
        # The kernel's own high-water mark would be that of what was imported.
        Path("/proc/self/clear_refs").write_text("5")
        return self

    def __exit__(self, *_: object) -> None:
        status = Path("/proc/self/status").read_text()
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        self._peak = int(line.split()[1]) * 1024

    @property
    def mib(self) -> float:
        """MiB above idle."""
        return max(0, self._peak - self._idle) / MIB


@contextmanager
def endless() -> Iterator[int]:
    """The port of an endless server in a process of its own."""
    command = [sys.executable, "-m", "tests.support.servers.endless_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline().split()[1])
        finally:
            process.terminate()


def asked(adapter: str, kind: str, size: int, port: int) -> tuple[float, str]:
    """Ask a server that answers in a way; what it took, and what it ended with."""
    from actors.models.errors import ModelError
    from actors.models.port import Msg, request_of
    from actors.models.registry import Models
    from events.minds import ModelSpec

    def spec(kind: str, size: int) -> ModelSpec:
        url = f"http://127.0.0.1:{port}/{kind}/{size}/v1"
        return ModelSpec(name="openai/stub", adapter=adapter, base_url=url, timeout_s=60)  # type: ignore[arg-type]

    async def ask() -> tuple[float, str]:
        models = Models()
        # LiteLLM loads parts of itself with its first answer.
        for warm in (spec("zipped", 9), spec("refused", 9)):
            with suppress(ModelError):
                await (await models.model_of(warm)).complete(request_of(warm, (Msg("user", "x"),)))
        model, request = spec(kind, size), request_of(spec(kind, size), (Msg("user", "x"),))
        asks = await models.model_of(model)
        said = "answered"
        with Measured() as measured:
            try:
                async with asyncio.timeout(60):
                    await asks.complete(request)
            except ModelError as error:
                said = error.detail[:60]
            except TimeoutError:
                said = "timed out"
        await models.close()
        return measured.mib, said

    return asyncio.run(ask())


def sparse_line(kind: str) -> tuple[float, str]:
    """Read a file with one line of 3 GB."""
    from store.jsonl.read_file import RefusedFile, read_file

    header = b'{"format":"troupe-events","version":1,"of":"run","id":"r1"}\n'
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.jsonl"
        with path.open("wb") as file:
            file.write(header)
            match kind:
                case "blank":
                    file.truncate(LARGE)
                case "lists":
                    file.write(b'{"event_id":"' + b"0" * 32 + b'","stream":"run-r1","version":0,')
                    file.write(b'"position":1,"tag":"RunPlanned","schema":2,"recorded_at":1,')
                    file.write(b'"correlation":"","causation":"","event":{"a":[')
                    file.write(b'{"":0},' * ((PLAIN_LINE_BYTES - 4000) // 7) + b"[]]}}\n\n")
                case "text":
                    file.write(b'{"event_id":"' + b"0" * 32 + b'","stream":"run-r1","version":0,')
                    file.write(b'"position":1,"tag":"RunPlanned","schema":2,"recorded_at":1,')
                    file.write(b'"correlation":"","causation":"","event":{"a":"')
                    file.write(b"x" * (MOST_LINE_BYTES - 4000) + b'"}}\n\n')
        said = "read"
        with Measured() as measured:
            try:
                read_file(path)
            except RefusedFile as error:
                said = error.why[:60]
    return measured.mib, said


def large_messages(size: int) -> tuple[float, str]:
    """Have a worker hear commands of a size, very many of them."""
    from actors.runtime.bus.nats_bus import Bus
    from actors.runtime.embedded_nats.server import EmbeddedNats
    from gateway.process.worker_node import WorkerNode
    from gateway.settings import read_settings
    from store.open_store import open_store

    async def hear(folder: Path) -> tuple[float, str]:
        with EmbeddedNats(folder) as server:
            settings = read_settings(
                {
                    "TROUPE_DATA_DIR": str(folder),
                    "TROUPE_NATS_URL": server.url,
                    "TROUPE_NATS_TOKEN": server.token,
                }
            )
            store = open_store(settings.database_url)
            async with WorkerNode(settings, store) as node:
                await node.work(4)
                flood = multiprocessing.get_context("spawn").Process(
                    target=_flood, args=(server.url, server.token, size)
                )
                bus = await Bus.connect(server.url, token=server.token)
                heard = asyncio.Event()
                await bus.subscribe("flooded", lambda _: heard.set())
                await bus.flush()
                flood.start()
                with Measured() as measured:
                    await asyncio.wait_for(heard.wait(), 300)
                    await bus.flush()
                flood.join()
                await bus.close()
            store.close()
        return measured.mib, "refused"

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(hear(Path(folder)))


def _flood(url: str, token: str, size: int) -> None:
    """In a process of its own: send them, and say when all were taken or refused."""
    from actors.runtime.bus.nats_bus import Bus

    async def send() -> None:
        bus = await Bus.connect(url, token=token)
        beginning = b'{"type":"TakeAction","seat":0,"turn":1,"action":{"to":['
        data = beginning + b'{"":0},' * ((size - 200) // 7) + b"0]}}"

        async def some(count: int) -> None:
            for _ in range(count):
                await bus.nats.request("troupe.main.episode.e1.command", data, 60)

        await asyncio.gather(*(some(MESSAGES // AT_ONCE) for _ in range(AT_ONCE)))
        bus.publish("flooded", b"")
        await bus.flush()
        await bus.close()

    asyncio.run(send())


def apart(function: Callable[..., tuple[float, str]], *args: Any) -> tuple[float, str]:
    """What a function says in a fresh process."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_bounds", function.__name__]
    command += [json.dumps(args)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    mib, said = json.loads(done.stdout.splitlines()[-1])
    return mib, said


def _row(what: str, found: tuple[float, str]) -> Row:
    mib, said = found
    return Row(f"  {what}", f"{mib:.0f} MiB", said, f"≤ {MOST_MIB} MiB", mib <= MOST_MIB)


def rows() -> Iterator[Row]:
    """The table."""
    yield Row("peak memory above idle:", "")
    with endless() as port:
        for adapter in ADAPTERS:
            for what, kind, size in REPLIES:
                yield _row(f"{what}, {adapter}", apart(asked, adapter, kind, size, port))
    yield _row("an import's line of 3 GB", apart(sparse_line, "blank"))
    yield _row("a line of 4 MiB of small objects", apart(sparse_line, "lists"))
    yield _row("a line of 32 MiB of text", apart(sparse_line, "text"))
    for size in (MOST_MESSAGE_BYTES, 500_000):
        yield _row(f"{MESSAGES:,} messages of {size:,} bytes", apart(large_messages, size))


CASES = {function.__name__: function for function in (asked, sparse_line, large_messages)}


def main() -> None:
    """Print the table, or in a fresh process one figure."""
    if len(sys.argv) > 1:
        name, args = sys.argv[1:]
        print(json.dumps(CASES[name](*json.loads(args))))
        return
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
