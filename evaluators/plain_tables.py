"""Tables as plain values, whatever prints them: CSV for programs, LaTeX for papers, a terminal."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from tabulate import LATEX_ESCAPE_RULES, DataRow, Line, TableFormat, tabulate

from events.harmless import harmless, one_line

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


Cell = str | int | float | Figure | None


class PlainColumn(msgspec.Struct, frozen=True):
    """A column of a table."""

    name: str
    kind: ColumnKind = "text"
    """``id`` is never broken; ``number`` and ``figure`` neither, and they are set right."""
    only_csv: bool = False
    """It is for programs: neither LaTeX nor the terminal has it."""


class PlainTable(msgspec.Struct, frozen=True):
    """A table with a name and a title; numbers are exact and None is what is missing."""

    name: str
    """Fit for the name of a file: letters, digits, ``-`` and ``_``."""
    title: str
    columns: tuple[PlainColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    """What has to be known to read it: what the intervals speak of, what is left out."""


def as_csv(tables: Sequence[PlainTable]) -> str:
    """The tables as CSV: exact values, an empty cell for what is missing. Several are apart by an
    empty line, and above each is a line ``# title``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for place, table in enumerate(tables):
        if len(tables) > 1:
            out.write("\n" * bool(place) + f"# {one_line(table.title)}\n")
        writer.writerow(
            harmless(column.name) + end
            for column in table.columns
            for end in ("", "_low", "_high", "_n")[: 4 if column.kind == "figure" else 1]
        )
        for row in table.rows:
            writer.writerow(
                value
                for cell, column in zip(row, table.columns, strict=True)
                for value in _exact(cell, column.kind)
            )
    return out.getvalue()


def as_latex(tables: Sequence[PlainTable]) -> str:
    """The tables as LaTeX for the package booktabs, each with its title and note as caption and
    ``tab:name`` as label. What is missing is a dash."""
    return "\n".join(map(_latex, tables))


def cell_text(cell: Cell) -> str:
    """A cell for people: numbers with two decimals, a dash for what is missing."""
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
    """The table without the columns that are for programs only."""
    places = [place for place, column in enumerate(table.columns) if not column.only_csv]
    return msgspec.structs.replace(
        table,
        columns=tuple(table.columns[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in table.rows),
    )


def _exact(cell: Cell, kind: ColumnKind) -> Iterable[object]:
    if isinstance(cell, str):
        cell = harmless(cell)
    if kind == "number" and isinstance(cell, Figure):
        return (cell.value,)
    if kind != "figure":
        return (cell_text(cell) if isinstance(cell, Figure) else cell,)
    if isinstance(cell, Figure):
        return cell.value, cell.low, cell.high, cell.n
    return cell, None, None, None


_BOOKTABS = TableFormat(
    lineabove=Line(r"\toprule", "", "", ""),
    linebelowheader=Line(r"\midrule", "", "", ""),
    linebetweenrows=None,
    linebelow=Line(r"\bottomrule", "", "", ""),
    headerrow=DataRow("", " & ", r" \\"),
    datarow=DataRow("", " & ", r" \\"),
    padding=0,
    with_header_hide=None,
)
"""As tabulate's ``latex_booktabs``, but for cells that are LaTeX already."""
_NUMBERS = ("number", "figure")
_SIGNS = {"−": "$-$", "±": r"$\pm$", "→": r"$\to$", "–": "--", "—": "---", "\u00a0": "~"}
_ESCAPED = str.maketrans(LATEX_ESCAPE_RULES | _SIGNS)
_NUMBER = re.compile(r"([+−-]?)\b(\d[\d,]*(?:\.\d+)?)(%?)(?: ?±(\d[\d,]*(?:\.\d+)?)%?)?")


def _latex(table: PlainTable) -> str:
    shown = for_people(table)
    aligned = "".join("r" if column.kind in _NUMBERS else "l" for column in shown.columns)
    body = tabulate(
        [
            [
                _latex_cell(cell, column.kind)
                for cell, column in zip(row, shown.columns, strict=True)
            ]
            for row in shown.rows
        ],
        headers=[_escaped(one_line(column.name)) for column in shown.columns],
        tablefmt=_BOOKTABS,
        disable_numparse=True,
        colalign=["right" if one == "r" else "left" for one in aligned] if shown.rows else None,
    )
    caption = ". ".join(
        _escaped(one_line(text).rstrip(".")) for text in (table.title, table.note) if text
    )
    return (
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{caption}.}}\n\\label{{tab:{table.name}}}\n"
        f"\\begin{{tabular}}{{{aligned}}}\n{body}\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def _escaped(text: str) -> str:
    return text.translate(_ESCAPED)


def _latex_cell(cell: Cell, kind: ColumnKind) -> str:
    text = one_line(cell_text(cell))
    if text == "–":
        return "--"
    if kind not in _NUMBERS:
        return _escaped(text)
    found, done = "", 0
    for number in _NUMBER.finditer(text):
        sign, digits, percent, reach = number.groups()
        unit = r"\%" * bool(percent)
        within = rf" \pm {reach}{unit}" if reach else ""
        plain = digits.replace(",", "{,}")
        found += _escaped(text[done : number.start()])
        found += f"${sign.replace('−', '-')}{plain}{unit}{within}$"
        done = number.end()
    return found + _escaped(text[done:])
