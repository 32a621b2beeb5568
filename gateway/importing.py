"""Taking in files: published catalogs, Troupe's own exports, SOTOPIA EpisodeLogs."""

from pathlib import Path
from typing import Literal

import msgspec

from actors.social.casting import CatalogIndex
from actors.social.catalog_items import Catalog
from actors.social.fitting import task_notes
from actors.social.formats.catalog_in import (
    CHARACTERS,
    RELATIONSHIPS,
    SCENARIOS,
    TASKS,
    read_published,
)
from actors.social.formats.episode_log_in import ImportedEpisode, read_episode_logs
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
from store.catalogs import save_catalog
from store.jsonl import import_file as import_export
from store.log import EventStore


class CatalogBrought(Value, frozen=True, kw_only=True):
    """What the import of a published catalog brought."""

    catalog: str
    outcome: Literal["imported", "unchanged"]
    characters: int
    relationships: int
    scenarios: int
    tasks: int
    notes: tuple[str, ...]
    """What is odd about tasks that are imported as they stand."""


class EpisodesBrought(Value, frozen=True, kw_only=True):
    """What the import of a file of episodes brought."""

    kind: Literal["run", "chain", "episode", "episode logs"]
    """What the file holds."""
    ids: tuple[str, ...]
    """Of the run, or of the episodes."""
    events: int
    """In the file."""
    stored: int
    """Of them, those that were not here already."""
    notes: tuple[str, ...] = ()
    """What could not be taken over as it stands, line by line."""
    sentence: str


def import_catalog(store: EventStore, folder: Path, name: str) -> CatalogBrought:
    """Import SOTOPIA's four published files: all of them, or nothing.

    Raises ``BadArgument``, ``CatalogRefused``.
    """
    check_name("--name", name)
    wanted = (CHARACTERS, SCENARIOS, RELATIONSHIPS, TASKS)
    missing = [file for file in wanted if not (folder / file).is_file()]
    if missing:
        why = f"holds no {' and no '.join(missing)}; give the folder of the published files"
        raise BadArgument("DIR", str(folder), why if folder.is_dir() else "there is no such folder")
    found = read_published(folder, name)
    outcome = save_catalog(store, found, f"SOTOPIA's published files in {folder}")
    return CatalogBrought(
        catalog=name,
        outcome=outcome,
        characters=len(found.characters),
        relationships=len(found.relationships),
        scenarios=len(found.scenarios),
        tasks=len(found.tasks),
        notes=task_notes(found),
    )


def import_file(store: EventStore, path: Path, catalog: str) -> EpisodesBrought:
    """Import a file, whichever of the two it is.

    Raises ``BadArgument``, ``RefusedFile``, ``FileRefused``, ``UnknownId``.
    """
    if not path.is_file():
        why = "is a folder, not a file" if path.is_dir() else "there is no such file"
        raise BadArgument("FILE", str(path), why)
    with path.open("rb") as file:
        start = file.readline()
    if b'"environment"' in start:
        return import_logs(store, path, catalog)
    brought = import_export(store, path)
    new = f"{brought.stored} of {brought.events} events are new" if brought.stored else "no change"
    return EpisodesBrought(
        kind=brought.of,
        ids=(brought.id,),
        events=brought.events,
        stored=brought.stored,
        sentence=f"{brought.of.capitalize()} {brought.id}: {new}.",
    )


def import_logs(store: EventStore, path: Path, catalog: str) -> EpisodesBrought:
    """Import EpisodeLogs, all or none. The same line again is the same episode: no change."""
    episodes = read_episode_logs(path, CatalogIndex(load(store, catalog, Catalog)))
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
        kind="episode logs",
        ids=tuple(ids),
        events=len(brought),
        stored=stored,
        notes=tuple(
            f"line {episode.line}: {text}" for episode in episodes for text in episode.notes
        ),
        sentence=f"{len(ids)} episodes in {len(episodes)} EpisodeLog lines: {new}.",
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
