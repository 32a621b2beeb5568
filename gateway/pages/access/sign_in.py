"""Signing in and out: ``/enter`` and ``/leave``."""

from collections.abc import Sequence

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from gateway.http.context import Gateway
from gateway.http.forms import Form
from gateway.http.guards import AnyRequest
from gateway.http.landing_page import home_of
from gateway.http.origins import address_of, is_secure
from gateway.http.templates import PageOrRedirect, page
from gateway.services.access.roles import Principal
from gateway.services.access.signed_tokens import BadToken
from gateway.services.access.token_repository import OtherDevice


def local(path: str) -> str:
    """A path of this site to go on to; empty for whatever else is given."""
    fits = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path if fits and path.isprintable() and len(path) < 2_000 else ""


@get("/enter", sync_to_thread=False)
def enter(
    request: AnyRequest, visitor: NamedDependency[Principal | None], to: FromQuery[str] = ""
) -> Response[bytes]:
    """The sign-in page. A link's token stands behind ``#``, which no server and no preview of the
    link sees; the page's button sends it."""
    return page(request, "access/enter.html", principal=visitor, to=local(to), why="", other=False)


@post("/enter", status_code=303)
async def entered(
    request: AnyRequest, gateway: NamedDependency[Gateway], data: Form
) -> PageOrRedirect:
    """Sign in with a link's token, or with one for programs."""
    access = gateway.access
    gateway.limits.sign_ins.take(address_of(request.scope))
    given, to = str(data.get("token", "")).strip(), local(str(data.get("to", "")))
    try:
        state, session, device = await access.enter(given, access.device_of(request.scope))
    except (BadToken, OtherDevice) as error:
        return page(
            request,
            "access/enter.html",
            principal=request.user,
            status=403,
            to=to,
            why=str(error),
            other=isinstance(error, OtherDevice),
        )
    secure = is_secure(request.scope, access.outside)
    cookies = access.cookies(session, device, secure=secure, expires=state.principal.expires)
    return Redirect(to or home_of(state.principal), status_code=303, cookies=cookies)


@post("/leave", status_code=303, sync_to_thread=False)
def leave(request: AnyRequest, gateway: NamedDependency[Gateway]) -> Redirect:
    """Sign out in this browser."""
    secure = is_secure(request.scope, gateway.access.outside)
    cookies = gateway.access.cookies("", "", secure=secure, expires=0)
    return Redirect("/enter", status_code=303, cookies=cookies)


def routes() -> Sequence[ControllerRouterHandler]:
    return [enter, entered, leave]
