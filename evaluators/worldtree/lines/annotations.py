"""What people marked, read from CSV, and what a judge did: one shape for both."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from actors.csv_file import CsvRow, read_rows
from actors.toml_file import BadFile
from evaluators.worldtree.lines.items import LETTERS, Item
from events.untrusted.safe_text import shortened
from store.read_model.records import ScoreRow

COLUMNS: Final = ("item", "same", "annotator", "comment")
"""What is read of a sheet; ``comment`` may be missing, and other columns are passed over."""
NONE: Final = ("none", "-", "0", "无", "没有")
"""What stands under ``same`` where no candidate means the same, in any case."""
_GAPS = re.compile(r"[\s,;，、；]+")


class Mark(NamedTuple):
    """What one annotator said of one item."""

    item: str
    annotator: str
    same: frozenset[int]
    """The candidates that mean the same, by their places in the file's order."""


def read_marks(paths: Sequence[Path], items: Mapping[str, Item]) -> list[Mark]:
    """What annotators marked in some sheets; rows that are not filled in are left out. Raises
    ``BadFile``: the file, the line, and what would be right."""
    found: dict[tuple[str, str], Mark] = {}
    for path in paths:
        for row in read_rows(path, ("item", "same", "annotator")):
            if not row.fields["same"]:
                continue
            mark = _mark(row, path, items)
            if (mark.item, mark.annotator) in found:
                by = shortened(mark.annotator)
                why = f"item {mark.item} is marked by {by} already; each marks an item once"
                raise BadFile(path, row.where, why)
            found[mark.item, mark.annotator] = mark
    if not found:
        why = "no row is filled in: letters of candidates under same, or none"
        raise BadFile(paths[0], "same", why)
    return list(found.values())


def marks_of(rows: Iterable[ScoreRow], items: Mapping[str, Item], annotator: str) -> list[Mark]:
    """What a judge marked: the candidates that its scores quote. What has no score is left out."""
    return [
        Mark(row.episode, annotator, _places(items[row.episode], row.quotes))
        for row in rows
        if row.value is not None and row.episode in items
    ]


def _places(item: Item, quotes: Sequence[str]) -> frozenset[int]:
    return frozenset(place for place, text in enumerate(item.candidates) if text in quotes)


def _mark(row: CsvRow, path: Path, items: Mapping[str, Item]) -> Mark:
    id_, annotator = row.fields["item"], row.fields["annotator"]
    item = items.get(id_)
    if item is None:
        why = f"the run has no item {shortened(id_)!r}" if id_ else "which item is it?"
        raise BadFile(path, row.where, f"{why}; an item is called as in the sheet of this run")
    if not annotator:
        raise BadFile(path, row.where, "who marked it? put a name under annotator")
    return Mark(id_, annotator, _same(row, item, path))


def _same(row: CsvRow, item: Item, path: Path) -> frozenset[int]:
    text = row.fields["same"]
    if text.casefold() in NONE:
        return frozenset()
    known = LETTERS[: len(item.order)]
    words = [word for word in _GAPS.split(text.upper()) if word]
    # Letters may stand close together, as they are written by hand.
    letters = [letter for word in words for letter in word]
    wrong = next((letter for letter in letters if letter not in known), None)
    if wrong is not None or not letters:
        why = f"same is {shortened(text)!r}; right is none, or letters of {', '.join(known)}"
        raise BadFile(path, row.where, why)
    return frozenset(item.order[known.index(letter)] for letter in letters)
