"""Annotation studies: planned, watched, closed and exported."""

import msgspec

from actors.annotation import rules as annotating
from evaluators.judges.judge_file import UnknownJudge, judge_among, parse_judge
from events.annotation import AnnotationPlanned
from events.ids import ANNOTATION
from gateway.api.operations import Call, File, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.problems import Refusal
from gateway.api.resources.runs import Text, Words
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.services.annotations.plan_annotation import AnnotationMeant, meaning_of, planned
from gateway.services.annotations.plan_file import AnnotationFile, parse_plan
from gateway.services.annotations.study_details import (
    StudyDetails,
    StudyRow,
    as_csv,
    row_of,
    said_in,
    study_details,
    study_rows,
)


class NewAnnotation(AnnotationFile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An annotation study to be planned: the fields of its plan, or the plan's text."""

    plan: Text = ""
    """A plan file's text, TOML, in the place of all other fields but ``judges``."""
    judges: dict[Words, Text] = msgspec.field(default_factory=dict)
    """Judge files' texts, by the names under which the plan uses them; built-in judges need
    none."""


@operation("GET", "/annotations", tag="people", keeping="head")
def list_annotations(call: Call, query: Paged) -> Page[StudyRow]:
    """Annotation studies, and how far they have come."""
    return slice_of(study_rows(call.store), query, lambda row: row.id)


@operation("GET", "/annotations/{annotation}", tag="people", keeping="head")
def get_annotation(call: Call, annotation: str) -> StudyDetails:
    """An annotation study and its annotators."""
    return study_details(call.store, annotation)


@operation("POST", "/annotations", tag="people", status=201)
def plan_annotation(call: Call, body: NewAnnotation) -> StudyRow:
    """Have people judge episodes: by a rubric, or in a judge's dimensions and words.

    Sent again with the same ``Idempotency-Key`` it is the same study.
    """
    studies = AnnotationStudies(call.store)
    id_ = studies.plan(_planned(call, body), call.new_id(ANNOTATION))
    return row_of(id_, studies.load(id_).state)


@operation("POST", "/annotation-checks", tag="people", changes=False)
def check_annotation(call: Call, body: NewAnnotation) -> AnnotationMeant:
    """Say what an annotation study's plan means, and what is wrong with it. Nothing is stored."""
    return meaning_of(_planned(call, body))


def _planned(call: Call, body: NewAnnotation) -> AnnotationPlanned:
    own = msgspec.structs.asdict(body)
    plan, judges = own.pop("plan"), own.pop("judges")
    file = AnnotationFile(**own)
    if plan:
        if file != AnnotationFile():
            why = "says all of it: give either the plan's text or its fields"
            raise Refusal("invalid", why, "plan")
        file = parse_plan(plan)
    known = {name: parse_judge(text, name) for name, text in judges.items()}
    try:
        return planned(call.store, file, by=call.principal.name, judge=judge_among(known))
    except UnknownJudge as error:
        raise Refusal("invalid", str(error), "judge") from error


@operation("POST", "/annotations/{annotation}/close", tag="people")
def close_annotation(call: Call, annotation: str) -> StudyRow:
    """Have an annotation study take no more."""
    return _annotated(call, annotation, annotating.CloseStudy(by=call.principal.name))


@operation("POST", "/annotations/{annotation}/open", tag="people")
def open_annotation(call: Call, annotation: str) -> StudyRow:
    """Have a closed annotation study go on."""
    return _annotated(call, annotation, annotating.OpenStudy(by=call.principal.name))


def _annotated(
    call: Call, given: str, command: annotating.CloseStudy | annotating.OpenStudy
) -> StudyRow:
    studies = AnnotationStudies(call.store)
    id_ = studies.find(given)
    return row_of(id_, studies.do(id_, command))


@operation("GET", "/annotations/{annotation}/export", tag="people", media_type="text/csv")
def export_annotations(call: Call, annotation: str) -> File:
    """What annotators said, as CSV."""
    id_ = AnnotationStudies(call.store).find(annotation)
    return File(as_csv(said_in(call.store, id_)).encode(), f"{id_}.csv", "text/csv")
