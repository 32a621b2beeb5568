"""What a request of the REST API costs."""

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from actors.runtime.actors.event_loop import run
from gateway.http.app import make_app
from store.open_store import open_store
from tests.benchmarks.scored_run import write_run
from tests.budgets.counting import Figure, counted_on_loop, watching_threads
from tests.gateway.served import gateway_over, signed_in

REQUESTS = 40


def rest_episode() -> Figure:
    """Calls of a REST read of an episode of six turns, from the ASGI application inwards."""

    async def measure(folder: str) -> Figure:
        with closing(open_store(f"sqlite:///{folder}/troupe.db", durable=False)) as store:
            write_run(store, 4)
            gateway = gateway_over(store, Path(folder))
            headers = signed_in(gateway, "researcher")[1]
            app = make_app(gateway)

            async def ask() -> int:
                for _ in range(REQUESTS):
                    await _get(app, "/api/v1/episodes/e000001", headers)
                return REQUESTS

            return await counted_on_loop(ask)

    with tempfile.TemporaryDirectory() as folder, watching_threads():
        return run(measure(folder))


async def _get(app: Any, path: str, headers: dict[str, str]) -> None:
    """A request without a server and without a client."""
    status = 0

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    await app(scope, receive, send)
    assert status == 200, status
