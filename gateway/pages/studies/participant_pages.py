"""A participant's way through a study, page by page: plain forms, which work without a script."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

import structlog
from litestar import get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.studies.rules import AdmittedBefore, EndSession, NotAdmitted
from actors.studies.sessions import (
    AnswerQuestions,
    BadAnswers,
    ReadInstructions,
    consent_hash,
)
from events.study import Part
from gateway.http.context import Gateway
from gateway.http.forms import Form
from gateway.http.guards import AnyRequest
from gateway.http.origins import address_of, is_secure
from gateway.http.problems import Problem
from gateway.http.templates import PageOrRedirect, Visiting
from gateway.pages.studies.session_views import (
    AGAIN,
    THANKS,
    end_page,
    front,
    incomplete,
    message,
    questions_page,
    step_page,
    waiting,
)
from gateway.process.subscription import EventSubscriptions
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import DAY_S, new_principal
from gateway.services.participants.link_participants import NOT_LET_IN
from gateway.services.studies.participant_sessions import (
    UnknownStudy,
    Visit,
    advance,
    begin,
    carry_out,
    required,
    state_of,
    visit_of,
)
from gateway.services.studies.study_repository import now
from gateway.services.studies.supervisor import StudySupervisor
from store.errors import KeysNotShared, KeysUnavailable

log = structlog.get_logger(__name__)

SESSION_S: Final = 14 * DAY_S
"""How long a participant's token is good, in seconds."""


@get("/join/{study:str}")
async def join(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
    study: FromPath[str],
) -> PageOrRedirect:
    caring: StudySupervisor = gateway.studies
    state = await state_of(caring, study)
    visit = await asyncio.to_thread(visit_of, caring, study, state, visitor)
    if visit is None:
        return front(request, study, state, visitor, dict(request.query_params))
    return await _show(request, gateway, visit, visitor)


@post("/join/{study:str}/consent", status_code=303)
async def consented(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
    study: FromPath[str],
    data: Form,
) -> PageOrRedirect:
    """Somebody agrees, or does not: their session begins."""
    caring: StudySupervisor = gateway.studies
    state = await state_of(caring, study)
    visit = await asyncio.to_thread(visit_of, caring, study, state, visitor)
    if visit is not None:
        return _onward(study)
    if incomplete(state, _texts(data), visitor):
        return front(request, study, state, visitor, _texts(data))
    if str(data.get("hash", "")) != consent_hash(state.study):
        return front(request, study, state, visitor, _texts(data), "The text has changed.")
    caring.arrivals.take(address_of(request.scope))
    agreed = str(data.get("agreed", "")) == "yes"
    principal = new_principal("participant", expires_s=SESSION_S, study=study)
    try:
        await asyncio.to_thread(begin, caring, study, principal.name, _texts(data), agreed)
    except AdmittedBefore:
        return message(request, state.study, "You have been here before", AGAIN, visitor)
    except (KeysNotShared, KeysUnavailable) as error:
        log.warning("people_not_let_in", study=study, error=str(error))
        raise Problem(503, "not_open", NOT_LET_IN) from None
    except NotAdmitted as refused:
        title, text = THANKS[refused.outcome]
        return message(request, state.study, title, f"{text} ({refused.reason})", visitor)
    caring.wake(study)
    return _onward(study, await _cookies(request, gateway, principal))


@post("/join/{study:str}/instructions", status_code=303)
async def read_on(visit: Visiting, study: FromPath[str]) -> Redirect:
    """The instructions were read."""
    await asyncio.to_thread(
        carry_out, visit.gateway.studies, study, visit.principal, ReadInstructions()
    )
    return _onward(study)


@post("/join/{study:str}/{part:str}", status_code=303)
async def answered(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    study: FromPath[str],
    part: FromPath[str],
) -> PageOrRedirect:
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
        await asyncio.to_thread(carry_out, gateway.studies, study, principal, command)
    except BadAnswers as bad:
        visit = await required(gateway.studies, study, principal)
        return questions_page(request, visit, known, principal, values, bad.faults, 422)
    return _onward(study)


@post("/join/{study:str}/leave", status_code=303)
async def leave(
    gateway: NamedDependency[Gateway], principal: NamedDependency[Principal], study: FromPath[str]
) -> Redirect:
    """A participant goes before they play, or behind that."""
    visit = await required(gateway.studies, study, principal)
    end = EndSession(session=visit.place.session, outcome="left", at=now())
    await asyncio.to_thread(gateway.studies.studies.do, study, end)
    return _onward(study)


@post("/join/{study:str}/here", status_code=200)
async def here(visit: Visiting, study: FromPath[str]) -> dict[str, int]:
    """The lobby's page is open; whether it is still the one to show."""
    caring: StudySupervisor = visit.gateway.studies
    state = await state_of(caring, study)
    place = state.places.get(visit.principal.name)
    if visit.principal.study != study or place is None:
        raise UnknownStudy
    if place.where == "waiting":
        caring.presence.here(_hearing(visit.gateway), study, place.session)
        caring.wake(study)
    return {"waits": place.where == "waiting", **waiting(state, place)}


async def _show(
    request: AnyRequest, gateway: Gateway, visit: Visit, principal: Principal | None
) -> PageOrRedirect:
    caring: StudySupervisor = gateway.studies
    await asyncio.to_thread(advance, caring, visit.study, visit.place.session)
    assert principal is not None
    visit = await required(caring, visit.study, principal)
    study, step = visit.state.study, visit.step
    match step:
        case "screening" | "comprehension" | "questionnaire":
            return questions_page(request, visit, step, principal)
        case "instructions":
            again = visit.session.last("comprehension") is not None
            return step_page(
                request, "instructions", visit.study, study, principal, step,
                pages=study.instructions, again=again,
            )  # fmt: skip
        case "lobby":
            caring.presence.here(_hearing(gateway), visit.study, visit.place.session)
            caring.wake(visit.study)
            told = waiting(visit.state, visit.place)
            return step_page(request, "lobby", visit.study, study, principal, step, **told)
        case "playing":
            # What has just ended there need not wait for the next look.
            await caring.follow(visit.study, visit.state.groups[visit.place.episode])
            visit = await required(caring, visit.study, principal)
            if visit.step == "playing":
                return await _to_seat(request, gateway, visit, principal)
            return _onward(visit.study)
    return end_page(request, visit, principal)


async def _to_seat(
    request: AnyRequest, gateway: Gateway, visit: Visit, principal: Principal
) -> Redirect:
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


def _hearing(gateway: Gateway) -> EventSubscriptions | None:
    """Where other gateways are told; None: there is nothing live here."""
    return None if gateway.live is None else gateway.live.hearing


def _onward(study: str, cookies: Sequence[Cookie] = ()) -> Redirect:
    return Redirect(f"/join/{study}", status_code=303, cookies=list(cookies))


async def _cookies(request: AnyRequest, gateway: Gateway, principal: Principal) -> list[Cookie]:
    access = gateway.access
    token = await asyncio.to_thread(access.token_for, principal, by="study")
    secure = is_secure(request.scope, access.outside)
    return access.cookies(token, "", secure=secure, expires=principal.expires)


def _texts(data: Mapping[str, object]) -> dict[str, str]:
    return {name: value for name, value in data.items() if isinstance(value, str)}


def routes() -> Sequence[ControllerRouterHandler]:
    return [join, consented, read_on, answered, leave, here]
