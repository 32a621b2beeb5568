"""Runs llama.cpp as an OpenAI-compatible server on a loopback port, and controls which processes
can find it.

The server process holds a lock on ``server.lock`` for its lifetime; the file contains its address
and key, hence the mode 0600. Its clients share a lock on ``users.lock``; when no client holds it,
the server ends. The kernel frees locks when a process ends, so a killed process leaves nothing
behind.
"""

import contextlib
import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

LOCK, USERS, LOG = "server.lock", "users.lock", "server.log"
_LOCK_TRIES: Final = 50
"""Looks at a lock, 20 ms apart, before it is taken for another server's: who looks whether there is
one holds it for a moment."""
_PROMPT_CACHE_MIB: Final = 1024
"""Memory for prompts of seats that have no slot at the moment."""


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """What a server is started with."""

    folder: Path
    weights: Path
    model: str
    slots: int
    context: int
    """Tokens of each slot."""
    threads: int
    port: int = 0
    """0: a free one."""


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A server that runs."""

    pid: int
    url: str
    """Without ``/v1``."""
    key: str
    model: str
    slots: int
    threads: int
    context: int = 0

    def __repr__(self) -> str:
        """Without the key: what is printed in a log is read by many."""
        return f"Served(pid={self.pid}, url={self.url!r}, model={self.model!r})"


class AlreadyServed(Exception):
    """Another process serves the model."""


class NotServed(Exception):
    """llama.cpp did not start; its log says why."""


def opened(path: Path) -> int:
    """A lock's file, made where it is not there; nobody else may read it."""
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def taken(descriptor: int, kind: int) -> bool:
    """Whether a lock was had at once."""
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        return True
    return False


@contextlib.contextmanager
def served(serving: Serving) -> Iterator[Served]:
    """A running server. Raises ``AlreadyServed``, ``NotServed``."""
    serving.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = opened(serving.folder / LOCK)
    try:
        _take(lock)
        os.ftruncate(lock, 0)
        key = secrets.token_urlsafe(24)
        server = _started(serving, key)
        running = Served(
            pid=os.getpid(),
            url=server.listening_address,
            key=key,
            model=serving.model,
            slots=serving.slots,
            threads=serving.threads,
            context=serving.context,
        )
        os.pwrite(lock, msgspec.json.encode(running), 0)
        try:
            yield running
        finally:
            os.ftruncate(lock, 0)
    finally:
        os.close(lock)


def _take(lock: int) -> None:
    for _ in range(_LOCK_TRIES):
        if taken(lock, fcntl.LOCK_EX):
            return
        time.sleep(0.02)
    raise AlreadyServed


def _started(serving: Serving, key: str) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(serving.weights)
    params.model_alias = {serving.model}
    params.hostnames = ["127.0.0.1"]
    params.port = serving.port
    params.api_keys = [key]
    # Nothing for browsers: no page of another site may ask, and there is none of its own.
    params.cors_origins = params.cors_methods = params.cors_headers = ""
    params.cors_origins_explicit, params.cors_credentials = True, False
    params.ui = params.endpoint_slots = params.endpoint_props = False
    params.n_parallel = serving.slots
    params.n_ctx = serving.slots * serving.context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = serving.threads
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.use_jinja = True
    params.verbosity = 2  # warnings and errors: a log that does not grow with each request
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise NotServed(str(error)) from None
