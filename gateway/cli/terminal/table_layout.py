"""How wide each column of a table is, and where its cells are wrapped: nothing is cut, and what
does not fit beside each other stands in several tables."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

LONGEST_WORD = 24
"""Cells; a longer word is broken before columns are moved to another table."""
LONGEST_PIECE = 16
"""Cells; a longer word without a place to break it is broken anywhere."""
PROSE = 40
"""Cells; a column of text that is wider is narrowed before headings are broken."""
SHORTEST = 8
"""Cells; only an id or a number may ask that a column of text be made narrower."""
BETWEEN = 2
"""Cells between two columns."""

_PIECE = re.compile(r".+?(?:(?<=\w)[-/_.:,@|](?=\w)|$)")
"""Of a word: names of models and paths are broken after their punctuation."""


class Column(NamedTuple):
    name: str
    kind: Literal["text", "id", "number"] = "text"
    """``id`` is not broken; ``number`` neither, and it is set right. Headings may be."""


def numbers(*names: str) -> list[Column]:
    return [Column(name, "number") for name in names]


class Styled(NamedTuple):
    """A cell in a style of rich's."""

    text: str
    style: str


class SpanningRow(NamedTuple):
    """A row that goes over all columns."""

    text: str
    style: str = ""


Cell = str | Styled
Row = Sequence[Cell] | SpanningRow


class Block(NamedTuple):
    """A table that fits, or a part of one that did not."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    widths: Sequence[int]
    room: int
    """Cells that the terminal has, which lines over all columns may fill."""


def blocks(columns: Sequence[Column], rows: Sequence[Row], width: int) -> Iterator[Block]:
    """The table in one part, or in as many as ``width`` cells ask for: each has the columns before
    the first number, and some of the others."""
    cells = [row for row in rows if not isinstance(row, SpanningRow)]
    least = [_least(column, [row[at] for row in cells]) for at, column in enumerate(columns)]
    keys = next((at for at, one in enumerate(columns) if one.kind == "number"), 1) or 1
    for places in _parts(least, keys, width):
        yield Block(
            [columns[at] for at in places],
            [row if isinstance(row, SpanningRow) else [row[at] for at in places] for row in rows],
            _fitted([least[at] for at in places], width),
            width,
        )


def natural_width(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> int:
    """How wide a table is in which nothing is wrapped."""
    least = [_least(column, [row[at] for row in rows]) for at, column in enumerate(columns)]
    return sum(one.natural for one in least) + BETWEEN * (len(least) - 1)


def lines(block: Block, *, head: bool = True) -> Iterator[tuple[str, list[Cell]]]:
    """The lines of a part, ``head``, ``rule`` or ``row``, with its cells padded to their widths."""
    if head:
        yield from (("head", cells) for cells in _row(block, [c.name for c in block.columns]))
        yield "rule", ["─" * (sum(block.widths) + BETWEEN * (len(block.widths) - 1))]
    for row in block.rows:
        if isinstance(row, SpanningRow):
            for line in wrapped(row.text, block.room):
                yield "row", [Styled(line, row.style)]
        else:
            yield from (("row", cells) for cells in _row(block, row))


def wrapped(text: str, width: int) -> list[str]:
    """Text in lines of at most so many cells: broken between words, else after the punctuation
    in them, else anywhere."""
    found: list[str] = []
    for line in text.splitlines() or [""]:
        if cells(line) <= width:
            found.append(line)
            continue
        at = ""
        for word in filter(None, line.split(" ")):
            if at and cells(at) + 1 + cells(word) <= width:
                at += f" {word}"
                continue
            found += [at] if at else []
            at = ""
            for piece in _pieces(word, width):
                if at and cells(at) + cells(piece) > width:
                    found.append(at)
                    at = ""
                at += piece
        found += [at] if at else []
    return found


def cells(text: str) -> int:
    """How wide a text is."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


class _Least(NamedTuple):
    """How wide a column is, and how narrow it may be made, one step after the other."""

    natural: int
    prose: int
    """What is read as sentences gives first."""
    headings: int
    """Headings of numbers are broken after their punctuation: that costs few lines."""
    words: int
    """Words stay whole, unless they are very long."""
    pieces: int
    """Words are broken after their punctuation."""
    forced: int
    """As narrow as it can be without an id or a number being broken."""


def _least(column: Column, found: Sequence[Cell]) -> _Least:
    texts = [_text(cell) for cell in found]
    body = max((cells(line) for text in texts for line in text.splitlines()), default=0)
    natural = max(body, _longest([column.name], "\n"))
    text = column.kind == "text"
    wrapping = [*texts, column.name] if text else [column.name]
    words = min(_longest(wrapping, None), LONGEST_WORD)
    pieces = max(
        (cells(piece) for each in wrapping for word in each.split() for piece in _pieces(word)),
        default=0,
    )
    fixed = 0 if text else body
    if text:
        steps = (max(PROSE, words), max(PROSE, words), words, pieces, min(pieces, SHORTEST))
    else:
        steps = (natural, pieces, pieces, pieces, min(pieces, SHORTEST))
    return _Least(natural, *(min(natural, max(fixed, step, 1)) for step in steps))


def _longest(texts: Sequence[str], between: str | None) -> int:
    return max((cells(word) for text in texts for word in text.split(between)), default=0)


def _parts(least: Sequence[_Least], keys: int, width: int) -> Iterator[list[int]]:
    """The places of the columns of each part."""

    def needed(places: Sequence[int], level: int) -> int:
        return sum(least[at][level] for at in places) + BETWEEN * (len(places) - 1)

    own, others = list(range(keys)), list(range(keys, len(least)))
    level = _Least._fields.index("pieces")
    if needed([*own, *others], level) <= width or not others:
        yield [*own, *others]
        return
    most: list[list[int]] = []
    for at in others:
        if most and needed([*own, *most[-1], at], level) <= width:
            most[-1].append(at)
        else:
            most.append([at])
    even = -(-len(others) // len(most))
    chunks = [others[at : at + even] for at in range(0, len(others), even)]
    if any(needed([*own, *chunk], level) > width for chunk in chunks):
        chunks = most
    for chunk in chunks:
        yield [*own, *chunk]


def _fitted(least: Sequence[_Least], width: int) -> list[int]:
    """How wide each column is: as its longest line, and the widest as much narrower as the others
    ask for."""
    widths = [one.natural for one in least]
    room = width - BETWEEN * (len(least) - 1)
    for level in range(1, len(_Least._fields)):
        while sum(widths) > room:
            giving = [at for at, one in enumerate(least) if widths[at] > one[level]]
            if not giving:
                break
            widths[max(giving, key=lambda at: widths[at])] -= 1
    while sum(widths) > max(room, len(widths)):  # An id is wider than the terminal.
        widths[max(range(len(widths)), key=lambda at: widths[at])] -= 1
    return widths


def _row(block: Block, row: Sequence[Cell]) -> Iterator[list[Cell]]:
    parts = [wrapped(_text(cell), width) for cell, width in zip(row, block.widths, strict=True)]
    for line in range(max(map(len, parts), default=0)):
        yield [
            _padded(cell, part[line] if line < len(part) else "", width, column)
            for cell, part, width, column in zip(
                row, parts, block.widths, block.columns, strict=True
            )
        ]


def _padded(cell: Cell, text: str, width: int, column: Column) -> Cell:
    gap = " " * (width - cells(text))
    padded = gap + text if column.kind == "number" else text + gap
    return Styled(padded, cell.style) if isinstance(cell, Styled) else padded


def _pieces(word: str, width: int = LONGEST_PIECE) -> list[str]:
    """The parts of a word between which it may be broken, none wider than ``width``."""
    if cells(word) <= width:
        return [word]
    from rich.cells import chop_cells

    return [part for piece in _PIECE.findall(word) for part in chop_cells(piece, width) if part]


def _text(cell: Cell) -> str:
    return cell.text if isinstance(cell, Styled) else cell
