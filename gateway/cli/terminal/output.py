"""Output of commands: results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from evaluators.tables.plain_tables import Cell as PlainCell
from evaluators.tables.plain_tables import (
    PlainTable,
    StrongFigure,
    as_csv,
    cell_text,
    for_people,
)
from events.serialization.codec import to_json
from events.untrusted.safe_text import harmless, harmless_json
from gateway.cli.terminal.safe_console import HarmlessConsole
from gateway.cli.terminal.table_layout import (
    BETWEEN,
    Cell,
    Row,
    SpanningRow,
    Styled,
    blocks,
    lines,
    natural_width,
    wrapped,
)
from gateway.cli.terminal.table_layout import Column as Column
from gateway.cli.terminal.table_layout import numbers as numbers

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status
    from rich.table import Table


TableFormat: TypeAlias = Literal["text", "csv", "latex"]

WIDE = 110
"""Columns from which tables put on one line what takes two in a narrow terminal."""


def console(*, stderr: bool = False) -> "Console":
    """The terminal, for people."""
    return HarmlessConsole(highlight=False, emoji=False, stderr=stderr)


def is_wide() -> bool:
    """Whether the terminal has room for wide tables."""
    return console().width >= WIDE


def say(text: str = "", *, indent: int = 0) -> None:
    """A line of the result (rich markup allowed); where it is wrapped, all of it is indented."""
    if not indent:
        console().print(text)
        return
    from rich.padding import Padding

    console().print(Padding(text, (0, 0, 0, indent), expand=False))


def heading(title: str, note: str = "") -> None:
    """What the next lines are about."""
    say(f"\n[bold]{escape(title)}[/]" + (f"\n[dim]{escape(note)}[/]" if note else ""))


def note(text: str) -> None:
    """One line beside the result, on standard error (rich markup allowed)."""
    console(stderr=True).print(text)


def while_working(what: str) -> "AbstractContextManager[Status]":
    """Says on standard error what is being done, as long as it is, where somebody looks on; what is
    given can be updated."""
    return console(stderr=True).status(escape(what))


def print_json(value: object) -> None:
    """A struct, or structs, as JSON on standard output."""
    sys.stdout.write(harmless_json(to_json(value, indent=2)) + "\n")


def print_json_line(value: object) -> None:
    """Print a struct as one line of JSON and flush it: another program may be following."""
    sys.stdout.write(harmless_json(to_json(value)) + "\n")
    sys.stdout.flush()


def print_plain_json(value: object) -> None:
    """Plain data as JSON on standard output."""
    sys.stdout.write(harmless_json(json.dumps(value, indent=2, ensure_ascii=False)) + "\n")


def print_tables(tables: "Sequence[PlainTable]", form: Literal["csv", "latex"]) -> None:
    """Tables alone on standard output, and what is to be known about them on standard error."""
    from evaluators.tables.plain_latex import as_latex

    sys.stdout.write(as_csv(tables) if form == "csv" else as_latex(tables))
    for table in tables:
        if table.note and form == "csv":
            note(escape(f"{table.title}: {table.note}"))


def print_result(
    result: object,
    *,
    json: bool,
    form: TableFormat = "text",
    tables: "Callable[[], Sequence[PlainTable]]" = tuple,
) -> bool:
    """Print a result for programs where that was asked for: as JSON, or its tables as CSV or
    LaTeX. False: it is still to be printed for people."""
    if form != "text":
        print_tables(tables(), form)
    elif json:
        print_json(result)
    return json or form != "text"


def print_titled(table: "PlainTable") -> None:
    """A table in the terminal, with its title and note above it."""
    heading(table.title, table.note)
    print_plain(table)


def print_several(tables: "Iterable[PlainTable]") -> None:
    """Tables in the terminal, each under its title and above its note; a line that several notes
    have is printed once."""
    told: set[str] = set()
    for table in tables:
        heading(table.title)
        print_plain(table)
        for line in table.note.splitlines():
            if line not in told:
                say(f"[dim]{escape(line)}[/]")
                told.add(line)


def print_plain(table: "PlainTable") -> None:
    """A table's rows in the terminal, as people read them; its title and note are not printed."""
    shown, between = for_people(table), " " if is_wide() else "\n"
    print_table(
        [Column(one.name, "number" if one.kind == "figure" else one.kind) for one in shown.columns],
        [
            [_shown_cell(cell_text(cell).replace("\n", between), cell) for cell in row]
            for row in (*shown.rows, *shown.foot)
        ],
    )


def _shown_cell(text: str, cell: PlainCell) -> Cell:
    return Styled(text, "bold") if isinstance(cell, StrongFigure) else text


def print_table(
    columns: Sequence[Column | str], rows: Iterable[Sequence[object]], *, head: bool = True
) -> None:
    """A table that fits the terminal: text is wrapped, between words where it can be; ids and
    numbers are not; and what does not fit even so stands in several tables (``layout``). A row that
    is a ``Line`` goes over all columns."""
    named = [Column(one) if isinstance(one, str) else one for one in columns]
    found: list[Row] = [
        SpanningRow(harmless(row.text), row.style)
        if isinstance(row, SpanningRow)
        else [_cell(value) for value in row]
        for row in rows
    ]
    out = console()
    parts = [
        "\n".join(
            (_heading(cells) if kind == "head" else _row(cells)).rstrip()
            for kind, cells in lines(block, head=head)
        )
        for block in blocks(named, found, out.width - 1)
    ]
    out.print("\n\n".join(parts), soft_wrap=True)


def print_pairs(pairs: Iterable[tuple[str, str]], *, indent: int = 0) -> None:
    """Names and values, a pair a line, values set under each other (rich markup in values)."""
    table = grid(2, indent=indent)
    for name, value in pairs:
        table.add_row(*[""] * bool(indent), f"[dim]{escape(name)}[/]", value)
    console().print(table)


def print_places(places: Iterable[tuple[str, object]]) -> None:
    """Names and paths, a pair a line. A path is never broken: it is there to be copied."""
    for name, where in places:
        console().print(f"  {name:<8} {escape(str(where))}", soft_wrap=True)


def print_next(steps: Iterable[tuple[str, str]]) -> None:
    """Commands to type next, and what each does; before one that takes an example that is not here
    the command that brings it."""
    from gateway.services.files.bundled_files import is_example

    say("\n[bold]Next[/]")
    told = list(steps)
    for place, (command, _) in enumerate(told):
        if any(is_example(word) and not Path(word).exists() for word in command.split()):
            told.insert(place, ("troupe examples copy", "copy examples/ and plans/ to this folder"))
            break
    for command, what in told:
        console().print(
            f"  [bold]{escape(command)}[/]\n      [dim]{escape(what)}[/]", soft_wrap=True
        )


class NumberedLines:
    """Prints a transcript, each line beside its number and wrapped, at once.

    Without a table of rich's, which costs ten times as much and is laid out as a whole.
    """

    def __init__(self) -> None:
        self._console = out = console()
        plain = not out.is_terminal or out.is_dumb_terminal or out.legacy_windows
        self._dim, self._end = ("", "") if plain else ("\x1b[2m", "\x1b[0m")

    def print(self, number: int, text: str) -> None:
        self.labelled(f"#{number:<3}", text)

    def labelled(self, label: str, text: str) -> None:
        """One more line, beside something of ours."""
        width = max(self._console.width - len(label) - 2, 20)
        first, *rest = wrapped(harmless(text), width) or [""]
        margin = " " * (len(label) + 2)
        beside = "".join(f"\n{margin}{line}" for line in rest)
        out = self._console.file
        out.write(f"{self._dim}{label}{self._end}  {first}{beside}\n")
        out.flush()


def grid(columns: int, *, indent: int = 0) -> "Table":
    """A table without lines whose last column takes what is left; the others are not wrapped."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    if indent:
        table.add_column(width=max(indent - 2, 0))
    for _ in range(columns - 1):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def capitalized(sentence: str) -> str:
    """A sentence that begins with a capital letter; the rest stays as it is."""
    return sentence[:1].upper() + sentence[1:]


def escape(text: str) -> str:
    """Text that is not to be read as markup, nor by the terminal."""
    from rich.markup import escape as escaped

    return escaped(harmless(text))


def width_of(columns: Sequence[Column | str], rows: Iterable[Sequence[object]]) -> int:
    """How wide a terminal would have to be for a table in which nothing is wrapped."""
    named = [Column(one) if isinstance(one, str) else one for one in columns]
    return 1 + natural_width(named, [[_cell(value) for value in row] for row in rows])


def _heading(cells: Sequence[Cell]) -> str:
    return f"[bold]{_row(cells).rstrip()}[/]"


def _row(cells: Sequence[Cell]) -> str:
    return " " + (" " * BETWEEN).join(map(_markup, cells))


def _markup(cell: Cell) -> str:
    from rich.markup import escape as escaped

    if isinstance(cell, Styled):
        return f"[{cell.style}]{escaped(cell.text)}[/]" if cell.style else escaped(cell.text)
    return escaped(cell)


def _cell(value: object) -> Cell:
    if isinstance(value, Styled):
        return Styled(harmless(value.text), value.style)
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, tuple | list):
        value = ", ".join(map(str, value))
    return harmless(str(value)).replace("\t", " ")
