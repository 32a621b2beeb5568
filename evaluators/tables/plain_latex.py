"""Plain tables as LaTeX."""

import re
from collections.abc import Sequence

from tabulate import LATEX_ESCAPE_RULES, DataRow, Line, TableFormat, tabulate

from evaluators.tables.plain_tables import Cell, ColumnKind, PlainTable, cell_text, for_people
from events.untrusted.safe_text import one_line

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
_SIGNS = {
    "−": "$-$",
    "±": r"$\pm$",
    "→": r"$\to$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": "--",
    "—": "---",
    "\u00a0": "~",
}
_ESCAPED = str.maketrans(LATEX_ESCAPE_RULES | _SIGNS)
_NUMBER = re.compile(r"([+−-]?)\b(\d[\d,]*(?:\.\d+)?)(%?)(?: ?±(\d[\d,]*(?:\.\d+)?)%?)?")


def as_latex(tables: Sequence[PlainTable]) -> str:
    """The tables as LaTeX for the package booktabs, each with its title and note as caption and
    ``tab:name`` as label. What is missing is a dash."""
    return "\n".join(map(latex, tables))


def latex(table: PlainTable) -> str:
    """A table for the package booktabs, with its title and note as caption."""
    shown = for_people(table)
    aligned = "".join("r" if column.kind in _NUMBERS else "l" for column in shown.columns)
    body = tabulate(
        [
            [
                _latex_cell(cell, column.kind)
                for cell, column in zip(row, shown.columns, strict=True)
            ]
            for row in (*shown.rows, *shown.foot)
        ],
        headers=[_escaped(one_line(column.name)) for column in shown.columns],
        tablefmt=_BOOKTABS,
        disable_numparse=True,
        colalign=["right" if one == "r" else "left" for one in aligned] if shown.rows else None,
    )
    if shown.foot:
        lines = body.splitlines()
        lines.insert(-1 - len(shown.foot), r"\midrule")
        body = "\n".join(lines)
    told = (line.rstrip(".") for line in (one_line(table.title), *_sentences(table.note)))
    caption = ". ".join(_escaped(text[:1].upper() + text[1:]) for text in told)
    return (
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{caption}.}}\n\\label{{tab:{table.name}}}\n"
        f"\\begin{{tabular}}{{{aligned}}}\n{body}\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def _sentences(note: str) -> list[str]:
    """The lines of a note: each says something of its own."""
    return [one_line(line) for line in note.splitlines() if line]


def _escaped(text: str) -> str:
    return text.translate(_ESCAPED)


def _latex_cell(cell: Cell, kind: ColumnKind) -> str:
    text = one_line(cell_text(cell))
    if text == "–":
        return "--"
    if kind not in _NUMBERS:
        # Behind the end of a row these would belong to it.
        return re.sub(r"^[\[*]", r"{\g<0>}", _escaped(text))
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
