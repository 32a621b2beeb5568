"""The living processes of a data folder, and how to reach their embedded NATS servers.

Each leaves ``processes/<name>.json`` (0600: it holds the server's token) and keeps a lock on
``processes/<name>.lock`` as long as it lives. The kernel frees the lock when a process ends,
however it ends: what is left of one that was killed is seen to be that at once, and removed.
``processes/place`` tells the folder from all others, whatever machine they are on.
"""

import contextlib
import fcntl
import hashlib
import os
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import msgspec

from events.base import Value, replace
from events.serialization.struct_types import decodable
from gateway.settings import Settings
from store.database.engines import parsed_url
from store.leases import Holder, Lease

SERVER = "serve"
"""The command that carries out detached runs."""
_JSON, _LOCK, _PART = ".json", ".lock", ".part"
_PLACE = "place"


class LiveProcess(Value, frozen=True, kw_only=True):
    """A process that plays or scores."""

    name: str
    """Its leases have it, too (``store.leases``)."""
    pid: int
    command: str
    """What it was started as: ``serve``, ``run``, ``score``, …"""
    nats_url: str
    """Of its embedded server; empty: it has none."""
    nats_token: str
    space: str
    store: str
    """Which database it works on: ``store_mark`` of its URL."""
    since: int
    """Microseconds since 1970, UTC."""
    http: str = ""
    """Where it serves pages and the API; empty: it does not."""

    def __repr__(self) -> str:
        """Without the token: what is printed in a log is read by many."""
        return f"LiveProcess(pid={self.pid}, command={self.command!r})"


class ProcessRegistration:
    """Says that this process is there, from ``__enter__`` until ``__exit__`` or its death."""

    def __init__(self, settings: Settings, command: str, nats_url: str, nats_token: str) -> None:
        """``nats_url``, ``nats_token``: of its embedded server; empty: it has none."""
        self.folder = _folder(settings.data_dir)
        self._name = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._lock = -1
        self.process = LiveProcess(
            name=self._name,
            pid=os.getpid(),
            command=command,
            nats_url=nats_url,
            nats_token=nats_token,
            space=settings.space,
            store=store_mark(settings),
            since=time.time_ns() // 1000,
        )

    def __enter__(self) -> Self:
        try:
            self._begin()
        except OSError:
            if self.process.nats_url:
                raise
            # Nobody has to reach it; only its death is not seen at once.
        return self

    def _begin(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = self.folder / (self._name + _LOCK)
        # Under its name once it is held: nobody takes it for one that was left behind.
        unheld = lock.with_suffix(_PART)
        self._lock = os.open(unheld, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        unheld.replace(lock)
        self._write()

    def __exit__(self, *_: object) -> None:
        _remove(self.folder, self._name)
        if self._lock >= 0:
            os.close(self._lock)

    @property
    def holder(self) -> Holder:
        """This process as the holder of leases. Its jobs are in a queue of its own where its NATS
        server is."""
        seen = (self.folder / (self._name + _LOCK)).exists()
        return Holder(
            process=self._name,
            host=socket.gethostname(),
            pid=self.process.pid,
            command=self.process.command,
            place=_place(self.folder) if seen else "",
            queue=self._name if self.process.nats_url else "",
        )

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
        if process.nats_url and process.store == mark and process.space == settings.space
    ]
    return sorted(found, key=lambda process: (process.command != SERVER, -process.since))


def is_gone(settings: Settings, lease: Lease) -> bool:
    """Whether a lease's holder is known to have ended: it was of this machine and data folder, and
    its lock is free. Of any other process nothing is known but what it says."""
    folder = _folder(settings.data_dir)
    if lease.host != socket.gethostname() or not lease.place or lease.place != _read_place(folder):
        return False
    try:
        return not _held(folder / (lease.process + _LOCK))
    except OSError:  # another user's: whether it is held is not known
        return False


def store_mark(settings: Settings) -> str:
    """Tells databases apart without giving their passwords away."""
    url = parsed_url(settings.database_url)
    if url.get_backend_name() == "sqlite":
        # One file may be reached by several paths.
        url = url.set(database=str(Path(url.database or "").resolve()))
    return hashlib.sha256(url.render_as_string(hide_password=False).encode()).hexdigest()


def _folder(data_dir: Path) -> Path:
    return data_dir / "processes"


def _place(folder: Path) -> str:
    """A random id that identifies the folder; the first process generates it."""
    drawn = folder / f"{_PLACE}-{secrets.token_hex(4)}{_PART}"
    if not (folder / _PLACE).exists():
        with contextlib.suppress(OSError):  # no room; or another was quicker
            drawn.write_text(secrets.token_hex(16))
            os.link(drawn, folder / _PLACE)
        drawn.unlink(missing_ok=True)
    return _read_place(folder)


def _read_place(folder: Path) -> str:
    try:
        return (folder / _PLACE).read_text()
    except OSError:
        return ""


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
            yield msgspec.json.decode(
                lock.with_suffix(_JSON).read_bytes(), type=decodable(LiveProcess)
            )


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
