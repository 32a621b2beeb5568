"""What all commands share: the desk they work at, and how they speak."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from gateway.settings import Settings, read_settings

if TYPE_CHECKING:
    from rich.console import Console

    from store.log import EventStore

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")]


def console() -> "Console":
    """The terminal, for people."""
    from rich.console import Console

    return Console(highlight=False)


def say(text: str) -> None:
    """One line for people (rich markup allowed)."""
    console().print(text)


def fail(sentence: str) -> NoReturn:
    """End the command with one clear sentence on standard error and exit code 1."""
    from rich.console import Console

    Console(stderr=True, highlight=False).print(
        f"[bold red]troupe:[/] {_escape(sentence)}", soft_wrap=True
    )
    raise typer.Exit(1)


def print_json(value: Any) -> None:
    """A struct, or structs, as JSON on standard output."""
    from events.codec import to_json

    sys.stdout.write(to_json(value, indent=2) + "\n")


def print_plain_json(value: Any) -> None:
    """Plain data as JSON on standard output."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table in the terminal; numbers are set right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    rows = [list(row) for row in rows]
    table = Table(title=title or None, title_justify="left", header_style="bold", box=SIMPLE_HEAD)
    for place, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(r[place], int | float | None) for r in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    console().print(table)


def print_fields(title: str, struct: Any) -> None:
    """One struct, a field a line; what is empty is left out."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", show_header=False, box=None)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for field in struct.__struct_fields__:
        value = getattr(struct, field)
        if value not in ("", (), None):
            table.add_row(field.replace("_", " "), _lines(value))
    console().print(table)


@contextmanager
def open_desk() -> "Iterator[tuple[Settings, EventStore]]":
    """The settings and the opened store, closed again at the end."""
    from store.opening import open_store

    settings = read_settings()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = open_store(settings.database_url)
    try:
        yield settings, store
    finally:
        store.close()


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return _escape(str(value))


def _lines(value: Any) -> str:
    if isinstance(value, tuple):
        return "\n".join(_lines(part) for part in value)
    if hasattr(value, "__struct_fields__"):
        named = ((name, getattr(value, name)) for name in value.__struct_fields__)
        return ", ".join(f"{name} {part}" for name, part in named if part)
    return _escape(str(value))


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
