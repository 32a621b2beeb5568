"""``/generated``: accept, edit or drop what was generated, and save what was accepted."""

import asyncio
from collections.abc import Sequence
from typing import Final, get_args

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from actors.episodes.catalogs.generated_items import BadItem, Generation
from events.generation import Verdict
from gateway.errors import BadArgument
from gateway.http.context import Gateway
from gateway.http.forms import Form
from gateway.http.guards import AnyRequest, requires
from gateway.http.problems import Problem
from gateway.http.templates import PageOrRedirect, page
from gateway.services.access.roles import Principal
from gateway.services.catalogs.generated_items import (
    Generations,
    ItemToReview,
    SavedItems,
    decide,
    save,
    to_review,
)

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
MOST_SHOWN: Final = 100
"""Items on a page."""
MOST_REASON: Final = 1_000
MOST_TEXT: Final = 50_000
"""Characters."""


@get("/generated", guards=[requires("researcher")])
async def generations_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
) -> Response[bytes]:
    """All that was generated, by name."""
    found = await asyncio.to_thread(Generations(gateway.store).all)
    states = [one.state for one in found]
    return page(request, "generated/list.html", principal=principal, generations=states)


@get("/generated/{name:str}", guards=[requires("researcher")])
async def generation_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    name: FromPath[str],
    only: FromQuery[str] = "",
    at: FromQuery[int] = 0,
) -> Response[bytes]:
    """The items of one name; ``only``: those in this state."""
    found = await asyncio.to_thread(Generations(gateway.store).load, name)
    return _items(request, principal, found.state, only, at)


@post("/generated/{name:str}", guards=[requires("researcher")], status_code=200)
async def save_items(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    name: FromPath[str],
) -> Response[bytes]:
    """Make the accepted items those of the catalog."""
    found = await asyncio.to_thread(Generations(gateway.store).load, name)
    try:
        saved = await asyncio.to_thread(save, gateway.store, name)
    except BadArgument as refused:
        return _items(request, principal, found.state, "", 0, why=refused.why)
    return _items(request, principal, found.state, "", 0, saved)


@get("/generated/{name:str}/{id_:str}", guards=[requires("researcher")])
async def item_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    name: FromPath[str],
    id_: FromPath[str],
) -> Response[bytes]:
    """One item: all there is to know of it, what to ask of it, and its text to be edited."""
    generation, found = await _found(gateway, name, id_)
    return _item(request, principal, generation, found)


@post("/generated/{name:str}/{id_:str}", guards=[requires("researcher")], status_code=200)
async def review_item(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    name: FromPath[str],
    id_: FromPath[str],
    data: Form,
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
            gateway.store,
            name,
            id_,
            verdict,
            by=principal.name,
            text=text.replace("\r\n", "\n"),
            reason=reason.strip(),
        )
    except BadItem as bad:
        generation, found = await _found(gateway, name, id_)
        return _item(request, principal, generation, found, bad, text)
    waiting = generation.waiting()
    last = f"/{waiting[0].made.id}" if waiting else ""
    return Redirect(f"/generated/{generation.name}{last}", status_code=303)


async def _found(gateway: Gateway, name: str, id_: str) -> tuple[Generation, ItemToReview]:
    def read() -> tuple[Generation, ItemToReview]:
        generation = Generations(gateway.store).load(name).state
        return generation, to_review(gateway.store, generation, id_)

    return await asyncio.to_thread(read)


def _item(
    request: AnyRequest,
    principal: Principal,
    generation: Generation,
    found: ItemToReview,
    bad: BadItem | None = None,
    text: str = "",
) -> Response[bytes]:
    return page(
        request,
        "generated/item.html",
        principal=principal,
        status=200 if bad is None else 422,
        name=generation.name,
        waiting=len(generation.waiting()),
        found=found,
        bad=bad,
        text=text or found.text,
        longest=MOST_REASON,
    )


def _items(
    request: AnyRequest,
    principal: Principal,
    generation: Generation,
    only: str,
    at: int,
    saved: SavedItems | None = None,
    why: str = "",
) -> Response[bytes]:
    items = [one for one in generation.items.values() if only in ("", one.state)]
    at = max(at, 0)
    return page(
        request,
        "generated/items.html",
        principal=principal,
        generation=generation,
        only=only,
        items=items[at : at + MOST_SHOWN],
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
    """Of this part."""
    return [generations_page, generation_page, save_items, item_page, review_item]
