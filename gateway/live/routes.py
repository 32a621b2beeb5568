"""The socket, on the application that every gateway has."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import Response, get, websocket
from litestar.di import NamedDependency
from litestar.types import ControllerRouterHandler, Scope

from gateway.http.authentication import Access
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest
from gateway.live.conversation import SocketRefusal
from gateway.live.live_episodes import LiveEpisodes
from gateway.live.socket_handler import AnySocket, converse, refused
from gateway.services.access.roles import Principal
from gateway.services.access.signed_tokens import BadToken
from gateway.services.access.token_states import TokensUnknown
from gateway.services.viewers.asyncapi import asyncapi


@websocket("/ws")
async def watch(socket: AnySocket, gateway: NamedDependency[Gateway]) -> None:
    """An episode, live: see ``gateway.services.viewers.frames``."""
    came_with: Scope = socket.scope

    async def principal_of(token: str) -> Principal:
        return await holder(gateway.access, token or gateway.access.token_of(came_with))

    await converse(socket, gateway.live, principal_of)


async def holder(access: Access, token: str) -> Principal:
    """Whom a token makes its holder. Raises ``Refusal``."""
    try:
        return await access.principal(token)
    except TokensUnknown as unknown:
        # It may well be good: they come again.
        raise SocketRefusal(1013, "try_again", unknown.why) from None
    except BadToken as bad:
        raise refused(bad.why) from None


@get("/api/asyncapi.json", sync_to_thread=False)
def document(request: AnyRequest) -> Response[dict[str, object]]:
    """How programs speak with the socket, for everybody."""
    secure = request.url.scheme == "https"
    return Response(asyncapi(request.headers.get("host", request.url.netloc), secure=secure))


def routes() -> Sequence[ControllerRouterHandler]:
    """Those of this part."""
    return [watch, document]


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """What runs beside them."""
    async with LiveEpisodes(gateway.settings, gateway.store, gateway.bus) as live:
        gateway.live = live

        def again() -> None:
            """A process that has restarted is heard on another server."""
            if not gateway.bus.connected:
                found = (bus for bus in live.hearing.buses if bus.connected)
                gateway.bus = next(found, gateway.bus)

        forget = live.hearing.on_reconnect(again)
        yield
        forget()
