"""Signing in and out: ``/enter`` and ``/leave``."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.params import Body, FromQuery
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from gateway.access.roles import Principal
from gateway.access.tokens import BadToken
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest
from gateway.http.pages import page

HOMES: Final = {"operator": "/runs", "researcher": "/runs", "annotator": "/annotate"}


def home_of(principal: Principal) -> str:
    """Where somebody begins."""
    if principal.role == "spectator" and principal.episode:
        return f"/episodes/{principal.episode}"
    if principal.episode and principal.seat is not None:
        return f"/seat/{principal.episode}/{principal.seat + 1}"
    if principal.study:
        return f"/{'annotate' if principal.role == 'annotator' else 'join'}/{principal.study}"
    return HOMES.get(principal.role, "/")


def local(path: str) -> str:
    """A path of this site to go on to; empty for whatever else is given."""
    fits = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if fits else ""


@get("/enter", sync_to_thread=False)
def enter(
    request: AnyRequest, visitor: NamedDependency[Principal | None], to: FromQuery[str] = ""
) -> Response[bytes]:
    """The sign-in page. A link's token stands behind ``#``, which no server and no preview of the
    link sees; the page's button sends it."""
    return page(request, "access/enter.html", principal=visitor, to=local(to), why="")


@post("/enter", status_code=303)
async def entered(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    data: Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[Any]:
    """Sign in with a token."""
    given, to = str(data.get("token", "")).strip(), local(str(data.get("to", "")))
    try:
        principal = await gateway.access.principal(given)
    except BadToken as error:
        why = error.why
        return page(
            request, "access/enter.html", principal=request.user, status=403, to=to, why=why
        )
    name, value = gateway.access.cookie(given)
    cookie = Cookie(key=name, value=value, httponly=True, samesite="lax")
    return Redirect(to or home_of(principal), status_code=303, cookies=[cookie])


@post("/leave", status_code=303, sync_to_thread=False)
def leave(gateway: NamedDependency[Gateway]) -> Response[Any]:
    """Sign out in this browser."""
    name, _ = gateway.access.cookie("")
    gone = Cookie(key=name, value="", max_age=0, httponly=True, samesite="lax")
    return Redirect("/enter", status_code=303, cookies=[gone])


def routes() -> Sequence[ControllerRouterHandler]:
    """Of this part."""
    return [enter, entered, leave]
