"""Taking in what people said of episodes elsewhere: annotators beside those of the pages."""

import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from actors.episodes.formats import Judged
from actors.social.formats.annotation_reader import (
    Annotation,
    AnnotationsRefused,
    read_annotations,
    scores_of,
)
from actors.social.formats.faults import Faults
from actors.social.setup import NAME
from actors.text.amounts import many
from actors.toml_file import nearest
from evaluators.registry import rubric_named
from events.base import Envelope, Value
from events.episode import EpisodeStarted
from events.evaluation import DEFAULT_RUBRIC, JudgeSpec, Scored, ScoreFailed
from gateway.errors import BadArgument
from gateway.services.files.imported_runs import envelopes_of, evaluation_of
from store.database.id_batches import in_batches
from store.files.regular_files import absence
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow, EvaluationRow
from store.read_model.tagged_events import AT_ONCE, own_events

_PERSON: Final = "person"


class AnnotationsBrought(Value, frozen=True, kw_only=True):
    """What the import of a file of annotations brought."""

    runs: tuple[str, ...]
    """Those of the episodes."""
    episodes: int
    annotators: tuple[str, ...]
    annotations: int
    """In the file."""
    scored: int
    """Values in it."""
    failed: int
    """Values that are missing."""
    stored: int
    """Events that were not here already."""
    notes: tuple[str, ...] = ()
    """What could not be taken over as it stands, line by line."""
    sentence: str


def annotator(name: str) -> JudgeSpec:
    """The judge that an annotator is: the same as on the pages, where all dimensions are asked
    for."""
    rubric = rubric_named(DEFAULT_RUBRIC)
    return JudgeSpec(name=name, kind=_PERSON, dimensions=rubric.dimensions, rubric=rubric.name)


def import_annotations(store: EventStore, path: Path, run: str = "") -> AnnotationsBrought:
    """Import all annotations of a file, or none. The same again changes nothing.

    ``run``: the one whose episodes are meant; empty: any. Raises ``AnnotationsRefused``,
    ``BadArgument``, ``BadFile``, ``UnknownId``. Blocking.
    """
    if not path.exists():
        raise BadArgument("FILE", str(path), absence(path))
    faults = Faults()
    rows = list(read_annotations(path, faults))
    if not rows and not faults.count:
        raise BadArgument("FILE", str(path), "holds no annotations")
    meant = _episodes_meant(store, rows, queries.find_run(store, run) if run else "")
    found = _Annotations(store, {row.id for known in meant.values() for row in known})
    for one in rows:
        episode = _the_one(one, meant, run)
        if episode is not None:
            found.add(one, episode)
    faults.refuse(AnnotationsRefused)
    stored = store.import_envelopes(found.envelopes)
    events = many(len(found.envelopes), "event")
    new = f"{stored} of {events} are new" if stored else "no change"
    brought = many(len(rows), "annotation")
    by = many(len(found.annotators), "annotator")
    return AnnotationsBrought(
        runs=tuple(found.runs),
        episodes=len(found.episodes),
        annotators=tuple(found.annotators),
        annotations=len(rows),
        scored=found.scored,
        failed=found.failed,
        stored=stored,
        notes=tuple(found.notes),
        sentence=f"{brought} of {many(len(found.episodes), 'episode')} by {by}; {new}.",
    )


class _Annotations:
    """Annotations as evaluations, until they are stored."""

    def __init__(self, store: EventStore, episodes: Iterable[str]) -> None:
        self._store = store
        self._clock = itertools.count(time.time_ns() // 1000)
        self._places: dict[tuple[str, str], Annotation] = {}
        self._there = _by_people(store, sorted(episodes))
        self._lengths: dict[str, int] = {}
        self.envelopes: list[Envelope] = []
        self.notes: list[str] = []
        self.runs: dict[str, None] = {}
        self.episodes: dict[str, None] = {}
        self.annotators: dict[str, None] = {}
        self.scored = self.failed = 0

    def add(self, one: Annotation, episode: EpisodeRow) -> None:
        """One more. What is wrong with it is a fault."""
        key = episode.id, one.annotator
        if (first := self._places.setdefault(key, one)) is not one:
            why = f"{one.annotator} has annotated episode {one.episode!r} in line"
            one.place.fault("annotator_id", f"{why} {first.place.line} already")
            return
        found = scores_of(one, len(episode.characters))
        self.notes += (f"{one.place}: {text}" for text in found.notes)
        judged = Judged(judge=annotator(one.annotator), scores=found.scores)
        stream, events = evaluation_of(episode.run, episode.id, self._upto(episode.id), judged)
        envelopes = list(envelopes_of(episode.run, stream, events, self._clock))
        for before in self._there[key]:
            same = f"evaluation-{before.id}" == stream and self._is_stored(stream, envelopes)
            if not same:
                why = f"{one.annotator} has annotated episode {episode.id} already"
                one.place.fault("annotator_id", f"{why}, and did not say the same")
                return
        self.envelopes += envelopes
        self.runs[episode.run] = self.episodes[episode.id] = self.annotators[one.annotator] = None
        self.scored += sum(isinstance(score, Scored) for score in found.scores)
        self.failed += sum(isinstance(score, ScoreFailed) for score in found.scores)

    def _upto(self, episode: str) -> int:
        if episode not in self._lengths:
            self._lengths[episode] = len(read_history(self._store, episode))
        return self._lengths[episode] - 1

    def _is_stored(self, stream: str, envelopes: Sequence[Envelope]) -> bool:
        stored = [one.event_id for one in self._store.read(stream)]
        return stored == [one.event_id for one in envelopes]


def _by_people(
    store: EventStore, episodes: Sequence[str]
) -> Mapping[tuple[str, str], list[EvaluationRow]]:
    """What people said of some episodes, by episode and annotator."""
    found = defaultdict(list)
    c = t.evaluations.c
    for some in in_batches(episodes):
        for row in queries.evaluations_where(
            store, c.episode.in_(some) & (c.judge_kind == _PERSON)
        ):
            found[row.episode, row.judge].append(row)
    return found


def _the_one(
    one: Annotation, meant: Mapping[str, Sequence[EpisodeRow]], run: str
) -> EpisodeRow | None:
    """The episode that an annotation is of; None, and a fault, where there is not one."""
    known = meant.get(one.episode, ())
    if not known:
        where = f"run {run} has" if run else "there is"
        hint = nearest(one.episode, [key for key, rows in meant.items() if rows], 60)
        why = f"{where} no episode {one.episode!r}; import its log first{hint}"
    elif len(known) > 1:
        runs = ", ".join(row.run for row in known)
        why = f"{many(len(known), 'run')} have an episode {one.episode!r}: {runs}; choose by --run"
    elif known[0].environment != NAME:
        why = f"episode {known[0].id} is of {known[0].environment}, not {NAME}"
    elif known[0].status != "ended":
        why = f"episode {known[0].id} has not ended, so nobody can judge it yet"
    else:
        return known[0]
    one.place.fault("episode", why)
    return None


def _episodes_meant(
    store: EventStore, rows: Sequence[Annotation], run: str
) -> dict[str, list[EpisodeRow]]:
    """By what annotations call them: by their ids, and by the names they were imported with."""
    wanted: dict[str, list[EpisodeRow]] = {one.episode: [] for one in rows}
    for some in in_batches(list(wanted)):
        for row in queries.episodes(store, run=run or None, where=t.episodes.c.id.in_(some)):
            wanted[row.id].append(row)
    if all(wanted.values()):
        return wanted
    for row, called in _imported(store, run):
        if called in wanted and row.id != called:
            wanted[called].append(row)
    return wanted


def _imported(store: EventStore, run: str) -> Iterator[tuple[EpisodeRow, str]]:
    """The episodes that were simulated elsewhere, and what they were called there."""
    for one in [queries.run(store, run)] if run else queries.runs(store):
        if one.imported:
            for some in in_batches(queries.episodes(store, run=one.id), AT_ONCE):
                for row, started, _, _ in own_events(store, some, EpisodeStarted.__name__):
                    assert isinstance(started, EpisodeStarted)
                    yield row, started.origin.id if started.origin else ""
