"""Headers that every answer carries."""

from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""No inline script, no inline style, nothing from elsewhere, in nobody's frame."""

ALWAYS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": browsers would send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
PRIVATE: Final = "private, no-cache"
"""Of what a handler gives no ``cache-control``: proxies keep nothing, browsers ask again."""

_RAW: Final = [
    (name.encode(), value.encode()) for name, value in {**ALWAYS, "cache-control": PRIVATE}.items()
]


class SafeHeaders:
    """Middleware: adds ``ALWAYS`` to each answer. A handler may have set one otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go on, and add to the head of the answer."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ())]
                there = {name.lower() for name, _ in headers}
                headers += [one for one in _RAW if one[0] not in there]
                message["headers"] = headers
            await send(message)

        await self.app(scope, receive, add if scope["type"] == ScopeType.HTTP else send)
