"""The socket's route, whatever application it hangs on."""

from collections.abc import Awaitable, Callable
from typing import Any

from litestar.connection import WebSocket
from litestar.datastructures import State

from gateway.http.origins import allows_socket
from gateway.live.conversation import Conversation, SocketRefusal
from gateway.live.live_episodes import LiveEpisodes
from gateway.live.protocol import WIRE, SocketProtocol, on_the_wire
from gateway.live.viewer_stream import encoded
from gateway.services.access.roles import Principal
from gateway.services.viewers.frames import NotDone

AnySocket = WebSocket[object, object, State]


async def converse(
    socket: AnySocket, live: LiveEpisodes, principal_of: Callable[[str], Awaitable[Principal]]
) -> None:
    """One socket, from its handshake to its end. ``principal_of`` raises ``Refusal``."""
    await socket.accept()
    extensions: dict[str, Any] = socket.scope.get("extensions") or {}
    wire: SocketProtocol | None = extensions.get(WIRE)
    if wire is None:
        raise RuntimeError("the server must speak websockets with gateway.live.protocol")
    if not allows_socket(socket.scope, live.outside):
        why = "the page that opened the socket is not this server's"
        wire.leave(4003, on_the_wire(encoded(NotDone(ref=0, code="forbidden", reason=why))))
        return
    address = socket.client.host if socket.client else ""
    await Conversation(live, wire, wire.receive, principal_of, address).run()


def refused(why: str) -> SocketRefusal:
    """The token is none that is good for anything."""
    return SocketRefusal(4001, "forbidden", why)
