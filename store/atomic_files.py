"""Writing files that appear whole or not at all, for their owner alone, and stay."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A temporary path beside ``path``, moved to ``path`` when the block ends without an error.

    Makes missing folders. The temporary file is there already, empty, made by this call under a
    name that nobody could prepare, and for its owner alone; so is the file that it becomes: what is
    written holds what people said. The temporary file is removed in any case. Where it cannot be
    made or moved, the ``OSError`` names ``path``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{secrets.token_hex(8)}.part")
    with _naming(path):
        os.close(create_private(unfinished))
    try:
        yield unfinished
        with _naming(path):
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def create_private(path: Path) -> int:
    """Make a new file that only its owner may read; its descriptor."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)


def make_durable(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk, so that they survive a power cut."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
