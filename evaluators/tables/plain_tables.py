"""Tables as plain values, whatever prints them: CSV for programs, LaTeX for papers, a terminal."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Literal, TypeVar

import msgspec

from events.ids import digest_of
from events.untrusted.safe_text import harmless, one_line

_FORMULA = re.compile(r"(?:^|(?<=[,;\t]))\s*[=+@＝＋－＠-]")
"""How a text begins that a spreadsheet runs, also where it splits a title into cells."""

_LONGEST_NAME = 200
"""Bytes of a file's name, which disks take up to 255 of."""

T = TypeVar("T")
ColumnKind = Literal["text", "id", "number", "figure"]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """An estimated figure, in a column of the kind ``figure``. CSV gives it four columns, named as
    the column is, and with ``_low``, ``_high``, ``_n`` behind; LaTeX and the terminal give it one.
    """

    value: float | None = None
    low: float | None = None
    """Of its 95 % interval."""
    high: float | None = None
    n: int | None = None
    """What the interval rests on: clusters, or pairs."""
    text: str = ""
    """How people read it; empty: the value with two decimals, and half of its interval."""


class StrongFigure(Figure, frozen=True, kw_only=True):
    """A figure that is set in bold where there is bold; the table's note says which are."""


class DisplayValue(msgspec.Struct, frozen=True):
    """A value that people read in other words than programs."""

    value: str | int | float | None
    text: str


CellValue = str | int | float | None
Cell = CellValue | Figure | DisplayValue


class PlainColumn(msgspec.Struct, frozen=True):
    name: str
    kind: ColumnKind = "text"
    """``id`` is never broken; ``number`` and ``figure`` neither, and they are set right."""
    only_csv: bool = False
    """It is for programs: neither LaTeX nor the terminal has it."""
    heading: str = ""
    """What people read above it; empty: its name."""
    only_people: bool = False
    """It is not in CSV, which has its parts in columns of their own."""


class PlainTable(msgspec.Struct, frozen=True):
    """A table with a name and a title; numbers are exact and None is what is missing."""

    name: str
    """Fit for the name of a file: letters, digits, ``-`` and ``_``."""
    title: str
    columns: tuple[PlainColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """What has to be known to read it: what the intervals speak of, what is left out."""
    across: tuple[str, ...] = ()
    """Columns, by name, whose values are headings to people: the figures of the last column stand
    below them, side by side. None: people see the rows as they are."""
    foot: tuple[tuple[Cell, ...], ...] = ()
    """Rows below those, as ``for_people`` lays them out; not in CSV."""


def table_of(
    name: str,
    title: str,
    rows: Iterable[T],
    *columns: PlainColumn | tuple[PlainColumn, Callable[[T], Cell]],
    note: str = "",
    across: tuple[str, ...] = (),
    foot: tuple[tuple[Cell, ...], ...] = (),
) -> PlainTable:
    """A table with a row for each of some values. Each column comes with what it has of a value;
    one that comes alone has the attribute of its name."""
    pairs = [
        (one, attrgetter(one.name)) if isinstance(one, PlainColumn) else one for one in columns
    ]
    return PlainTable(
        name=name,
        title=title,
        columns=tuple(column for column, _ in pairs),
        rows=tuple(tuple(cell(row) for _, cell in pairs) for row in rows),
        note=note,
        across=across,
        foot=foot,
    )


def numbers(*names: str, only_csv: bool = False) -> tuple[PlainColumn, ...]:
    return tuple(PlainColumn(name, "number", only_csv=only_csv) for name in names)


def as_csv(tables: Sequence[PlainTable]) -> str:
    """The tables as CSV: exact values, an empty cell for what is missing; texts as ``csv_text`` has
    them. Several are apart by an empty line, and above each is a line ``# title``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for place, table in enumerate(tables):
        if len(tables) > 1:
            title = _FORMULA.sub(r"'\g<0>", f"# {one_line(table.title)}")
            out.write("\n" * bool(place) + f"{title}\n")
        for row in exact_rows(table):
            writer.writerow(csv_text(one) if isinstance(one, str) else one for one in row)
    return out.getvalue()


def exact_rows(table: PlainTable) -> Iterator[list[CellValue]]:
    """The table for programs: the names of its columns, four for one of figures, then the values of
    each row; None is what is missing."""
    columns = [(at, one) for at, one in enumerate(table.columns) if not one.only_people]
    yield [
        column.name + end
        for _, column in columns
        for end in ("", "_low", "_high", "_n")[: 4 if column.kind == "figure" else 1]
    ]
    for row in table.rows:
        yield [value for place, column in columns for value in _exact(row[place], column.kind)]


def csv_text(text: str) -> str:
    """``harmless``, and behind a ``'`` where a spreadsheet would take it for a formula: it begins
    with ``=``, ``+``, ``-`` or ``@``."""
    return "'" * bool(_FORMULA.match(text)) + harmless(text)


def cell_text(cell: Cell) -> str:
    """A cell for people: numbers with two decimals, a dash for what is missing."""
    if isinstance(cell, DisplayValue):
        return harmless(cell.text)
    if isinstance(cell, Figure):
        if cell.text or cell.value is None:
            return cell.text or "–"
        if cell.low is None or cell.high is None:
            return f"{cell.value:.2f}"
        return f"{cell.value:.2f} ±{(cell.high - cell.low) / 2:.2f}"
    if cell is None:
        return "–"
    return f"{cell:.2f}" if isinstance(cell, float) else harmless(str(cell))


def for_people(table: PlainTable) -> PlainTable:
    """The table without the columns that are for programs only, its values ``across`` spread."""
    places = [place for place, column in enumerate(table.columns) if not column.only_csv]
    shown = msgspec.structs.replace(
        table,
        columns=tuple(
            msgspec.structs.replace(one, name=one.heading or one.name, heading="")
            for one in (table.columns[place] for place in places)
        ),
        rows=tuple(tuple(row[place] for place in places) for row in table.rows),
        across=(),
    )
    if not table.across:
        return shown
    across = [place for place, at in enumerate(places) if table.columns[at].name in table.across]
    return _spread(shown, across)


def as_one(tables: Sequence[PlainTable], title: str) -> list[PlainTable]:
    """Tables with the same columns as one below the other, for programs; in their order."""
    found: dict[tuple[PlainColumn, ...], list[PlainTable]] = {}
    for table in tables:
        found.setdefault(table.columns, []).append(table)
    return [
        msgspec.structs.replace(
            same[0], title=title, rows=tuple(row for table in same for row in table.rows)
        )
        if len(same) > 1
        else same[0]
        for same in found.values()
    ]


def safe_name(text: str) -> str:
    """A text as the name of a file, or of a label in LaTeX."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in text)


def file_name(text: str) -> str:
    """``safe_name``, for a file: no longer than disks take, not hidden, and another for each of two
    texts that are alike but for what is not safe."""
    safe = safe_name(text).lstrip(".")
    if safe == text.replace(" ", "-") and len(safe.encode()) <= _LONGEST_NAME:
        return safe
    short = safe.encode()[:_LONGEST_NAME].decode(errors="ignore")
    return f"{short}-{digest_of(text.encode(errors='surrogatepass'))[:6]}"


def _spread(table: PlainTable, across: Sequence[int]) -> PlainTable:
    last = len(table.columns) - 1
    keys = [place for place in range(last) if place not in across]
    heads: dict[tuple[Cell, ...], None] = {}
    rows: dict[tuple[Cell, ...], dict[tuple[Cell, ...], Cell]] = {}
    for row in table.rows:
        head = tuple(row[place] for place in across)
        heads.setdefault(head)
        rows.setdefault(tuple(row[place] for place in keys), {})[head] = row[last]
    columns = [
        PlainColumn(", ".join(cell_text(part) for part in head if part), table.columns[last].kind)
        for head in heads
    ]
    return msgspec.structs.replace(
        table,
        columns=(*(table.columns[place] for place in keys), *columns),
        rows=tuple((*key, *(found.get(head) for head in heads)) for key, found in rows.items()),
    )


def _exact(cell: Cell, kind: ColumnKind) -> Iterable[CellValue]:
    if isinstance(cell, DisplayValue):
        cell = cell.value
    if kind == "number" and isinstance(cell, Figure):
        return (cell.value,)
    if kind != "figure":
        return (cell_text(cell) if isinstance(cell, Figure) else cell,)
    if isinstance(cell, Figure):
        return cell.value, cell.low, cell.high, cell.n
    return cell, None, None, None
