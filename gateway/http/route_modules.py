"""The parts of the application, one line each.

A part is a function ``routes() -> Sequence[ControllerRouterHandler]``: Litestar handlers with
their paths in full, such as ::

    @get("/runs", guards=[requires("researcher")])
    async def runs(visit: Visiting) -> Response[bytes]:
        rows = await asyncio.to_thread(read_rows, visit.gateway.store)
        return visit.page("runs/list.html", title="Runs", rows=rows)

What needs to run beside them, or to be made before and closed after, is a second function
``running(gateway) -> AbstractAsyncContextManager[None]``, named in ``BESIDE``.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final

from litestar.types import ControllerRouterHandler

from gateway import api
from gateway.http import revocations
from gateway.http.context import Gateway
from gateway.live import routes as live
from gateway.pages import catalogs, chains, generated, judges, runs, stage
from gateway.pages.access import sign_in
from gateway.pages.annotations import annotation_pages as annotating
from gateway.pages.studies import admin_pages, participant_pages, seat_page
from gateway.services.studies import supervisor as studies

Routes = Callable[[], Sequence[ControllerRouterHandler]]
"""A part's handlers."""

ROUTES: Final[Sequence[Routes]] = (
    sign_in.routes,
    api.routes,
    live.routes,
    runs.routes,
    stage.routes,
    participant_pages.routes,
    seat_page.routes,
    admin_pages.routes,
    annotating.routes,
    judges.routes,
    chains.routes,
    catalogs.routes,
    generated.routes,
)
BESIDE: Final[Sequence[Callable[[Gateway], AbstractAsyncContextManager[None]]]] = (
    live.running,
    revocations.running,
    runs.running,
    studies.running,
    judges.running,
    catalogs.running,
)
