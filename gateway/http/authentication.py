"""From a request to the principal behind it."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from events.base import replace
from gateway.http.origins import allows_socket, is_secure
from gateway.services.access.roles import Principal
from gateway.services.access.signed_tokens import (
    BadToken,
    Claims,
    Signer,
    claims_of,
    in_future,
    link_claims,
)
from gateway.services.access.signing_keys import read_keys
from gateway.services.access.token_repository import Tokens, TokenState
from gateway.services.access.token_states import TokenStates
from gateway.settings import Settings
from store.log.event_store import EventStore

LINK_S: Final = 3_600.0
"""For how long a one-time link can be opened, in seconds."""
YEAR_S: Final = 365 * 86_400
_MOST_KNOWN: Final = 5_000
_HOST_ONLY: Final = "__Host-"
"""Begins the names of cookies that browsers keep for this very host and send by TLS alone."""


class Access:
    """Who comes in: the one object that knows tokens.

    ``token_for(principal)`` issues one; ``link(principal, to=…)`` is the path of a link that signs
    its reader in; ``await principal(token)`` says whom a token makes its holder.
    """

    def __init__(
        self, settings: Settings, store: EventStore, environ: Mapping[str, str] | None = None
    ) -> None:
        """Raises ``BadSetting``, ``SecretUnreadable``."""
        self.outside = settings.outside
        keys = read_keys(settings.data_dir, settings.space, environ)
        self.tokens = Tokens(store)
        self.signer = Signer(keys)
        self.states = TokenStates(self.tokens)
        self._claims: dict[str, Claims] = {}
        # Browsers keep cookies by host, not by port: each installation has names of its own.
        mark = hashlib.sha256(keys[-1]).hexdigest()[:8]
        self._session, self._device = f"troupe_{mark}", f"troupe_device_{mark}"

    # ------------------------------------------------------------ issuing

    def token_for(self, principal: Principal, *, bound: bool = False, by: str = "") -> str:
        """A session token, for programs and for the cookie; recorded as issued. Blocking."""
        self.tokens.issue(principal, bound=bound, by=by)
        return self.signer.write(claims_of(principal))

    def link(
        self,
        principal: Principal,
        *,
        to: str = "",
        bound: bool = True,
        once: bool = False,
        by: str = "",
    ) -> str:
        """The path of a link that signs in whoever opens it; recorded as issued. Blocking.

        ``bound``: it belongs to the first device that uses it; ``once``: it has to be opened within
        ``LINK_S`` seconds, too; ``to``: where it leads; empty: where the role begins.
        """
        self.tokens.issue(principal, bound=bound, by=by)
        until = min(principal.expires, in_future(LINK_S)) if once else principal.expires
        claims = link_claims(replace(principal, expires=until))
        query = f"?to={quote(to, safe='/')}" if to else ""
        return f"/enter{query}#{self.signer.write(claims)}"

    # ------------------------------------------------------------ coming in

    async def principal(self, token: str) -> Principal:
        """Whom a session token makes its holder; for sockets and other readers of their own. Raises
        ``BadToken``, whose ``why`` is a sentence."""
        claims = self._read(token)
        if claims.use != "session":
            raise BadToken("a link is opened in a browser; it is no token for requests")
        state = await self.states.of(claims.jti)
        if claims.device and claims.device != state.device:
            raise BadToken("the token belongs to another device")
        return claims.principal

    async def enter(self, token: str, device: str) -> tuple[TokenState, str, str]:
        """What a link or a session token gives a browser: how its token stands, a session token,
        and the device's secret (``device`` is the one that it has; a new one where that is empty).
        Raises ``BadToken``, ``OtherDevice``."""
        claims = self._read(token)
        state = await self.states.of(claims.jti)
        secret = device or secrets.token_urlsafe(24)
        mark = ""
        if claims.use == "session":
            await self.principal(token)
            mark = claims.device
        elif state.bound:
            mark = _mark(secret)
            await asyncio.to_thread(self.tokens.bind, claims.jti, mark)
            self.states.forget(claims.jti)
        return state, self.signer.write(claims_of(state.principal, device=mark)), secret

    def _read(self, token: str) -> Claims:
        claims = self._claims.get(token)
        if claims is None:
            claims = self.signer.read(token)
            if len(self._claims) >= _MOST_KNOWN:
                self._claims.clear()
            self._claims[token] = claims
        elif claims.exp <= time.time():
            raise BadToken("the token has expired")
        return claims

    # ------------------------------------------------------------ cookies

    def cookie(self, token: str) -> tuple[str, str]:
        """Name and value of the session's cookie where there is no TLS; for tests."""
        return self._session, token

    def cookies(self, token: str, device: str, *, secure: bool, expires: int) -> list[Cookie]:
        """What a browser is to keep; without a token: what it is to drop. ``expires``: when the
        session does, in microseconds."""
        left = max(0, expires // 1_000_000 - int(time.time())) if token else 0
        session = _cookie(self._session, token, left, secure=secure)
        if not device:
            return [session]
        return [session, _cookie(self._device, device, YEAR_S, secure=secure)]

    def token_of(self, scope: Scope) -> str:
        """The token that came with a request or a socket's handshake: a bearer's, else the
        cookie's; empty: none."""
        if (token := bearer_of(scope)) is not None:
            return token
        return self._kept(scope, self._session)

    def device_of(self, scope: Scope) -> str:
        """The device's secret that came with a request; empty: none."""
        return self._kept(scope, self._device)

    def _kept(self, scope: Scope, name: str) -> str:
        # By TLS only what this very host was given by TLS: a neighbour could set the other.
        name = _HOST_ONLY * is_secure(scope, self.outside) + name
        return ASGIConnection(scope).cookies.get(name, "")


def bearer_of(scope: Scope) -> str | None:
    """What a request carries as a bearer; None: nothing of that kind."""
    kind, _, token = Headers.from_scope(scope).get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


class Authentication:
    """Middleware: puts the principal, or None, under ``user`` of each HTTP request; under ``auth``
    why a token that was given is not taken. Sockets that pages of other sites open are refused."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Authenticate, then go on in either case: guards refuse."""
        scope["user"], scope["auth"] = None, None
        if scope["type"] == ScopeType.WEBSOCKET and not allows_socket(scope, self.access.outside):
            await send({"type": "websocket.close", "code": 1008, "reason": "of another site"})
            return
        if scope["type"] == ScopeType.HTTP and (token := self.access.token_of(scope)):
            try:
                scope["user"] = await self.access.principal(token)
            except BadToken as error:
                scope["auth"] = error
        await self.app(scope, receive, send)


def _mark(secret: str) -> str:
    """What is stored of a device's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def _cookie(name: str, value: str, seconds: int, *, secure: bool) -> Cookie:
    return Cookie(
        key=_HOST_ONLY * secure + name,
        value=value,
        max_age=seconds,
        httponly=True,
        secure=secure,
        samesite="lax",
    )
