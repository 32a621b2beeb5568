"""Websockets as uvicorn speaks them with ``websockets``, and a way to write past ASGI.

All code that uses private names of uvicorn is in this file; ``requirements`` pin its version and
``tests/gateway/live/test_protocol.py`` holds the names.

Why: what happens in an episode goes to all who watch it in the same bytes. Through ASGI each of a
thousand sends is a coroutine, a dictionary and a frame written anew, in a task of its own that
waits for it; and a client that does not read keeps that task and its socket alive for ever. Here a
frame is made once and handed to each socket that has room, in place.
"""

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

WIRE: Final = "troupe.wire"
"""Where a handler finds the protocol of its socket, among the scope's extensions."""
CLOSE_S: Final = 5.0
"""So long the other side has to take what was sent and to close, in seconds; then the connection
is cut."""
MOST_FRAME_BYTES: Final = 512 * 1024
"""Bytes of a frame from a client, at most: an answer of 100,000 characters has no more."""
SETTINGS: Final[dict[str, Any]] = {
    "ws_max_size": MOST_FRAME_BYTES,
    # Deflating costs each socket some 100 KiB, and each frame its time again for each socket.
    "ws_per_message_deflate": False,
    # Frames of our own tell who is there, also to a browser, which sees no other.
    "ws_ping_interval": None,
}
"""Of ``uvicorn.Config``, beside ``ws``."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection."""

    told_writable: Callable[[], None] | None = None
    """Called when there is room again."""
    left_with = 0
    """The code that it was closed with from here; 0: it was not."""

    def handle_connect(self, event: Request) -> None:
        """Begin, and let the handler find this."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WIRE] = self

    def resume_writing(self) -> None:
        """There is room again."""
        super().resume_writing()
        if self.told_writable is not None:
            self.told_writable()

    @property
    def has_room(self) -> bool:
        """Whether more may be written now; a connection that is lost or closing has none."""
        return self.writable.is_set() and not (self.close_sent or self.disconnected)

    def write(self, frame: bytes) -> None:
        """A whole frame as it goes over the wire, if the connection is still there."""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frame)

    def leave(self, code: int, last: bytes = b"") -> None:
        """Close, after one more frame; whoever does not take it in time is cut off. Twice is
        harmless."""
        if self.close_sent or self.disconnected:
            return
        self.write(last)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.left_with = code
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(CLOSE_S, self.transport.abort)


def on_the_wire(data: bytes) -> bytes:
    """A text as a websocket carries it from a server."""
    return Frame(Opcode.TEXT, data).serialize(mask=False)
