"""The long-running processes: ``troupe serve`` and ``troupe worker``."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from socket import AF_INET, AF_INET6, create_server, gaierror, socket

import structlog
import uvicorn

from actors.runtime.actors.event_loop import run as run_loop
from actors.runtime.actors.supervision import is_outage
from actors.runtime.bus.errors import BusDown
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.queue import JobQueue
from gateway.errors import BadArgument, NatsAway
from gateway.http.app import make_app
from gateway.http.authentication import Access
from gateway.http.context import About, Gateway, Readiness
from gateway.http.server_config import server_config
from gateway.process.lease_holders import SERVING
from gateway.process.logs import set_up_logs
from gateway.process.page_links import reached_at
from gateway.process.process_registry import SERVER
from gateway.process.served_runs import ServedRuns
from gateway.process.traces import set_up_traces, trace_no_more
from gateway.process.worker_node import WorkerNode
from gateway.services.access.token_repository import new_principal
from gateway.services.participants.participant_keys import look_after_keys
from gateway.settings import Settings, checked, read_settings
from store.errors import WrongSchema
from store.log.event_store import EventStore
from store.migrate import require_current
from store.open_store import open_store
from store.projections.maintenance.projection_lag import Lags

log = structlog.get_logger(__name__)

NEWER_LOOK_S = 2.0
"""How often it is looked whether a newer version has upgraded the store, in seconds."""
OPERATOR_S = 12 * 3600.0
"""For how long the link that a terminal is shown signs in, in seconds."""
SAMPLE_S = 5.0
"""How often sampled figures are taken, in seconds."""


class NeedsNats(ValueError):
    """A worker without a queue to take jobs from."""

    def __init__(self) -> None:
        super().__init__(
            "a worker takes its jobs from a shared NATS server: set TROUPE_NATS_URL "
            "(and TROUPE_NATS_TOKEN), or use `troupe serve`, which brings its own"
        )


def run_server(host: str, port: int, *, coordinate: bool, probing: bool = True) -> None:
    """Serve until SIGTERM or SIGINT, then drain. ``coordinate``: carry out queued runs, too;
    ``probing``: once their models have answered one tiny request.

    Raises ``NeedsNats`` for a worker without a shared server, ``NatsAway``, ``BadArgument`` for an
    address that cannot be listened on.
    """
    settings = checked(read_settings())
    set_up_logs(settings.log_level if os.environ.get("TROUPE_LOG") else "info", service=True)
    traces = set_up_traces()
    if not coordinate and settings.embedded_nats:
        raise NeedsNats
    # Before anything is started: nobody else can take the port meanwhile.
    with listen(host, port) as listening:
        store = open_store(settings.database_url, most_queued=settings.tuning.append_queue)
        try:
            look_after_keys(settings, store)
            access = Access(settings, store)
            serving = _serve(
                settings, store, access, listening, coordinate=coordinate, probing=probing
            )
            run_loop(serving)
        except BusDown as error:
            raise NatsAway(error.url, error.reason) from error
        finally:
            store.close()
            trace_no_more(traces)


def listen(host: str, port: int) -> socket:
    """A socket that listens there; port 0: on a free one. Raises ``BadArgument``."""
    try:
        return create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    except gaierror as error:
        raise BadArgument("--host", host, f"is no address of this machine ({error})") from error
    except OSError as error:
        why = f"cannot be listened on at {host} ({error.strerror}); choose another, or 0"
        raise BadArgument("--port", str(port), why) from error


async def _serve(
    settings: Settings,
    store: EventStore,
    access: Access,
    listening: socket,
    *,
    coordinate: bool,
    probing: bool,
) -> None:
    stop, drained = asyncio.Event(), asyncio.Event()
    newer: list[Exception] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    command = SERVER if coordinate else "worker"
    async with (
        WorkerNode(settings, store, command=command) as node,
        AsyncExitStack() as stack,
    ):
        node.jobs.serves = coordinate
        if coordinate:
            serving = SERVING + node.leases.holder.process
            await stack.enter_async_context(node.leases.held("", [serving]))
        await node.work(settings.tuning.episodes_at_once)
        async with asyncio.TaskGroup() as group:
            web = Web(settings, store, access, node.bus, partial(_about, node), node)
            group.create_task(web.serve(listening, stop, drained))
            group.create_task(_sample(store, node.jobs, drained))
            group.create_task(make_way(store, lambda: node.outdated, stop, newer))
            if coordinate and not settings.embedded_nats:
                group.create_task(_watch_workers(node.jobs, drained))
            if coordinate:
                runs = ServedRuns(
                    store,
                    node,
                    stop,
                    reconcile_s=settings.tuning.reconcile_s,
                    probing=probing,
                )
                group.create_task(runs.carry_out_all())
            await stop.wait()
            # Figures can be read as long as something is under way.
            await node.drain()
            drained.set()
            log.info("drained")
    log.info("stopped")
    for error in newer:
        raise error


def _about(node: WorkerNode) -> About:
    """What this process is, and what it has in hand."""
    report = node.jobs.report()
    return About(
        command=node.command,
        version=report.software,
        pid=os.getpid(),
        runs=len(report.runs),
        episodes=report.episodes,
        evaluations=report.evaluations,
    )


async def make_way(
    store: EventStore,
    outdated: Callable[[], Exception | None],
    stop: asyncio.Event,
    newer: list[Exception],
) -> None:
    """End this process as SIGTERM does, with an error, once a newer version of Troupe works on the
    store: what that writes cannot be read here, and jobs would fail that others can do."""
    while not stop.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(NEWER_LOOK_S):
                await stop.wait()
        error = outdated()
        try:
            await asyncio.to_thread(require_current, store.engine)
        except WrongSchema as wrong:
            error = wrong
        except Exception as away:
            if not is_outage(away):
                raise
        if error is not None and not stop.is_set():
            log.error("newer_version_at_work", error=str(error))
            newer.append(error)
            stop.set()


class Web:
    """The HTTP side of a process."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        access: Access,
        bus: Bus,
        about: Callable[[], About],
        node: WorkerNode | None = None,
    ) -> None:
        """``node``: what plays in this process; None: it serves people alone."""
        self.gateway = Gateway(
            settings=settings,
            store=store,
            bus=bus,
            access=access,
            readiness=self.readiness,
            about=about,
            node=node,
        )
        self.people = node is None or node.command == SERVER
        app = make_app(self.gateway, people=self.people)
        self.config = server_config(app, settings)
        self.store, self.about = store, about
        self.leaving = False
        self.showing: asyncio.Task[None] | None = None

    async def readiness(self) -> Readiness:
        """Whether NATS and the database answer, and the process is to stay."""
        missing = ["draining"] if self.leaving else []
        if not self.gateway.bus.connected:
            missing.append("NATS")
        if not await self._database_answers():
            missing.append("database")
        return Readiness(ready=not missing, missing=tuple(missing))

    def serves_at(self, host: str, port: int) -> None:
        """Say where it listens; at a terminal on this machine with a link that lets in whoever
        reads it, once."""
        url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        sys.stdout.write(f"Troupe listens on {url}\n")
        node = self.gateway.node
        if self.people and node is not None:
            node.presence.serves_at(reached_at(host, port))
        sys.stdout.flush()
        if self.people and ip_address(host).is_loopback and sys.stdout.isatty():
            base = self.gateway.settings.outside.public_url or reached_at(host, port)
            self.showing = asyncio.get_running_loop().create_task(self._show_link(base))

    async def _show_link(self, base: str) -> None:
        # Not in a journal, which is read by many: at a terminal alone.
        operator = new_principal("operator", expires_s=OPERATOR_S)
        link = await asyncio.to_thread(self.gateway.access.link, operator, once=True)
        sys.stdout.write(f"\nOpen it, once, within the hour: {base}{link}\n\n")
        sys.stdout.flush()

    async def _database_answers(self) -> bool:
        """Whether it can be read, and what was appended last did not have to wait."""
        trouble: Exception | None = self.store.outage
        if trouble is None and self.gateway.node is not None:
            trouble = self.gateway.node.leases.outage
        if trouble is None:
            try:
                async with asyncio.timeout(2.0):
                    await asyncio.to_thread(self.store.head)
            except Exception as error:  # noqa: BLE001 - whatever the driver says, it is not ready
                trouble = error
        if trouble is not None:
            log.warning("database_not_ready", error_type=type(trouble).__name__)
        return trouble is None

    async def serve(self, listening: socket, stop: asyncio.Event, drained: asyncio.Event) -> None:
        """Answer until ``drained``, from ``stop`` on as not ready; says where on standard output
        once it listens. Sets ``stop`` should it end by itself."""
        server = _Server(self.config, self.about(), self.serves_at)
        loop = asyncio.get_running_loop()
        serving = loop.create_task(server.serve([listening]))
        for event in (stop, drained):
            waiting = loop.create_task(event.wait())
            await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            self.leaving = True
            if self.gateway.live is not None:
                await self.gateway.live.drain()
        stop.set()
        server.should_exit = True
        await serving


class _Server(uvicorn.Server):
    """Leaves signals to the process, and says where it listens."""

    def __init__(
        self, config: uvicorn.Config, about: About, serves_at: Callable[[str, int], None]
    ) -> None:
        super().__init__(config)
        self.about, self.serves_at = about, serves_at

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
                self.serves_at(host, port)
                log.info(
                    "listening",
                    at=f"http://{host}:{port}",
                    command=self.about.command,
                    version=self.about.version,
                    pid=self.about.pid,
                )


async def _watch_workers(jobs: JobQueue, stop: asyncio.Event) -> None:
    """Log which workers come and go."""
    before: set[str] = set()
    while not stop.is_set():
        with suppress(BusDown):
            now = {report.worker for report in await jobs.fleet()}
            for joined in sorted(now - before):
                log.info("worker_joined", worker=joined, workers=len(now))
            for left in sorted(before - now):
                log.info("worker_left", worker=left, workers=len(now))
            before = now
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), SAMPLE_S)


async def _sample(store: EventStore, jobs: JobQueue, stop: asyncio.Event) -> None:
    lags = Lags(store)
    while not stop.is_set():
        try:
            await asyncio.to_thread(lags.look)
            await jobs.census()
        except Exception as error:  # noqa: BLE001 - a figure is missing; the server goes on
            log.warning("figures_not_sampled", error_type=type(error).__name__)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), SAMPLE_S)
