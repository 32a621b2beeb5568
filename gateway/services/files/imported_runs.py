"""Episodes that were simulated elsewhere, as a run: listed, scored and compared like any other, and
over from its first event on."""

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from actors.episodes.formats import ImportedEpisode, Judged
from actors.episodes.registry import environment_named
from actors.runs.state import run_stream
from events.base import Envelope, Event, replace
from events.episode import EpisodeFailed, EpisodeStarted
from events.evaluation import (
    EvaluationEnded,
    EvaluationStarted,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.ids import EPISODE, RUN, derived_id, digest_of
from events.minds import MindSpec
from events.run import Plan, PlannedEpisode, RunEnded, RunPlanned
from events.serialization.codec import encode
from events.serialization.fingerprints import evaluation_id, judge_hash
from events.untrusted.safe_text import shortened
from events.wire.subjects import stream_name


class EpisodesDiffer(ValueError):
    """A file that tells of one episode in two ways."""

    def __init__(self, key: str, first: str, second: str) -> None:
        super().__init__(
            f"{shortened(first)} and {shortened(second)} are both of episode {shortened(key)!r} "
            "but do not say the same of it"
        )
        self.key, self.first, self.second = key, first, second


class ImportedRun(NamedTuple):
    """A run, ready to be stored."""

    id: str
    episodes: tuple[str, ...]
    envelopes: Sequence[Envelope]
    """Of all its streams, its own first."""


class _Episode:
    """One episode, and what judges made of it."""

    def __init__(self, key: str, number: int, first: ImportedEpisode) -> None:
        self.key, self.number, self.first = key, number, first
        self.judged: dict[str, Judged] = {}
        """By the judges' hashes."""
        self.told_by: set[str] = set()
        """The judges' hashes, and an empty one where it also came in without scores."""


def imported_run(
    found: Sequence[ImportedEpisode], *, name: str, catalog: str, came_in: str
) -> ImportedRun:
    """The run that episodes become. The same episodes under the same name are the same run, event
    by event, so that importing again changes nothing. There must be at least one.

    Raises ``EpisodesDiffer``.
    """
    episodes = list(_put_together(found))
    run = derived_id(RUN, name, catalog, digest_of(b"".join(map(_content, episodes))))
    ids = [derived_id(EPISODE, run, one.key, str(one.number)) for one in episodes]
    planned = _planned(dict(zip(ids, episodes, strict=True)), name, catalog, came_in)
    streams = [(run_stream(run), [planned, _ended(episodes)])]
    for id_, one in zip(ids, episodes, strict=True):
        started, *rest = one.first.events
        assert isinstance(started, EpisodeStarted)
        streams.append((stream_name("episode", id_), [replace(started, run=run), *rest]))
        upto = len(one.first.events) - 1
        streams += [evaluation_of(run, id_, upto, judged) for judged in one.judged.values()]
    # One microsecond after the other: lists that go by age then keep the file's order.
    clock = itertools.count(time.time_ns() // 1000)
    envelopes = [e for stream, events in streams for e in envelopes_of(run, stream, events, clock)]
    return ImportedRun(run, tuple(ids), envelopes)


def _put_together(found: Sequence[ImportedEpisode]) -> Iterator[_Episode]:
    """The episodes, each once. What has no key is told apart by what happened, and by who judged
    it: where a judge, or none, has the same events a second time, that is another episode."""
    episodes: dict[tuple[str, int], _Episode] = {}
    for one in found:
        hash_ = judge_hash(one.judged.judge) if one.judged else ""
        key, number = one.key or digest_of(b"".join(map(encode, one.events))), 0
        while not one.key and (key, number) in episodes:
            if hash_ not in episodes[key, number].told_by:
                break
            number += 1
        episode = episodes.setdefault((key, number), _Episode(key, number, one))
        before = episode.judged.get(hash_, one.judged)
        if episode.first.events != one.events or before != one.judged:
            raise EpisodesDiffer(key, episode.first.place, one.place)
        episode.told_by.add(hash_)
        if one.judged:
            episode.judged[hash_] = one.judged
    yield from episodes.values()


def _content(episode: _Episode) -> bytes:
    told = b"".join(map(encode, episode.first.events))
    return told + b"".join(map(encode, episode.judged.values()))


def _planned(episodes: dict[str, _Episode], name: str, catalog: str, came_in: str) -> RunPlanned:
    minds: dict[str, MindSpec] = {}
    planned = []
    environment = ""
    for id_, one in episodes.items():
        started = one.first.events[0]
        assert isinstance(started, EpisodeStarted)
        environment = started.environment
        for mind in started.minds:
            minds.setdefault(mind.name, mind)
        names = tuple(mind.name for mind in started.minds)
        planned.append(PlannedEpisode(id=id_, task=started.task, minds=names))
    plans = environment_named(environment).plans
    plan = Plan(
        name=name,
        catalog=catalog,
        minds=tuple(minds.values()),
        environment=environment,
        settings=plans.settings(plans.section(), 0),
    )
    return RunPlanned(plan=plan, episodes=tuple(planned), imported=came_in)


def _ended(episodes: Sequence[_Episode]) -> RunEnded:
    failed = sum(isinstance(one.first.events[-1], EpisodeFailed) for one in episodes)
    return RunEnded(
        episodes_ended=len(episodes) - failed,
        episodes_failed=failed,
        evaluations_ended=sum(len(one.judged) for one in episodes),
        evaluations_failed=0,
    )


def evaluation_of(run: str, episode: str, upto: int, judged: Judged) -> tuple[str, list[Event]]:
    """The stream of an evaluation that was made elsewhere, and its events. ``upto``: the last event
    number of the episode's history."""
    started = EvaluationStarted(
        episode=episode,
        upto=upto,
        judge=judged.judge,
        judge_hash=judge_hash(judged.judge),
        run=run,
    )
    kinds = [type(score) for score in judged.scores]
    ended = EvaluationEnded(
        scored=kinds.count(Scored),
        failed=kinds.count(ScoreFailed),
        abstained=kinds.count(ScoreAbstained),
    )
    stream = stream_name("evaluation", evaluation_id(episode, judged.judge))
    return stream, [started, *judged.scores, ended]


def envelopes_of(
    run: str, stream: str, events: Sequence[Event], clock: Iterator[int]
) -> Iterator[Envelope]:
    """Envelopes whose ids follow from what they hold, so that importing again changes nothing.

    When things happened is not known: they were recorded when they came in.
    """
    for version, event in enumerate(events):
        payload = encode(event)
        yield Envelope(
            event_id=digest_of(f"{stream}:{version}:".encode() + payload),
            stream=stream,
            version=version,
            position=0,
            tag=type(event).__name__,
            schema=event.SCHEMA,
            recorded_at=next(clock),
            correlation=run,
            causation="",
            payload=msgspec.Raw(payload),
        )
