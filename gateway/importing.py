"""Taking in files: Troupe's own exports, and what environments read."""

from pathlib import Path
from typing import Literal

from actors.episodes.formats import EpisodeFormat, catalog_formats, episode_formats
from events.base import Value
from gateway.catalogs import check_name, load
from gateway.errors import BadArgument
from gateway.imported_runs import EpisodesDiffer, imported_run
from store import queries
from store.catalogs import save_catalog
from store.jsonl import import_file as import_export
from store.jsonl_reading import is_export
from store.log import EventStore
from store.projections.catalog import counts_of

_START = 4096
"""Bytes by which a file is recognized."""


class CatalogBrought(Value, frozen=True, kw_only=True):
    """What the import of a published catalog brought."""

    catalog: str
    outcome: Literal["imported", "replaced", "unchanged"]
    counts: dict[str, int]
    """How many of each kind, by the kind's plural."""
    replaced: str = ""
    """Where the catalog of this name came from that it replaces; plans that name it play the new
    one from now on."""
    notes: tuple[str, ...]
    """What is odd about what is imported as it stands."""


class CatalogWritten(Value, frozen=True, kw_only=True):
    """What the export of a catalog wrote."""

    catalog: str
    paths: tuple[str, ...]
    notes: tuple[str, ...]
    """What the files have no room for, in sentences."""


class EpisodesBrought(Value, frozen=True, kw_only=True):
    """What the import of a file of episodes brought."""

    kind: str
    """What the file holds: a ``run``, a ``chain``, an ``episode``, or what its format says."""
    ids: tuple[str, ...]
    """Of the run, or of the episodes."""
    run: str = ""
    """The run they are: an import of what was simulated elsewhere makes one; empty: none."""
    events: int
    """In the file."""
    stored: int
    """Of them, those that were not here already."""
    notes: tuple[str, ...] = ()
    """What could not be taken over as it stands, line by line."""
    sentence: str
    environment: str = ""
    """That of the episodes."""


def import_catalog(store: EventStore, form: str, folder: Path, name: str) -> CatalogBrought:
    """Import a catalog in a format that an environment reads: all of it, or nothing.

    Raises ``BadArgument``, ``KeyError`` where there is no such format, and what reading it raises.
    """
    check_name("--name", name)
    reader = catalog_formats()[form]
    missing = [file for file in reader.files if not (folder / file).is_file()]
    inside = [one for one in reader.folders if (folder / one).is_dir()]
    if missing and (not inside or len(inside) < len(reader.folders)):
        why = f"holds no {' and no '.join(missing)}; give the folder of the published files"
        raise BadArgument("DIR", str(folder), why if folder.is_dir() else "there is no such folder")
    found, notes = reader.read(folder, name)
    before = next((row for row in queries.catalogs(store) if row.name == name), None)
    outcome = save_catalog(store, found, f"{reader.title} in {folder}")
    replaced = before is not None and outcome == "imported"
    return CatalogBrought(
        catalog=name,
        outcome="replaced" if replaced else outcome,
        counts=counts_of(found),
        replaced=before.source if before and replaced else "",
        notes=notes,
    )


def export_catalog(store: EventStore, form: str, name: str, folder: Path) -> CatalogWritten:
    """Write a catalog into a folder, in a format that an environment writes.

    Raises ``UnknownId``, ``BadArgument``, and what writing it raises.
    """
    writer = catalog_formats()[form]
    if writer.write is None:
        raise BadArgument("--format", form, "is only read")
    catalog = load(store, name)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        notes = writer.write(catalog, folder)
    except ValueError as error:
        raise BadArgument("--format", form, str(error)) from error
    paths = tuple(str(folder / file) for file in writer.files)
    return CatalogWritten(catalog=catalog.name, paths=paths, notes=tuple(notes))


def import_file(
    store: EventStore, path: Path, catalog: str | None = None, name: str = ""
) -> EpisodesBrought:
    """Import a file: an export of Troupe's, or one that an environment reads, or a folder of such.

    ``catalog``: the one its ids are of; None: the format's own. ``name``: how lists call the run
    that episodes from elsewhere become; empty: as the file is called.

    Raises ``BadArgument``, ``RefusedFile``, ``UnknownId``, and what reading it raises.
    """
    start = _start_of(path)
    if not is_export(start):
        for environment, form in episode_formats().values():
            if form.recognizes(start):
                name = name or path.absolute().stem
                return _import_episodes(store, path, environment, form, catalog, name)
    if path.is_dir():
        raise BadArgument("FILE", str(path), "is a folder that holds no episodes")
    if name and is_export(start):
        raise BadArgument("--run", name, "an export of Troupe's keeps the names of its runs")
    brought = import_export(store, path)
    new = f"{brought.stored} of {brought.events} events are new" if brought.stored else "no change"
    return EpisodesBrought(
        kind=brought.of,
        ids=(brought.id,),
        run=brought.id if brought.of == "run" else "",
        events=brought.events,
        stored=brought.stored,
        sentence=f"{brought.of.capitalize()} {brought.id}: {new}.",
        environment=_environment_of(store, brought.of, brought.id),
    )


def _start_of(path: Path) -> bytes:
    """How a file begins, or the first in a folder."""
    if not path.exists():
        raise BadArgument("FILE", str(path), "there is no such file")
    file: Path | None = path
    if path.is_dir():
        file = min((one for one in path.glob("*.json*") if one.is_file()), default=None)
    if file is None:
        return b""
    with file.open("rb") as opened:
        return opened.read(_START)


def _environment_of(store: EventStore, kind: str, id_: str) -> str:
    if kind == "episode":
        return queries.episode(store, id_).environment
    run = id_ if kind == "run" else None
    rows = queries.episodes(store, run=run, chain=None if run else id_)
    return next((row.environment for row in rows if row.environment), "")


def _import_episodes(
    store: EventStore,
    path: Path,
    environment: str,
    form: EpisodeFormat,
    catalog: str | None,
    name: str,
) -> EpisodesBrought:
    """Import all episodes of a file as a run, or none. The same again is the same run: no
    change."""
    assert form.read is not None, "only what is read is recognized"
    known = load(store, catalog or form.catalog)
    found = form.read(path, known)
    if not found:
        raise BadArgument("FILE", str(path), f"holds no {form.plural}")
    try:
        made = imported_run(found, name=name, catalog=known.name, came_in=form.title)
    except EpisodesDiffer as error:
        raise BadArgument("FILE", str(path), str(error)) from error
    stored = store.import_envelopes(made.envelopes)
    new = f"{stored} of {len(made.envelopes)} events are new" if stored else "no change"
    count = f"{len(made.episodes)} episodes in {len(found)} {form.title}s"
    return EpisodesBrought(
        kind=form.plural,
        ids=made.episodes,
        run=made.id,
        events=len(made.envelopes),
        stored=stored,
        notes=tuple(f"{one.place}: {text}" for one in found for text in one.notes),
        sentence=f"Run {made.id}, {name}: {count}; {new}.",
        environment=environment,
    )
