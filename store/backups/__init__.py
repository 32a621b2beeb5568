"""Copies of a whole SQLite store, made while it is used, and put back.

A backup is a file that SQLite can open, and beside it its manifest, ``<file>.json``. PostgreSQL has
``pg_dump`` and ``pg_restore`` for this (docs/how-to/operations.md).
"""

from store.backups.errors import BackupRefused, NotAFile, RestoreRefused
from store.backups.make_backup import back_up, backup_name
from store.backups.manifest import BackupManifest, manifest_path
from store.backups.restore_backup import restore

__all__ = [
    "BackupRefused",
    "BackupManifest",
    "NotAFile",
    "RestoreRefused",
    "back_up",
    "backup_name",
    "manifest_path",
    "restore",
]
