"""Archiving a run: its files are written and compared with the log, then it leaves the log."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

from events.archive import ArchivedFile, StreamsTakenOut, TakenRun
from events.chain import ChainStarted
from events.episode import EpisodeForked
from events.serialization.codec import event_of
from events.untrusted.safe_text import harmless
from events.wire.subjects import stream_name
from store.archive.errors import CannotArchive, CannotRestore
from store.archive.event_file import compare_events, reads_as_written, write_events
from store.archive.manifest import (
    EVENTS,
    FORMAT,
    MANIFEST,
    VERSION,
    ArchiveManifest,
    FileEntry,
    entry_of,
    read_manifest,
    write_private,
)
from store.archive.run_contents import RunContents, belongings
from store.files.atomic_files import make_durable
from store.garbage_collection import without_collector
from store.log.event_store import EventStore
from store.log.tombstones import last_taken_out, tombstone_stream
from store.log.write_session import WriteSession
from store.progress import ReportProgress, no_report
from store.projections.maintenance.projector import catch_up
from store.read_model import queries
from store.read_model.records import RunRow
from store.writer.pending_appends import prepare

WriteTables = Callable[[EventStore, str, Path], object]
"""Writes the tables of a run into a folder."""
_AT_ONCE = 20_000
"""Events taken out by one statement."""


class ArchivedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run that left the log."""

    run: str
    """Id."""
    folder: str
    """Where it is."""
    events: int
    """Events that left the log."""
    streams: int
    """Streams that they belonged to."""
    size: int
    """Bytes of their payloads."""
    file_bytes: int
    """Bytes of the folder's files."""
    kept: tuple[str, ...]
    """Streams of the run that stay, because forks or chains elsewhere need them."""
    kept_for: tuple[str, ...]
    """The forks and chains that need them, by id."""


def archive_run(
    store: EventStore,
    run: str,
    to: Path,
    write_tables: WriteTables,
    progress: ReportProgress = no_report,
    *,
    rows_too: bool = True,
) -> ArchivedRun:
    """Write a run to a new folder in ``to``, compare what was written with the log, and take the
    run out of the log, in one transaction. Whatever fails, the log stays as it was.

    Where an earlier call ended between the two, it goes on with what that one has written.
    ``progress`` counts events that were written, compared and taken out; without ``rows_too`` the
    next query lets go of the run's rows. Takes the id in full, of a
    run that nobody carries out. Raises ``CannotArchive``, ``RunTakenOut``, ``OSError``.
    """
    row = queries.run(store, run)
    found = belongings(store, run)
    to = to.absolute()
    to.mkdir(parents=True, exist_ok=True, mode=0o700)
    total = 2 * found.written.count + found.taken.count
    done = 0

    def moved(events: int) -> None:
        nonlocal done
        done += events
        progress(done, total)

    with reserved(to, run):
        folder = _written_before(store, found, to, run)
        if folder is None:
            folder = _write(store, found, row, to, write_tables, moved)
        manifest, digest = read_manifest(folder)
        size = (folder / MANIFEST).stat().st_size
        own = ArchivedFile(name=MANIFEST, size=size, sha256=digest)
        taken_out = _tombstone(manifest, folder, own, found)
        try:
            _take_out(store, found, taken_out, moved)
        except CannotArchive:
            shutil.rmtree(folder)
            raise
    if rows_too:
        catch_up(store)
    return ArchivedRun(
        run=run,
        folder=str(folder),
        events=manifest.events,
        streams=manifest.streams,
        size=manifest.size,
        file_bytes=size + sum(file.size for file in manifest.files),
        kept=found.kept,
        kept_for=found.kept_for,
    )


def _write(
    store: EventStore,
    found: RunContents,
    row: RunRow,
    to: Path,
    write_tables: WriteTables,
    moved: Callable[[int], object],
) -> Path:
    """The new folder, with all that belongs into it on disk."""
    folder = choose_folder(to, row.id)
    with _unfinished(folder) as unfinished:
        path = unfinished / EVENTS
        with store.engine.connect() as connection, without_collector():
            written = write_events(connection, found, path, moved)
        if not reads_as_written(path, written, moved):
            why = f"what was read back from {path} is not what is in the log"
            raise CannotArchive(row.id, why)
        write_tables(store, row.id, unfinished)
        manifest = ArchiveManifest(
            format=FORMAT,
            version=VERSION,
            software=version("troupe-server"),
            run=row.id,
            events=written.events,
            streams=len(found.streams),
            streams_sha256=found.streams_sha256,
            size=written.size,
            first_position=found.taken.first,
            last_position=found.taken.last,
            copied=tuple(sorted(found.copied)),
            kept=found.kept,
            needs=found.needs,
            summary=_summary(row, queries.planned_episodes(store, row.id)),
            files=(),
        )
        write_private(unfinished / README, readme_of(manifest).encode())
        for file in unfinished.iterdir():
            file.chmod(0o600)
            make_durable(file)
        files = tuple(entry_of(file) for file in sorted(unfinished.iterdir()))
        manifest = msgspec.structs.replace(manifest, files=files)
        data = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        write_private(unfinished / MANIFEST, data + b"\n")
        make_durable(unfinished)
        unfinished.rename(folder)
        make_durable(to)
    return folder


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A new folder beside another one, that is gone at the end under this name."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)  # what a process left that was killed
    unfinished.mkdir(mode=0o700)
    try:
        yield unfinished
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _written_before(store: EventStore, found: RunContents, to: Path, run: str) -> Path | None:
    """The folder in which an earlier call has written the run as it is now, whole and sound."""
    for folder in sorted(to.glob(f"{run}*")):
        try:
            manifest, _ = read_manifest(folder)
            same = (
                manifest.run == run
                and manifest.streams_sha256 == found.streams_sha256
                and (manifest.kept, manifest.needs) == (found.kept, found.needs)
                and manifest.copied == tuple(sorted(found.copied))
                and all(_is_sound(folder, file) for file in manifest.files)
            )
            if not same:
                continue
            with store.engine.connect() as connection:
                if compare_events(connection, found, folder / EVENTS, lambda _: None):
                    return folder
        except (CannotRestore, OSError, ValueError):
            continue
    return None


def _is_sound(folder: Path, file: FileEntry) -> bool:
    return entry_of(folder / file.name) == file


def _summary(row: RunRow, planned: int) -> TakenRun:
    return TakenRun(
        name=row.name,
        catalog=row.catalog,
        status=row.status,
        pause_reason=row.pause_reason,
        stopped=row.stopped,
        imported=row.imported,
        episodes_planned=planned,
        episodes_ended=row.episodes_ended,
        episodes_failed=row.episodes_failed,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )


def _tombstone(
    manifest: ArchiveManifest, folder: Path, own: ArchivedFile, found: RunContents
) -> StreamsTakenOut:
    files = (ArchivedFile(name=f.name, size=f.size, sha256=f.sha256) for f in manifest.files)
    return StreamsTakenOut(
        run=manifest.run,
        folder=str(folder),
        files=(own, *files),
        events=manifest.events,
        streams=manifest.streams,
        streams_sha256=manifest.streams_sha256,
        size=manifest.size,
        first_position=manifest.first_position,
        last_position=manifest.last_position,
        parts=len(found.taken.parts()),
        kept=manifest.kept,
        needs=manifest.needs,
        summary=manifest.summary,
        software=version("troupe-server"),
    )


def _take_out(
    store: EventStore,
    found: RunContents,
    taken_out: StreamsTakenOut,
    moved: Callable[[int], object],
) -> None:
    run = found.run

    def work(session: WriteSession) -> None:
        if session.archived_run(stream_name("run", run), run):
            last = last_taken_out(store, run)
            if last is not None and last.event == taken_out:
                return  # the answer to an earlier commit was lost
            where = f", in {last.event.folder}" if last else ""
            raise CannotArchive(run, f"it is archived already{where}")
        _require_unchanged(store, found)
        tombstone, parts = tombstone_stream(run), found.taken.parts()
        # First: the log's last position must not be among those that become free.
        before = store.version(tombstone)
        session.insert(prepare(tombstone, before, [taken_out, *parts], "", "", None).rows)
        session.archive(run, ((name, *span) for name, span in found.streams.items()))
        gone = 0
        for some in found.taken.batches(_AT_ONCE):
            gone += session.take_out(some)
            moved(sum(last - first + 1 for first, last in some))
        if gone != taken_out.events:
            why = f"{gone} events would have been taken out, not {taken_out.events}"
            raise CannotArchive(run, why)

    store.write_alone(work)


def _require_unchanged(store: EventStore, found: RunContents) -> None:
    """Nothing of the run, and nothing that needs it, came since it was looked through."""
    reached = found.head
    while envelopes := store.read_all(reached):
        reached = envelopes[-1].position
        for envelope in envelopes:
            if envelope.correlation == found.run:
                why = "something of it happened meanwhile; archive it once nothing works on it"
                raise CannotArchive(found.run, why)
            needed: tuple[str, ...] = ()
            if envelope.tag in (EpisodeForked.__name__, ChainStarted.__name__):
                match event_of(envelope):
                    case EpisodeForked(parent=parent):
                        needed = (parent,)
                    case ChainStarted(episodes=episodes):
                        needed = episodes
            if any(stream_name("episode", episode) in found.streams for episode in needed):
                why = f"{envelope.stream} went on from it meanwhile; try again"
                raise CannotArchive(found.run, why)


def choose_folder(to: Path, run: str) -> Path:
    """A name that nothing has: the run's id, or where that was archived there before (and brought
    back since), with a number behind it."""
    names = (run if number == 1 else f"{run}-{number}" for number in count(1))
    return next(to / name for name in names if not (to / name).exists())


@contextmanager
def reserved(to: Path, run: str) -> Iterator[None]:
    """Keeps other processes from archiving the run to the same place; ends with the process.
    Raises ``CannotArchive``."""
    path = to / f".{run}.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotArchive(run, f"another process archives it to {to} now") from None
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


README: Final = "README.txt"


def readme_of(manifest: ArchiveManifest) -> str:
    """The file's text."""
    stays = (
        f"{len(manifest.kept)} of the run's streams stayed in the log, because forks or chains\n"
        "elsewhere need them; they are in the file, too.\n"
        if manifest.kept
        else ""
    )
    return f"""Run {manifest.run} ({harmless(manifest.summary.name)}) of a Troupe store.

{manifest.events:,} events of {manifest.streams:,} streams were taken out of the log (positions
{manifest.first_position} to {manifest.last_position}) by version {manifest.software} of Troupe.
{stays}
events.jsonl.zst   all events, one a line of JSON, compressed by zstd
*.parquet          tables for analysis
run.json           what is here: counts, and the SHA-256 of every other file

troupe retrieve FOLDER                     puts the events back into the store they came from
troupe import episodes events.jsonl.zst    copies them into another store
"""
