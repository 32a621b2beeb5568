"""The lines of an archive's file lead back to the very rows, and a file is read back as written."""

from pathlib import Path

import msgspec
import pyarrow as pa
import pytest

from store.archive.event_file import WrittenEvents, reads_as_written
from store.archive.row_lines import lines_of, rows_of
from store.log.write_session import PlacedRow

pack = msgspec.msgpack.encode


def row(position: int, payload: bytes) -> PlacedRow:
    return (position, f"{position:032x}", "episode-a", position, "Tag", 1, 7, "r1", "", payload)


@pytest.mark.parametrize(
    ("payload", "as_event"),
    [
        (pack({"type": "Tag", "text": "ö"}), True),
        (b"\xde\x00\x01\xa4type\xa3Tag", False),  # a map with a longer head than it needs
        (pack({"type": "Tag", "value": float("inf")}), False),  # no number in JSON
        (pack({"type": "Tag", "data": b"bytes"}), False),
        (b"\xc1", False),
        (pack([1, 2]), False),
    ],
)
def test_a_line_leads_back_to_the_same_bytes_whatever_the_payload(
    payload: bytes, as_event: bool
) -> None:
    rows = [row(1, pack({"type": "Tag"})), row(2, payload), row(3, pack({"type": "Tag"}))]
    lines = lines_of(rows)
    assert rows_of(lines) == rows
    second = msgspec.json.decode(lines.splitlines()[1])
    assert ("event" in second, "payload" in second) == (as_event, not as_event)


def test_a_file_that_is_not_as_written_is_found_and_events_alone_are_counted(
    tmp_path: Path,
) -> None:
    from hashlib import blake2b

    text = b'{"header": 1}\n' + b'{"event": 1}\n' * 5 + b'{"checksum": 1}\n'
    path, told = tmp_path / "events", []

    def write(text: bytes) -> None:
        with pa.OSFile(str(path), "wb") as file, pa.CompressedOutputStream(file, "zstd") as out:
            out.write(text)

    written = WrittenEvents(5, 0, 7, blake2b(text, digest_size=32).digest())
    write(text)
    assert reads_as_written(path, written, told.append)
    assert sum(told) == 5
    write(text.replace(b'1}\n{"checksum', b'2}\n{"checksum'))
    assert not reads_as_written(path, written, told.append)
    write(text[: -len(b'{"checksum": 1}\n')])
    assert not reads_as_written(path, written, told.append)
