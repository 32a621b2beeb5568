"""Why there is no backup, or why it was not put back."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from events.untrusted.safe_text import shortened
from store.errors import StoreError


class BackupRefused(StoreError):
    """No backup was made."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"no backup was made at {shortened(str(path))}: {shortened(why, 1_000)}")
        self.path, self.why = path, why


class RestoreRefused(StoreError):
    """Nothing was restored; what was there before is there still."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"nothing was restored from {shortened(str(path))}: {shortened(why, 1_000)}"
        )
        self.path, self.why = path, why


class NotAFile(StoreError):
    """The store is on PostgreSQL."""

    def __init__(self, tool: Literal["pg_dump", "pg_restore"]) -> None:
        super().__init__(
            f"this store is on PostgreSQL, whose own `{tool}` does that: the command is in "
            "docs/how-to/operations.md"
        )
        self.tool = tool


@contextmanager
def translate_errors(
    refused: type[BackupRefused] | type[RestoreRefused], path: Path
) -> Iterator[None]:
    """Raise ``refused`` in the place of what SQLite or the file system raise inside the block."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise refused(path, why) from error
