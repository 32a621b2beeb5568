"""The stub of a model server in a process of its own, whose CPU is counted apart."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil


class Stub:
    """A running stub server."""

    def __init__(self, url: str, process: psutil.Process) -> None:
        self.url = url
        """Its ``…/v1`` address."""
        self._process = process

    def cpu_s(self) -> float:
        """Seconds of CPU it has used so far."""
        times = self._process.cpu_times()
        return float(times.user + times.system)


@contextmanager
def stub_server(latency_s: float = 0.0, seed: int = 0, empty: float = 0.0) -> Iterator[Stub]:
    """A stub that answers after so many seconds; another seed, other answers. ``empty``: the share
    of answers that say nothing."""
    command = [
        sys.executable,
        "-m",
        "tests.support.servers.stub_llm",
        "--latency-s",
        f"{latency_s}",
        "--seed",
        f"{seed}",
        "--empty",
        f"{empty}",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Stub(process.stdout.readline().split()[1], psutil.Process(process.pid))
        finally:
            process.terminate()
