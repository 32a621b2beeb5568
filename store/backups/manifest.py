"""What a backup holds, as its manifest says and as its file shows."""

import hashlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec

from store.backups.errors import NotAFile
from store.database.engines import parsed_url
from store.files.regular_files import open_regular

FORMAT, VERSION = "troupe-backup", 1


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What a store's file holds."""

    schema: str
    """The revision of its tables."""
    events: int
    """In the log."""
    head: int
    """The last position; 0 in an empty store."""
    last_event: str
    """The id of the event there; empty in an empty store."""


class BackupManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds, and how to know that it still does."""

    format: str
    """``troupe-backup``."""
    version: int
    """Of the format."""
    software: str
    """The version of Troupe that made it."""
    made_at: str
    """UTC."""
    contents: Contents
    """What is in the file."""
    size: int
    """Bytes of the file."""
    sha256: str
    """Of the file."""


class Damaged(Exception):
    """A file that is no sound database."""


def manifest_path(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.json")


def manifest_of(file: Path) -> BackupManifest:
    """What a file holds. Raises ``Damaged``."""
    return BackupManifest(
        format=FORMAT,
        version=VERSION,
        software=version("troupe-server"),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        contents=contents_of(file),
        size=file.stat().st_size,
        sha256=digest_of(file),
    )


def contents_of(file: Path) -> Contents:
    """Check a whole file and count what is in it. Raises ``Damaged``."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
        try:
            (state,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            if state != "ok":
                raise Damaged(state)
            (schema,) = db.execute("SELECT version_num FROM alembic_version").fetchone()
            counted = "SELECT count(*), coalesce(max(position), 0) FROM log"
            events, head = db.execute(counted).fetchone()
            last = db.execute("SELECT event_id FROM log WHERE position = ?", [head]).fetchone()
        except sqlite3.DatabaseError as error:
            raise Damaged(str(error)) from error
    return Contents(schema=schema, events=events, head=head, last_event=last[0] if last else "")


def digest_of(file: Path) -> str:
    """The SHA-256 of a file."""
    with open_regular(file) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def file_of(url: str, otherwise: Literal["pg_dump", "pg_restore"]) -> Path:
    """The file of a store. Raises ``BadStoreUrl``, and ``NotAFile``, which names what to use
    instead."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise NotAFile(otherwise)
    return Path(parsed.database or "")
