"""``troupe`` as a process of its own, to be interrupted, stopped and killed."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from pathlib import Path

import psutil

from store.log.event_store import EventStore
from store.open_store import open_store
from tests import KEYS
from tests.support.servers.forked_commands import Forked, Output, forked
from tests.support.servers.nats_server import until

_COMMAND = "import sys; from gateway.cli.main import main; sys.exit(main())"
SLOW_S = 60.0
"""Generous: the machine may be busy with other tests."""


class Troupe:
    """A machine's folder, on which ``troupe`` commands run one after the other."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("TROUPE_")},
            "TROUPE_DATA_DIR": str(self.data_dir),
            "TROUPE_KEYS": KEYS,
            **environment,
        }

    def command(self, *arguments: str) -> tuple[str, ...]:
        """What starts a command."""
        return (sys.executable, "-c", _COMMAND, *arguments)

    async def start(self, *arguments: str) -> "Process":
        """Start a command."""
        return Process(await self.begin(*arguments, stdout=PIPE, stderr=PIPE))

    async def begin(self, *arguments: str, stdout: Output = None, stderr: Output = None) -> Forked:
        """The same, its output where it is wanted."""
        command = self.command(*arguments)
        return await forked(*command, env=self.environment, stdout=stdout, stderr=stderr)

    def open(self) -> EventStore:
        """The store the commands work on."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        url = self.environment.get("TROUPE_DATABASE_URL")
        return open_store(url or f"sqlite:///{self.data_dir / 'troupe.db'}")

    def servers(self) -> list[psutil.Process]:
        """Living nats-servers and watchdogs that belong to the folder."""
        found = []
        for process in psutil.process_iter():
            try:
                words = process.cmdline()
                alive = process.status() != psutil.STATUS_ZOMBIE
            except psutil.NoSuchProcess:
                continue
            if alive and any(str(self.data_dir) in word for word in words):
                found.append(process)
        return found


class Process:
    """A command that runs."""

    def __init__(self, process: Forked) -> None:
        self.process = process
        self._output = asyncio.ensure_future(process.communicate())

    async def kill_when(self, condition: Callable[[], object]) -> None:
        """``kill -9`` as soon as something is so."""
        await self.while_running(condition)
        self.process.kill()
        await self._output

    async def tell_when(self, number: signal.Signals, condition: Callable[[], object]) -> int:
        """Send a signal as soon as something is so; the exit code."""
        await self.while_running(condition)
        self.process.send_signal(number)
        return await self.ended()

    async def while_running(self, condition: Callable[[], object]) -> None:
        """Wait until something is so, which must be before the command ends."""
        await until(lambda: self._output.done() or condition(), SLOW_S)
        code = self.process.returncode
        assert not self._output.done(), f"it had ended by then, with {code}: {self.said()}"

    async def ended(self) -> int:
        """The exit code, once it has ended."""
        async with asyncio.timeout(SLOW_S):
            await asyncio.shield(self._output)
        assert self.process.returncode is not None
        return self.process.returncode

    def said(self) -> str:
        """What an ended command has printed."""
        out, err = self._output.result()
        return (out + err).decode()

    async def stop(self) -> int:
        """Ask it to end, and wait for that; the exit code."""
        self.process.terminate()
        return await self.ended()
