"""Reads files from outside: regular files only, and no more of them than is wanted.

The file's type is checked after it is opened, and its size by reading: a link may lead to an
endless device, opening a pipe would block, and the result of an earlier ``stat`` may be outdated.
"""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from events.untrusted.safe_text import shortened

WHY = "is no file but a pipe or a device; save its text to a file"


class _Refused(OSError):
    """Why a file is not read, as a sentence without the system's number."""

    def __init__(self, number: int, why: str, path: Path) -> None:
        self.why = shortened(why, 1_000)
        super().__init__(number, self.why, shortened(str(path)))

    def __str__(self) -> str:
        return f"{self.filename}: {self.why}"


class NotRegular(_Refused):
    """What is there is no regular file, nor a link to one."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, WHY, path)


class FileTooLarge(_Refused):
    """A file of more bytes than are read."""

    def __init__(self, path: Path, most: int) -> None:
        why = f"is larger than {most / 2**20:,.0f} MiB, the most that is read"
        super().__init__(errno.EFBIG, why, path)


def absence(path: Path) -> str:
    """Why there is nothing at a path, for a sentence that names it."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "is a loop of links, which leads to no file"
    # A link may be there itself.
    return "is a link that leads nowhere" if path.is_symlink() else "there is no such file"


def open_regular(path: Path) -> BufferedReader:
    """A regular file, or the one that a link leads to, to be read. Raises ``OSError``, which says
    why and names ``path``."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise NotRegular(path)
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def read_regular(path: Path, most: int) -> bytes:
    """All of a regular file, of ``most`` bytes. Raises ``FileTooLarge``, ``OSError``."""
    with open_regular(path) as file:
        # As much as is asked for is set aside: no more than there seems to be.
        data = file.read(min(os.fstat(file.fileno()).st_size, most) + 1)
        data += file.read(most + 1 - len(data))
    if len(data) > most:
        raise FileTooLarge(path, most)
    return data
