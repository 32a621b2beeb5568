"""People: studies, annotation studies, interviews, and how far people agree."""

import asyncio
import io
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from actors.annotating import rules as annotating
from actors.interviews.interview import Exchange
from actors.studies.rules import Close, Command, Open, Pause
from actors.studies.state import StudyState
from evaluators.populations import Population
from evaluators.registry import built_in
from events.base import Value
from gateway.annotating.agreeing import PeopleAgreement, agreement_of
from gateway.annotating.plan_file import AnnotationFile
from gateway.annotating.planning import planned
from gateway.annotating.showing import (
    StudyDetails,
    StudyRow,
    as_csv,
    row_of,
    said_in,
    study_details,
    study_rows,
)
from gateway.annotating.stored import carry_out, load, plan_study
from gateway.annotating.stored import find_study as find_annotation
from gateway.api.episodes import number
from gateway.api.operations import Call, File, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.problems import Refusal
from gateway.api.runs import Words
from gateway.consent import Destination, never
from gateway.interviewing import ask, asking_models, begin_interview, interviews
from gateway.studies.counts import counts_of
from gateway.studies.erasing import erase
from gateway.studies.exporting import export_study
from gateway.studies.stored import Studies, find_study, now, study_ids
from store import queries

Place = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class StudyFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A study, and how it goes."""

    id: str
    """Its id."""
    name: str
    """What it is called."""
    status: str
    """Whether it lets people in."""
    run: str
    """The run that its episodes are of."""
    came: int
    """Participants so far."""
    inside: int
    """Those who have not come to their end."""
    where: dict[str, int]
    """How many are where, in the order of the way through."""
    outcomes: dict[str, int]
    """How sessions ended."""
    conditions: tuple[dict[str, Any], ...]
    """How full each condition is."""


class Erased(Value, frozen=True, kw_only=True, omit_defaults=False):
    """Words that are gone for good."""

    participant: str
    """The pseudonym."""
    changed: bool
    """There was something to erase."""


class InterviewFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """What a character was asked, and what it answered."""

    number: int
    """Which of the episode's interviews it is: 1, 2, 3, …"""
    seat: int
    """Whose, from 1."""
    exchanges: tuple[Exchange, ...]
    """In order."""


class NewInterview(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to be asked."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """Whose character, from 1."""
    at: Place | None = None
    """It knows events up to this one; left out: all so far."""
    mind: Words = ""
    """Who answers for it, as forks name minds; empty: the mind in the seat."""
    agreed: bool = False
    """Of an episode that came in a file: you agree that its model is asked."""


class NewQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question to a character."""

    question: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]
    """In your words."""


class AmongPeople(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose annotations."""

    run: Annotated[tuple[Words, ...], msgspec.Meta(min_length=1, max_length=20)]
    """Runs whose episodes people annotated."""
    judge: Annotated[tuple[Words, ...], msgspec.Meta(max_length=50)] = ()
    """Beside people; may be repeated; left out: all."""
    population: Population | None = None
    """What intervals speak of; left out: what is usual for these scores."""


@operation("GET", "/studies", tag="people", keeping="head")
def list_studies(call: Call, query: Paged) -> Page[StudyFound]:
    """Studies, and how they go."""
    known = Studies(call.store)
    rows = [_study(id_, known.load(id_).state) for id_ in study_ids(call.store)]
    return slice_of(rows, query, lambda row: row.id)


@operation("GET", "/studies/{study}", tag="people", keeping="head")
def get_study(call: Call, study: str) -> StudyFound:
    """How a study goes: who is where, and how full each condition is."""
    id_ = find_study(call.store, study)
    return _study(id_, Studies(call.store).load(id_).state)


@operation("POST", "/studies/{study}/open", tag="people")
def open_study(call: Call, study: str) -> StudyFound:
    """Let people in."""
    return _done(call, study, Open(by=call.principal.name))


@operation("POST", "/studies/{study}/pause", tag="people")
def pause_study(call: Call, study: str) -> StudyFound:
    """Let nobody in for a while; who is inside goes on."""
    return _done(call, study, Pause(by=call.principal.name))


@operation("POST", "/studies/{study}/close", tag="people")
def close_study(call: Call, study: str) -> StudyFound:
    """Let nobody in any more; who plays goes on to the end."""
    return _done(call, study, Close(by=call.principal.name, at=now()))


@operation("GET", "/studies/{study}/export", tag="people", media_type="application/zip")
def export_a_study(call: Call, study: str) -> File:
    """All of a study as CSV and JSON lines, in a ZIP file."""
    id_ = find_study(call.store, study)
    with tempfile.TemporaryDirectory(prefix="troupe-study-") as folder:
        files = export_study(call.store, id_, Path(folder))
        return File(_zipped(files), f"{id_}.zip", "application/zip")


def _zipped(files: Sequence[Path]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.name)
    return packed.getvalue()


@operation("POST", "/studies/{study}/participants/{participant}/erase", tag="people")
def erase_participant(call: Call, study: str, participant: str) -> Erased:
    """Erase what one participant said, for good, here and in every backup."""
    id_ = find_study(call.store, study)
    changed = erase(call.store, id_, participant, call.principal.name)
    return Erased(participant=participant, changed=changed)


def _done(call: Call, study: str, command: Command) -> StudyFound:
    id_ = find_study(call.store, study)
    return _study(id_, Studies(call.store).do(id_, command))


def _study(id_: str, state: StudyState) -> StudyFound:
    counts = counts_of(state)
    return StudyFound(
        id=id_,
        name=state.study.name,
        status=state.status,
        run=state.run,
        came=counts.came,
        inside=counts.inside,
        where=counts.where,
        outcomes=counts.outcomes,
        conditions=tuple(one._asdict() for one in counts.conditions),
    )


@operation("GET", "/annotations", tag="people", keeping="head")
def list_annotations(call: Call, query: Paged) -> Page[StudyRow]:
    """Annotation studies, and how far they have come."""
    return slice_of(study_rows(call.store), query, lambda row: row.id)


@operation("GET", "/annotations/{annotation}", tag="people", keeping="head")
def get_annotation(call: Call, annotation: str) -> StudyDetails:
    """An annotation study and its annotators."""
    return study_details(call.store, annotation)


@operation("POST", "/annotations", tag="people", status=201)
def plan_annotation(call: Call, body: AnnotationFile) -> StudyRow:
    """Have people judge episodes: by a rubric, or in the words of a built-in judge."""
    if body.judge and body.judge not in built_in():
        raise Refusal(
            "invalid", "name a built-in judge; files are read by the command line", "judge"
        )
    event = planned(call.store, body, by=call.principal.name)
    id_ = plan_study(call.store, event)
    return row_of(id_, load(call.store, id_).study)


@operation("POST", "/annotations/{annotation}/close", tag="people")
def close_annotation(call: Call, annotation: str) -> StudyRow:
    """Have an annotation study take no more."""
    return _annotated(call, annotation, annotating.Close(by=call.principal.name))


@operation("POST", "/annotations/{annotation}/open", tag="people")
def open_annotation(call: Call, annotation: str) -> StudyRow:
    """Have a closed annotation study go on."""
    return _annotated(call, annotation, annotating.Open(by=call.principal.name))


def _annotated(call: Call, given: str, command: annotating.Close | annotating.Open) -> StudyRow:
    id_ = find_annotation(call.store, given)
    return row_of(id_, carry_out(call.store, id_, command))


@operation("GET", "/annotations/{annotation}/export", tag="people", media_type="text/csv")
def export_annotations(call: Call, annotation: str) -> File:
    """What annotators said, as CSV."""
    id_ = find_annotation(call.store, annotation)
    return File(as_csv(said_in(call.store, id_)).encode(), f"{id_}.csv", "text/csv")


@operation("GET", "/people-agreement", tag="people", keeping="head")
def compare_people(call: Call, query: AmongPeople) -> PeopleAgreement:
    """How far people agree, and judges with them."""
    runs = [queries.find_run(call.store, run) for run in query.run]
    return agreement_of(call.store, runs, query.judge, query.population)


@operation("GET", "/episodes/{episode}/interviews", tag="people", keeping="head")
def list_interviews(call: Call, episode: str) -> tuple[InterviewFound, ...]:
    """What the characters of an episode were asked afterwards, and what they answered."""
    id_ = queries.find_episode(call.store, episode)
    return tuple(
        InterviewFound(number=one.number, seat=one.begun.seat + 1, exchanges=one.exchanges)
        for one in interviews(call.store, id_)
        if one.begun is not None
    )


@operation("POST", "/episodes/{episode}/interviews", tag="people", status=201)
def begin_an_interview(call: Call, episode: str, body: NewInterview) -> InterviewFound:
    """Begin to ask a character about what it lived through. The episode notices nothing of it."""
    id_ = queries.find_episode(call.store, episode)
    found = begin_interview(
        call.store,
        id_,
        body.seat - 1,
        at=body.at,
        mind=body.mind,
        by=call.principal.name,
        agree=_agreed if body.agreed else never,
    )
    return InterviewFound(number=found.number, seat=body.seat, exchanges=found.exchanges)


def _agreed(_what: str, _destinations: Sequence[Destination], /) -> None:
    """Whoever asked has said so."""


@operation("POST", "/episodes/{episode}/interviews/{interview}/questions", tag="people")
async def ask_character(call: Call, episode: str, interview: str, body: NewQuestion) -> Exchange:
    """Ask a character something; the mind that played it answers. The episode's run pays."""
    id_ = await asyncio.to_thread(queries.find_episode, call.store, episode)
    place = number("interview", interview)
    async with asking_models(call.gateway) as caller:
        return await ask(call.store, id_, place, body.question, caller=caller)
