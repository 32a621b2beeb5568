"""The HTTP application."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from urllib.parse import quote

import msgspec
from litestar import Litestar, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.response import Redirect

from events.untrusted.limits import MIB
from gateway.api.request_handler import problem_response
from gateway.http import health, route_modules
from gateway.http.audit_middleware import AuditMiddleware
from gateway.http.authentication import Authentication
from gateway.http.context import Gateway
from gateway.http.guards import AnyConnection, AnyRequest, same_site, signed_in
from gateway.http.problems import MEDIA_TYPE, problem_of
from gateway.http.rate_limits import RateLimitMiddleware
from gateway.http.security_headers import SafeHeaders
from gateway.http.static_files import static_file
from gateway.http.templates import PageOrRedirect, PageVisit, page
from gateway.services.access.roles import Principal

MOST_BODY: Final = MIB
"""Bytes of a request's body; a handler may take more (``request_max_body_size``)."""


def make_app(gateway: Gateway, *, people: bool = True) -> Litestar:
    """The application of one gateway. ``people``: with pages, API and sockets (see
    ``gateway.http.route_modules``); without them a worker's, which says how it is and no more."""
    app = of_parts(tuple(route_modules.ROUTES) if people else ())
    app.state = State({"gateway": gateway, "people": people})
    # Before the router, so that what is not found has them, too.
    inside = AuditMiddleware(app.asgi_handler, gateway)
    app.asgi_handler = SafeHeaders(
        Authentication(RateLimitMiddleware(inside, gateway.limits), gateway.access)
    )
    app.state.paths = frozenset(route.path for route in app.routes)
    return app


def of_parts(made: tuple[route_modules.Routes, ...]) -> Litestar:
    """The handlers of parts and what all have. Of which gateway, the application's state says."""
    return Litestar(
        [*health.routes(), static_file, *(route for part in made for route in part())],
        dependencies={
            "gateway": Provide(_gateway, sync_to_thread=False),
            "principal": Provide(_principal, sync_to_thread=False),
            "visitor": Provide(_visitor, sync_to_thread=False),
            "visit": Provide(_visit, sync_to_thread=False),
        },
        guards=[same_site],
        request_max_body_size=MOST_BODY,
        exception_handlers={Exception: answer},
        lifespan=[_beside],
        openapi_config=None,
    )


@asynccontextmanager
async def _beside(app: Litestar) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        for running in route_modules.BESIDE if app.state.people else ():
            await stack.enter_async_context(running(app.state.gateway))
        yield


def _gateway(request: AnyConnection) -> Gateway:
    gateway: Gateway = request.app.state.gateway
    return gateway


def _principal(request: AnyConnection) -> Principal:
    return signed_in(request)


def _visitor(request: AnyConnection) -> Principal | None:
    visitor: Principal | None = request.scope["user"]
    return visitor


def _visit(request: AnyRequest) -> PageVisit:
    return PageVisit(request, request.app.state.gateway, signed_in(request))


API: Final = "/api/v1/"
"""Paths under which problems are those of the API (``gateway.api.problems``)."""
SIGN_IN: Final = "/enter"
PROGRAMS: Final = ("/api/", "/metrics", "/ws")
"""Paths under which errors are always JSON, for every client."""


def answer(request: AnyRequest, error: Exception) -> PageOrRedirect:
    """The exception handler of the whole application."""
    if request.url.path.startswith(API):
        return problem_response(error)
    problem = problem_of(error)
    if request.url.path.startswith(PROGRAMS) or not _reads_pages(request):
        body = msgspec.json.encode(problem.body)
        return Response(
            body, status_code=problem.status, media_type=MEDIA_TYPE, headers=problem.headers
        )
    if problem.code == "not_signed_in" and request.method in ("GET", "HEAD"):
        query = f"?{request.url.query}" if request.url.query else ""
        return Redirect(
            f"{SIGN_IN}?to={quote(request.url.path + query, safe='/')}", status_code=303
        )
    return page(
        request,
        "access/problem.html",
        principal=request.scope.get("user"),
        status=problem.status,
        headers=problem.headers,
        problem=problem.body,
    )


def _reads_pages(request: AnyRequest) -> bool:
    return "text/html" in request.headers.get("accept", "")
