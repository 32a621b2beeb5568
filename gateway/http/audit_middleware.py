"""What operators and researchers change by pages is audited here, whichever part serves them. (The
API audits its operations by their names.)"""

import asyncio
from typing import TYPE_CHECKING, Final

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from events.untrusted.safe_text import shortened
from gateway.http.origins import SAFE, address_of
from gateway.services.access.audit_log import audit
from gateway.services.access.roles import Principal

if TYPE_CHECKING:
    from gateway.http.context import Gateway

NOT_HERE: Final = ("/api/", "/enter", "/leave")
"""Where others audit, or where nothing of others' is changed."""
PATIENCE_S: Final = 2.0
"""How long a connection waits for the record, in seconds."""

log = structlog.get_logger(__name__)


class AuditMiddleware:
    """Middleware: records what was asked for and done, with the ids that its path names."""

    def __init__(self, app: ASGIApp, gateway: "Gateway") -> None:
        self.app, self.gateway = app, gateway
        self._writing: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go on; then record."""
        if scope["type"] != ScopeType.HTTP or scope["method"] in SAFE:
            await self.app(scope, receive, send)
            return
        status = 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        await self.app(scope, receive, watch)
        principal: Principal | None = scope["user"]
        if principal is None or not principal.knows_all or status >= 400:
            return
        if not scope["path"].startswith(NOT_HERE):
            deed = f"{scope['method']} {scope.get('path_template') or scope['path']}"
            named: dict[str, str] = scope.get("path_params") or {}
            subject = shortened(" ".join(str(value) for value in named.values()))
            recording = self._record(principal, deed, subject, address_of(scope))
            writing = asyncio.get_running_loop().create_task(recording)
            self._writing.add(writing)
            writing.add_done_callback(self._writing.discard)
            # The answer is out. While the database is away this takes as long as that.
            await asyncio.wait({writing}, timeout=PATIENCE_S)

    async def _record(self, principal: Principal, deed: str, subject: str, address: str) -> None:
        try:
            await audit(self.gateway.store, principal, deed, subject, address=address)
        except Exception:
            # It was done; that it is not recorded is said.
            log.exception("deed_not_recorded", deed=deed)
