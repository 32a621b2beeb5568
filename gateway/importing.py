"""Taking in episodes from files: Troupe's own export, or SOTOPIA EpisodeLogs."""

from pathlib import Path

import msgspec

from actors.social.casting import CatalogIndex
from actors.social.formats.episode_log_in import ImportedEpisode, read_episode_logs
from events.base import Envelope, Event
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
from gateway.catalogs import load
from gateway.errors import BadArgument
from store.jsonl import import_file as import_export
from store.log import EventStore


def import_file(store: EventStore, path: Path, catalog: str) -> str:
    """Import a file, whichever of the two it is; a sentence about what came in."""
    if not path.is_file():
        raise BadArgument("file", str(path), "there is no such file")
    with path.open("rb") as file:
        start = file.readline()
    if b'"environment"' in start:
        return import_logs(store, path, catalog)
    brought = import_export(store, path)
    return (
        f"{brought.of} {brought.id}: {brought.events} events in the file, {brought.stored} new; "
        f"`troupe show {brought.id}` shows it."
    )


def import_logs(store: EventStore, path: Path, catalog: str) -> str:
    """Import EpisodeLogs, all or none. The same line again is the same episode: no change."""
    episodes = read_episode_logs(path, CatalogIndex(load(store, catalog)))
    envelopes: list[Envelope] = []
    ids = []
    for episode in episodes:
        id_ = derived_id(EPISODE, digest_of(b"".join(encode(e) for e in episode.events)))
        ids.append(id_)
        streams = {stream_name("episode", id_): list(episode.events)}
        streams |= _evaluation(id_, episode)
        for stream, events in streams.items():
            envelopes += _envelopes(stream, events)
    stored = store.import_envelopes(_once(envelopes))
    notes = [f"line {episode.line}: {note}" for episode in episodes for note in episode.notes]
    lines = [f"{len(set(ids))} episodes in the file, {stored} new events.", *notes]
    if ids:
        lines.append(f"`troupe show {ids[0]}` shows the first; `troupe score` judges it again.")
    return "\n".join(lines)


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
