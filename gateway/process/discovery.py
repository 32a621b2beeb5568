"""Reaching the processes that work on a store: by the fleet's NATS server, or by their own."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from events.base import Value
from events.untrusted.safe_text import shortened
from events.wire.messages import WorkerReport
from gateway.errors import BadArgument, GatewayError, NatsAway
from gateway.process.lease_holders import SERVING, holders, process_words
from gateway.process.process_registry import LiveProcess, live_processes
from gateway.settings import Settings
from store.leases import Lease, leases
from store.log.event_store import EventStore

if TYPE_CHECKING:
    from actors.runtime.bus.nats_bus import Bus


class NothingAlive(GatewayError):
    """There is no process that could be asked."""

    def __init__(self, data_dir: str) -> None:
        super().__init__(
            f"nothing works on {shortened(data_dir)} now; `troupe serve` and `troupe run` bring a "
            "NATS server with them as long as they last, TROUPE_NATS_URL names one that stays"
        )
        self.data_dir = data_dir


class Address(Value, frozen=True, kw_only=True):
    """A NATS server and how to be let in."""

    url: str
    token: str
    space: str
    """The word after ``troupe.`` in every subject."""


class Carrier(Value, frozen=True, kw_only=True):
    """A process that may carry out runs."""

    name: str
    """``pid 4711`` on this machine, ``pid 4711 on <host>`` on another."""
    runs: tuple[str, ...] = ()
    """Ids of those it carries out, among the names of its other leases."""
    serves: bool = False
    """Takes up runs that are left to a server."""


def addresses(settings: Settings) -> list[Address]:
    """The NATS servers on which the store's processes are heard: the one that is named, else those
    of the living processes; the one to be asked first comes first."""
    if not settings.embedded_nats:
        return [
            Address(url=settings.nats_url, token=settings.nats_token, space=settings.space),
        ]
    return [address_of(process) for process in live_processes(settings)]


def address_of(process: LiveProcess) -> Address:
    """Where a process is reached."""
    return Address(url=process.nats_url, token=process.nats_token, space=process.space)


def nats_for(settings: Settings, store: EventStore, run: str = "") -> Address:
    """The server on which remote seats are asked: that of the process that carries out a run (id in
    full), or the one to be asked first. Raises ``NothingAlive``, ``BadArgument``."""
    if not settings.embedded_nats:
        return addresses(settings)[0]
    found = live_processes(settings)
    if not found:
        raise NothingAlive(str(settings.data_dir))
    if not run:
        return address_of(found[0])
    held = {lease.process for lease in leases(store, [run])}
    for process in found:
        if process.name in held:
            return address_of(process)
    raise BadArgument("run", run, "nobody carries it out now; `troupe runs` says how it stands")


@asynccontextmanager
async def connected(settings: Settings) -> AsyncIterator["list[Bus]"]:
    """A connection to each of the ``addresses``. Embedded servers that ended just now are left
    out. Raises ``NatsAway`` where the one that is named does not answer."""
    # Only here, as below: what speaks NATS takes its time to load, and files say enough of most.
    from actors.runtime.bus.errors import BusDown
    from actors.runtime.bus.nats_bus import Bus

    async with AsyncExitStack() as stack:
        buses = []
        for at in addresses(settings):
            try:
                bus = await Bus.connect(at.url, token=at.token, space=at.space, name="troupe-asks")
            except BusDown as error:
                if settings.embedded_nats:
                    continue
                raise NatsAway(error.url, error.reason) from error
            stack.push_async_callback(bus.close)
            buses.append(bus)
        yield buses


async def reports(buses: "Collection[Bus]", wait_s: float | None = None) -> list[WorkerReport]:
    """What the processes on some connections have in hand, as far as they answer in time."""
    from actors.runtime.jobs.worker_reports import FLEET_WAIT_S, collect_reports

    wait_s = FLEET_WAIT_S if wait_s is None else wait_s
    answers = await asyncio.gather(*(collect_reports(bus, wait_s) for bus in buses))
    return [report for found in answers for report in found]


def carriers(settings: Settings, store: EventStore) -> list[Carrier]:
    """The processes that carry out runs, or take them up, wherever they are: by their leases.
    Blocking."""
    found: dict[str, list[Lease]] = {}
    for lease in holders(settings, store):
        found.setdefault(lease.process, []).append(lease)
    return [
        Carrier(
            name=process_words(held[0]),
            runs=tuple(lease.name for lease in held),
            serves=any(lease.name.startswith(SERVING) for lease in held),
        )
        for held in found.values()
    ]
