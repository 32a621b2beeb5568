"""How commands speak: results on standard output, everything else on standard error."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from events.harmless import harmless, harmless_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from evaluators.plain_tables import PlainTable

WIDE = 110
"""Columns from which tables put on one line what takes two in a narrow terminal."""
LONGEST_WORD = 24
"""Characters; a longer word may be broken to keep a table inside the terminal."""
SHORTEST_TEXT = 8
"""Cells; a column of text is never made narrower for the others' sake."""


def console(*, stderr: bool = False) -> "Console":
    """The terminal, for people."""
    from gateway.cli.consoles import HarmlessConsole

    return HarmlessConsole(highlight=False, emoji=False, stderr=stderr)


def is_wide() -> bool:
    """Whether the terminal has room for wide tables."""
    return console().width >= WIDE


def say(text: str = "") -> None:
    """One line of the result (rich markup allowed)."""
    console().print(text)


def heading(title: str, note: str = "") -> None:
    """What the next lines are about."""
    say(f"\n[bold]{escape(title)}[/]" + (f"\n[dim]{escape(note)}[/]" if note else ""))


def note(text: str) -> None:
    """One line beside the result, on standard error (rich markup allowed)."""
    console(stderr=True).print(text)


def print_json(value: Any) -> None:
    """A struct, or structs, as JSON on standard output."""
    from events.codec import to_json

    sys.stdout.write(harmless_json(to_json(value, indent=2)) + "\n")


def print_json_line(value: Any) -> None:
    """A struct as one line of JSON, at once: somebody may be following."""
    from events.codec import to_json

    sys.stdout.write(harmless_json(to_json(value)) + "\n")
    sys.stdout.flush()


def print_plain_json(value: Any) -> None:
    """Plain data as JSON on standard output."""
    sys.stdout.write(harmless_json(json.dumps(value, indent=2, ensure_ascii=False)) + "\n")


def print_tables(tables: "Sequence[PlainTable]", form: Literal["csv", "latex"]) -> None:
    """Tables alone on standard output, and what is to be known about them on standard error."""
    from evaluators.plain_tables import as_csv, as_latex

    sys.stdout.write(as_csv(tables) if form == "csv" else as_latex(tables))
    for table in tables:
        if table.note and form == "csv":
            note(escape(f"{table.title}: {table.note}"))


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: Literal["text", "id", "number"] = "text"
    """``id`` is never broken; ``number`` neither, and it is set right."""


def print_table(columns: Sequence[Column | str], rows: Iterable[Sequence[Any]]) -> None:
    """A table in the terminal. Text is wrapped between words; ids and numbers are not wrapped.

    Where the terminal is too narrow even so, words are broken before an id or a number is cut.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    kinds = [_column(column) for column in columns]
    found = [[_cell(value) for value in row] for row in rows]
    texts = [[column.name, *(row[place] for row in found)] for place, column in enumerate(kinds)]
    out = console()
    table = Table(box=SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    # Beside each column stand a space of padding and the space that is the box's line.
    widths = _fitting(kinds, texts, out.width - 2 * len(kinds))
    for column, width in zip(kinds, widths, strict=True):
        table.add_column(
            escape(column.name),
            justify="right" if column.kind == "number" else "left",
            no_wrap=column.kind != "text",
            width=width,
            overflow="fold",
        )
    for row in found:
        table.add_row(*map(escape, row))
    out.print(table)


def _fitting(columns: Sequence[Column], texts: Sequence[Sequence[str]], room: int) -> list[int]:
    """How wide each column is, in cells: as its longest line, and text as much narrower as the
    others ask for, first down to its longest word."""
    from rich.cells import cell_len

    widths = [
        max((cell_len(line) for text in of for line in text.splitlines()), default=0)
        for of in texts
    ]
    words = [
        min(max((cell_len(word) for text in of for word in text.split()), default=1), LONGEST_WORD)
        for of in texts
    ]
    giving = [place for place, column in enumerate(columns) if column.kind == "text"]
    for least in (words, [SHORTEST_TEXT] * len(columns)):
        while sum(widths) > room:
            wide = [place for place in giving if widths[place] > least[place]]
            if not wide:
                break
            widths[max(wide, key=lambda place: widths[place])] -= 1
    return widths


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
    """Commands to type next, and what each does."""
    say("\n[bold]Next[/]")
    for command, what in steps:
        console().print(
            f"  [bold]{escape(command)}[/]\n      [dim]{escape(what)}[/]", soft_wrap=True
        )


class NumberedLines:
    """Prints a transcript, each line beside its number and wrapped, at once.

    Without a table of rich's, which costs ten times as much and is laid out as a whole.
    """

    def __init__(self) -> None:
        from textwrap import TextWrapper

        out = console()
        self._console, self._wrapper = out, TextWrapper(break_on_hyphens=False)
        plain = not out.is_terminal or out.is_dumb_terminal or out.legacy_windows
        self._dim, self._end = ("", "") if plain else ("\x1b[2m", "\x1b[0m")

    def print(self, number: int, text: str) -> None:
        """One more line."""
        label = f"#{number:<3}"
        first, *rest = self._wrap(harmless(text), max(self._console.width - len(label) - 2, 20))
        margin = " " * (len(label) + 2)
        beside = "".join(f"\n{margin}{line}" for line in rest)
        out = self._console.file
        out.write(f"{self._dim}{label}{self._end}  {first}{beside}\n")
        out.flush()

    def _wrap(self, text: str, width: int) -> list[str]:
        from rich.cells import cell_len
        from rich.text import Text

        found: list[str] = []
        for line in text.splitlines():
            cells = cell_len(line)
            if cells <= width:
                found.append(line)
            elif cells == len(line):
                self._wrapper.width = width
                found += self._wrapper.wrap(line)
            else:
                found += [part.plain.rstrip() for part in Text(line).wrap(self._console, width)]
        return found or [""]


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


def escape(text: str) -> str:
    """Text that is not to be read as markup, nor by the terminal."""
    from rich.markup import escape as escaped

    return escaped(harmless(text))


def _column(column: Column | str) -> Column:
    return Column(column) if isinstance(column, str) else column


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return str(value)
