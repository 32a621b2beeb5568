"""A fleet of real processes on loopback: what a laboratory would run, and may be hurt."""

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from store.log.event_store import EventStore
from store.open_store import open_store
from tests import KEYS
from tests.faults.chaos.asked import NotingStub
from tests.faults.chaos.member import Seen, read_seen
from tests.faults.chaos.servers import KillableNats, KillablePostgres
from tests.faults.chaos.signing import KEY_VARIABLE
from tests.faults.network.nats_cluster import NatsCluster
from tests.support.servers.network_proxy import Proxy
from tests.support.servers.stub_llm import StubSettings

ACK_WAIT_S = 2.0
COORDINATOR = "coordinator"
WORKERS = ("worker-1", "worker-2", "worker-3")
PATIENCE = {
    "TROUPE_ACK_WAIT_S": f"{ACK_WAIT_S:g}",
    "TROUPE_GRACE_S": "2",
    "TROUPE_RECONCILE_S": "1",
}
"""Everything that is waited for is waited for shortly."""
LISTENS = "Troupe listens on"
READY_S = 60.0
RESTART_S = 0.5
LATENCY_S = 0.03


class Network(NamedTuple):
    """A process's ways to the servers, its own."""

    nats: Proxy
    postgres: Proxy


class Member:
    """A ``troupe serve`` or ``troupe worker`` that is started again under the same name."""

    def __init__(
        self, name: str, folder: Path, environment: dict[str, str], network: Network
    ) -> None:
        self.name = name
        self.network = network
        self.output = folder / f"{name}.log"
        self.states = folder / f"{name}.states"
        self.states.touch()
        # A probe is a request that belongs to no stream.
        self.arguments = ("serve", "--no-probe") if name == COORDINATOR else ("worker",)
        self.environment = {
            **environment,
            "TROUPE_NATS_URL": f"nats://127.0.0.1:{network.nats.port}",
            "TROUPE_DATABASE_URL": f"postgresql://postgres@127.0.0.1:{network.postgres.port}/postgres",
            KEY_VARIABLE: name,
            "TROUPE_DATA_DIR": str(folder / name),
        }
        self.process: subprocess.Popen[bytes] | None = None
        self._starting: asyncio.Task[None] | None = None
        self._read = 0
        self._said = 0

    @property
    def running(self) -> bool:
        """Whether it is there."""
        return self.process is not None and self.process.poll() is None

    @property
    def starting(self) -> bool:
        """Whether it is being started."""
        return self._starting is not None and not self._starting.done()

    @property
    def plays(self) -> bool:
        """Whether it is there and ready."""
        return self.running and not self.starting

    def begin(self) -> None:
        """Start it, and look after it until it is ready."""
        self._launch()
        self._starting = asyncio.create_task(self._become_ready())

    async def ready(self) -> None:
        """Wait until it is ready, should it have been started."""
        if self._starting is not None:
            await self._starting

    def _launch(self) -> None:
        self._said = self.output.stat().st_size if self.output.exists() else 0
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                (
                    *(sys.executable, "-m", "tests.faults.chaos.member", str(self.states)),
                    *(*self.arguments, "--port", "0"),
                ),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    async def _become_ready(self) -> None:
        """Wait until it says that it listens. Should it end before, because NATS or the database
        is away, it is started again, as every service is by what looks after it."""
        async with asyncio.timeout(READY_S):
            while LISTENS not in self.said():
                if not self.running:
                    await asyncio.sleep(RESTART_S)
                    self._launch()
                await asyncio.sleep(0.02)

    def said(self) -> str:
        """What it has printed since its last start."""
        with self.output.open("rb") as output:
            output.seek(self._said)
            return output.read().decode(errors="replace")

    def kill(self) -> None:
        """``kill -9``."""
        self.send(signal.SIGKILL)
        assert self.process is not None
        self.process.wait(READY_S)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        assert self.running, f"{self.name} ended by itself: {self.said()}"
        self.process.send_signal(number)

    def seen(self) -> list[Seen]:
        """The states that episodes came into here since this was last asked."""
        found, self._read = read_seen(self.states, self._read)
        return found


class Fleet:
    """Three workers and a coordinator on one PostgreSQL, one NATS and one model server."""

    def __init__(
        self,
        nats: KillableNats,
        postgres: KillablePostgres,
        stub: NotingStub,
        folder: Path,
        networks: dict[str, Network],
    ) -> None:
        self.nats, self.postgres, self.stub, self.folder = nats, postgres, stub, folder
        self.store: EventStore = open_store(postgres.url)
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("TROUPE_")},
            "TROUPE_NATS_TOKEN": nats.token,
            "TROUPE_SPACE": "chaos",
            "TROUPE_KEYS": KEYS,
            "TROUPE_LOG": "info",
            **PATIENCE,
        }
        self.members = {
            name: Member(name, folder, environment, network) for name, network in networks.items()
        }

    async def heal(self) -> None:
        """Whatever a fault has left broken is whole again: the stub behaves, packets get through,
        and all members run, or will in a moment: the others go on meanwhile."""
        self.stub.settings = self.stub.usual
        for member in self.members.values():
            for proxy in member.network:
                proxy.heal()
        for member in self.members.values():
            if not member.running and not member.starting:
                member.begin()

    async def ready(self) -> None:
        """Wait until all members that were started are ready."""
        await asyncio.gather(*(member.ready() for member in self.members.values()))

    def stop(self) -> None:
        """Kill what is left."""
        for member in self.members.values():
            if member.process is not None:
                member.process.kill()
                member.process.wait(READY_S)
        self.store.close()


@asynccontextmanager
async def fleet_in(
    folder: Path, latency_s: float = LATENCY_S, cluster: NatsCluster | None = None
) -> AsyncIterator[Fleet]:
    """A running fleet, which ends with the block; on a ``cluster`` instead of one NATS server."""
    async with AsyncExitStack() as stack:
        postgres = await asyncio.to_thread(KillablePostgres, uuid.uuid4().hex[:16])
        stack.push_async_callback(asyncio.to_thread, postgres.delete)
        nats = stack.enter_context(KillableNats(folder))
        usual = StubSettings(latency_s=latency_s, hang_s=2.0, retry_after="0.2")
        stub = await stack.enter_async_context(NotingStub(usual))
        port = urlsplit(nats.url).port
        assert port is not None
        networks = {
            name: Network(
                await stack.enter_async_context(Proxy.to_port(port)),
                await stack.enter_async_context(Proxy.to_socket(postgres.socket)),
            )
            for name in (*WORKERS, COORDINATOR)
        }
        fleet = await asyncio.to_thread(Fleet, nats, postgres, stub, folder, networks)
        stack.push_async_callback(asyncio.to_thread, fleet.stop)
        for member in fleet.members.values() if cluster is not None else ():
            assert cluster is not None
            member.environment |= {
                "TROUPE_NATS_URL": cluster.url,
                "TROUPE_NATS_TOKEN": cluster.token,
                "TROUPE_JOB_REPLICAS": "3",
            }
        await fleet.heal()
        await fleet.ready()
        yield fleet
        await fleet.ready()
