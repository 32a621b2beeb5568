"""Making a backup."""

import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import msgspec

from store.backups.errors import BackupRefused, translate_errors
from store.backups.manifest import BackupManifest, Damaged, file_of, manifest_of, manifest_path
from store.files.atomic_files import atomic_write, make_durable
from store.progress import ReportProgress, no_report

_PAGES = 2_000
"""Pages (of 4 KiB) copied between two calls of ``progress``."""


def backup_name(now: datetime) -> str:
    """How a backup is called where only its folder is named."""
    return f"troupe-{now:%Y%m%d-%H%M%S}.db"


def back_up(url: str, target: Path, progress: ReportProgress = no_report) -> BackupManifest:
    """Copy the store at ``url`` to a new file, as it is at one moment, while others go on writing.

    The copy is checked before it appears under its name. ``progress`` counts pages.
    Raises ``BackupRefused``, ``NotAFile``.
    """
    source = file_of(url, "pg_dump")
    if not source.is_file():
        raise BackupRefused(target, f"there is no store at {source}")
    for path in (target, manifest_path(target)):
        if path.exists():
            raise BackupRefused(target, f"{path.name} is there already; name another file")
    with translate_errors(BackupRefused, target), atomic_write(target) as unfinished:
        _copy(source, unfinished, progress)
        try:
            manifest = manifest_of(unfinished)
        except Damaged as error:
            why = f"the copy is damaged ({error}); `troupe verify-store` says more of the store"
            raise BackupRefused(target, why) from error
        make_durable(unfinished)
        with atomic_write(manifest_path(target)) as beside:
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
            make_durable(beside)
    make_durable(target.parent)
    return manifest


def _copy(source: Path, target: Path, progress: ReportProgress) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("PRAGMA query_only = ON")
        # Holding on to one moment's view: otherwise each commit of a writer would make SQLite
        # begin the copy again.
        old.execute("BEGIN")
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
        old.backup(new, pages=_PAGES, progress=lambda _, left, of: progress(of - left, of))
        # One file, whole without a WAL beside it.
        new.execute("PRAGMA journal_mode = DELETE")
