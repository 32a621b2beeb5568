"""Reads a CSV file from a person or a spreadsheet; errors say what to correct."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from actors.toml_file import BadFile
from events.untrusted.limits import MOST_TABLE_LINE
from store.files.bounded_lines import LineTooLong, bounded_lines
from store.files.regular_files import open_regular

_DELIMITERS: Final = (",", ";", "\t")
"""Where decimals have a comma, spreadsheets write a semicolon between cells."""


class CsvRow(NamedTuple):
    """A row by its columns."""

    where: str
    """The line it ends in, for errors: ``line 7``."""
    fields: dict[str, str]
    """Without blanks around; empty where the row has no such cell."""


def read_rows(path: Path, columns: Sequence[str]) -> list[CsvRow]:
    """The rows of a UTF-8 file whose first line names each of these columns once, in any order, and
    shows what stands between cells; no column has the name of another. Raises ``BadFile``: the
    line, and what would be right."""
    return list(each_row(path, columns))


def each_row(path: Path, columns: Sequence[str]) -> Iterator[CsvRow]:
    """The same one by one, for files that are too large to be held."""
    rows = None
    try:
        # Spreadsheets put a mark before the first word.
        with TextIOWrapper(open_regular(path), "utf-8-sig", newline="") as file:
            lines = bounded_lines(file, MOST_TABLE_LINE)
            head = next(lines, "")
            between = max(_DELIMITERS, key=head.count)
            rows = csv.DictReader(chain([head], lines), strict=True, delimiter=between)
            for name in columns:
                if (times := list(rows.fieldnames or ()).count(name)) != 1:
                    has = f"{times} columns" if times else "no column"
                    why = f"has {has} {name!r}; the first line must name {', '.join(columns)}"
                    raise BadFile(path, "line 1", why)
            # A reader of rows by column would take the last of two, and say nothing of the first.
            twice = [name for name, times in Counter(rows.fieldnames or ()).items() if times > 1]
            if named := list(filter(str.strip, twice)):
                why = f"names the column {named[0]!r} twice; rename one of them"
                raise BadFile(path, "line 1", why)
            for row in rows:
                fields = {name: (row[name] or "").strip() for name in row if name is not None}
                yield CsvRow(f"line {rows.line_num}", fields)
    except FileNotFoundError:
        raise BadFile(path, "", "there is no such file") from None
    except UnicodeDecodeError:
        where = _first_other(path)
        raise BadFile(path, where, "is not in UTF-8; save it as CSV in UTF-8") from None
    except csv.Error as error:
        where = f"line {rows.reader.line_num}" if rows is not None else ""
        raise BadFile(path, where, f"cannot be read as CSV ({error})") from error
    except (OSError, LineTooLong) as error:
        raise BadFile(path, "", f"cannot be read as CSV ({error})") from error


def _first_other(path: Path) -> str:
    """The first line that is not UTF-8: text is decoded many lines at once."""
    with open_regular(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MOST_TABLE_LINE), b""), 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return f"line {number}"
    return ""
