"""What is to be known of annotation studies: how far they are, who annotates, what was said."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator

from actors.annotation.state import Annotator, Study, attentive, qualified
from evaluators.tables.plain_tables import csv_text
from events.annotation import ItemAnnotated
from events.base import Value
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from gateway.services.annotations.annotation_repository import AnnotationStudies
from store.log.event_store import EventStore
from store.read_model import queries


class StudyRow(Value, frozen=True, kw_only=True):
    """An annotation study in a list."""

    id: str
    name: str
    run: str
    """Empty: of several runs, or of none."""
    rubric: str
    items: int
    """Those for qualification left out."""
    wanted: int
    """Annotations there are to be."""
    had: int
    """Of these, annotations that there are."""
    annotators: int
    closed: bool


class AnnotatorRow(Value, frozen=True, kw_only=True):
    """How one annotator does."""

    name: str
    """The pseudonym: the name of the judge that their scores are by."""
    done: int
    """Items handed in, those for qualification left out."""
    at: int | None
    """The item they are at, from 0; None: none."""
    minutes: float | None
    """The mean time an item, in minutes, as their page measured it; None: no item yet."""
    right: int
    """Known answers they gave."""
    known: int
    """Known answers they were asked for."""
    qualified: bool | None
    """None: not through with the qualification."""
    checks_passed: int
    checks: int
    attentive: bool
    """False: they are given no more items."""


class StudyDetails(Value, frozen=True, kw_only=True):
    """An annotation study with its annotators."""

    study: StudyRow
    annotators: tuple[AnnotatorRow, ...]


class AnnotatorAnswer(Value, frozen=True, kw_only=True):
    """What one annotator said of one seat in one dimension."""

    item: int
    """From 0."""
    episode: str
    seat: int
    """From 0."""
    character: str
    annotator: str
    dimension: str
    value: float | None
    """None: they declined."""
    reason: str
    evidence: tuple[int, ...]
    """Event numbers."""
    quotes: tuple[str, ...]
    qualification: bool
    """The right answers were known; it is no score."""
    minutes: float
    """How long the item was looked at."""
    attentive: bool | None
    """Whether the item's attention check was passed; None: it had none."""
    evaluation: str
    """Where the score is; empty for qualification."""


def study_rows(store: EventStore) -> list[StudyRow]:
    """All studies, the oldest first."""
    return [row_of(one.id, one.state) for one in AnnotationStudies(store).all()]


def row_of(id_: str, study: Study) -> StudyRow:
    """A study in short."""
    return StudyRow(
        id=id_,
        name=study.plan.name,
        run=study.plan.run,
        rubric=study.plan.rubric,
        items=len(study.scored),
        wanted=study.wanted,
        had=study.had,
        annotators=len(study.annotators),
        closed=study.closed,
    )


def study_details(store: EventStore, given: str) -> StudyDetails:
    """A study. Raises ``UnknownId``, ``AmbiguousId``."""
    studies = AnnotationStudies(store)
    loaded = studies.load(studies.find(given))
    found = loaded.state
    return StudyDetails(
        study=row_of(loaded.id, found),
        annotators=tuple(annotator_row(found, one) for one in found.annotators.values()),
    )


def annotator_row(study: Study, who: Annotator) -> AnnotatorRow:
    """An annotator in short."""
    passed, checks = who.checks
    return AnnotatorRow(
        name=who.name,
        done=sum(at in who.done for at in study.scored),
        at=next((at for at, one in who.given.items() if not one.lapsed), None),
        minutes=who.seconds / 60 / len(who.done) if who.done else None,
        right=who.right,
        known=who.known,
        qualified=qualified(study, who),
        checks_passed=passed,
        checks=checks,
        attentive=attentive(study, who),
    )


def said_in(store: EventStore, given: str) -> Iterator[AnnotatorAnswer]:
    """All that was handed in, item by item; of what was handed in again, the last. Raises
    ``UnknownId``, ``AmbiguousId``."""
    studies = AnnotationStudies(store)
    id_ = studies.find(given)
    study = studies.load(id_).state
    known = {
        (event.annotator, event.item): event
        for envelope in store.read(stream_name(studies.kind, id_))
        if isinstance(event := event_of(envelope), ItemAnnotated)
    }
    for at, item in enumerate(study.plan.items):
        rows = defaultdict(list)
        for row in queries.scores_of(store, [item.episode]):
            rows[row.evaluation].append(row)
        characters = queries.episode(store, item.episode).characters
        for who in study.annotators.values():
            done = who.done.get(at)
            if done is None:
                continue
            answers = (
                [
                    (a.seat, a.dimension, a.value, a.reason, a.evidence, a.quotes)
                    for a in known[who.name, at].answers
                ]
                if item.known
                else [
                    (r.seat, r.dimension, r.value, r.reason, tuple(r.evidence), tuple(r.quotes))
                    for r in rows[done.evaluation]
                ]
            )
            for seat, dimension, value, reason, evidence, quotes in answers:
                yield AnnotatorAnswer(
                    item=at,
                    episode=item.episode,
                    seat=seat,
                    character=characters[seat] if seat < len(characters) else "",
                    annotator=who.name,
                    dimension=dimension,
                    value=value,
                    reason=reason,
                    evidence=evidence,
                    quotes=quotes,
                    qualification=bool(item.known),
                    minutes=done.seconds / 60,
                    attentive=done.attentive,
                    evaluation=done.evaluation,
                )


def as_csv(rows: Iterator[AnnotatorAnswer]) -> str:
    """The same as CSV; seats from 1, lists with `` | `` between."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(AnnotatorAnswer.__struct_fields__)
    for row in rows:
        writer.writerow(
            (
                row.item + 1,
                row.episode,
                row.seat + 1,
                csv_text(row.character),
                row.annotator,
                row.dimension,
                "" if row.value is None else f"{row.value:g}",
                csv_text(row.reason),
                " | ".join(map(str, row.evidence)),
                csv_text(" | ".join(row.quotes)),
                int(row.qualification),
                f"{row.minutes:.2f}",
                "" if row.attentive is None else int(row.attentive),
                row.evaluation,
            )
        )
    return out.getvalue()
