"""Three nats-servers that hold each job three times, set up as ``docs/how-to/fleet.md`` says."""

import asyncio
import json
import secrets
import subprocess
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from actors.runtime.embedded_nats.server import find_nats_server
from tests.support.servers.unused_ports import HOST, free_ports

SERVERS = 3
_READY_S = 60.0


class NatsCluster:
    """Servers 0, 1 and 2. Each is ``kill``ed and ``start``ed again on the same files and ports."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_urlsafe(16)
        ports = iter(free_ports(3 * SERVERS))
        self._clients, self._routes, self._monitors = (
            [next(ports) for _ in range(SERVERS)] for _ in range(3)
        )
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        """The addresses of all."""
        return ",".join(f"nats://{HOST}:{port}" for port in self._clients)

    def start(self, number: int) -> None:
        """Start one; ``ready`` waits for it."""
        home = self.folder / f"nats-{number}"
        home.mkdir(exist_ok=True)
        config = home / "nats.conf"
        config.write_text(self._config(number, home))
        with (home / "nats.log").open("ab") as log:
            self._processes[number] = subprocess.Popen(
                [find_nats_server(), "-c", config], stdout=log, stderr=log
            )

    def kill(self, number: int) -> None:
        """``kill -9``."""
        process = self._processes.pop(number)
        process.kill()
        process.wait()

    async def ready(self) -> None:
        """Wait until every server has all that the others know."""
        async with asyncio.timeout(_READY_S):
            while not all(map(self._is_healthy, range(SERVERS))):
                await asyncio.sleep(0.1)

    def __enter__(self) -> Self:
        for number in range(SERVERS):
            self.start(number)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number in tuple(self._processes):
            self.kill(number)

    def _is_healthy(self, number: int) -> bool:
        try:
            url = f"http://{HOST}:{self._monitors[number]}/healthz"
            with urllib.request.urlopen(url, timeout=2.0) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def _config(self, number: int, home: Path) -> str:
        others = [port for other, port in enumerate(self._routes) if other != number]
        return json.dumps(
            {
                "server_name": f"n{number}",
                "listen": f"{HOST}:{self._clients[number]}",
                "http": f"{HOST}:{self._monitors[number]}",
                "authorization": {"token": self.token},
                "max_payload": 8 * 1024 * 1024,
                "jetstream": {"store_dir": str(home), "sync_interval": "always"},
                "cluster": {
                    "name": "troupe",
                    "listen": f"{HOST}:{self._routes[number]}",
                    "authorization": {"user": "route", "password": self.token},
                    "routes": [f"nats://route:{self.token}@{HOST}:{port}" for port in others],
                },
            }
        )
