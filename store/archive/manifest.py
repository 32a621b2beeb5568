"""``run.json``: what is in the folder of an archived run."""

import os
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Annotated, Final

import msgspec

from events.archive import ArchivedFile, TakenRun
from events.serialization.struct_types import decodable
from store.archive.errors import CannotRestore
from store.files.atomic_files import create_private
from store.files.regular_files import open_regular, read_regular

FORMAT: Final = "troupe-archive"
VERSION: Final = 1
MANIFEST: Final = "run.json"
EVENTS: Final = "events.jsonl.zst"
_MOST_BYTES: Final = 1 << 24
"""Of a manifest: those of runs with a hundred thousand forks elsewhere stay below."""

_Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]+$", max_length=200)]


class FileEntry(ArchivedFile, frozen=True, kw_only=True):
    """A file of the folder."""

    name: _Name


class ArchiveManifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of ``run.json``. Its own checksum is in the log that the run was taken out of."""

    format: str
    """``troupe-archive``."""
    version: int
    """Of the format."""
    software: str
    """Version of Troupe."""
    run: str
    """Id."""
    events: int
    """Events that left the log."""
    streams: int
    """Streams that they belong to."""
    streams_sha256: str
    """See ``events.archive.StreamsTakenOut``."""
    size: int
    """Bytes of their payloads."""
    first_position: int
    """Of the first event that left the log."""
    last_position: int
    """Of the last."""
    copied: tuple[str, ...]
    """Streams that are in the file, too, and stayed in the log: others need them."""
    kept: tuple[str, ...]
    """Those of them that are the run's own."""
    needs: tuple[str, ...]
    """Episodes elsewhere that the run's forks and chains need, by id."""
    summary: TakenRun
    """The run as it stood."""
    files: tuple[FileEntry, ...]
    """All other files of the folder."""


def read_manifest(folder: Path) -> tuple[ArchiveManifest, str]:
    """The manifest of a folder, and its checksum. Raises ``CannotRestore``."""
    path = folder / MANIFEST
    try:
        data = read_regular(path, _MOST_BYTES)
    except OSError as error:
        why = f"{MANIFEST} cannot be read: {error.strerror or error}"
        raise CannotRestore(folder, why) from error
    try:
        manifest = msgspec.json.decode(data, type=decodable(ArchiveManifest))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        why = f"{MANIFEST} is no manifest of an archived run, or it was changed"
        raise CannotRestore(folder, why) from error
    if manifest.format != FORMAT or manifest.version != VERSION:
        why = (
            f"it is in version {manifest.version} of the format, but this version of Troupe reads "
            f"version {VERSION}"
        )
        raise CannotRestore(folder, why)
    return manifest, sha256(data).hexdigest()


def entry_of(path: Path) -> FileEntry:
    """A file as it is now."""
    with open_regular(path) as file:
        digest = file_digest(file, "sha256").hexdigest()
        return FileEntry(name=path.name, size=file.tell(), sha256=digest)


def write_private(path: Path, data: bytes) -> None:
    """Write a new file that only its owner may read, and wait until it is on disk."""
    with os.fdopen(create_private(path), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
