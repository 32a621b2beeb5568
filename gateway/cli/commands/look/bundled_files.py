"""``troupe examples``, ``docs``: files that are installed with Troupe."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.options import Json
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import (
    escape,
    note,
    print_result,
    print_table,
    say,
)
from gateway.services.files import bundled_files

examples = typer.Typer(no_args_is_help=True, help="Copy example plans and judges.")


@examples.command("list")
def list_examples(json: Json = False) -> None:
    """List the examples.

    Plans, judge files, a study and a notebook.
    """
    found = bundled_files.examples()
    if print_result(found, json=json):
        return
    print_table(("name", "what it is"), [(one.name, one.about) for one in found])
    note("[dim]`troupe examples copy` brings them here, to be run and changed.[/]")


@examples.command("copy")
def copy(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="The examples to copy. Default: all.")
    ] = None,
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="The folder to copy into. Default: here.")
    ] = Path(),
    json: Json = False,
) -> None:
    """Copy examples into this folder.

    Creates examples/ and plans/. Files that an example names, such as the judge of a plan, are
    copied with it. Existing files that differ are never overwritten: the others are copied, and the
    exit code is 1.
    """
    copied = bundled_files.copy_examples(names or (), to)
    if not print_result(copied, json=json):
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
        str | None, typer.Argument(metavar="PAGE", help="A page, such as plan. Default: list all.")
    ] = None,
) -> None:
    """Print a page of the documentation, or list all pages.

    Messages name pages by their path: docs/reference/plan.md is the page `plan`. Pages are Markdown
    files; the list shows their folder.
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
