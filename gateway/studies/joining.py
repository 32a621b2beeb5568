"""A participant's way through a study, page by page: plain forms, which work without a script."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.params import Body, FromPath
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.studies.rules import (
    Admit,
    AdmittedBefore,
    End,
    NotAdmitted,
    Wait,
    is_full,
)
from actors.studies.sessions import (
    STEPS,
    AnswerQuestions,
    BadAnswers,
    GiveConsent,
    ReadInstructions,
    SessionState,
    Step,
    consent_hash,
    decide_session,
    outcome_due,
    questions,
    step_of,
)
from actors.studies.state import Place, StudyState
from events.base import Event
from events.study import Outcome, Part, SessionBegan, Study
from gateway.access.issuing import DAY_S, new_principal
from gateway.access.origins import address_of, is_secure
from gateway.access.roles import Principal
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest
from gateway.http.pages import page
from gateway.http.problems import Problem
from gateway.studies.caring import Caring
from gateway.studies.codes import new_code
from gateway.studies.recruiting import fingerprint, kept, redirect_to
from gateway.studies.stored import load_session, now, record
from store.errors import Conflict
from store.log import NEW
from store.participant_keys import use_keys_of

SESSION_S: Final = 14 * DAY_S
"""How long a participant's token is good, in seconds."""
Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]

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


class Visit(NamedTuple):
    """A participant who comes back."""

    study: str
    state: StudyState
    place: Place
    session: SessionState
    version: int
    """Of the session's stream."""

    @property
    def step(self) -> Step:
        """Where they are."""
        return step_of(self.state.study, self.session, self.place)


class NoStudy(Problem):
    """A link to nowhere."""

    def __init__(self) -> None:
        super().__init__(404, "unknown_study", "there is no such study; please check the link")


@get("/join/{study:str}")
async def join(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
    study: FromPath[str],
) -> Response[Any]:
    """The page where a participant is."""
    caring: Caring = gateway.studies
    state = await _state(caring, study)
    visit = await asyncio.to_thread(_visit, caring, study, state, visitor)
    if visit is None:
        return _front(request, study, state, visitor, dict(request.query_params))
    return await _show(request, gateway, visit, visitor)


@post("/join/{study:str}/consent", status_code=303)
async def consented(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
    study: FromPath[str],
    data: Form,
) -> Response[Any]:
    """Somebody agrees, or does not: their session begins."""
    caring: Caring = gateway.studies
    state = await _state(caring, study)
    visit = await asyncio.to_thread(_visit, caring, study, state, visitor)
    if visit is not None:
        return _onward(study)
    if str(data.get("hash", "")) != consent_hash(state.study):
        return _front(request, study, state, visitor, _texts(data), "The text has changed.")
    caring.arrivals.take(address_of(request.scope))
    agreed = str(data.get("agreed", "")) == "yes"
    principal = new_principal("participant", expires_s=SESSION_S, study=study)
    try:
        await asyncio.to_thread(_begin, caring, study, principal.name, _texts(data), agreed)
    except AdmittedBefore:
        return _message(request, state.study, "You have been here before", AGAIN, visitor)
    except NotAdmitted as refused:
        title, text = THANKS[refused.outcome]
        return _message(request, state.study, title, f"{text} ({refused.reason})", visitor)
    caring.wake(study)
    return _onward(study, await _cookies(request, gateway, principal))


AGAIN: Final = (
    "Everybody may take part once. If you were in the middle of it, please go on in the browser "
    "in which you began."
)


@post("/join/{study:str}/instructions", status_code=303)
async def read_on(
    gateway: NamedDependency[Gateway], principal: NamedDependency[Principal], study: FromPath[str]
) -> Response[Any]:
    """The instructions were read."""
    await asyncio.to_thread(_carry_out, gateway.studies, study, principal, ReadInstructions())
    return _onward(study)


@post("/join/{study:str}/{part:str}", status_code=303)
async def answered(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    study: FromPath[str],
    part: FromPath[str],
) -> Response[Any]:
    """A page of questions was answered."""
    if part not in ("screening", "comprehension", "questionnaire"):
        raise Problem(404, "not_found", "there is no such page")
    known: Part = part  # type: ignore[assignment]
    form = await request.form()
    values = {
        name.removeprefix("q-"): tuple(str(value) for value in form.getall(name))
        for name in form
        if name.startswith("q-")
    }
    command = AnswerQuestions(part=known, values=values)
    try:
        await asyncio.to_thread(_carry_out, gateway.studies, study, principal, command)
    except BadAnswers as bad:
        visit = await _required(gateway.studies, study, principal)
        return _questions(request, visit, known, principal, values, bad.faults, 422)
    return _onward(study)


@post("/join/{study:str}/leave", status_code=303)
async def leave(
    gateway: NamedDependency[Gateway], principal: NamedDependency[Principal], study: FromPath[str]
) -> Response[Any]:
    """A participant goes before they play, or behind that."""
    visit = await _required(gateway.studies, study, principal)
    end = End(session=visit.place.session, outcome="left", at=now())
    await asyncio.to_thread(gateway.studies.studies.do, study, end)
    return _onward(study)


@post("/join/{study:str}/here", status_code=200)
async def here(
    gateway: NamedDependency[Gateway], principal: NamedDependency[Principal], study: FromPath[str]
) -> dict[str, Any]:
    """The lobby's page is open; whether it is still the one to show."""
    caring: Caring = gateway.studies
    state = await _state(caring, study)
    place = state.places.get(principal.name)
    if principal.study != study or place is None:
        raise NoStudy
    if place.where == "waiting":
        caring.presence.here(gateway.bus, study, place.session)
        caring.wake(study)
    return {"waits": place.where == "waiting", **_waiting(state, place)}


def _waiting(state: StudyState, place: Place) -> dict[str, Any]:
    """What somebody in the lobby is told. Not how many others wait: who counts could tell from it
    whether it is a person that they meet."""
    left = state.study.lobby.limit_s - (now() - place.since) / 1e6
    return {"left_s": max(0, round(left))}


# ------------------------------------------------------------------------------ what happens


async def _state(caring: Caring, study: str) -> StudyState:
    try:
        return (await asyncio.to_thread(caring.studies.load, study)).state
    except LookupError:
        raise NoStudy from None


def _visit(
    caring: Caring, study: str, state: StudyState, visitor: Principal | None
) -> Visit | None:
    if visitor is None or visitor.role != "participant" or visitor.study != study:
        return None
    place = state.places.get(visitor.name)
    session = load_session(caring.studies.store, visitor.name)
    if place is None or session is None:
        return None
    return Visit(study, state, place, session.state, session.version)


async def _required(caring: Caring, study: str, principal: Principal) -> Visit:
    state = await _state(caring, study)
    visit = await asyncio.to_thread(_visit, caring, study, state, principal)
    if visit is None:
        raise NoStudy
    return visit


def _begin(
    caring: Caring, study: str, participant: str, fields: Mapping[str, str], agreed: bool
) -> None:
    store, state = caring.studies.store, caring.studies.load(study).state
    recruitment = state.study.recruitment
    keys = use_keys_of(store.url)
    parameters = kept(recruitment, fields)
    who = fingerprint(recruitment, parameters, keys.make(f"study-{study}"))
    # Refused first: who may not come in leaves no key behind.
    caring.studies.do(study, Admit(session=participant, participant=participant, who=who, at=now()))
    keys.make(participant)
    began = SessionBegan(study=study, participant=participant, parameters=parameters)
    record(store, participant, participant, NEW, [began])
    session = load_session(store, participant)
    assert session is not None, "it has just begun"
    given = GiveConsent(hash=consent_hash(state.study), agreed=agreed)
    place = caring.studies.load(study).state.places[participant]
    events = decide_session(state.study, session.state, place, given)
    record(store, participant, participant, session.version, events)
    _advance(caring, study, participant)


def _carry_out(
    caring: Caring,
    study: str,
    principal: Principal,
    command: ReadInstructions | AnswerQuestions | GiveConsent,
) -> None:
    """Have a participant's answer take effect, whoever else changes the session meanwhile. Raises
    ``BadAnswers``, ``CommandRefused``, ``NoStudy``."""
    while True:
        state = caring.studies.load(study).state
        visit = _visit(caring, study, state, principal)
        if visit is None:
            raise NoStudy
        events: Sequence[Event] = decide_session(state.study, visit.session, visit.place, command)
        try:
            if events:
                record(
                    caring.studies.store,
                    visit.place.session,
                    visit.place.participant,
                    visit.version,
                    events,
                )
        except Conflict:
            continue
        _advance(caring, study, visit.place.session)
        return


def _advance(caring: Caring, study: str, session: str) -> None:
    """What follows from how a session stands: its end, or the lobby. Repeated it changes nothing,
    so that what was cut off in the middle is made up for when the page is opened again."""
    loaded = caring.studies.load(study).state
    own = load_session(caring.studies.store, session)
    place = loaded.places[session]
    assert own is not None
    outcome = outcome_due(loaded.study, own.state, place)
    if outcome is not None:
        end = End(session=session, outcome=outcome, at=now(), code=new_code())
        caring.studies.do(study, end)
    elif place.where == "before" and step_of(loaded.study, own.state, place) == "lobby":
        caring.studies.do(study, Wait(session=session, at=now()))


# ------------------------------------------------------------------------------ pages


async def _show(
    request: AnyRequest, gateway: Gateway, visit: Visit, principal: Principal | None
) -> Response[Any]:
    caring: Caring = gateway.studies
    await asyncio.to_thread(_advance, caring, visit.study, visit.place.session)
    assert principal is not None
    visit = await _required(caring, visit.study, principal)
    study, step = visit.state.study, visit.step
    match step:
        case "screening" | "comprehension" | "questionnaire":
            return _questions(request, visit, step, principal)
        case "instructions":
            again = visit.session.last("comprehension") is not None
            return _step(
                request, "instructions", visit.study, study, principal, step,
                pages=study.instructions, again=again,
            )  # fmt: skip
        case "lobby":
            caring.presence.here(gateway.bus, visit.study, visit.place.session)
            caring.wake(visit.study)
            told = _waiting(visit.state, visit.place)
            return _step(request, "lobby", visit.study, study, principal, step, **told)
        case "playing":
            # What has just ended there need not wait for the next look.
            await caring.follow(visit.study, visit.state.groups[visit.place.episode])
            visit = await _required(caring, visit.study, principal)
            if visit.step == "playing":
                return await _to_seat(request, gateway, visit, principal)
            return _onward(visit.study)
    return _end(request, visit, principal)


async def _to_seat(
    request: AnyRequest, gateway: Gateway, visit: Visit, principal: Principal
) -> Response[Any]:
    """On to the episode, with a token for the seat there."""
    place = visit.place
    assert place.seat is not None
    path = f"/seat/{place.episode}/{place.seat + 1}"
    if principal.may_sit(place.episode, place.seat):
        return Redirect(path, status_code=303)
    seated = new_principal(
        "participant",
        name=principal.name,
        expires_s=SESSION_S,
        study=visit.study,
        episode=place.episode,
        seat=place.seat,
    )
    return Redirect(path, status_code=303, cookies=await _cookies(request, gateway, seated))


def _front(
    request: AnyRequest,
    study: str,
    state: StudyState,
    visitor: Principal | None,
    fields: Mapping[str, str],
    fault: str = "",
) -> Response[Any]:
    """The first page: what there is to agree to."""
    if state.status == "closed":
        return _message(request, state.study, *THANKS["closed"], visitor)
    if state.status != "open":
        why = "It has not begun yet." if state.status == "planned" else "It takes a break."
        text = f"{why} Please try again later."
        return _message(request, state.study, "Nobody can come in just now", text, visitor)
    if is_full(state):
        return _message(request, state.study, *THANKS["full"], visitor)
    return _step(
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


def _questions(
    request: AnyRequest,
    visit: Visit,
    part: Part,
    principal: Principal | None,
    values: Mapping[str, tuple[str, ...]] | None = None,
    faults: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response[Any]:
    study = visit.state.study
    if not questions(study, part):
        return _step(request, "nothing", visit.study, study, principal, part)
    left = study.tries - visit.session.tries("comprehension") if part == "comprehension" else 0
    return _step(
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


def _end(request: AnyRequest, visit: Visit, principal: Principal | None) -> Response[Any]:
    place, study = visit.place, visit.state.study
    assert place.outcome is not None
    title, text = THANKS[place.outcome]
    return _step(
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


def _message(
    request: AnyRequest, study: Study, title: str, text: str, visitor: Principal | None
) -> Response[Any]:
    return page(
        request,
        "studies/message.html",
        principal=visitor,
        bare=True,
        study=study,
        title=title,
        text=text,
    )


def _step(
    request: AnyRequest,
    template: str,
    id_: str,
    study: Study,
    principal: Principal | None,
    step: Step,
    *,
    status: int = 200,
    **context: Any,
) -> Response[Any]:
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


def _onward(study: str, cookies: Sequence[Cookie] = ()) -> Response[Any]:
    return Redirect(f"/join/{study}", status_code=303, cookies=list(cookies))


async def _cookies(request: AnyRequest, gateway: Gateway, principal: Principal) -> list[Cookie]:
    access = gateway.access
    token = await asyncio.to_thread(access.token_for, principal, by="study")
    secure = is_secure(request.scope, access.outside)
    return access.cookies(token, "", secure=secure, expires=principal.expires)


def _texts(data: Mapping[str, Any]) -> dict[str, str]:
    return {name: value for name, value in data.items() if isinstance(value, str)}


def routes() -> Sequence[ControllerRouterHandler]:
    """Of this part."""
    return [join, consented, read_on, answered, leave, here]
