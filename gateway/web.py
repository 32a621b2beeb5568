"""What a long-running process answers over HTTP: health, readiness, metrics."""

from collections.abc import Awaitable, Callable

from litestar import Litestar, MediaType, Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from events.base import Value


class Readiness(Value, frozen=True, kw_only=True):
    """Whether work can be taken now, and what is missing if not."""

    ready: bool
    missing: tuple[str, ...] = ()


def make_app(readiness: Callable[[], Awaitable[Readiness]]) -> Litestar:
    """The HTTP application. ``readiness`` is asked at each ``/readyz``."""

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
        return Response(generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST})

    return Litestar([healthz, readyz, metrics], openapi_config=None)
