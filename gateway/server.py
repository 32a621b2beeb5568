"""The long-running processes: ``troupe serve`` and ``troupe worker``."""

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from socket import socket

import structlog
import uvicorn

from actors.runs.coordinator import Work, carry_out, end_run
from actors.runs.state import load_run
from actors.runtime.loop import run as run_loop
from gateway.settings import Settings, read_settings
from gateway.web import Readiness, make_app
from gateway.workbench import Workbench
from store import queries
from store.log import EventStore
from store.opening import open_store
from store.projections.projector import lags

log = structlog.get_logger(__name__)

EPISODES_AT_ONCE = 64
"""Episodes a serving process plays at once, over all runs."""
LOOK_FOR_RUNS_S = 1.0
"""How often the store is asked for runs to be carried out, in seconds."""
SAMPLE_S = 5.0
"""How often sampled figures are taken, in seconds."""


class NeedsNats(ValueError):
    """A worker without a queue to take jobs from."""

    def __init__(self) -> None:
        super().__init__(
            "a worker takes its jobs from a shared NATS server: set TROUPE_NATS_URL "
            "(and TROUPE_NATS_TOKEN), or use `troupe serve`, which brings its own"
        )


def run_server(host: str, port: int, *, coordinate: bool) -> None:
    """Serve until SIGTERM or SIGINT. ``coordinate``: carry out queued runs, too.

    Raises ``NeedsNats`` for a worker without a shared server.
    """
    settings = read_settings()
    if not coordinate and settings.embedded_nats:
        raise NeedsNats
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = open_store(settings.database_url)
    try:
        run_loop(_serve(settings, store, host, port, coordinate=coordinate))
    finally:
        store.close()


async def _serve(
    settings: Settings, store: EventStore, host: str, port: int, *, coordinate: bool
) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with Workbench(settings, store) as bench:
        await bench.work(EPISODES_AT_ONCE)
        web = _Web(host, port, bench, store)
        async with asyncio.TaskGroup() as group:
            group.create_task(web.serve(stop))
            group.create_task(_sample(store, stop))
            if coordinate:
                group.create_task(_Runs(store, bench, stop).carry_out_all())
    log.info("server_stopped")


class _Web:
    """The HTTP side."""

    def __init__(self, host: str, port: int, bench: Workbench, store: EventStore) -> None:
        app = make_app(self.readiness)
        self.config = uvicorn.Config(app, host=host, port=port, log_level="warning", lifespan="off")
        self.bench, self.store = bench, store

    async def readiness(self) -> Readiness:
        """Whether NATS and the database answer."""
        missing = [] if self.bench.bus.connected else ["NATS"]
        try:
            async with asyncio.timeout(2.0):
                await asyncio.to_thread(self.store.head)
        except Exception as error:  # noqa: BLE001 - whatever the driver says, it is not ready
            log.warning("database_not_ready", error_type=type(error).__name__)
            missing.append("database")
        return Readiness(ready=not missing, missing=tuple(missing))

    async def serve(self, stop: asyncio.Event) -> None:
        """Answer until ``stop``; says where on standard output once it listens."""
        server = _Server(self.config)
        serving = asyncio.get_running_loop().create_task(server.serve())
        waiting = asyncio.get_running_loop().create_task(stop.wait())
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        server.should_exit = True
        await serving


class _Server(uvicorn.Server):
    """Leaves signals to the process, and says where it listens."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Captures none: ``stop`` is told."""
        yield

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Listen, then print the address: with port 0 nobody else knows it."""
        await super().startup(sockets)
        for listening in self.servers:
            for bound in listening.sockets:
                host, port = bound.getsockname()[:2]
                sys.stdout.write(f"Troupe listens on http://{host}:{port}\n")
        sys.stdout.flush()


class _Runs:
    """Carries out every run that waits for a server."""

    def __init__(self, store: EventStore, bench: Workbench, stop: asyncio.Event) -> None:
        self.store, self.bench, self.stop = store, bench, stop
        self.under_way: dict[str, asyncio.Task[None]] = {}

    async def carry_out_all(self) -> None:
        """Until ``stop``."""
        while not self.stop.is_set():
            for row in await asyncio.to_thread(queries.runs, self.store):
                if row.status == "running" and row.id not in self.under_way:
                    task = asyncio.get_running_loop().create_task(self._carry_out(row.id))
                    self.under_way[row.id] = task
                    task.add_done_callback(partial(self._ended, row.id))
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), LOOK_FOR_RUNS_S)
        await asyncio.gather(*self.under_way.values(), return_exceptions=True)

    def _ended(self, run: str, _task: asyncio.Task[None]) -> None:
        del self.under_way[run]

    async def _carry_out(self, run: str) -> None:
        state = await asyncio.to_thread(load_run, self.store, run)
        if state is None or not state.detached:
            return
        log.info("run_taken_up", run=run)
        work = Work(run, [episode.id for episode in state.episodes], state.plan.judges)
        progress = await carry_out(
            self.store, self.bench.jobs, work, stop=self.stop, on_progress=lambda _: None
        )
        if progress.done:
            await asyncio.to_thread(end_run, self.store, run, progress)


async def _sample(store: EventStore, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await asyncio.to_thread(lags, store)
        except Exception as error:  # noqa: BLE001 - a figure is missing; the server goes on
            log.warning("lags_not_sampled", error_type=type(error).__name__)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), SAMPLE_S)
