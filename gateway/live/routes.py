"""The socket, on the application that every gateway has."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import websocket
from litestar.di import NamedDependency
from litestar.types import ControllerRouterHandler, Scope

from gateway.access.roles import Principal
from gateway.access.tokens import BadToken
from gateway.http.context import Gateway
from gateway.live.handling import AnySocket, converse, refused
from gateway.live.live import Live


@websocket("/ws")
async def watch(socket: AnySocket, gateway: NamedDependency[Gateway]) -> None:
    """An episode, live: see ``gateway.live.frames``."""
    came_with: Scope = socket.scope

    async def principal_of(token: str) -> Principal:
        try:
            return await gateway.access.principal(token or gateway.access.token_of(came_with))
        except BadToken as bad:
            raise refused(bad.why) from None

    await converse(socket, gateway.live, principal_of)


def routes() -> Sequence[ControllerRouterHandler]:
    """Those of this part."""
    return [watch]


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """What runs beside them."""
    async with Live(gateway.settings, gateway.store, gateway.bus) as live:
        gateway.live = live
        yield
