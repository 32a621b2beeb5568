"""What participants are shown on their way through a study."""

from collections.abc import Mapping
from typing import Any, Final

from litestar import Response

from actors.studies.rules import is_full
from actors.studies.sessions import STEPS, Step, consent_hash, questions
from actors.studies.state import Place, StudyState
from events.study import Outcome, Part, Study
from gateway.http.guards import AnyRequest
from gateway.http.templates import page
from gateway.services.access.roles import Principal
from gateway.services.studies.participant_sessions import Visit
from gateway.services.studies.recruitment import kept, lacking, redirect_to
from gateway.services.studies.study_repository import now

THANKS: Final[Mapping[Outcome, tuple[str, str]]] = {
    "completed": ("Thank you!", "You have done everything there was to do."),
    "declined": ("Thank you for your time", "You did not agree, so nothing further is asked."),
    "screened_out": (
        "Thank you for your interest",
        "This study needs people with other answers to the first questions.",
    ),
    "not_understood": (
        "Thank you for your time",
        "The study needs every question on the instructions answered right.",
    ),
    "nobody_came": (
        "Thank you for waiting",
        "Nobody came for you to talk with. You are paid for your time all the same.",
    ),
    "dropped": ("Your part has ended", "You left the conversation before its end."),
    "idle": ("Your part has ended", "Nothing happened here for a long time."),
    "full": ("Thank you for coming", "Everybody who is needed has come already."),
    "closed": ("The study is closed", "It ended before it was your turn."),
    "left": ("You have left the study", "Nothing further is asked of you."),
}
"""What participants read at their end."""
INCOMPLETE: Final = (
    "This link is incomplete",
    "Something is missing from its end, by which participants are told apart. Please open the link "
    "again from where you found it, and use all of it.",
)
AGAIN: Final = (
    "Everybody may take part once. If you were in the middle of it, please go on in the browser "
    "in which you began."
)


def waiting(state: StudyState, place: Place) -> dict[str, int]:
    """What somebody in the lobby is told. Not how many others wait: who counts could tell from it
    whether it is a person that they meet."""
    left = state.study.lobby.limit_s - (now() - place.since) / 1e6
    return {"left_s": max(0, round(left))}


def front(
    request: AnyRequest,
    study: str,
    state: StudyState,
    visitor: Principal | None,
    fields: Mapping[str, str],
    fault: str = "",
) -> Response[bytes]:
    """The first page: what there is to agree to."""
    if state.status == "closed":
        return message(request, state.study, *THANKS["closed"], visitor)
    if state.status != "open":
        why = "It has not begun yet." if state.status == "planned" else "It takes a break."
        text = f"{why} Please try again later."
        return message(request, state.study, "Nobody can come in just now", text, visitor)
    if is_full(state):
        return message(request, state.study, *THANKS["full"], visitor)
    if incomplete(state, fields, visitor):
        return message(request, state.study, *INCOMPLETE, visitor)
    return step_page(
        request,
        "consent",
        study,
        state.study,
        visitor,
        "consent",
        consent=state.study.consent,
        hash=consent_hash(state.study),
        parameters=kept(state.study.recruitment, fields),
        fault=fault,
        stranger=visitor if visitor is not None and visitor.role != "participant" else None,
    )


def incomplete(state: StudyState, fields: Mapping[str, str], visitor: Principal | None) -> bool:
    """Whether somebody came by a link that does not tell them apart. Researchers who look at a
    study of their own may."""
    staff = visitor is not None and visitor.knows_all
    return bool(lacking(state.study.recruitment, fields)) and not staff


def questions_page(
    request: AnyRequest,
    visit: Visit,
    part: Part,
    principal: Principal | None,
    values: Mapping[str, tuple[str, ...]] | None = None,
    faults: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response[bytes]:
    """A page of questions; what was answered, and what is wrong with it."""
    study = visit.state.study
    if not questions(study, part):
        return step_page(request, "nothing", visit.study, study, principal, part)
    left = study.tries - visit.session.tries("comprehension") if part == "comprehension" else 0
    return step_page(
        request,
        "questions",
        visit.study,
        study,
        principal,
        part,
        status=status,
        part=part,
        questions=questions(study, part),
        values=values or {},
        faults=faults or {},
        left=left,
        again=visit.session.tries(part) > 0,
    )


def end_page(request: AnyRequest, visit: Visit, principal: Principal | None) -> Response[bytes]:
    """The last page, with the completion code."""
    place, study = visit.place, visit.state.study
    assert place.outcome is not None
    title, text = THANKS[place.outcome]
    return step_page(
        request,
        "end",
        visit.study,
        study,
        principal,
        "end",
        title=title,
        text=text,
        code=place.code,
        pseudonym=place.participant,
        redirect=redirect_to(study.recruitment, place.code),
    )


def message(
    request: AnyRequest, study: Study, title: str, text: str, visitor: Principal | None
) -> Response[bytes]:
    """A sentence to somebody who does not come in."""
    return page(
        request,
        "studies/message.html",
        principal=visitor,
        bare=True,
        study=study,
        title=title,
        text=text,
    )


def step_page(
    request: AnyRequest,
    template: str,
    id_: str,
    study: Study,
    principal: Principal | None,
    step: Step,
    *,
    status: int = 200,
    **context: Any,
) -> Response[bytes]:
    """A page of the way through, with how far it is."""
    steps = steps_of(study)
    shown = "lobby" if step == "playing" else step
    return page(
        request,
        f"studies/{template}.html",
        principal=principal,
        status=status,
        bare=True,
        id=id_,
        study=study,
        step=step,
        number=steps.index(shown) + 1 if shown in steps else len(steps),
        steps=len(steps),
        **context,
    )


def steps_of(study: Study) -> list[Step]:
    """The pages that a study has, in order; playing is counted with the lobby."""
    has = {
        "screening": bool(study.screening),
        "instructions": bool(study.instructions),
        "comprehension": bool(study.comprehension),
        "questionnaire": bool(study.questionnaire),
        "playing": False,
    }
    return [step for step in STEPS if has.get(step, True)]
