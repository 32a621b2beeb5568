"""Taking in files: Troupe's own exports, and what environments read."""

from pathlib import Path
from typing import Literal

import msgspec

from actors.episodes.formats import (
    EpisodeFormat,
    ImportedEpisode,
    catalog_formats,
    episode_formats,
)
from events.base import Envelope, Event, Value
from events.codec import encode
from events.evaluation import (
    EvaluationEnded,
    EvaluationStarted,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.fingerprints import evaluation_id, judge_hash
from events.ids import EPISODE, derived_id, digest_of
from events.subjects import stream_name
from gateway.catalogs import check_name, load
from gateway.errors import BadArgument
from store import queries
from store.catalogs import save_catalog
from store.jsonl import import_file as import_export
from store.log import EventStore
from store.projections.catalog import counts_of


class CatalogBrought(Value, frozen=True, kw_only=True):
    """What the import of a published catalog brought."""

    catalog: str
    outcome: Literal["imported", "unchanged"]
    counts: dict[str, int]
    """How many of each kind, by the kind's plural."""
    notes: tuple[str, ...]
    """What is odd about what is imported as it stands."""


class EpisodesBrought(Value, frozen=True, kw_only=True):
    """What the import of a file of episodes brought."""

    kind: str
    """What the file holds: a ``run``, a ``chain``, an ``episode``, or what its format says."""
    ids: tuple[str, ...]
    """Of the run, or of the episodes."""
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
    if missing:
        why = f"holds no {' and no '.join(missing)}; give the folder of the published files"
        raise BadArgument("DIR", str(folder), why if folder.is_dir() else "there is no such folder")
    found, notes = reader.read(folder, name)
    outcome = save_catalog(store, found, f"{reader.title} in {folder}")
    return CatalogBrought(
        catalog=name,
        outcome=outcome,
        counts=counts_of(found),
        notes=notes,
    )


def import_file(store: EventStore, path: Path, catalog: str | None) -> EpisodesBrought:
    """Import a file: an export of Troupe's, or one that an environment reads. ``catalog``: the one
    its ids are of; None: the format's own.

    Raises ``BadArgument``, ``RefusedFile``, ``UnknownId``, and what reading it raises.
    """
    if not path.is_file():
        why = "is a folder, not a file" if path.is_dir() else "there is no such file"
        raise BadArgument("FILE", str(path), why)
    with path.open("rb") as file:
        start = file.readline()
    for environment, form in episode_formats().values():
        if form.recognizes(start):
            return _import_episodes(store, path, environment, form, catalog or form.catalog)
    brought = import_export(store, path)
    new = f"{brought.stored} of {brought.events} events are new" if brought.stored else "no change"
    return EpisodesBrought(
        kind=brought.of,
        ids=(brought.id,),
        events=brought.events,
        stored=brought.stored,
        sentence=f"{brought.of.capitalize()} {brought.id}: {new}.",
        environment=_environment_of(store, brought.of, brought.id),
    )


def _environment_of(store: EventStore, kind: str, id_: str) -> str:
    if kind == "episode":
        return queries.episode(store, id_).environment
    run = id_ if kind == "run" else None
    rows = queries.episodes(store, run=run, chain=None if run else id_)
    return next((row.environment for row in rows if row.environment), "")


def _import_episodes(
    store: EventStore, path: Path, environment: str, form: EpisodeFormat, catalog: str
) -> EpisodesBrought:
    """Import all episodes of a file, or none. The same line again is the same episode: no
    change."""
    assert form.read is not None, "only what is read is recognized"
    episodes = form.read(path, load(store, catalog))
    envelopes: list[Envelope] = []
    ids: dict[str, None] = {}
    for episode in episodes:
        id_ = derived_id(EPISODE, digest_of(b"".join(encode(e) for e in episode.events)))
        ids[id_] = None
        streams = {stream_name("episode", id_): list(episode.events)}
        streams |= _evaluation(id_, episode)
        for stream, events in streams.items():
            envelopes += _envelopes(stream, events)
    brought = _once(envelopes)
    stored = store.import_envelopes(brought)
    new = f"{stored} of {len(brought)} events are new" if stored else "no change"
    return EpisodesBrought(
        kind=form.plural,
        ids=tuple(ids),
        events=len(brought),
        stored=stored,
        notes=tuple(
            f"line {episode.line}: {text}" for episode in episodes for text in episode.notes
        ),
        sentence=f"{len(ids)} episodes in {len(episodes)} {form.title} lines: {new}.",
        environment=environment,
    )


def _evaluation(episode: str, imported: ImportedEpisode) -> dict[str, list[Event]]:
    judged = imported.judged
    if judged is None:
        return {}
    started = EvaluationStarted(
        episode=episode,
        upto=len(imported.events) - 1,
        judge=judged.judge,
        judge_hash=judge_hash(judged.judge),
    )
    kinds = [type(score) for score in judged.scores]
    ended = EvaluationEnded(
        scored=kinds.count(Scored),
        failed=kinds.count(ScoreFailed),
        abstained=kinds.count(ScoreAbstained),
    )
    stream = stream_name("evaluation", evaluation_id(episode, judged.judge))
    return {stream: [started, *judged.scores, ended]}


def _envelopes(stream: str, events: list[Event]) -> list[Envelope]:
    """Envelopes whose ids follow from what they hold, so that importing again changes nothing.

    The log does not say when things happened: 1970 stands for unknown.
    """
    return [
        Envelope(
            event_id=digest_of(f"{stream}:{version}:".encode() + encode(event)),
            stream=stream,
            version=version,
            position=0,
            tag=type(event).__name__,
            schema=event.SCHEMA,
            recorded_at=0,
            correlation="",
            causation="",
            payload=msgspec.Raw(encode(event)),
        )
        for version, event in enumerate(events)
    ]


def _once(envelopes: list[Envelope]) -> list[Envelope]:
    """Without the repetitions of a file that holds the same episode twice."""
    return list({envelope.event_id: envelope for envelope in envelopes}.values())
