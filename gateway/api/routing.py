"""The API's routes: one for each operation, its document and the page that shows it."""

from collections.abc import Callable, Coroutine
from typing import Final, cast

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, ControllerRouterHandler

from gateway.api.docs_page import docs_page
from gateway.api.openapi import document
from gateway.api.operations import OPERATIONS, PREFIX, Operation
from gateway.api.request_handler import answer
from gateway.api.resources import (  # noqa: F401 - each declares its operations
    annotations,
    catalogs,
    chains,
    episode_control,
    episodes,
    fleet,
    judges,
    people,
    results,
    runs,
    studies,
    tokens,
)
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, signed_in

Handler = Callable[..., Coroutine[None, None, ASGIApp]]
MORE: Final = 1024
"""Bytes by which a body may be longer than it may be: that is told by us, not by the framework."""


def routes() -> list[ControllerRouterHandler]:
    """All of them, with their paths in full."""
    return [*map(_route, OPERATIONS.values()), openapi, docs_page]


def _route(operation: Operation) -> HTTPRouteHandler:
    path = PREFIX + operation.path
    for name in operation.parameters:
        path = path.replace(f"{{{name}}}", f"{{{name}:str}}")
    return HTTPRouteHandler(
        path,
        http_method=operation.method,
        name=operation.id,
        status_code=operation.status,
        request_max_body_size=operation.most_bytes + MORE,
    )(_handler(operation))


def _handler(operation: Operation) -> Handler:
    # Not by dependency injection, which takes as long as all the rest of an answer that is kept.
    async def handle(request: AnyRequest) -> ASGIApp:
        gateway: Gateway = request.app.state.gateway
        return cast(ASGIApp, await answer(operation, request, gateway, signed_in(request)))

    handle.__name__ = operation.id
    handle.__doc__ = operation.summary
    return handle


@get("/api/openapi.json", sync_to_thread=True)
def openapi() -> Response[bytes]:
    """The OpenAPI document, for everybody."""
    return Response(document(), media_type="application/json")
