"""The events of an archived run in a file: written, and read again."""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import sqlalchemy as sa

from store.archive.errors import CannotArchive
from store.archive.row_lines import lines_of, rows_of, whole_lines
from store.archive.run_contents import RunContents
from store.files.atomic_files import create_private, make_durable
from store.files.regular_files import open_regular
from store.jsonl.file_lines import ChecksummedLines
from store.log.range_rows import rows_in
from store.log.read_ahead import ahead
from store.log.write_session import PlacedRow

BATCH = 5_000
"""Events in memory at once."""
_PIECE = 1 << 20
"""Bytes read at once, decompressed."""
_STREAM, _CORRELATION = 2, 7
"""Indices in a row."""

Moved = Callable[[int], object]
"""Told how many events were dealt with since the last time."""


class WrittenEvents(NamedTuple):
    """What was written of what leaves the log."""

    events: int
    size: int
    """Bytes of payloads."""
    lines: int
    """In the file, header and checksum included."""
    digest: bytes
    """BLAKE2b of the whole file, decompressed."""


def write_events(
    connection: sa.Connection, belongings: RunContents, path: Path, moved: Moved
) -> WrittenEvents:
    """Write a new file and wait until it is on disk. Each line was led back to its event before,
    and is the log's, byte by byte. Raises ``CannotArchive``, ``OSError``, ``ValueError``."""
    events = size = 0
    with (
        os.fdopen(create_private(path), "wb") as file,
        pa.CompressedOutputStream(pa.PythonFile(file, mode="w"), "zstd") as out,
    ):
        written = ChecksummedLines(out.write, "run", belongings.run)
        with closing(_lines_ahead(connection, belongings)) as batches:
            for rows, lines in batches:
                written.add(lines, len(rows))
                copied = belongings.copied
                going = [row for row in rows if row[_STREAM] not in copied] if copied else rows
                _check_run(belongings.run, going)
                events += len(going)
                size += sum(len(row[-1]) for row in going)
                moved(len(rows))
        digest = written.finish()
    make_durable(path)
    if events != belongings.taken.count:
        raise CannotArchive(belongings.run, "some of its events went away while it was written")
    return WrittenEvents(events, size, written.count + 2, digest)


def _lines_ahead(
    connection: sa.Connection, belongings: RunContents
) -> Generator[tuple[list[PlacedRow], bytes]]:
    """What is written, some at a time, with its lines. Rows are read while lines are made, and
    those are made while what uses them digests and compresses, which takes no interpreter."""
    batches = belongings.written.batches(BATCH)
    with (
        closing(ahead(rows_in(connection, some) for some in batches)) as read,
        closing(ahead((rows, lines_of(rows)) for rows in read)) as made,
    ):
        yield from made


def reads_as_written(path: Path, written: WrittenEvents, moved: Moved) -> bool:
    """Whether a file holds, byte by byte, the lines that were written to it."""
    digest, lines = blake2b(digest_size=32), 0
    for piece in _decompressed(path):
        digest.update(piece)
        here = piece.count(b"\n")
        # Of what is told header and checksum are no events.
        moved(min(lines + here, written.lines - 1) - min(max(lines, 1), written.lines - 1))
        lines += here
    return (lines, digest.digest()) == (written.lines, written.digest)


def compare_events(
    connection: sa.Connection, belongings: RunContents, path: Path, moved: Moved
) -> bool:
    """Whether a file holds, event by event and byte by byte, what the log does."""
    there = chain.from_iterable(read_events(path))
    for some in belongings.written.batches(BATCH):
        rows = rows_in(connection, some)
        if list(islice(there, len(rows))) != rows:
            return False
        moved(len(rows))
    return next(there, None) is None


def read_events(path: Path) -> Iterator[list[PlacedRow]]:
    """The rows in a file, some at a time; header and checksum are left out. Raises ``OSError``,
    ``ValueError``."""
    lines = whole_lines(_decompressed(path))
    held = b""
    begun = False
    for some in lines:
        if not begun:
            _, _, some = some.partition(b"\n")
            begun = True
        # The last line is known for what it is when nothing comes behind it.
        whole, _, last = (held + some).rstrip(b"\n").rpartition(b"\n")
        held = last + b"\n"
        if whole:
            yield rows_of(whole)


def _decompressed(path: Path) -> Iterator[bytes]:
    with (
        open_regular(path) as opened,
        pa.CompressedInputStream(pa.PythonFile(opened, mode="r"), "zstd") as stream,
    ):
        while piece := stream.read(_PIECE):
            yield piece


def _check_run(run: str, rows: Sequence[PlacedRow]) -> None:
    for row in rows:
        if row[_CORRELATION] != run:
            why = (
                f"its stream {row[_STREAM]!r} is correlated to {row[_CORRELATION]!r} at position "
                f"{row[0]}; `troupe verify-store` says what else is wrong"
            )
            raise CannotArchive(run, why)
