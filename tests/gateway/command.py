"""``troupe …`` in this process, exactly as the installed command runs it."""

import io
import json
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from gateway.cli.main import main
from store.log.event_store import EventStore
from store.open_store import open_store

_built_once = cache(typer.main.get_command)
"""Typer builds all commands anew whenever it is called, as it would in a process of its own."""


class Said(NamedTuple):
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be JSON and nothing else."""
        return json.loads(self.out)


class Desk:
    """A data folder of its own, and commands that work on it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._patch = patch
        for name in ("TROUPE_DATABASE_URL", "TROUPE_NATS_URL", "TROUPE_SPACE", "TROUPE_LOG"):
            patch.delenv(name, raising=False)
        self.move(folder / "data")
        self.width(80)

    def move(self, data_dir: Path) -> None:
        """Work in another data folder from now on."""
        self.data_dir = data_dir
        self.set("TROUPE_DATA_DIR", str(data_dir))

    def set(self, variable: str, value: str) -> None:
        """Set an environment variable for the commands."""
        self._patch.setenv(variable, value)

    def width(self, columns: int) -> None:
        """How wide the terminal is."""
        self.set("COLUMNS", str(columns))

    def says(self, *arguments: str) -> Said:
        """Run a command, whatever comes of it."""
        out, err = io.StringIO(), io.StringIO()
        self._patch.setattr(sys, "argv", ["troupe", *arguments])
        self._patch.setattr(typer.main, "get_command", _built_once)
        code = 0
        with redirect_stdout(out), redirect_stderr(err):
            try:
                main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
        return Said(code, out.getvalue(), err.getvalue())

    def does(self, *arguments: str) -> Said:
        """Run a command that must succeed."""
        said = self.says(*arguments)
        assert said.code == 0, said
        return said

    def file(self, name: str, text: str) -> str:
        """Write a file; its path."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def open(self) -> EventStore:
        """The store the commands work on."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        return open_store(f"sqlite:///{self.data_dir / 'troupe.db'}")

    def head(self) -> int:
        """The last position of the store."""
        store = self.open()
        try:
            return store.head()
        finally:
            store.close()

    def copy_of(self, data_dir: Path) -> None:
        """Begin with another desk's data."""
        shutil.copytree(data_dir, self.data_dir)
