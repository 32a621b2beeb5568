"""Taking runs out of the store into folders: which may go, and what would."""

from collections.abc import Sequence
from pathlib import Path

from events.base import Value
from gateway.errors import BadArgument
from gateway.services.files.export import beyond
from gateway.services.runs.resolve_ids import runs_meant
from gateway.services.runs.run_status import standings
from gateway.settings import Settings
from store.archive.archive_run import ArchivedRun, archive_run
from store.archive.compact_database import size_of
from store.archive.errors import CannotRestore
from store.archive.manifest import MANIFEST, read_manifest
from store.archive.run_contents import belongings
from store.log.event_store import EventStore
from store.log.tombstones import last_taken_out
from store.parquet.write_run import export_parquet
from store.progress import ReportProgress
from store.projections import tables as t
from store.read_model import queries
from store.read_model.records import RunRow

IDLE = ("process gone", "waits for a server", "came in a file")
"""How runs stand that nobody carries out, though nothing in their streams says that they wait."""


class ArchivePreview(Value, frozen=True, kw_only=True):
    """What of a run would leave the store."""

    run: str
    """Id."""
    events: int
    """Events that would go."""
    streams: int
    """Streams that they belong to."""
    size: int
    """Bytes of their payloads."""
    kept: tuple[str, ...]
    """Streams of the run that would stay, because forks or chains elsewhere need them."""
    kept_for: tuple[str, ...]
    """The forks and chains that need them, by id."""


def to_archive(settings: Settings, store: EventStore, given: Sequence[str]) -> list[RunRow]:
    """The runs that were meant, each once. Raises ``UnknownId``, ``RunTakenOut``, and
    ``BadArgument`` for one that somebody carries out, or would go on with by himself."""
    ids = runs_meant(store, given)
    rows = queries.runs_where(store, t.runs.c.id.in_(ids))
    for one in standings(settings, store, rows):
        if one.standing.under_way or one.standing.state in IDLE:
            why = f"it is not over ({one.standing.words}); `troupe stop {one.id}` stops it"
            raise BadArgument("run", one.id, why)
    return rows


def leaving(store: EventStore, run: str) -> ArchivePreview:
    """What of a run would leave the store. Takes an id in full."""
    found = belongings(store, run)
    return ArchivePreview(
        run=run,
        events=found.taken.count,
        streams=len(found.streams),
        size=size_of(store.engine, found),
        kept=found.kept,
        kept_for=found.kept_for,
    )


def archive(store: EventStore, run: str, to: Path, progress: ReportProgress) -> ArchivedRun:
    """Take one out of the store, with all tables that an export has. Takes an id in full."""

    def write_tables(store: EventStore, run: str, folder: Path) -> None:
        export_parquet(store, run, folder, beyond())

    return archive_run(store, run, to, write_tables, progress)


def archived_folders(store: EventStore, given: Sequence[Path]) -> list[Path]:
    """The folders of runs among, and directly in, some folders; of those in one, what was written
    last of a run. Raises ``BadArgument``."""
    found: list[Path] = []
    for folder in given:
        inside = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
        some = [folder] if (folder / MANIFEST).is_file() else _without_older(store, inside)
        if not some:
            why = f"it holds no {MANIFEST}, nor does a folder in it"
            raise BadArgument("DIR", str(folder), why)
        found += some
    return list(dict.fromkeys(found))


def _without_older(store: EventStore, folders: Sequence[Path]) -> list[Path]:
    """Without those of a time before a run came back and left for another of the folders."""
    runs: dict[Path, str] = {}
    last: dict[str, Path] = {}
    for folder in folders:
        try:
            manifest, digest = read_manifest(folder)
        except CannotRestore:
            continue  # restoring says why
        runs[folder] = manifest.run
        taken_out = last_taken_out(store, manifest.run)
        if taken_out and taken_out.event.files[0].sha256 == digest:
            last[manifest.run] = folder
    return [folder for folder in folders if last.get(runs.get(folder, ""), folder) == folder]
