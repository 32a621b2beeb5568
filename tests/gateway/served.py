"""The HTTP application in this process, for tests of handlers."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient

from gateway.http.app import make_app
from gateway.http.authentication import Access
from gateway.http.context import About, Gateway, Readiness
from gateway.services.access.roles import Principal, Role
from gateway.services.access.token_repository import new_principal
from gateway.settings import read_settings
from store.log.event_store import EventStore

BROWSER = {"accept": "text/html,*/*"}
"""What a browser asks for."""


async def _ready() -> Readiness:
    return Readiness(ready=True)


def gateway_over(store: EventStore, folder: Path, bus: Any = None) -> Gateway:
    """A gateway that works on a store, with its secret in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = read_settings({"TROUPE_DATA_DIR": str(folder), "TROUPE_DATABASE_URL": store.url})
    return Gateway(
        settings=settings,
        store=store,
        bus=bus,
        access=Access(settings, store, {}),
        readiness=_ready,
        about=lambda: About(
            command="gateway", version="0", pid=1, runs=0, episodes=0, evaluations=0
        ),
    )


def signed_in(gateway: Gateway, role: Role, **fields: Any) -> tuple[Principal, dict[str, str]]:
    """A new principal and the headers by which it is known."""
    principal = new_principal(role, **fields)
    return principal, {"authorization": f"Bearer {gateway.access.token_for(principal)}"}


@contextmanager
def client(
    gateway: Gateway, role: Role | None = None, **fields: Any
) -> Iterator[TestClient[Litestar]]:
    """A client of the gateway's application, signed in with a role; None: nobody. Without a bus,
    nothing of what runs beside the handlers does."""
    headers = signed_in(gateway, role, **fields)[1] if role else {}
    answering = TestClient(make_app(gateway))
    answering.headers.update(headers)
    answering.follow_redirects = False
    with answering if gateway.bus is not None else nullcontext():
        yield answering
