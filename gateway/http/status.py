"""What a process is and how it is: ``/``, ``/healthz``, ``/readyz``, ``/metrics``."""

from collections.abc import Sequence
from typing import Final

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.types import ControllerRouterHandler
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from events.harmless import harmless
from gateway.access.roles import Principal
from gateway.http.context import About, Gateway, Readiness
from gateway.http.guards import AnyRequest
from gateway.http.pages import page

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
    """What it is."""
    return f"Troupe {about.version}, {about.command} (pid {about.pid})"


def at_work(about: About) -> str:
    """What it does."""
    runs = f"{_many(about.runs, 'run')} under way; " if about.command == "serve" else ""
    hands = f"{_many(about.episodes, 'episode')}, {_many(about.evaluations, 'evaluation')}"
    return f"{runs}in hand here: {hands}."


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


@get("/", sync_to_thread=False)
def home(
    request: AnyRequest,
    gateway: NamedDependency[Gateway],
    visitor: NamedDependency[Principal | None],
) -> Response[bytes]:
    """What this is, for people: HTML where it is asked for, else text."""
    about = gateway.about()
    if "text/html" not in request.headers.get("accept", ""):
        return Response(as_text(about).encode(), media_type=MediaType.TEXT)
    return page(
        request,
        "access/home.html",
        principal=visitor,
        first_line=first_line(about),
        at_work=at_work(about),
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


@get("/metrics", sync_to_thread=True)
def metrics() -> Response[bytes]:
    """Prometheus text format."""
    figures = harmless(generate_latest().decode())
    return Response(figures.encode(), headers={"content-type": CONTENT_TYPE_LATEST})


def routes() -> Sequence[ControllerRouterHandler]:
    """Of every process, a worker's too."""
    return [home, healthz, readyz, metrics]
