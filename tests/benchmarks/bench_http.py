"""The API under load: one episode, and the list of runs, where 100,000 episodes are stored.

    python -m tests.benchmarks.bench_http [EPISODES]

A gateway in a process of its own, asked by connections that are kept open; in turns with it an
application of the same framework that has one handler, which answers as many bytes and knows
nobody. Once with nothing else going on, once while events are appended.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

import msgspec
import uvicorn
from litestar import Litestar, Response, get

from actors.social.actions import Action
from actors.social.setup import EpisodeRules
from events.base import Event
from events.episode import ActionTaken, EpisodeEnded
from events.minds import MindSpec
from events.run import Plan, PlannedEpisode, RunEnded, RunPlanned
from events.wire.subjects import stream_name
from gateway.http import route_modules
from gateway.http.app import make_app
from gateway.http.rate_limits import RateLimits
from gateway.process.process_limits import Tuning
from gateway.servers.server import listen
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.projections.maintenance.projector import catch_up
from tests.benchmarks.episodes import LINE, started
from tests.benchmarks.scored_run import RUN, envelopes, write_run
from tests.benchmarks.table import Row
from tests.gateway.served import gateway_over, signed_in
from tests.support.builders import opened

EPISODES, OF_A_RUN = 100_000, 1_000
TURNS = 2
CONNECTIONS = 16
ROUND_S, ROUNDS = 1.5, 5
APPENDS = 10
"""Events a second, while they are appended."""
MOST_P99_MS = 50.0
LEAST_SHARE = 0.4


class Measured(msgspec.Struct, frozen=True):
    """What came of some seconds of requests."""

    per_second: float
    p99_ms: float


def fill(store: EventStore, episodes: int) -> None:
    """Runs of a thousand episodes each; the first of them scored by two judges."""
    write_run(store, OF_A_RUN)
    for number in range(1, episodes // OF_A_RUN):
        store.import_envelopes([one for stream in _run(number) for one in stream])
    catch_up(store)


def _run(number: int) -> Iterator[list]:  # type: ignore[type-arg]
    run = f"r{number:04}x"
    mind = MindSpec(name="line", kind="rehearsal", temper="generous")
    planned = tuple(
        PlannedEpisode(id=f"e{number:04}{place:04}", task="t", minds=("line", "line"))
        for place in range(OF_A_RUN)
    )
    plan = Plan(
        name=f"run {number}",
        catalog="bench",
        environment="social",
        settings=EpisodeRules(turn_cap=TURNS),
        minds=(mind,),
    )
    ended = RunEnded(
        episodes_ended=OF_A_RUN, episodes_failed=0, evaluations_ended=0, evaluations_failed=0
    )
    begun = RunPlanned(plan=plan, episodes=planned)
    yield list(envelopes(stream_name("run", run), [begun, ended], run))
    for one in planned:
        events: list[Event] = [msgspec.structs.replace(started(TURNS), run=run)]
        for turn in range(1, TURNS + 1):
            seat = (turn + 1) % 2
            events.append(opened(turn, (seat,)))
            action = Action(kind="speak", text=LINE)
            events.append(ActionTaken(turn=turn, seat=seat, action=action))
        events.append(EpisodeEnded(reason="turn_cap", turn=TURNS))
        yield list(envelopes(stream_name("episode", one.id), events, run))


def serve(folder: str, sizes: tuple[int, ...], ready: Connection) -> None:
    """The gateway and, on other ports, bare handlers that answer so many bytes."""
    store = open_store(f"sqlite:///{folder}/troupe.db")
    gateway = gateway_over(store, Path(folder))
    gateway.limits = RateLimits(Tuning(requests_per_s=1e9))
    # What looks after studies and sockets beside the API needs NATS, which is not measured here.
    route_modules.BESIDE = ()  # type: ignore[misc]
    apps = [make_app(gateway), *(_bare(size) for size in sizes)]

    async def run() -> None:
        listening = [listen("127.0.0.1", 0) for _ in apps]
        ready.send([one.getsockname()[1] for one in listening])
        servers = [
            uvicorn.Server(uvicorn.Config(app, log_level="warning", server_header=False))
            for app in apps
        ]
        await asyncio.gather(
            *(server.serve([one]) for server, one in zip(servers, listening, strict=True))
        )

    import uvloop

    uvloop.run(run())


def _bare(size: int) -> Litestar:
    body = b"x" * size

    @get("/")
    async def handler() -> Response[bytes]:
        return Response(body, media_type="application/json")

    return Litestar([handler], openapi_config=None)


async def _ask(port: int, path: str, token: str, until: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n".encode()
    while (began := time.perf_counter()) < until:
        writer.write(head)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200"), answer
        at = answer.lower().index(b"content-length: ") + 16
        await reader.readexactly(int(answer[at : answer.index(b"\r", at)]))
        times.append(time.perf_counter() - began)
    writer.close()


async def _load(port: int, path: str, token: str) -> Measured:
    times: list[float] = []
    until = time.perf_counter() + ROUND_S
    await asyncio.gather(*(_ask(port, path, token, until, times) for _ in range(CONNECTIONS)))
    times.sort()
    return Measured(len(times) / ROUND_S, times[int(len(times) * 0.99)] * 1000)


@contextlib.contextmanager
def appending(store: EventStore, wanted: bool) -> Iterator[None]:
    """Events of another episode are appended meanwhile, if that is wanted."""
    stop = threading.Event()

    def append() -> None:
        number = 0
        while not stop.wait(1 / APPENDS):
            number += 1
            store.append(stream_name("episode", "elive"), ANY, [opened(number, (0,))])

    thread = threading.Thread(target=append)
    if wanted:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if wanted:
            thread.join()


def measure(port: int, bare: int, path: str, token: str) -> tuple[Measured, Measured]:
    """The API's and the bare handler's medians over some rounds, in turns."""
    found: list[list[Measured]] = [[], []]
    asyncio.run(_load(port, path, token))
    for _ in range(ROUNDS):
        found[0].append(asyncio.run(_load(port, path, token)))
        found[1].append(asyncio.run(_load(bare, "/", token)))
    first, second = (
        Measured(median(m.per_second for m in some), median(m.p99_ms for m in some))
        for some in found
    )
    return first, second


def rows(episodes: int = EPISODES) -> Iterator[Row]:
    """The figures."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/troupe.db", durable=False)
        fill(store, episodes)
        _, headers = signed_in(gateway_over(store, Path(folder)), "researcher")
        token = headers["authorization"].removeprefix("Bearer ")
        paths = {
            "one episode": "/api/v1/episodes/e000000",
            f"list of runs at {episodes:,} episodes": "/api/v1/runs",
            f"list of episodes at {episodes:,} episodes": f"/api/v1/episodes?run={RUN}",
        }
        sizes = tuple(asyncio.run(_sizes(folder, list(paths.values()), token)))
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=serve, args=(folder, sizes, there), daemon=True)
        process.start()
        port, *bare = here.recv()
        for busy in (False, True):
            for (what, path), other in zip(paths.items(), bare, strict=True):
                with appending(store, busy):
                    ours, theirs = measure(port, other, path, token)
                yield from _rows(what, ours, theirs, busy)
        process.terminate()
        process.join()
        store.close()


async def _sizes(folder: str, paths: list[str], token: str) -> list[int]:
    from litestar.testing import AsyncTestClient

    store = open_store(f"sqlite:///{folder}/troupe.db")
    route_modules.BESIDE = ()  # type: ignore[misc]
    async with AsyncTestClient(make_app(gateway_over(store, Path(folder)))) as client:
        headers = {"authorization": f"Bearer {token}"}
        found = [await client.get(path, headers=headers) for path in paths]
    store.close()
    return [len(one.content) for one in found]


def _rows(what: str, ours: Measured, theirs: Measured, busy: bool) -> Iterator[Row]:
    share = ours.per_second / theirs.per_second
    yield Row(
        f"HTTP: {what}{f', {APPENDS} events/s meanwhile' * busy}",
        f"{ours.per_second:,.0f}/s, {share:.2f} of bare",
        f"bare handler {theirs.per_second:,.0f}/s",
        "" if busy else f">= {LEAST_SHARE} of bare",
        None if busy else share >= LEAST_SHARE,
    )
    yield Row(
        "  99 % within",
        f"{ours.p99_ms:.1f} ms",
        f"bare handler {theirs.p99_ms:.1f} ms",
        f"<= {MOST_P99_MS:.0f} ms",
        ours.p99_ms <= MOST_P99_MS,
    )


if __name__ == "__main__":
    for row in rows(*map(int, sys.argv[1:])):
        print(row, flush=True)
