"""Tables as a page shows them: figures of both languages in a cell, what they rest on below."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from evaluators.report.data.downloads import Download
from evaluators.report.formats import figure
from evaluators.tables.plain_tables import (
    ColumnKind,
    Figure,
    PlainColumn,
    PlainTable,
    cell_text,
    for_people,
)

NONE: Final = "—"
BETWEEN: Final = " / "
"""Between the languages of a cell, Chinese first."""
_TALL: Final = 40
"""Rows."""


class Head(msgspec.Struct, frozen=True):
    """What is above columns."""

    text: str
    columns: int = 1


class Entry(msgspec.Struct, frozen=True):
    """A cell."""

    text: str
    small: tuple[str, ...] = ()
    """Below it, a line each."""
    overall: bool = False
    """It sums up what is left of it."""
    word: bool = False
    """It is no figure."""
    shade: float = 0.0
    """Of its background: from 0, none, to 0.5."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    cells: tuple[Entry, ...]
    chip: str = ""
    """What has to be known of whom it is about: that it is no language model."""


class Block(msgspec.Struct, frozen=True):
    """Rows that belong together, a line above them."""

    rows: tuple[Row, ...]
    title: str = ""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """Of its anchor and files."""
    title: str
    """With its number in the paper, where it has one."""
    heads: tuple[tuple[Head, ...], ...]
    """From above; the first column's is the first of the last."""
    blocks: tuple[Block, ...]
    caption: str = ""
    """What its figures are."""
    note: str = ""
    """What has to be known of what is below them, here alone."""
    missing: str = ""
    """Why there is nothing in it, as a sentence."""
    csv: tuple[PlainTable, ...] = ()
    """For programs: exact, a row a figure."""
    behind: tuple["Sheet", ...] = ()
    """What belongs to it and is folded away."""
    words: bool = False
    """Its cells are no figures."""

    @property
    def columns(self) -> int:
        """How many there are, the first among them."""
        return sum(head.columns for head in self.heads[-1]) if self.heads else 1

    @property
    def summed(self) -> bool:
        """Whether the last column sums up the others."""
        rows = [row for block in self.blocks for row in block.rows if len(row.cells) > 1]
        return bool(rows) and all(row.cells[-1].overall for row in rows)

    @property
    def tall(self) -> bool:
        """Whether it is scrolled in its own frame."""
        return sum(len(block.rows) for block in self.blocks) > _TALL

    @property
    def taken(self) -> Download:
        """As text, to be taken away."""
        people = self.for_people()
        return Download(self.name, self.title, self.csv or (people,), (people,))

    def for_people(self) -> PlainTable:
        """As it is laid out here, without small lines."""
        groups: list[str] = [""] * self.columns
        for heads in self.heads[:-1]:
            names = [head.text for head in heads for _ in range(head.columns)]
            groups = [f"{group} {name}".strip() for group, name in zip(groups, names, strict=True)]
        kind: ColumnKind = "text" if self.words else "number"
        lowest = [head.text for head in self.heads[-1]]
        return PlainTable(
            name=self.name,
            title=self.title,
            note=self.caption,
            columns=tuple(
                PlainColumn(f"{group} {head}".strip(), "text" if not place else kind)
                for place, (group, head) in enumerate(zip(groups, lowest, strict=True))
            ),
            rows=tuple(
                (
                    f"{block.title}: " * bool(block.title)
                    + (f"{row.label} ({row.chip})" if row.chip else row.label),
                    *(None if cell.text == NONE else cell.text for cell in row.cells),
                )
                for block in self.blocks
                for row in block.rows
            ),
        )


def both(values: Iterable[float | None], digits: int = 2) -> str:
    """A figure for each language; one dash where there is none in any."""
    found = list(values)
    if all(value is None for value in found):
        return NONE
    return BETWEEN.join(figure(value, digits) for value in found)


def each(cells: Iterable[object], field: str) -> list[float | None]:
    """A field of the cells that are there."""
    return [None if cell is None else getattr(cell, field) for cell in cells]


def joined(texts: Sequence[str]) -> str:
    """The same of texts; empty where all are."""
    return BETWEEN.join(text or NONE for text in texts) if any(texts) else ""


def sheet_of(table: PlainTable) -> Sheet:
    """Any plain table, as it is."""
    shown = for_people(table)
    return Sheet(
        name=table.name,
        title=table.title,
        caption=table.note,
        heads=(tuple(Head(column.name) for column in shown.columns),),
        blocks=(
            Block(
                tuple(
                    Row(
                        label=cell_text(row[0]),
                        cells=tuple(
                            Entry(_shown(cell), word=column.kind in ("text", "id"))
                            for cell, column in zip(row[1:], shown.columns[1:], strict=True)
                        ),
                    )
                    for row in (*shown.rows, *shown.foot)
                )
            ),
        ),
        missing="" if shown.rows else "There is nothing in it.",
        csv=(table,),
    )


def _shown(cell: object) -> str:
    if isinstance(cell, float):
        return figure(cell, 2)
    if isinstance(cell, Figure) and not cell.text:
        return figure(cell.value, 2)
    text = cell_text(cell)  # type: ignore[arg-type]
    return NONE if text == "–" else text
