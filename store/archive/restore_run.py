"""Bringing an archived run back to where it was in the log."""

from pathlib import Path

import msgspec

from events.archive import StreamsBroughtBack
from events.wire.subjects import stream_name
from store.archive.errors import CannotRestore
from store.archive.event_file import read_events
from store.archive.manifest import EVENTS, MANIFEST, ArchiveManifest, entry_of, read_manifest
from store.database.transient_errors import is_transient, reason
from store.log.event_store import NEW, EventStore
from store.log.position_ranges import Ranges
from store.log.tombstones import Tombstone, last_taken_out, tombstone_stream
from store.log.write_session import WriteSession
from store.progress import ReportProgress, no_report
from store.projections.maintenance.projector import catch_up
from store.writer.pending_appends import prepare

_STREAM = 2
"""The index in a row."""


class RestoredRun(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an archive."""

    run: str
    """Id."""
    folder: str
    """Where it was read."""
    events: int
    """Events that came back."""
    was_here: bool
    """It had been brought back before: nothing was changed."""


def restore_run(
    store: EventStore,
    folder: Path,
    progress: ReportProgress = no_report,
    *,
    rows_too: bool = True,
) -> RestoredRun:
    """Put the events of an archived run back to their positions, in one transaction, once every
    file has its checksum. Whatever fails, the log stays as it was.

    ``progress`` counts events; without ``rows_too`` the next query makes the run's rows. Raises
    ``CannotRestore``, ``OSError``.
    """
    folder = folder.absolute()
    manifest, digest = read_manifest(folder)
    taken_out = last_taken_out(store, manifest.run)
    if taken_out is None:
        raise CannotRestore(folder, _elsewhere(store, folder, manifest))
    event = taken_out.event
    if event.files[0].sha256 != digest:
        why = (
            f"{MANIFEST} is not the one that was written when the run was archived: it was "
            f"changed, or it is of another time (the last was written to {event.folder})"
        )
        raise CannotRestore(folder, why)
    _check_files(folder, manifest)
    restored = RestoredRun(
        run=manifest.run, folder=str(folder), events=event.events, was_here=taken_out.back
    )
    if taken_out.back:
        return restored
    _put_back(store, folder, manifest, taken_out, progress)
    if rows_too:
        catch_up(store)
    return restored


def _elsewhere(store: EventStore, folder: Path, manifest: ArchiveManifest) -> str:
    if store.version(stream_name("run", manifest.run)) != NEW:
        return f"run {manifest.run} is here, and was never taken out of this store"
    return (
        f"run {manifest.run} was taken out of another store, where its positions are free; "
        f"`troupe import episodes {folder / EVENTS}` copies it into this one"
    )


def _check_files(folder: Path, manifest: ArchiveManifest) -> None:
    for file in manifest.files:
        path = folder / file.name
        try:
            size = path.stat().st_size
            if size > file.size:
                # Told before it is read: a link may lead to far more than was archived.
                why = f"{file.name} is of {size:,} bytes where {MANIFEST} says {file.size:,}"
                raise CannotRestore(folder, why)
            there = entry_of(path)
        except OSError as error:
            why = f"{file.name} cannot be read: {error.strerror or error}"
            raise CannotRestore(folder, why) from error
        if there != file:
            why = f"{file.name} was changed: it has not the checksum that {MANIFEST} gives"
            raise CannotRestore(folder, why)


def _put_back(
    store: EventStore,
    folder: Path,
    manifest: ArchiveManifest,
    taken_out: Tombstone,
    progress: ReportProgress,
) -> None:
    run = manifest.run

    def work(session: WriteSession) -> None:
        if not session.archived_run(stream_name("run", run), run):
            return  # the answer to an earlier commit was lost, or somebody else was faster
        session.unarchive(run)
        found = Ranges()
        try:
            _insert(session, folder, manifest, found, progress)
        except session.errors as error:
            if is_transient(error):
                raise
            why = f"the database refuses its events where they were: {reason(error)}"
            raise CannotRestore(folder, why) from error
        except (ValueError, msgspec.MsgspecError) as error:
            raise CannotRestore(folder, f"{EVENTS} cannot be read: {error}") from error
        if found != taken_out.ranges:
            why = f"{EVENTS} does not hold the positions that were taken out"
            raise CannotRestore(folder, why)
        back = StreamsBroughtBack(run=run, folder=str(folder), events=taken_out.event.events)
        tombstone = tombstone_stream(run)
        before = store.version(tombstone)
        session.insert(prepare(tombstone, before, [back], "", "", None).rows)

    store.write_alone(work)


def _insert(
    session: WriteSession,
    folder: Path,
    manifest: ArchiveManifest,
    found: Ranges,
    progress: ReportProgress,
) -> None:
    stayed = frozenset(manifest.copied)
    for read in read_events(folder / EVENTS):
        rows = [row for row in read if row[_STREAM] not in stayed] if stayed else read
        for row in rows:
            found.add(row[0], row[0])
        session.put_back(rows)
        progress(found.count, manifest.events)
