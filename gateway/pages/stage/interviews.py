"""Questions to a character of an episode, and what it answered."""

import asyncio
from collections.abc import Mapping
from typing import Final

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from actors.interviews.ask_character import AskedMeanwhile
from actors.models.errors import BudgetSpent, ModelUnavailable
from gateway.errors import GatewayError
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, requires
from gateway.http.templates import page
from gateway.services.access.roles import Principal
from gateway.services.episodes.interview import (
    Interview,
    ask,
    asking_models,
    begin_interview,
    interviews,
)
from gateway.services.runs.confirm_destinations import Agree, NotAgreed, never
from store.errors import StoreError
from store.read_model import queries

_MISTAKES: Final = (
    GatewayError,
    StoreError,
    ValueError,
    AskedMeanwhile,
    BudgetSpent,
    ModelUnavailable,
)
"""What is wrong with a question, or keeps it from being answered; said to whoever asks."""


@get("/episodes/{episode:str}/interviews", guards=[requires("researcher")])
async def listed(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    episode: FromPath[str],
) -> Response[bytes]:
    """All interviews, and a form for the next question: as a page, or alone for the module."""
    at = request.query_params.get("at", "")
    return await _shown(request, gateway, principal, episode, {"at": at})


@post("/episodes/{episode:str}/interviews", guards=[requires("researcher")], status_code=200)
async def asked(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    episode: FromPath[str],
) -> Response[bytes]:
    """Ask: in an interview that there is, else in a new one. The same page again, with the answer
    or with why there is none."""
    fields = {name: str(value) for name, value in (await request.form()).items()}
    try:
        await _ask(gateway, principal, episode, fields)
    except _MISTAKES as error:
        given = {**fields, "fault": str(error), "agree": isinstance(error, NotAgreed)}
        return await _shown(request, gateway, principal, episode, given)
    return await _shown(request, gateway, principal, episode, {"at": fields.get("at", "")})


async def _ask(
    gateway: Gateway, principal: Principal, episode: str, fields: Mapping[str, str]
) -> None:
    store, question = gateway.store, fields.get("question", "")
    id_ = await asyncio.to_thread(queries.find_episode, store, episode)
    number = fields.get("number", "")
    agree: Agree = _agreed if fields.get("agreed") else never
    if number.isdecimal():
        which = int(number)
    else:
        at = fields.get("at", "")
        begun: Interview = await asyncio.to_thread(
            begin_interview,
            store,
            id_,
            int(fields.get("seat", "1")) - 1,
            at=int(at) if at.isdecimal() else None,
            mind=fields.get("mind", "").strip(),
            by=principal.name,
            agree=agree,
        )
        which = begun.number
    async with asking_models(gateway) as caller:
        await ask(store, id_, which, question, caller=caller, agree=agree)


def _agreed(_what: str, _destinations: object, /) -> None:
    """Somebody did, in the form."""


async def _shown(
    request: AnyRequest,
    gateway: Gateway,
    principal: Principal,
    episode: str,
    given: Mapping[str, object],
) -> Response[bytes]:
    row = await asyncio.to_thread(queries.episode, gateway.store, episode)
    found = await asyncio.to_thread(interviews, gateway.store, row.id)
    alone = "stage/part_interviews.html" if request.headers.get("x-part") else ""
    return page(
        request,
        alone or "stage/interviews.html",
        principal=principal,
        row=row,
        interviews=found,
        given=given,
    )
