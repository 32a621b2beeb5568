"""Commands that environments, or anybody's packages, bring with them.

They are found by the entry-point group ``troupe.commands``; each entry is a function that takes the
command line's ``typer.Typer`` and adds to it. What it imports is loaded at every command, so it
adds commands by ``gateway.cli.lazy_commands.add_command``, which loads a command when it is called.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import typer

GROUP: Final = "troupe.commands"


def add_commands(app: typer.Typer) -> None:
    """Let all of them add theirs. One that cannot be loaded is named on standard error and left
    out: the store can be worked on without it."""
    for name, target in sorted(entries()):
        try:
            resolve_name(target)(app)
        except Exception as error:  # noqa: BLE001 - another's code; whatever it is, it is said
            why = f"{type(error).__name__}: {error}"
            sys.stderr.write(f"troupe: the commands of {name!r} cannot be loaded: {why}\n")


def entries() -> Iterator[tuple[str, str]]:
    """Name and ``module:function`` of each entry of the group, of the packages on the path.

    Not by ``importlib.metadata``: loading it takes a quarter of what ``troupe --help`` takes.
    """
    seen = set()
    for folder in map(Path, sys.path):
        for file in folder.glob("*.dist-info/entry_points.txt"):
            if file.parent.name in seen:
                continue
            seen.add(file.parent.name)
            text = file.read_text(encoding="utf-8")
            if f"[{GROUP}]" in text:
                yield from _of_group(text)


def _of_group(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line
        elif section == f"[{GROUP}]" and "=" in line and not line.startswith("#"):
            name, _, target = line.partition("=")
            yield name.strip(), target.strip()
