"""``/catalogs``, ``/catalogs/<name>`` and ``/catalogs/<name>/<kind>/<id>``."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler

from evaluators.scores.score_columns import ScoreColumns
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, requires
from gateway.http.templates import page
from gateway.pages.catalogs.catalog_views import (
    SHOWN,
    Catalog,
    Thing,
    catalog_of,
    runs_of,
    scores_of,
    thing_of,
)
from gateway.services.access.roles import Principal
from gateway.services.catalogs.read_catalog import all_catalogs
from gateway.services.results.result_cache import ResultCache


@get("/catalogs", guards=[requires("researcher")])
async def catalogs_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
) -> Response[bytes]:
    """All catalogs."""
    rows = await asyncio.to_thread(all_catalogs, gateway.store)
    return page(request, "catalogs/list.html", principal=principal, catalogs=rows)


@get("/catalogs/{name:str}", guards=[requires("researcher")])
async def catalog_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    name: FromPath[str],
    kind: FromQuery[str] = "",
    q: FromQuery[str] = "",
    at: FromQuery[int] = 0,
) -> Response[bytes]:
    """What a catalog holds: one kind of it, or what has some words."""

    def read() -> Catalog:
        columns = _scores(gateway, name)
        return catalog_of(gateway.store, name, kind, q[:200], at, columns)

    found = await asyncio.to_thread(read)
    return page(request, "catalogs/catalog.html", principal=principal, found=found, q=q, step=SHOWN)


@get("/catalogs/{name:str}/{kind:str}/{id_:str}", guards=[requires("researcher")])
async def thing_page(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    principal: NamedDependency[Principal],
    name: FromPath[str],
    kind: FromPath[str],
    id_: FromPath[str],
) -> Response[bytes]:
    """One thing: all there is to know of it, what it names and what names it, and its scores."""

    def read() -> Thing:
        return thing_of(gateway.store, name, kind, id_, _scores(gateway, name))

    found = await asyncio.to_thread(read)
    return page(request, "catalogs/thing.html", principal=principal, found=found)


def _scores(gateway: Gateway, name: str) -> ScoreColumns | None:
    runs = runs_of(gateway.store, name)
    if not runs:
        return None
    kept: ResultCache = gateway.catalogs
    return kept.get(" ".join(runs), "scores", lambda: scores_of(gateway.store, runs)).value


def routes() -> Sequence[ControllerRouterHandler]:
    """Of this part."""
    return [catalogs_page, catalog_page, thing_page]


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """Beside the application: see ``gateway.http.route_modules``."""
    gateway.catalogs = ResultCache(gateway.store)
    yield
