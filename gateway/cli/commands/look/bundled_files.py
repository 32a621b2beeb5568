"""``troupe examples``, ``docs``: what comes with Troupe, for who has no checkout of it."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import escape, note, print_json, print_table, say
from gateway.services.files import bundled_files

examples = typer.Typer(no_args_is_help=True, help="Copy example plans and judges.")


@examples.command("list")
def list_examples(json: Json = False) -> None:
    """List the examples, and what each is.

    Plans, judge files, a study and a notebook.
    """
    found = bundled_files.examples()
    if json:
        print_json(found)
        return
    print_table(("name", "what it is"), [(one.name, one.about) for one in found])
    note("[dim]`troupe examples copy` brings them here, to be run and changed.[/]")


@examples.command("copy")
def copy(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Only these; default: all.")
    ] = None,
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="Into this folder, not the current one.")
    ] = Path(),
    json: Json = False,
) -> None:
    """Copy examples into this folder.

    Into examples/ and plans/ here; with an example comes what it names beside it, such as a plan's
    judge. A file that is there and differs is never written over; the others come, and the exit
    code is 1.
    """
    copied = bundled_files.copy_examples(names or (), to)
    if json:
        print_json(copied)
    else:
        for file in copied.files:
            there = file in copied.unchanged
            say(escape(file) + ("  [dim]already there, unchanged[/]" if there else ""))
    for file in copied.differing:
        note(
            f"troupe: {escape(file)} is there already and differs; move it away, or give another "
            "folder with --to"
        )
    if copied.differing:
        raise typer.Exit(REFUSED)


def docs(
    name: Annotated[
        str | None, typer.Argument(metavar="PAGE", help="A page, such as plan; default: a list.")
    ] = None,
) -> None:
    """Print a page of the documentation, or list all pages.

    The page `plan` is what messages call docs/reference/plan.md. Pages are Markdown files; the list
    says in which folder they are.
    """
    import sys

    if name is not None:
        sys.stdout.write(bundled_files.page(name).path.read_text(encoding="utf-8"))
        return
    print_table(
        ("page", "what it is about"), [(one.name, one.title) for one in bundled_files.pages()]
    )
    where = escape(str(bundled_files.place()))
    note(f"[dim]`troupe docs PAGE` prints one; as files they are in {where}[/]")
