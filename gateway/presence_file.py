"""The living processes of a data folder, and how to reach their embedded NATS servers.

Each leaves ``processes/<name>.json`` (0600: it holds the server's token) and keeps a lock on
``processes/<name>.lock`` as long as it lives. The kernel frees the lock when a process ends,
however it ends: what is left of one that was killed is seen to be that at once, and removed.
"""

import contextlib
import fcntl
import hashlib
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from events.base import Value, replace
from gateway.settings import Settings
from store.engines import parsed_url

SERVER = "serve"
"""The command that carries out detached runs."""
_JSON, _LOCK, _PART = ".json", ".lock", ".part"


class LiveProcess(Value, frozen=True, kw_only=True):
    """A process that works with an embedded NATS server."""

    pid: int
    command: str
    """What it was started as: ``serve``, ``run``, ``score``, …"""
    nats_url: str
    nats_token: str
    space: str
    store: str
    """Which database it works on: ``store_mark`` of its URL."""
    since: int
    """Microseconds since 1970, UTC."""
    runs: tuple[str, ...] = ()
    """The runs that it carries out."""
    http: str = ""
    """Where it serves pages and the API; empty: it does not."""

    def __repr__(self) -> str:
        """Without the token: what is printed in a log is read by many."""
        return f"LiveProcess(pid={self.pid}, command={self.command!r}, runs={self.runs!r})"


class Presence:
    """Says that this process is there, from ``__enter__`` until ``__exit__`` or its death."""

    def __init__(self, settings: Settings, command: str, nats_url: str, nats_token: str) -> None:
        self.folder = _folder(settings.data_dir)
        self._name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = -1
        self.process = LiveProcess(
            pid=os.getpid(),
            command=command,
            nats_url=nats_url,
            nats_token=nats_token,
            space=settings.space,
            store=store_mark(settings),
            since=time.time_ns() // 1000,
        )

    def __enter__(self) -> Self:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = self.folder / (self._name + _LOCK)
        # Under its name once it is held: nobody takes it for one that was left behind.
        unheld = lock.with_suffix(_PART)
        self._lock = os.open(unheld, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        unheld.replace(lock)
        self._write()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _remove(self.folder, self._name)
        os.close(self._lock)

    def carries_out(self, runs: Iterable[str]) -> None:
        """These are its runs from now on."""
        self.process = replace(self.process, runs=tuple(sorted(runs)))
        self._write()

    def serves_at(self, url: str) -> None:
        """This is where its pages are."""
        self.process = replace(self.process, http=url)
        self._write()

    def _write(self) -> None:
        # Whoever reads sees one whole file or the other.
        file = self.folder / (self._name + _JSON)
        unfinished = file.with_suffix(_PART)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as writing:
            writing.write(msgspec.json.encode(self.process))
        unfinished.replace(file)


def live_processes(settings: Settings) -> list[LiveProcess]:
    """The living processes with embedded NATS that work on this data folder and database: the one
    to be asked first comes first, a server, else the one that began last."""
    mark = store_mark(settings)
    found = [
        process
        for process in _read(_folder(settings.data_dir))
        if process.store == mark and process.space == settings.space
    ]
    return sorted(found, key=lambda process: (process.command != SERVER, -process.since))


def store_mark(settings: Settings) -> str:
    """Tells databases apart without giving their passwords away."""
    url = parsed_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        # One file may be reached by several paths.
        url = url.set(database=str(Path(url.database or "").resolve()))
    return hashlib.sha256(url.render_as_string(hide_password=False).encode()).hexdigest()


def _folder(data_dir: Path) -> Path:
    return data_dir / "processes"


def _read(folder: Path) -> Iterator[LiveProcess]:
    for lock in sorted(folder.glob(f"*{_LOCK}")):
        try:
            held = _held(lock)
        except OSError:  # another user's, or no file: whether it is held is not known
            continue
        if not held:
            _remove(folder, lock.name.removesuffix(_LOCK))
            continue
        # One that begins or ends just now has no file; another version or user may have written it.
        with contextlib.suppress(OSError, msgspec.MsgspecError, RecursionError):
            yield msgspec.json.decode(lock.with_suffix(_JSON).read_bytes(), type=LiveProcess)


def _held(lock: Path) -> bool:
    """Whether the process that made it lives."""
    try:
        descriptor = os.open(lock, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        # Shared: two that look at the same time do not take each other for the holder.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _remove(folder: Path, name: str) -> None:
    for ending in (_JSON, _PART, _LOCK):
        with contextlib.suppress(OSError):  # what stays is seen to be nobody's the next time, too
            (folder / (name + ending)).unlink()
