"""Studies with people: planned, opened, watched, closed, exported; and their participants' words
erased."""

import io
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from actors.studies.rules import Close, Command, Pause
from actors.studies.state import StudyState
from events.base import Value
from events.ids import RUN, STUDY
from gateway.api.operations import Call, File, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.resources.runs import Text
from gateway.services.participants.erase_words import Erasure
from gateway.services.studies.erase_participant import erase
from gateway.services.studies.example_file import TEMPLATE
from gateway.services.studies.export_study import export_study
from gateway.services.studies.open_study import open_study as let_in
from gateway.services.studies.plan_study import plan_study, prepare_text
from gateway.services.studies.preview import StudyMeant, meaning_of
from gateway.services.studies.study_counts import counts_of
from gateway.services.studies.study_repository import Studies, now


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
    link: str
    """Where participants come in, on whichever server of the store."""


class StudyText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A study, as it is written."""

    plan: Text
    """A study file's text, TOML."""


class NewStudy(StudyText, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A study to be planned."""

    open: bool = False
    """Let people in at once."""


class StudyTemplate(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A study to begin with."""

    plan: str
    """A study file's text, commented: a whole small study, to be edited."""


class Erased(Value, frozen=True, kw_only=True, omit_defaults=False):
    """Words that are gone for good."""

    participant: str
    """The pseudonym."""
    changed: bool
    """It was this request that erased them."""
    outcome: Erasure
    """What it came to."""


@operation("GET", "/studies", tag="people", keeping="head")
def list_studies(call: Call, query: Paged) -> Page[StudyFound]:
    """Studies, and how they go."""
    rows = [_study(one.id, one.state) for one in Studies(call.store).all()]
    return slice_of(rows, query, lambda row: row.id)


@operation("GET", "/studies/{study}", tag="people", keeping="head")
def get_study(call: Call, study: str) -> StudyFound:
    """Show participants' progress and how full each condition is."""
    studies = Studies(call.store)
    found = studies.load(studies.find(study))
    return _study(found.id, found.state)


@operation("POST", "/studies", tag="people", status=201)
def plan_a_study(call: Call, body: NewStudy) -> StudyFound:
    """Plan a study with people.

    The plan is checked as a whole first. Nobody comes in before it is opened. Sent again with the
    same ``Idempotency-Key`` it is the same study.
    """
    read = prepare_text(call.store, body.plan)
    by = call.principal.name
    id_ = plan_study(call.store, read, by, study=call.new_id(STUDY), run=call.new_id(RUN))
    known = Studies(call.store)
    if body.open:
        let_in(known, id_, by)
    return _study(id_, known.load(id_).state)


@operation("POST", "/study-checks", tag="people", changes=False)
def check_study(call: Call, body: StudyText) -> StudyMeant:
    """Say what a study's plan means, and what is wrong with it. Nothing is stored."""
    return meaning_of(prepare_text(call.store, body.plan))


@operation("GET", "/study-template", tag="people")
def get_study_template(call: Call) -> StudyTemplate:
    """A study to begin with: commented, offline, to be edited."""
    del call
    return StudyTemplate(plan=TEMPLATE)


@operation("POST", "/studies/{study}/open", tag="people")
def open_study(call: Call, study: str) -> StudyFound:
    """Let people in."""
    studies = Studies(call.store)
    id_ = studies.find(study)
    return _study(id_, let_in(studies, id_, call.principal.name))


@operation("POST", "/studies/{study}/pause", tag="people")
def pause_study(call: Call, study: str) -> StudyFound:
    """Pause admission; participants who have begun continue."""
    return _done(call, study, Pause(by=call.principal.name))


@operation("POST", "/studies/{study}/close", tag="people")
def close_study(call: Call, study: str) -> StudyFound:
    """Close admission; participants who have begun continue to the end."""
    return _done(call, study, Close(by=call.principal.name, at=now()))


@operation("GET", "/studies/{study}/export", tag="people", media_type="application/zip")
def export_a_study(call: Call, study: str) -> File:
    """All of a study as CSV and JSON lines, in a ZIP file."""
    id_ = Studies(call.store).find(study)
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
    """Erase what one participant said, for good, here and in every backup that holds no keys."""
    id_ = Studies(call.store).find(study)
    done = erase(call.store, id_, participant, call.principal.name)
    return Erased(participant=participant, changed=done == "erased", outcome=done)


def _done(call: Call, study: str, command: Command) -> StudyFound:
    studies = Studies(call.store)
    id_ = studies.find(study)
    return _study(id_, studies.do(id_, command))


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
        link=f"/join/{id_}",
    )
