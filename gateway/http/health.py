"""Endpoints about the process itself: ``/``, ``/healthz``, ``/readyz``, ``/metrics``."""

from collections.abc import Sequence
from typing import Final

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from actors.text.amounts import many
from events.untrusted.safe_text import harmless
from gateway.http.context import About, Gateway, Readiness
from gateway.http.guards import AnyConnection, AnyRequest, Forbidden, signed_in
from gateway.http.landing_page import home_of
from gateway.http.origins import is_local
from gateway.http.templates import PageOrRedirect, page
from gateway.services.access.roles import Principal

PATHS: Final = {
    "/healthz": "the process lives",
    "/readyz": "NATS and the database answer",
    "/metrics": "figures for Prometheus",
}


def as_text(about: About) -> str:
    """What a process is, for a terminal."""
    width = max(map(len, PATHS))
    paths = "".join(f"  {path.ljust(width)}  {what}\n" for path, what in PATHS.items())
    return f"{first_line(about)}\n{at_work(about)}\n\n{paths}"


def first_line(about: About) -> str:
    return f"Troupe {about.version}, {about.command} (pid {about.pid})"


def at_work(about: About) -> str:
    runs = f"{many(about.runs, 'run')} under way; " if about.command == "serve" else ""
    hands = f"{many(about.episodes, 'episode')}, {many(about.evaluations, 'evaluation')}"
    return f"{runs}in hand here: {hands}."


def looks_after(connection: AnyConnection) -> bool:
    """Whether a request comes from an operator, or from this very machine."""
    principal: Principal | None = connection.scope["user"]
    if principal is not None and principal.role == "operator":
        return True
    gateway: Gateway = connection.app.state.gateway
    return is_local(connection.scope, gateway.access.outside)


def may_read_figures(connection: AnyConnection, _handler: BaseRouteHandler) -> None:
    """A guard: who looks after the process, or everybody where ``TROUPE_METRICS`` is open."""
    gateway: Gateway = connection.app.state.gateway
    if gateway.access.outside.metrics != "open" and not looks_after(connection):
        raise Forbidden(signed_in(connection), "figures are for operators")


@get("/", sync_to_thread=False)
def home(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
) -> PageOrRedirect:
    """What this is: HTML where it is asked for, else text. What the process does is for those who
    look after it; others who are signed in are sent to where they begin."""
    about = gateway.about() if looks_after(request) else None
    if "text/html" not in request.headers.get("accept", ""):
        text = as_text(about) if about else "Troupe\n"
        return Response(text.encode(), media_type=MediaType.TEXT)
    if about is None and visitor is not None and (begin := home_of(visitor)) != "/":
        return Redirect(begin, status_code=303)
    return page(
        request,
        "access/home.html",
        principal=visitor,
        first_line=first_line(about) if about else "",
        at_work=at_work(about) if about else "",
        paths=PATHS,
    )


@get("/healthz", media_type=MediaType.TEXT, sync_to_thread=False)
def healthz() -> str:
    """The process lives and its event loop turns."""
    return "ok\n"


@get("/readyz")
async def readyz(gateway: NamedDependency[Gateway]) -> Response[Readiness]:
    """NATS and the database answer: 200, otherwise 503 with what is missing."""
    state = await gateway.readiness()
    return Response(state, status_code=200 if state.ready else 503)


@get("/metrics", guards=[may_read_figures], sync_to_thread=True)
def metrics() -> Response[bytes]:
    """Prometheus text format."""
    figures = harmless(generate_latest().decode())
    return Response(figures.encode(), headers={"content-type": CONTENT_TYPE_LATEST})


def routes() -> Sequence[ControllerRouterHandler]:
    """Of every process, a worker's too."""
    return [home, healthz, readyz, metrics]
