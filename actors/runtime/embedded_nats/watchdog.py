"""Keeps an embedded nats-server from outliving the process that wanted it.

Run as a script of its own (standard library only) between that process and the server:

    python watchdog.py PARENT_PID LOCK_FD SERVER ARGUMENT...

Standard input is a pipe whose other end only the parent holds, so its end of file is the parent's
end, however it came about. The server is a child of *this* process because Linux ties
PR_SET_PDEATHSIG to the thread that forked: a server started from a short-lived thread of the
parent would die with the thread. Here the one thread that forks lives exactly as long as the
process does.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading

_PR_SET_PDEATHSIG = 1
_POLL_SECONDS = 1.0
_GRACE_SECONDS = 5.0


def _die_with_watchdog(watchdog: int) -> None:
    """In the forked child: be killed when the watchdog is, where the system can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != watchdog:  # it died before the call above
            os._exit(1)


def main(arguments: list[str]) -> int:
    """Run the server until it ends or the parent is gone; its exit code."""
    parent, lock, command = int(arguments[0]), int(arguments[1]), arguments[2:]
    own = os.getpid()
    # The server inherits the lock too: its directory is free only once nobody can write to it.
    server = subprocess.Popen(  # noqa: S603  the command is ours
        command,
        stdin=subprocess.DEVNULL,
        pass_fds=(lock,),
        preexec_fn=lambda: _die_with_watchdog(own),  # safe: no other thread exists yet
    )
    over = threading.Event()

    def await_parent() -> None:
        while os.read(0, 1024):
            pass
        over.set()

    def await_server() -> None:
        server.wait()
        over.set()

    for wait in (await_parent, await_server):
        threading.Thread(target=wait, daemon=True).start()
    # A process forked from the parent without exec holds the pipe open as well; the parent's id
    # tells the truth then.
    while not over.wait(_POLL_SECONDS):
        if os.getppid() != parent:
            break
    if server.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            server.terminate()
        try:
            server.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
    return server.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
