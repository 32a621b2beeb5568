"""``python -c`` as a forked process: to import what commands need takes most of the time of many.

Processes are forked from one that has nothing of the test's: it has imported the code and read the
catalogs that come with it, and that is all. Each is a process of its own, with its pid, streams and
environment, to be stopped and killed like any other. ``await forked(…)`` takes arguments of
``asyncio.create_subprocess_exec``, and what it answers with is used alike. The tests of
``tests/deploy/test_wheel.py`` and some of ``tests/gateway`` start commands in a new interpreter.
"""

import asyncio
import atexit
import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import sys
from asyncio import StreamReader
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO

from actors.episodes.registry import environments
from evaluators.registry import judgings

MODULES = (
    "gateway.cli.main",
    "gateway.cli.commands.look.episodes",
    "gateway.cli.commands.look.run_list",
    "gateway.cli.commands.run.runs",
    "gateway.cli.commands.compare.comparison",
    "gateway.cli.commands.compare.export",
    "gateway.cli.commands.compare.report",
    "gateway.cli.commands.compare.scores",
    "gateway.cli.commands.operate.processes",
    "gateway.servers.server",
    *("pydantic.type_adapter", "uvloop", "zoneinfo"),
)
"""And what these import."""
ROOT = Path(__file__).parents[3]
_LONGEST = 1 << 20
"""Bytes of a request."""
Output = int | IO[bytes] | None


class Forked:
    """What there is of ``asyncio.subprocess.Process`` of one that was forked."""

    def __init__(self, pid: int, output: Mapping[int, StreamReader], reply: StreamReader) -> None:
        self.pid = pid
        self.stdout, self.stderr = output.get(1), output.get(2)
        self.returncode: int | None = None
        """As of ``Popen``; None while it runs."""
        self._end = asyncio.ensure_future(self._ended(reply))

    async def _ended(self, reply: StreamReader) -> int:
        self.returncode = int(await reply.readline())
        return self.returncode

    async def wait(self) -> int:
        """The exit code, once it has ended."""
        return await asyncio.shield(self._end)

    async def communicate(self) -> tuple[bytes, bytes]:
        """What it has written, once it has ended."""
        out, err = await asyncio.gather(_whole(self.stdout), _whole(self.stderr))
        await self.wait()
        return out, err

    def send_signal(self, number: int) -> None:
        """Raises ``ProcessLookupError`` where it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


async def forked(
    python: str,
    option: str,
    *command: str,
    env: Mapping[str, str],
    stdout: Output = None,
    stderr: Output = None,
) -> Forked:
    """Begin a process of ``python -c``."""
    assert (python, option) == (sys.executable, "-c")
    with contextlib.ExitStack() as passed:
        pipes: dict[int, int] = {}

        def end_for(number: int, wanted: Output) -> int:
            if wanted == PIPE:
                pipes[number], end = os.pipe()
            elif wanted is None or wanted == DEVNULL:
                end = os.dup(number) if wanted is None else os.open(os.devnull, os.O_WRONLY)
            else:
                end = os.dup(wanted if isinstance(wanted, int) else wanted.fileno())
            passed.callback(os.close, end)
            return end

        out = end_for(1, stdout)
        err = end_for(2, out if stderr == STDOUT else stderr)
        reply, theirs = socket.socketpair()
        passed.callback(theirs.close)
        request = json.dumps([str(Path.cwd()), dict(env), command]).encode()
        socket.send_fds(_server(), [request], [out, err, theirs.fileno()])
    replies, writer = await asyncio.open_connection(sock=reply)
    pid = int(await replies.readline())
    found = Forked(pid, {number: await _read(pipe) for number, pipe in pipes.items()}, replies)
    found._end.add_done_callback(lambda _: writer.close())
    return found


async def _whole(stream: StreamReader | None) -> bytes:
    return await stream.read() if stream else b""


async def _read(pipe: int) -> StreamReader:
    reader = StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(pipe, "rb", 0)
    )
    return reader


@cache
def _server() -> socket.socket:
    """To the server of this process, which ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", __name__, str(theirs.fileno())]
    server = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
    )
    theirs.close()
    atexit.register(server.wait)
    atexit.register(ours.close)
    return ours


def main() -> None:
    """Serve whoever has the other end of a socket."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As the command line does before it imports them.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    for module in MODULES:
        import_module(module)
    for environment in environments():
        environment.starter()
    judgings()
    gc.collect()
    gc.freeze()
    while True:
        request, passed, *_ = socket.recv_fds(requests, _LONGEST, 3)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                """Those whose command has ended."""
        if not request:
            break
        if not os.fork():
            requests.close()
            _keep(*passed)
            folder, environment, (code, *arguments) = json.loads(request)
            os.chdir(folder)
            os.environ.clear()
            os.environ |= environment
            sys.argv, sys.path[0] = ["-c", *arguments], ""
            exec(code, {"__name__": "__main__"})
            return
        for one in passed:
            os.close(one)


def _keep(out: int, err: int, reply: int) -> None:
    """Return in a child with these streams; tell its pid, and how it ends."""
    if pid := os.fork():
        os.close(out)
        os.close(err)
        os.write(reply, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(reply, b"%d\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for one in (out, err, reply):
        os.close(one)
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    main()
