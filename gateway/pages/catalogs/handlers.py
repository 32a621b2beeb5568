"""``/catalogs``, ``/catalogs/<name>`` and ``/catalogs/<name>/<kind>/<id>``."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import Response, get
from litestar.params import FromPath, FromQuery
from litestar.types import ControllerRouterHandler

from evaluators.scores.score_columns import ScoreColumns
from gateway.http.context import Gateway
from gateway.http.guards import requires
from gateway.http.templates import Visiting
from gateway.pages.catalogs.catalog_views import (
    SHOWN,
    Catalog,
    Thing,
    catalog_of,
    runs_of,
    scores_of,
    thing_of,
)
from gateway.services.catalogs.read_catalog import all_catalogs
from gateway.services.results.result_cache import ResultCache


@get("/catalogs", guards=[requires("researcher")])
async def catalogs_page(visit: Visiting) -> Response[bytes]:
    rows = await asyncio.to_thread(all_catalogs, visit.store)
    return visit.page("catalogs/list.html", catalogs=rows)


@get("/catalogs/{name:str}", guards=[requires("researcher")])
async def catalog_page(
    visit: Visiting,
    name: FromPath[str],
    kind: FromQuery[str] = "",
    q: FromQuery[str] = "",
    at: FromQuery[int] = 0,
) -> Response[bytes]:
    """What a catalog holds: one kind of it, or what has some words."""

    def read() -> Catalog:
        columns = _scores(visit.gateway, name)
        return catalog_of(visit.store, name, kind, q[:200], at, columns)

    found = await asyncio.to_thread(read)
    return visit.page("catalogs/catalog.html", found=found, q=q, step=SHOWN)


@get("/catalogs/{name:str}/{kind:str}/{id_:str}", guards=[requires("researcher")])
async def thing_page(
    visit: Visiting, name: FromPath[str], kind: FromPath[str], id_: FromPath[str]
) -> Response[bytes]:
    """One thing: all there is to know of it, what it names and what names it, and its scores."""

    def read() -> Thing:
        return thing_of(visit.store, name, kind, id_, _scores(visit.gateway, name))

    found = await asyncio.to_thread(read)
    return visit.page("catalogs/thing.html", found=found)


def _scores(gateway: Gateway, name: str) -> ScoreColumns | None:
    runs = runs_of(gateway.store, name)
    if not runs:
        return None
    kept: ResultCache = gateway.catalogs
    return kept.get(" ".join(runs), "scores", lambda: scores_of(gateway.store, runs)).value


def routes() -> Sequence[ControllerRouterHandler]:
    return [catalogs_page, catalog_page, thing_page]


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """Beside the application: see ``gateway.http.route_modules``."""
    gateway.catalogs = ResultCache(gateway.store)
    yield
