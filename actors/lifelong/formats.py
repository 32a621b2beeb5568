"""Files about chains played elsewhere: human scores, to be drawn next to the models' curves."""

import math
from pathlib import Path

from actors.csv_file import CsvRow, read_rows
from actors.toml_file import BadFile
from events.base import Value
from events.untrusted.safe_text import shortened

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
    found = [_baseline(row, path) for row in read_rows(path, COLUMNS)]
    if not found:
        raise BadFile(path, "", f"holds no scores; give rows under {','.join(COLUMNS)}")
    return found


def _baseline(row: CsvRow, path: Path) -> Baseline:
    index, dimension, value = (row.fields[name] for name in COLUMNS)
    if not index.isdecimal() or len(index) > 9:
        raise BadFile(path, row.where, f"index must be 0, 1, 2, …, is {shortened(index)!r}")
    if not dimension:
        raise BadFile(path, row.where, "dimension is empty; name one, for example goal")
    return Baseline(
        index=int(index),
        dimension=dimension,
        value=_number(value, path, row.where),
        participant=row.fields.get(PARTICIPANT) or row.where.removeprefix("line "),
    )


def _number(text: str, path: Path, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadFile(path, where, f"value must be a number, is {shortened(text)!r}")
    return value
