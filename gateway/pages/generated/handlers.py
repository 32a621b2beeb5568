"""``/generated``: accept, edit or drop what was generated, and save what was accepted."""

import asyncio
from collections.abc import Sequence
from typing import Final, get_args

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.episodes.catalogs.generated_items import BadItem, Generation
from events.generation import Verdict
from gateway.errors import BadArgument
from gateway.http.context import Gateway
from gateway.http.forms import Form
from gateway.http.guards import requires
from gateway.http.problems import Problem
from gateway.http.templates import PageOrRedirect, PageVisit, Visiting
from gateway.services.catalogs.generated_items import (
    Generations,
    ItemToReview,
    SavedItems,
    decide,
    save,
    titles_of,
    to_review,
)

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
MOST_SHOWN: Final = 100
"""Items on a page."""
MOST_REASON: Final = 1_000
MOST_TEXT: Final = 50_000
"""Characters."""


@get("/generated", guards=[requires("researcher")])
async def generations_page(visit: Visiting) -> Response[bytes]:
    """All that was generated, by name."""
    found = await asyncio.to_thread(Generations(visit.store).all)
    states = [one.state for one in found]
    return visit.page("generated/list.html", generations=states)


@get("/generated/{name:str}", guards=[requires("researcher")])
async def generation_page(
    visit: Visiting, name: FromPath[str], only: FromQuery[str] = "", at: FromQuery[int] = 0
) -> Response[bytes]:
    """The items of one name; ``only``: those in this state."""
    found = await asyncio.to_thread(Generations(visit.store).load, name)
    return await _items(visit, found.state, only, at)


@post("/generated/{name:str}", guards=[requires("researcher")], status_code=200)
async def save_items(visit: Visiting, name: FromPath[str]) -> Response[bytes]:
    """Make the accepted items those of the catalog."""
    found = await asyncio.to_thread(Generations(visit.store).load, name)
    try:
        saved = await asyncio.to_thread(save, visit.store, name)
    except BadArgument as refused:
        return await _items(visit, found.state, why=refused.why)
    return await _items(visit, found.state, saved=saved)


@get("/generated/{name:str}/{id_:str}", guards=[requires("researcher")])
async def item_page(visit: Visiting, name: FromPath[str], id_: FromPath[str]) -> Response[bytes]:
    """One item: all there is to know of it, what to ask of it, and its text to be edited."""
    generation, found = await _found(visit.gateway, name, id_)
    return _item(visit, generation, found)


@post("/generated/{name:str}/{id_:str}", guards=[requires("researcher")], status_code=200)
async def review_item(
    visit: Visiting, name: FromPath[str], id_: FromPath[str], data: Form
) -> PageOrRedirect:
    """Take a decision, and go on with the next item; what is faulty comes back with what is
    wrong."""
    verdict = next((one for one in VERDICTS if one == data.get("verdict")), None)
    text, reason = (str(data.get(name, "")) for name in ("text", "reason"))
    if verdict is None or len(text) > MOST_TEXT or len(reason) > MOST_REASON:
        raise Problem(400, "bad_decision", f"a decision is one of {', '.join(VERDICTS)}")
    try:
        generation = await asyncio.to_thread(
            decide,
            visit.store,
            name,
            id_,
            verdict,
            by=visit.principal.name,
            text=text.replace("\r\n", "\n"),
            reason=reason.strip(),
        )
    except BadItem as bad:
        generation, found = await _found(visit.gateway, name, id_)
        return _item(visit, generation, found, bad, text)
    waiting = generation.waiting()
    last = f"/{waiting[0].made.id}" if waiting else ""
    return Redirect(f"/generated/{generation.name}{last}", status_code=303)


async def _found(gateway: Gateway, name: str, id_: str) -> tuple[Generation, ItemToReview]:
    def read() -> tuple[Generation, ItemToReview]:
        generation = Generations(gateway.store).load(name).state
        return generation, to_review(gateway.store, generation, id_)

    return await asyncio.to_thread(read)


def _item(
    visit: PageVisit,
    generation: Generation,
    found: ItemToReview,
    bad: BadItem | None = None,
    text: str = "",
) -> Response[bytes]:
    return visit.page(
        "generated/item.html",
        status=200 if bad is None else 422,
        name=generation.name,
        waiting=len(generation.waiting()),
        found=found,
        bad=bad,
        text=text or found.text,
        longest=MOST_REASON,
    )


async def _items(
    visit: PageVisit,
    generation: Generation,
    only: str = "",
    at: int = 0,
    saved: SavedItems | None = None,
    why: str = "",
) -> Response[bytes]:
    items = [one for one in generation.items.values() if only in ("", one.state)]
    at = max(at, 0)
    titles = await asyncio.to_thread(titles_of, visit.store, generation)
    return visit.page(
        "generated/items.html",
        generation=generation,
        only=only,
        items=items[at : at + MOST_SHOWN],
        titles=titles,
        at=at,
        total=len(items),
        step=MOST_SHOWN,
        counts=generation.counts(),
        accepted=any(one.is_accepted for one in generation.items.values()),
        saved=saved,
        why=why,
        status=409 if why else 200,
    )


def routes() -> Sequence[ControllerRouterHandler]:
    return [generations_page, generation_page, save_items, item_page, review_item]
