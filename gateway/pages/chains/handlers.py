"""``/chains`` and ``/chains/<id>``."""

import asyncio
from collections.abc import Sequence

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler

from events.untrusted.safe_text import harmless
from gateway.http.context import Gateway
from gateway.http.guards import requires
from gateway.http.templates import Visiting
from gateway.pages.chains.chain_views import chain_of, chains_of, reminder
from gateway.pages.plain_table import shown_table


@get("/chains", guards=[requires("researcher")])
async def chains_page(
    visit: Visiting,
    run: FromQuery[str] = "",
    judge: FromQuery[str] = "",
    dimension: FromQuery[list[str] | None] = None,
) -> Response[bytes]:
    """The chains of a run with their curves. Without a run: of the newest that has some."""
    found = await asyncio.to_thread(chains_of, visit.store, run, judge, dimension or ())
    return visit.page(
        "chains/list.html",
        found=found,
        chosen=dimension or [],
        shown_table=shown_table,
    )


@get("/chains/{chain:str}", guards=[requires("researcher")])
async def chain_page(
    visit: Visiting,
    chain: FromPath[str],
    judge: FromQuery[str] = "",
    dimension: FromQuery[list[str] | None] = None,
) -> Response[bytes]:
    """A chain: its curve, what was recalled when, and episode by episode what was kept."""
    found = await asyncio.to_thread(chain_of, visit.store, chain, judge, dimension or ())
    return visit.page(
        "chains/chain.html",
        found=found,
        chosen=dimension or [],
        shown_table=shown_table,
    )


@get("/chains/{chain:str}/reminder", guards=[requires("researcher")], media_type=MediaType.TEXT)
async def reminder_text(
    gateway: NamedDependency[Gateway],
    chain: FromPath[str],
    seat: FromQuery[int],
    index: FromQuery[int],
) -> Response[str]:
    """The words that a seat (from 1) was reminded with before an episode (index from 0)."""
    text = await asyncio.to_thread(reminder, gateway.store, chain, seat - 1, index)
    return Response(harmless(text), media_type="text/plain; charset=utf-8")


def routes() -> Sequence[ControllerRouterHandler]:
    return [chains_page, chain_page, reminder_text]
