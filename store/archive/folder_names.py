"""Where in a folder an archived run goes."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from store.archive.errors import CannotArchive


def choose_folder(to: Path, run: str) -> Path:
    """A name that nothing has: the run's id, or where that was archived there before (and brought
    back since), with a number behind it."""
    names = (run if number == 1 else f"{run}-{number}" for number in count(1))
    return next(to / name for name in names if not (to / name).exists())


@contextmanager
def reserved(to: Path, run: str) -> Iterator[None]:
    """Keeps other processes from archiving the run to the same place; ends with the process.
    Raises ``CannotArchive``."""
    path = to / f".{run}.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotArchive(run, f"another process archives it to {to} now") from None
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)
