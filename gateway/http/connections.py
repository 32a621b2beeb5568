"""A connection of the HTTP server: how long a request may take to come, how much of a refused one
is read, and how many connections there are.

uvicorn bounds the silence after an answer (keep-alive) and the size of a head, and no more: a head
that comes a byte a minute keeps its connection for ever, and a body that nothing reads is read to
its end. This module does what Apache's ``mod_reqtimeout`` and nginx's ``lingering_close`` do. It
uses private names of uvicorn, whose version ``requirements`` pin.
"""

import asyncio
import resource
import sys
from typing import Any, Final

import h11
import structlog
import uvicorn
from litestar import Litestar
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.server import ServerState

from events.untrusted.limits import MIB
from gateway.process.process_limits import Tuning

log = structlog.get_logger(__name__)

BODY_RATE: Final = 4096
"""Bytes of a body by which it may take a second longer."""
MOST_DISCARDED: Final = MIB
"""Bytes that are read of the rest of a body once the request was answered. A client that sends all
before it reads, of a body that is a little too large, is told why and keeps its connection."""
LINGER_S: Final = 2.0
"""How long a client has to take an answer that came before the end of its request, in seconds."""
RESERVED: Final = 256
"""Descriptors that are kept for files, databases and what else a process opens."""


class ServerConfig(uvicorn.Config):
    """That of uvicorn, with what bounds connections."""

    def __init__(self, app: Litestar, tuning: Tuning, **settings: Any) -> None:
        super().__init__(app, http=Connection, **settings)
        self.tuning = tuning
        self.most_connections = min(tuning.connections, _room())
        """At one time, sockets among them."""
        self.idle: dict[Connection, None] = {}
        """Connections on which no request is under way, the oldest first."""


class Connection(H11Protocol):
    """One connection, until it becomes a socket."""

    config: ServerConfig

    def __init__(
        self,
        config: ServerConfig,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._late: asyncio.TimerHandle | None = None
        self._awaited: object = None
        """What the timer is for: h11's state of the client."""
        self._since = 0.0
        self._received = 0
        """Bytes since then."""
        self._silent = True
        """Whether nothing has come at all, as where a browser connects ahead of its requests."""
        self._socket = False
        """Whether it has become a socket, whose protocol looks after it from then on."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a head; where there are too many connections, the one that has waited longest
        makes room, or else this one is refused."""
        super().connection_made(transport)
        if len(self.connections) > self.config.most_connections:
            oldest = next(iter(self.config.idle), None)
            log.warning("too_many_connections", connections=len(self.connections))
            if oldest is None:
                self._refuse(503)
                return
            oldest.transport.abort()
            oldest._leave()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """No one is waited for."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Go on; see whether the head, or the body, is whole."""
        self._received += len(data)
        self._silent = False
        super().data_received(data)
        if self._discards() and self._received > MOST_DISCARDED:
            self._end()
        else:
            self._look()

    def on_response_complete(self) -> None:
        """What is left of the request is not wanted."""
        super().on_response_complete()
        if self._discards():
            # Counted from here on.
            self._await(None)
        if self.conn.their_state is not h11.IDLE:
            self._look()
        elif not self.transport.is_closing():
            # How long it may stay so, uvicorn says.
            self.config.idle[self] = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """A socket has limits of its own."""
        self._leave()
        self._socket = True
        super().handle_websocket_upgrade(event)

    def _discards(self) -> bool:
        """Whether the request was answered before its end."""
        return (
            self.conn.their_state is h11.SEND_BODY
            and self.cycle is not None
            and self.cycle.response_complete
        )

    def _look(self) -> None:
        """Set the time for what is to come, if that is something else than before."""
        if self._socket or self.transport.is_closing():
            return
        state = self.conn.their_state
        if state is h11.IDLE:
            self.config.idle[self] = None
        else:
            self.config.idle.pop(self, None)
        self._await(state if state in (h11.IDLE, h11.SEND_BODY) else None)

    def _await(self, what: object) -> None:
        if what is self._awaited:
            return
        if self._late is not None:
            self._late.cancel()
            self._late = None
        self._awaited, self._since, self._received = what, self.loop.time(), 0
        if what is not None:
            self._late = self.loop.call_at(self._due(), self._is_late)

    def _due(self) -> float:
        """When what is awaited must be whole."""
        if self._discards():
            return self._since + LINGER_S
        if self._awaited is h11.IDLE:
            return self._since + self.config.tuning.head_s
        return self._since + self.config.tuning.body_s + self._received / BODY_RATE

    def _is_late(self) -> None:
        if self.flow.read_paused:
            # It is the server that takes its time.
            self._since = self.loop.time()
        if self.loop.time() < (due := self._due()):
            self._late = self.loop.call_at(due, self._is_late)
        elif self._silent or self.transport.is_closing():
            self.transport.abort()
        elif self._discards():
            self._end()
        else:
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        """Answer in place of the application, and close."""
        self._leave()
        self._unset_keepalive_if_required()
        if self.cycle is not None and not self.cycle.response_complete:
            # It learns that the client has gone.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = [(b"connection", b"close"), (b"content-length", b"0")]
            phrase = STATUS_PHRASES[status]
            answer = h11.Response(status_code=status, headers=headers, reason=phrase)
            for event in (answer, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self._end()

    def _end(self) -> None:
        """Say that nothing follows, and go once the client could read it: closing at once, with
        bytes unread, would take the answer from it (RFC 9112, 9.6)."""
        self._leave()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.flow.pause_reading()
        self.loop.call_later(LINGER_S, self.transport.abort)

    def _leave(self) -> None:
        self._await(None)
        self.config.idle.pop(self, None)


def _room() -> int:
    """Connections for which this process may have descriptors."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else max(most - RESERVED, RESERVED)
