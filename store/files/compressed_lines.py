"""Files of lines that may be compressed by zstd."""

import io
from pathlib import Path
from typing import IO, Final

from store.files.regular_files import open_regular

_ZSTD: Final = b"\x28\xb5\x2f\xfd"
"""How what zstd wrote begins."""


def open_lines(path: Path) -> IO[bytes]:
    """A regular file to be read, inflated where it is compressed. Raises ``OSError``, also while it
    is read."""
    file = open_regular(path)
    if file.peek(len(_ZSTD))[: len(_ZSTD)] != _ZSTD:
        return file
    import pyarrow as pa  # takes its time to load

    inflating = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")
    return io.BufferedReader(inflating, 1 << 16)
