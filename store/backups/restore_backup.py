"""Putting a backup back."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from events.privacy.encryption import MARK, keys_in
from events.serialization.struct_types import decodable
from events.untrusted.limits import MOST_MANIFEST_BYTES
from store.backups.errors import RestoreRefused, translate_errors
from store.backups.manifest import (
    FORMAT,
    VERSION,
    BackupManifest,
    Damaged,
    contents_of,
    digest_of,
    file_of,
    manifest_path,
)
from store.files.atomic_files import atomic_write, make_durable
from store.files.regular_files import FileTooLarge, NotRegular, open_regular, read_regular
from store.migrate import known_schemas
from store.participants.key_locations import place_of
from store.participants.participant_keys import ParticipantKeys
from store.progress import ReportProgress, no_report

_PIECE = 1 << 20
_LOCK_TIMEOUT_S = 1.0


def restore(
    backup: Path,
    url: str,
    *,
    replace: bool = False,
    progress: ReportProgress = no_report,
    agree: Callable[[int, int], None] = lambda _missing, _all: None,
) -> BackupManifest:
    """Put a backup in the place of the store at ``url``, which must be empty unless ``replace``.

    It is checked against its manifest, copied beside the store, checked again, and takes its place
    in one step: whatever fails, the old store stays as it was. ``progress`` counts bytes.
    ``agree`` is told before of how many people the keys are missing with which words in the backup
    are sealed, more than were dropped here, and of how many there are words; it may raise.
    Raises ``RestoreRefused``, ``NotAFile``, ``KeysUnavailable``.
    """
    target = file_of(url, "pg_restore")
    with translate_errors(RestoreRefused, backup):
        manifest = _manifest(backup)
        _require_intact(backup, backup, manifest)
        missing, people = _without_keys(backup, url)
        if missing:
            agree(missing, people)
        with (
            _exclusively(backup, target, replace=replace),
            atomic_write(target, over_database=True) as unfinished,
        ):
            _copy(backup, unfinished, progress)
            _require_intact(backup, unfinished, manifest)
            _require_contents(backup, unfinished, manifest)
            make_durable(unfinished)
            # Those of a store that was damaged or taken away would be taken for the new one's.
            for leftover in ("-wal", "-shm"):
                target.with_name(target.name + leftover).unlink(missing_ok=True)
        make_durable(target.parent)
    return manifest


def _manifest(backup: Path) -> BackupManifest:
    path = manifest_path(backup)
    if not path.exists():
        raise RestoreRefused(backup, f"its manifest {path.name} is not beside it")
    try:
        manifest = msgspec.json.decode(
            read_regular(path, MOST_MANIFEST_BYTES), type=decodable(BackupManifest)
        )
    except (FileTooLarge, NotRegular) as error:
        raise RestoreRefused(backup, f"its manifest {path.name} {error.why}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RestoreRefused(backup, f"its manifest {path.name} makes no sense: {error}") from error
    if (manifest.format, manifest.version) != (FORMAT, VERSION):
        why = f"its manifest is not that of a {FORMAT} of version {VERSION}"
        raise RestoreRefused(backup, why)
    if manifest.contents.schema not in known_schemas():
        why = f"its tables are of schema {manifest.contents.schema}, made by a newer version"
        raise RestoreRefused(backup, why)
    return manifest


def _require_intact(backup: Path, file: Path, manifest: BackupManifest) -> None:
    size = file.stat().st_size
    if size != manifest.size:
        why = f"it has {size:,} bytes where its manifest says {manifest.size:,}"
        raise RestoreRefused(backup, why)
    if digest_of(file) != manifest.sha256:
        why = "its checksum is not that of its manifest: it was altered or damaged"
        raise RestoreRefused(backup, why)


def _without_keys(backup: Path, url: str) -> tuple[int, int]:
    """Of how many people the words in a backup cannot be read with the keys of the store at
    ``url``, though they were not erased there; and of how many there are words."""
    used: set[bytes] = set()
    with (
        suppress(sqlite3.DatabaseError),  # a damaged one is refused later
        closing(sqlite3.connect(f"{backup.absolute().as_uri()}?mode=ro", uri=True)) as db,
    ):
        for (payload,) in db.execute("SELECT payload FROM log WHERE instr(payload, ?)", (MARK,)):
            used |= keys_in(payload)
    if not used:
        return 0, 0
    with closing(ParticipantKeys(place_of(url))) as keys:
        rows = keys.rows()
    here = {row.id for row in rows if row.secret}
    dropped = sum(not row.secret for row in rows)
    return max(0, len(used - here) - dropped), len(used)


def _require_contents(backup: Path, file: Path, manifest: BackupManifest) -> None:
    try:
        contents = contents_of(file)
    except Damaged as error:
        raise RestoreRefused(backup, f"it is damaged: {error}") from error
    if contents != manifest.contents:
        why = f"it holds {contents}, but its manifest says {manifest.contents}"
        raise RestoreRefused(backup, why)


@contextmanager
def _exclusively(backup: Path, target: Path, *, replace: bool) -> Iterator[None]:
    """Nobody else has the store open while the block lasts, and it may be overwritten."""
    if not target.exists():
        yield
        return
    with closing(sqlite3.connect(target, timeout=_LOCK_TIMEOUT_S, isolation_level=None)) as db:
        try:
            # Only who is alone can leave WAL; then nothing of the store is outside its file.
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("BEGIN EXCLUSIVE")
            events = _events(db)
        except sqlite3.OperationalError as error:
            why = f"the store {target} is in use ({error}); end whatever works on it first"
            raise RestoreRefused(backup, why) from error
        except sqlite3.DatabaseError as error:
            if not replace:
                why = f"{target} is there and cannot be read ({error}); --replace overwrites it"
                raise RestoreRefused(backup, why) from error
            events = 0
        if events and not replace:
            why = f"the store {target} holds {events:,} events; --replace overwrites them"
            raise RestoreRefused(backup, why)
        yield


def _events(db: sqlite3.Connection) -> int:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'log'").fetchone():
        return 0
    (events,) = db.execute("SELECT count(*) FROM log").fetchone()
    return int(events)


def _copy(source: Path, target: Path, progress: ReportProgress) -> None:
    with open_regular(source) as old, target.open("wb") as new:
        size, done = os.fstat(old.fileno()).st_size, 0
        while piece := old.read(_PIECE):
            new.write(piece)
            done += len(piece)
            progress(done, size)
