"""Guards: which roles may call a handler."""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from gateway.http.authentication import Access, bearer_of
from gateway.http.origins import SAFE, allows_change
from gateway.http.problems import AGAIN_S, Problem
from gateway.services.access.roles import Principal, Role
from gateway.services.access.signed_tokens import BadToken
from gateway.services.access.token_states import TokensUnknown

AnyRequest = Request[Principal | None, BadToken | None, State]
"""``user``: who sent it; ``auth``: why the token that came with it is not taken."""
AnyConnection = ASGIConnection[Any, Principal | None, BadToken | None, State]
"""A request or a socket."""


def requires(*roles: Role) -> Guard:
    """A guard: only these roles come in. Operators may do what researchers may; without a role
    everybody who is signed in comes in."""
    allowed = {*roles, "operator"} if "researcher" in roles else set(roles)

    async def guard(connection: AnyConnection, _handler: BaseRouteHandler) -> None:
        principal = signed_in(connection)
        if allowed and principal.role not in allowed:
            raise Forbidden(principal)

    return guard


async def same_site(connection: AnyConnection, _handler: BaseRouteHandler) -> None:
    """The guard of the whole application against requests that pages of other sites make."""
    scope = connection.scope
    if scope["type"] != ScopeType.HTTP or scope["method"] in SAFE:
        return
    access: Access = connection.app.state.gateway.access
    bearer = bearer_of(scope) is not None
    session = not bearer and bool(access.token_of(scope))
    if not bearer and not allows_change(scope, access.outside, session=session):
        raise Problem(
            403, "other_site", "what changes something must come from a page of this site"
        )


class NotSignedIn(Problem):
    """Nobody is signed in where somebody must be. Pages redirect to the sign-in page."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            401,
            "not_signed_in",
            why or "no token came with the request",
            headers={"www-authenticate": "Bearer"},
        )


class Forbidden(Problem):
    """Somebody is signed in who may not do that."""

    def __init__(self, principal: Principal, what: str = "") -> None:
        detail = what or f"that is not for {_a(principal.role)}"
        super().__init__(403, "forbidden", detail)


def signed_in(connection: AnyConnection) -> Principal:
    """Whoever a request comes from. Raises ``NotSignedIn``."""
    principal: Principal | None = connection.scope["user"]
    if principal is None:
        refused: BadToken | None = connection.scope["auth"]
        if isinstance(refused, TokensUnknown):
            headers = {"retry-after": str(AGAIN_S)}
            raise Problem(503, "database_away", refused.why, headers=headers)
        raise NotSignedIn(refused.why if refused else "")
    return principal


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
