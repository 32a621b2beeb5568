"""Questions to a character of an episode, and what it answered."""

import asyncio
from collections.abc import Mapping
from typing import Final

from litestar import Response, get, post
from litestar.params import FromPath

from actors.interviews.ask_character import AskedMeanwhile
from actors.models.errors import BudgetSpent, ModelUnavailable
from gateway.errors import GatewayError
from gateway.http.guards import requires
from gateway.http.templates import PageVisit, Visiting
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
async def listed(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    """All interviews, and a form for the next question: as a page, or alone for the module."""
    at = visit.request.query_params.get("at", "")
    return await _shown(visit, episode, {"at": at})


@post("/episodes/{episode:str}/interviews", guards=[requires("researcher")], status_code=200)
async def asked(visit: Visiting, episode: FromPath[str]) -> Response[bytes]:
    """Ask: in an interview that there is, else in a new one. The same page again, with the answer
    or with why there is none."""
    fields = {name: str(value) for name, value in (await visit.request.form()).items()}
    try:
        await _ask(visit, episode, fields)
    except _MISTAKES as error:
        given = {**fields, "fault": str(error), "agree": isinstance(error, NotAgreed)}
        return await _shown(visit, episode, given)
    return await _shown(visit, episode, {"at": fields.get("at", "")})


async def _ask(visit: PageVisit, episode: str, fields: Mapping[str, str]) -> None:
    store, question = visit.store, fields.get("question", "")
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
            by=visit.principal.name,
            agree=agree,
        )
        which = begun.number
    async with asking_models(visit.gateway) as caller:
        await ask(store, id_, which, question, caller=caller, agree=agree)


def _agreed(_what: str, _destinations: object, /) -> None:
    """Somebody did, in the form."""


async def _shown(
    visit: PageVisit,
    episode: str,
    given: Mapping[str, object],
) -> Response[bytes]:
    row = await asyncio.to_thread(queries.episode, visit.store, episode)
    found = await asyncio.to_thread(interviews, visit.store, row.id)
    alone = "stage/part_interviews.html" if visit.request.headers.get("x-part") else ""
    return visit.page(
        alone or "stage/interviews.html",
        row=row,
        interviews=found,
        given=given,
    )
