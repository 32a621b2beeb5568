"""The page of a participant's seat: with a study or without one."""

import asyncio
from collections.abc import Sequence

from litestar import Response, get
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler

from gateway.http.guards import Forbidden
from gateway.http.problems import Problem
from gateway.http.templates import Visiting
from gateway.services.studies.study_repository import now
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model import queries


@get("/seat/{episode:str}/{seat:int}")
async def seat_page(
    visit: Visiting, episode: FromPath[str], seat: FromPath[int]
) -> Response[bytes]:
    """Where a person sits and plays. ``seat`` counts from 1. What they see comes over the socket,
    by the eyes of the seat; the page itself holds nothing of the episode."""
    if visit.principal.knows_all:
        episode = await asyncio.to_thread(_full_id, visit.store, episode)
    if not visit.principal.may_sit(episode, seat - 1):
        raise Forbidden(visit.principal, "this link is for another seat")
    study = visit.principal.study if visit.principal.role == "participant" else ""
    told = {
        "episode": episode,
        "seat": seat - 1,
        "study": study,
        "viewer": str(seat) if visit.principal.knows_all else "",
        # Browsers' clocks are not to be trusted with how much time is left.
        "now": now(),
        # Whoever gave the link finds it in the list of tokens.
        "code": "" if study else visit.principal.token,
    }
    return visit.page("studies/seat.html", bare=True, told=told)


def _full_id(store: EventStore, given: str) -> str:
    try:
        return queries.find_episode(store, given)
    except UnknownId as error:
        raise Problem(404, "unknown_episode", str(error)) from error


def routes() -> Sequence[ControllerRouterHandler]:
    return [seat_page]
