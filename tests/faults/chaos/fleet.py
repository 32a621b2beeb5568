"""A fleet of real processes on loopback: what a laboratory would run, and may be hurt."""

import asyncio
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from store.log import EventStore
from store.opening import open_store
from tests import KEYS
from tests.faults.chaos.asked import NotingStub
from tests.faults.chaos.member import Seen, read_seen
from tests.faults.chaos.servers import KillableNats, KillablePostgres
from tests.faults.chaos.signing import KEY_VARIABLE
from tests.stub_llm import StubSettings

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


class Member:
    """A ``troupe serve`` or ``troupe worker`` that is started again under the same name."""

    def __init__(self, name: str, folder: Path, environment: dict[str, str]) -> None:
        self.name = name
        self.output = folder / f"{name}.log"
        self.states = folder / f"{name}.states"
        self.states.touch()
        # A probe is a request that belongs to no stream.
        self.arguments = ("serve", "--no-probe") if name == COORDINATOR else ("worker",)
        self.environment = {
            **environment,
            KEY_VARIABLE: name,
            "TROUPE_DATA_DIR": str(folder / name),
        }
        self.process: subprocess.Popen[bytes] | None = None
        self._read = 0
        self._said = 0

    @property
    def running(self) -> bool:
        """Whether it is there."""
        return self.process is not None and self.process.poll() is None

    def launch(self) -> None:
        """Start it; it is ready somewhat later."""
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

    async def ready(self) -> None:
        """Wait until it says that it listens. Should it end before, because NATS or the database
        is away, it is started again, as every service is by what looks after it."""
        async with asyncio.timeout(READY_S):
            while LISTENS not in self.said():
                if not self.running:
                    await asyncio.sleep(RESTART_S)
                    self.launch()
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
        self, nats: KillableNats, postgres: KillablePostgres, stub: NotingStub, folder: Path
    ) -> None:
        self.nats, self.postgres, self.stub, self.folder = nats, postgres, stub, folder
        self.store: EventStore = open_store(postgres.url)
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("TROUPE_")},
            "TROUPE_NATS_URL": nats.url,
            "TROUPE_NATS_TOKEN": nats.token,
            "TROUPE_DATABASE_URL": postgres.url,
            "TROUPE_SPACE": "chaos",
            "TROUPE_KEYS": KEYS,
            "TROUPE_LOG": "info",
            **PATIENCE,
        }
        self.members = {name: Member(name, folder, environment) for name in (*WORKERS, COORDINATOR)}

    async def heal(self) -> None:
        """Whatever a fault has left broken is whole again: all members run, the stub behaves."""
        self.stub.settings = self.stub.usual
        gone = [member for member in self.members.values() if not member.running]
        for member in gone:
            member.launch()
        for member in gone:
            await member.ready()

    def stop(self) -> None:
        """Kill what is left."""
        for member in self.members.values():
            if member.process is not None:
                member.process.kill()
                member.process.wait(READY_S)
        self.store.close()


@asynccontextmanager
async def fleet_in(folder: Path, latency_s: float = LATENCY_S) -> AsyncIterator[Fleet]:
    """A running fleet, which ends with the block."""
    postgres = await asyncio.to_thread(KillablePostgres, uuid.uuid4().hex[:16])
    try:
        with KillableNats(folder) as nats:
            usual = StubSettings(latency_s=latency_s, hang_s=2.0, retry_after="0.2")
            async with NotingStub(usual) as stub:
                fleet = await asyncio.to_thread(Fleet, nats, postgres, stub, folder)
                try:
                    await fleet.heal()
                    yield fleet
                finally:
                    await asyncio.to_thread(fleet.stop)
    finally:
        await asyncio.to_thread(postgres.delete)
