"""Taking in episodes: Troupe's own exports, and what environments read."""

from pathlib import Path

from actors.episodes.formats import EpisodeFormat, episode_formats
from actors.text.amounts import many
from events.base import Value
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import load
from gateway.services.files.imported_runs import EpisodesDiffer, imported_run
from store.files.compressed_lines import open_lines
from store.files.regular_files import absence
from store.jsonl.export_import import import_file as import_export
from store.jsonl.read_file import is_export
from store.log.event_store import EventStore
from store.read_model import queries

_START = 4096
"""Bytes by which a file is recognized."""


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
        raise BadArgument("FILE", str(path), absence(path))
    file: Path | None = path
    if path.is_dir():
        file = min((one for one in path.glob("*.json*") if one.is_file()), default=None)
    if file is None:
        return b""
    try:
        with open_lines(file) as opened:
            return opened.read(_START)
    except OSError as error:
        if error.filename is not None:
            raise
        # Compressed, and cut short or changed.
        raise BadArgument("FILE", str(path), f"it cannot be read: {error}") from error


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
    count = f"{many(len(made.episodes), 'episode')} in {many(len(found), form.title)}"
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
