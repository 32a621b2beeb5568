"""``troupe games draw``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.terminal.output import escape, note
from gateway.errors import BadArgument
from gateway.games.phase_picture import phase_picture
from gateway.games.rules_files import ruleset_in
from store.files.atomic_files import atomic_write


def draw(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A ruleset (TOML), a file of a catalog with [[ruleset]], or SOTOPIA's "
            "config.json.",
        ),
    ],
    ruleset: Annotated[
        str,
        typer.Option(metavar="ID", help="Which one, where the file has several."),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.svg", help="The file to write."),
    ] = None,
) -> None:
    """Draw the phases of a game as a picture.

    The picture is SVG: a box for each phase with who acts, what they can do, who learns of it and
    what comes of it; arrows with their conditions; the endings with their winners. Without --out
    it is printed.
    """
    if out is not None and (out.is_dir() or (out.exists() and out.samefile(file))):
        why = "is a folder" if out.is_dir() else "is the file of the rules"
        raise BadArgument("--out", str(out), f"{why}; name a file for the picture")
    picture = phase_picture(ruleset_in(file, ruleset))
    if out is None:
        sys.stdout.write(picture)
        return
    with atomic_write(out) as path:
        path.write_text(picture, encoding="utf-8")
    note(f"written to {escape(str(out))}")
