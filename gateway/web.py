"""What a long-running process answers over HTTP: what it is, health, readiness, metrics."""

from collections.abc import Awaitable, Callable
from html import escape
from typing import Any

from litestar import Litestar, MediaType, Request, Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from events.base import Value
from events.harmless import harmless


class Readiness(Value, frozen=True, kw_only=True):
    """Whether work can be taken now, and what is missing if not."""

    ready: bool
    missing: tuple[str, ...] = ()


class About(Value, frozen=True, kw_only=True):
    """What a process is."""

    command: str
    """``serve`` or ``worker``."""
    version: str
    """Of Troupe."""
    pid: int
    runs: int
    """Runs that it carries out now."""
    episodes: int
    """Episodes that it has in hand."""
    evaluations: int
    """Evaluations that it has in hand."""


PATHS = {
    "/healthz": "the process lives",
    "/readyz": "NATS and the database answer",
    "/metrics": "figures for Prometheus",
}


def as_text(about: About) -> str:
    """What a process is, for a terminal."""
    width = max(map(len, PATHS))
    paths = "".join(f"  {path.ljust(width)}  {what}\n" for path, what in PATHS.items())
    return f"{_first_line(about)}\n{_at_work(about)}\n\n{paths}"


def as_html(about: About) -> str:
    """The same for a browser."""
    paths = "".join(
        f'<li><a href="{path}">{path}</a>: {escape(what)}</li>' for path, what in PATHS.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(_first_line(about))}</title>"
        "<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:40rem;"
        "padding:0 1rem;color-scheme:light dark}</style>"
        f"<h1>{escape(_first_line(about))}</h1><p>{escape(_at_work(about))}</p><ul>{paths}</ul>"
        "<p>Runs are looked at with <code>troupe runs</code>, <code>troupe show</code> and "
        "<code>troupe report</code>.</p></html>"
    )


def _first_line(about: About) -> str:
    return f"Troupe {about.version}, {about.command} (pid {about.pid})"


def _at_work(about: About) -> str:
    runs = f"{_many(about.runs, 'run')} under way; " if about.command == "serve" else ""
    hands = f"{_many(about.episodes, 'episode')}, {_many(about.evaluations, 'evaluation')}"
    return f"{runs}in hand here: {hands}."


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def make_app(readiness: Callable[[], Awaitable[Readiness]], about: Callable[[], About]) -> Litestar:
    """The HTTP application. ``readiness`` is asked at each ``/readyz``, ``about`` at each ``/``."""

    @get("/", sync_to_thread=False)
    def home(request: Request[Any, Any, Any]) -> Response[str]:
        """What this is, for people: HTML where it is asked for, else text."""
        if "text/html" in request.headers.get("accept", ""):
            return Response(as_html(about()), media_type=MediaType.HTML)
        return Response(as_text(about()), media_type=MediaType.TEXT)

    @get("/healthz", media_type=MediaType.TEXT, sync_to_thread=False)
    def healthz() -> str:
        """The process lives and its event loop turns."""
        return "ok\n"

    @get("/readyz")
    async def readyz() -> Response[Readiness]:
        """NATS and the database answer: 200, otherwise 503 with what is missing."""
        state = await readiness()
        return Response(state, status_code=200 if state.ready else 503)

    @get("/metrics", sync_to_thread=True)
    def metrics() -> Response[bytes]:
        """Prometheus text format."""
        figures = harmless(generate_latest().decode())
        return Response(figures.encode(), headers={"content-type": CONTENT_TYPE_LATEST})

    return Litestar([home, healthz, readyz, metrics], openapi_config=None)
