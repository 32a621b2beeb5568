"""How much one token and one address may ask for over HTTP. (How many sockets they may
hold: ``gateway.live.viewer_connection.Limits``.)"""

from typing import Final

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from gateway.http.origins import address_of
from gateway.http.problems import MEDIA_TYPE, Problem, too_many
from gateway.process.process_limits import Tuning
from gateway.process.rate_buckets import Buckets, Rate, TooMuch
from gateway.services.access.roles import Principal

FREE: Final = ("/healthz", "/readyz", "/static/")
"""What costs next to nothing, and must answer those who look after the process."""
ADDRESSES: Final = 4
"""How many times as much as a token an address may ask for: offices and classes share one."""


class RateLimits:
    """Of one process: several together let that many times as much through."""

    def __init__(self, tuning: Tuning) -> None:
        per_s, burst = tuning.requests_per_s, 4 * tuning.requests_per_s
        self.requests = Buckets("requests", Rate(per_s=per_s, burst=burst))
        """By token."""
        self.addresses = Buckets("requests", Rate(per_s=ADDRESSES * per_s, burst=ADDRESSES * burst))
        """By address."""
        self.sign_ins = Buckets("attempts to sign in", Rate(per_s=0.5, burst=30))
        """By address; tokens cannot be guessed, but each attempt costs a signature."""

    def request(self, principal: Principal | None, address: str) -> None:
        """Count a request. Raises ``TooMuch``."""
        self.addresses.take(address)
        if principal is not None:
            self.requests.take(principal.token)


class RateLimitMiddleware:
    """Middleware behind authentication: refuses clients that exceed their rate."""

    def __init__(self, app: ASGIApp, limits: RateLimits) -> None:
        self.app, self.limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go on, or answer 429."""
        if scope["type"] == ScopeType.HTTP and not scope["path"].startswith(FREE):
            try:
                self.limits.request(scope["user"], address_of(scope))
            except TooMuch as error:
                await _refuse(too_many(error), send)
                return
        await self.app(scope, receive, send)


async def _refuse(problem: Problem, send: Send) -> None:
    # As JSON, whoever asks: a page would cost what is to be saved.
    headers = {"content-type": MEDIA_TYPE, **problem.headers}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": raw})
    body = msgspec.json.encode(problem.body)
    await send({"type": "http.response.body", "body": body, "more_body": False})
