"""Files of chains played elsewhere: scores that people got, to draw beside the models' curves."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path

from actors.toml_file import BadFile
from events.base import Value
from events.harmless import shortened
from events.limits import MOST_TABLE_LINE
from store.bounded_lines import LineTooLong, bounded_lines

COLUMNS = ("index", "dimension", "value")
"""The columns a file of baselines must have, in any order, beside others."""
PARTICIPANT = "participant"
"""A column it may have: who the score belongs to; scores of one are related to each other."""


class Baseline(Value, frozen=True, kw_only=True):
    """What a person got in one dimension of one episode."""

    index: int
    """The episode's place in the chain: 0, 1, 2, …"""
    dimension: str
    value: float
    participant: str
    """Who, or the line's number where the file does not say."""


def read_baselines(path: Path) -> list[Baseline]:
    """The scores in a CSV file with the columns ``index``, ``dimension``, ``value`` and, if it is
    there, ``participant``. Raises ``BadFile``: the line, and what would be right."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = bounded_lines(file, MOST_TABLE_LINE)
            found = list(_rows(csv.DictReader(lines, strict=True), path))
    except FileNotFoundError:
        raise BadFile(path, "", "there is no such file") from None
    except (OSError, UnicodeDecodeError, csv.Error, LineTooLong) as error:
        raise BadFile(path, "", f"cannot be read as CSV ({error})") from error
    if not found:
        raise BadFile(path, "", f"holds no scores; give rows under {','.join(COLUMNS)}")
    return found


def _rows(rows: "csv.DictReader[str]", path: Path) -> Iterator[Baseline]:
    missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        why = f"has no column {missing[0]!r}; the first line must name {', '.join(COLUMNS)}"
        raise BadFile(path, "line 1", why)
    for row in rows:
        where = f"line {rows.line_num}"
        index, dimension, value = (row[name] or "" for name in COLUMNS)
        if not index.strip().isdecimal() or len(index) > 9:
            raise BadFile(path, where, f"index must be 0, 1, 2, …, is {shortened(index)!r}")
        if not dimension.strip():
            raise BadFile(path, where, "dimension is empty; name one, for example goal")
        yield Baseline(
            index=int(index),
            dimension=dimension.strip(),
            value=_number(value, path, where),
            participant=(row.get(PARTICIPANT) or "").strip() or str(rows.line_num),
        )


def _number(text: str, path: Path, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadFile(path, where, f"value must be a number, is {shortened(text)!r}")
    return value
