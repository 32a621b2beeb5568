"""``troupe gateway``: the process that serves people and plays nothing."""

import asyncio
import os
import signal
from contextlib import suppress
from socket import socket

import structlog

from actors.runtime.actors.event_loop import run as run_loop
from actors.runtime.bus.errors import BusDown
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.worker_reports import software
from gateway.errors import NatsAway
from gateway.http.authentication import Access
from gateway.http.context import About
from gateway.process.discovery import addresses
from gateway.process.logs import set_up_logs
from gateway.servers.server import Web, listen, make_way
from gateway.services.participants.participant_keys import look_after_keys
from gateway.settings import Settings, checked, read_settings
from store.log.event_store import EventStore
from store.open_store import open_store

log = structlog.get_logger(__name__)

LOOK_S = 1.0
"""How often it is looked whether a process has begun that can be heard, in seconds."""


def run_gateway(host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT. Where TROUPE_NATS_URL is not set, waits for a process that
    brings a server with it.

    Raises ``NatsAway`` where the server that is named does not answer, ``BadArgument`` for an
    address that cannot be listened on.
    """
    settings = checked(read_settings())
    set_up_logs(settings.log_level if os.environ.get("TROUPE_LOG") else "info", service=True)
    with listen(host, port) as listening:
        store = open_store(settings.database_url, most_queued=settings.tuning.append_queue)
        try:
            look_after_keys(settings, store)
            access = Access(settings, store)
            run_loop(_serve(settings, store, access, listening))
        except BusDown as error:
            raise NatsAway(error.url, error.reason) from error
        finally:
            store.close()


async def _serve(settings: Settings, store: EventStore, access: Access, listening: socket) -> None:
    stop, drained = asyncio.Event(), asyncio.Event()
    newer: list[Exception] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    bus = await _first(settings, stop)
    if bus is None:
        return
    try:
        async with asyncio.TaskGroup() as group:
            web = Web(settings, store, access, bus, _about)
            group.create_task(web.serve(listening, stop, drained))
            group.create_task(make_way(store, lambda: None, stop, newer))
            await stop.wait()
            drained.set()
    finally:
        await bus.close()
    log.info("stopped")
    for error in newer:
        raise error


async def _first(settings: Settings, stop: asyncio.Event) -> Bus | None:
    """The first server that is there; None: it was not waited for to the end."""
    told = False
    while not stop.is_set():
        for at in await asyncio.to_thread(addresses, settings):
            try:
                return await Bus.connect(at.url, token=at.token, space=at.space)
            except BusDown:
                if not settings.embedded_nats:
                    raise
        if not told:
            told = True
            log.info("waiting_for_a_process", data_dir=str(settings.data_dir))
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK_S)
    return None


def _about() -> About:
    return About(
        command="gateway",
        version=software(),
        pid=os.getpid(),
        runs=0,
        episodes=0,
        evaluations=0,
    )
