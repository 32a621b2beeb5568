"""Writing files that appear whole or not at all, for their owner alone, and stay."""

import errno
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_SQLITE: Final = b"SQLite format 3\0"
"""How a database begins (https://www.sqlite.org/fileformat.html, section 1.3)."""
_BESIDE: Final = ("-wal", "-shm", "-journal")
"""What SQLite appends to a database's name for the files that it keeps beside it."""


@contextmanager
def atomic_write(path: Path, *, over_database: bool = False) -> Iterator[Path]:
    """A temporary path, whose content becomes that of ``path`` when the block ends without an
    error.

    Makes missing folders. The temporary file is there already, empty, made by this call under a
    name that nobody could prepare, and for its owner alone; so is the file that it becomes, where
    there was none: what is written holds what people said. One that is there already keeps its
    permissions; a link stays, and what it leads to is replaced. What is no file (a pipe, a device
    such as ``/dev/null``, standard output) is written into. A folder, a disk and a socket are
    refused, and, unless ``over_database``, so are a database of SQLite and the files beside it: a
    store or its keys, which a result must not replace. The temporary file is removed in any case.
    Where something fails, the ``OSError`` names
    ``path``.
    """
    with _naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        there = _there(path)
        if not over_database:
            _refuse_database(path)
    if there is not None and (not stat.S_ISREG(there.st_mode) or _is_output(there)):
        with tempfile.TemporaryDirectory(prefix="troupe-") as folder:
            unfinished = Path(folder) / path.name
            os.close(create_private(unfinished))
            yield unfinished
            with _naming(path):
                _pour(unfinished, path, there)
        return
    with _naming(path):
        # Beside what is replaced: a file moves in one step within a file system alone.
        target = Path(os.path.realpath(path))
        unfinished = target.with_name(f".{secrets.token_hex(8)}.part")
        os.close(create_private(unfinished))
    try:
        yield unfinished
        with _naming(path):
            if there is not None:
                _make_like(unfinished, there)
            unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def atomic_write_text(path: Path, text: str) -> None:
    """Write a file of text in UTF-8, as ``atomic_write`` does."""
    with atomic_write(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def _there(path: Path) -> os.stat_result | None:
    """What a path leads to, if that can be written; None: nothing. Raises ``OSError``."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder; name a file", str(path))
    if stat.S_ISBLK(found.st_mode) or stat.S_ISSOCK(found.st_mode):
        what = "disk" if stat.S_ISBLK(found.st_mode) else "socket"
        raise OSError(errno.EINVAL, f"is a {what}, which is not written; name a file", str(path))
    return found


def _refuse_database(path: Path) -> None:
    target = os.path.realpath(path)
    of = next((target.removesuffix(end) for end in _BESIDE if target.endswith(end)), target)
    for file, what in ((target, "is a"), (of, "belongs to a")):
        if _is_database(Path(file)):
            why = f"{what} database of SQLite, which is not written over; name another file"
            raise OSError(errno.EINVAL, why, str(path))


def _is_database(path: Path) -> bool:
    # What is no file, such as a pipe, is not opened: that would wait, or take what is in it.
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except PermissionError:
        return False


def _is_output(found: os.stat_result) -> bool:
    """Whether a file is what standard output goes to: replaced, it would lose what follows."""
    with suppress(OSError):
        return os.path.samestat(found, os.fstat(1))
    return False


def _pour(source: Path, path: Path, there: os.stat_result) -> None:
    """Write a file's content into what is there, and is no file to be replaced."""
    if _is_output(there):
        descriptor = os.dup(1)
    else:
        descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
        if not os.path.samestat(there, os.fstat(descriptor)):
            os.close(descriptor)
            raise OSError(errno.EBUSY, "has changed meanwhile", str(path))
    with source.open("rb") as old, os.fdopen(descriptor, "wb") as new:
        shutil.copyfileobj(old, new)


def _make_like(unfinished: Path, there: os.stat_result) -> None:
    if (there.st_uid, there.st_gid) != (os.geteuid(), os.getegid()):
        # Only an administrator can give a file away.
        with suppress(PermissionError):
            os.chown(unfinished, there.st_uid, there.st_gid)
    unfinished.chmod(there.st_mode & 0o777)


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
