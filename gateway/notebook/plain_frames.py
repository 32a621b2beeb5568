"""Plain tables, as a cell shows them and as rows."""

import pyarrow as pa

from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import (
    CellValue,
    PlainTable,
    as_csv,
    cell_text,
    exact_rows,
    for_people,
)
from gateway.notebook.frames import Frame
from gateway.notebook.html import cell


class TableFrame(Frame):
    """A table: exact values as rows, and as people read it in a cell."""

    def __init__(self, table: PlainTable) -> None:
        self.table = table

    @property
    def name(self) -> str:
        """Fit for the name of a file."""
        return self.table.name

    @property
    def title(self) -> str:
        """What it is."""
        return self.table.title

    @property
    def note(self) -> str:
        """What has to be known to read it."""
        return self.table.note

    def rows(self) -> list[dict[str, CellValue]]:
        """The columns that CSV has: exact values, None for what is missing. A figure with an
        interval has four, the others ending in ``_low``, ``_high`` and ``_n``."""
        names, *rows = exact_rows(self.table)
        return [dict(zip(map(str, names), row, strict=True)) for row in rows]

    def to_arrow(self) -> pa.Table:
        """All rows as a ``pyarrow.Table``."""
        names, *rows = exact_rows(self.table)
        columns = list(zip(*rows, strict=True)) or [()] * len(names)
        return pa.table(dict(zip(map(str, names), map(list, columns), strict=True)))

    def to_csv(self) -> str:
        """As CSV."""
        return as_csv([self.table])

    def to_latex(self) -> str:
        """As LaTeX (booktabs), to be pasted into a paper."""
        return as_latex([self.table])

    def __repr__(self) -> str:
        return f"{self.title}: {len(self.table.rows)} rows"

    def _repr_html_(self) -> str:
        shown = for_people(self.table)
        texts = tuple(tuple(map(cell_text, row)) for row in (*shown.rows, *shown.foot))
        plain = PlainTable(shown.name, shown.title, shown.columns, texts, shown.note)
        return cell("comparison.html.j2", title=self.title, tables=[plain], banners=(), nothing="")
