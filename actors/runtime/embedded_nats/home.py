"""The directory of an embedded nats-server; a lock ensures that only one server uses it.

``<data>/nats/main`` keeps jobs from one start to the next. A second server on the same data
directory uses ``<data>/nats/<pid>-…``, which is removed afterwards: JetStream holds jobs, never
facts, and lost jobs are found by comparing the plan with the store.
"""

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

_MAIN = "main"
_LOCK = "lock"
_WAIT_SECONDS = 6.0
_POLL_SECONDS = 0.02


class NatsHome:
    """A locked directory. The lock's descriptor is handed to the server, too: when this process
    is killed, the directory stays locked until the server has really gone."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.lock = lock
        self.lasting = path.name == _MAIN

    @classmethod
    def claim(cls, data_dir: Path) -> "NatsHome":
        """Lock the lasting home, or a fresh one when another server is living there."""
        root = data_dir / "nats"
        root.mkdir(parents=True, exist_ok=True)
        root.chmod(0o700)
        _remove_abandoned(root)
        main = root / _MAIN
        main.mkdir(exist_ok=True)
        lock = _try_lock(main)
        deadline = time.monotonic() + _WAIT_SECONDS
        # A holder that was killed leaves the lock to its server for the moment that needs to end.
        while lock is None and not _holder_lives(main) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
            lock = _try_lock(main)
        if lock is not None:
            return cls(main, lock)
        while True:
            path = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=root))
            lock = _try_lock(path)
            if lock is not None:
                return cls(path, lock)

    def release(self) -> None:
        """Unlock; a home that was only for this server goes away."""
        if not self.lasting:
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def _try_lock(home: Path) -> int | None:
    """The descriptor of the held lock, or None when another holds it."""
    try:
        lock = os.open(home / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except FileNotFoundError:  # removed by another server's sweep
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock


def _holder_lives(home: Path) -> bool:
    try:
        os.kill(int((home / _LOCK).read_text() or "0"), 0)
    except (ProcessLookupError, ValueError, FileNotFoundError):
        return False
    except PermissionError:  # alive, and another user's
        return True
    return True


def _remove_abandoned(root: Path) -> None:
    """Homes whose servers were killed before they could remove them."""
    for path in root.iterdir():
        if path.name == _MAIN or not path.is_dir():
            continue
        lock = _try_lock(path)
        if lock is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)
