"""Lines that are too long are refused with a sentence, and not read to their end."""

import io
import json
from pathlib import Path

import pytest

import store.jsonl.file_lines
import store.jsonl.read_file
from actors.lifelong.formats import read_baselines
from actors.toml_file import BadFile
from evaluators.label_sheet import BadSheet, read_labels
from store.files.bounded_lines import LineTooLong, bounded_lines
from store.jsonl.file_lines import envelope_of
from store.jsonl.read_file import RefusedFile, read_file

SPARSE = 3 * 10**9
"""Bytes of a file that has none on the disk."""


def sparse(folder: Path, beginning: bytes = b"") -> Path:
    """A file of 3 GB without a line break."""
    path = folder / "sparse"
    with path.open("wb") as file:
        file.write(beginning)
        file.truncate(SPARSE)
    return path


class Counted(io.StringIO):
    """Counts how much of it is read."""

    taken = 0

    def readline(self, most: int | None = -1, /) -> str:
        line = super().readline(most)
        self.taken += len(line)
        return line


def test_lines_are_given_one_by_one_up_to_the_one_that_is_too_long():
    file = Counted("one\ntwo\n" + "x" * 1000 + "\nfour\n")
    lines = bounded_lines(file, 4)
    assert [next(lines), next(lines)] == ["one\n", "two\n"]
    with pytest.raises(LineTooLong) as refused:
        next(lines)
    assert (refused.value.line, file.taken) == (3, 4 + 4 + 5)


def test_an_import_with_an_endless_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store.jsonl.read_file, "MOST_LINE_BYTES", 1000)
    header = b'{"format":"troupe-events","version":1,"of":"run","id":"r1"}\n'
    for beginning, line in ((b"", 1), (header, 2)):
        with pytest.raises(RefusedFile, match="longer than 1,000 bytes") as refused:
            read_file(sparse(tmp_path, beginning))
        assert refused.value.line == line


def test_a_long_line_of_very_many_values_is_refused_before_it_is_decoded(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(store.jsonl.file_lines, "PLAIN_LINE_BYTES", 100)
    monkeypatch.setattr(store.jsonl.file_lines, "MOST_MARKS", 50)
    with pytest.raises(ValueError, match="more than 50 values"):
        envelope_of(json.dumps({"event": [[]] * 100}).encode())


def test_tables_with_an_endless_line_are_refused(tmp_path: Path):
    for beginning in (b"", b"episode,seat,checkpoint,label\n", b"index,dimension,value\n"):
        path = sparse(tmp_path, beginning)
        with pytest.raises(BadSheet):
            read_labels(path)
        with pytest.raises(BadFile):
            read_baselines(path)


@pytest.mark.parametrize("seat", ["9" * 5000, "x" * 5000, '"' + "x" * 200_000 + '"'])
def test_a_sheet_with_a_strange_seat_is_refused_shortly(tmp_path: Path, seat: str):
    path = tmp_path / "labels.csv"
    path.write_text(f"episode,seat,checkpoint,label\ne1,{seat},c1,1\n")
    with pytest.raises(BadSheet) as refused:
        read_labels(path)
    assert len(str(refused.value)) < 500
