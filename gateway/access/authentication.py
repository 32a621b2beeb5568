"""From a request to the principal behind it."""

import hashlib
from pathlib import Path
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from events.ids import new_id
from gateway.access.roles import Principal, Role
from gateway.access.secret import read_keys
from gateway.access.tokens import BadToken, Claims, Signer, claims_of, in_future

ID: Final = "k"
"""How ids of tokens begin."""
DAY_S: Final = 86_400.0


class Access:
    """Who comes in: the one object that knows tokens."""

    def __init__(self, data_dir: Path, space: str) -> None:
        """Raises ``BadSetting``, ``SecretUnreadable``."""
        keys = read_keys(data_dir, space)
        self.signer = Signer(keys)
        # Browsers keep cookies by host, not by port: each installation has a name of its own.
        self._cookie = f"troupe_{hashlib.sha256(keys[-1]).hexdigest()[:8]}"

    async def principal(self, token: str) -> Principal:
        """Whom a token makes its holder; for sockets and other readers of their own. Raises
        ``BadToken``, whose ``why`` is a sentence."""
        return (await self.claims(token)).principal

    async def claims(self, token: str) -> Claims:
        """What a session token says. Raises ``BadToken``."""
        claims = self.signer.read(token)
        if claims.use != "session":
            raise BadToken("a link is opened in a browser; it is no token for requests")
        return claims

    def cookie(self, token: str) -> tuple[str, str]:
        """Name and value of the session's cookie."""
        return self._cookie, token

    def token_of(self, scope: Scope) -> str:
        """The token that came with a request or a socket's handshake: a bearer's, else the
        cookie's; empty: none."""
        given = Headers.from_scope(scope).get("authorization", "")
        kind, _, token = given.partition(" ")
        if kind.lower() == "bearer":
            return token.strip()
        connection = ASGIConnection[Any, Any, Any, Any](scope)
        return connection.cookies.get(self._cookie, "")

    def token_for(self, principal: Principal) -> str:
        """A session token."""
        return self.signer.write(claims_of(principal))


def new_principal(
    role: Role,
    *,
    name: str = "",
    expires_s: float = DAY_S,
    episode: str = "",
    seat: int | None = None,
    study: str = "",
) -> Principal:
    """A principal with a token id of its own."""
    token = new_id(ID)
    return Principal(
        token=token,
        role=role,
        name=name or (f"p-{token[1:9]}" if role == "participant" else role),
        expires=in_future(expires_s),
        episode=episode,
        seat=seat,
        study=study,
    )


class Authentication:
    """Middleware: puts the principal, or None, under ``user`` of each HTTP request; under ``auth``
    why a token that was given is not taken."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Authenticate, then go on in either case: guards refuse."""
        scope["user"], scope["auth"] = None, ""
        if scope["type"] == ScopeType.HTTP and (token := self.access.token_of(scope)):
            try:
                scope["user"] = await self.access.principal(token)
            except BadToken as error:
                scope["auth"] = error.why
        await self.app(scope, receive, send)
