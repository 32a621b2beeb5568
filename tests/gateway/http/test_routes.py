"""All routes of all parts."""

import re
from pathlib import Path

import pytest
from litestar.testing import TestClient

from gateway.http.app import make_app
from gateway.http.rate_limits import RateLimits
from gateway.process.process_limits import Tuning
from store.open_store import open_store
from tests.gateway.served import gateway_over, signed_in

DESCRIPTIONS = ("/api/docs", "/api/openapi.json", "/api/asyncapi.json")
"""What programs and people are told of the API and the socket before they have a token."""
OPEN = re.compile(
    r"/|/enter|/leave|/healthz|/readyz|/static/.*|/join/.*|/ws|"
    + "|".join(map(re.escape, DESCRIPTIONS))
)
"""Where nobody need be signed in: health, the sign-in page, what the API is like; studies and
sockets look themselves who comes."""


def test_nobody_comes_in_elsewhere_and_researchers_find_what_pages_link_to(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    gateway = gateway_over(store, tmp_path / "data")
    gateway.limits = RateLimits(Tuning(requests_per_s=1e9))
    app = make_app(gateway)
    anybody = TestClient(app, raise_server_exceptions=False)
    tried = 0
    for route in app.routes:
        if OPEN.fullmatch(route.path):
            continue
        path = re.sub(r"{(\w+):\w+}", "1", route.path)
        for method in sorted(route.methods - {"OPTIONS", "HEAD"}):  # type: ignore[union-attr]
            assert anybody.request(method, path).status_code == 401, (method, path)
            tried += 1
    _, operator = signed_in(gateway, "operator")
    tables = anybody.get("/judges/tables.csv?run=", headers=operator)
    store.close()
    assert tables.status_code == 200
    assert tried > 100


@pytest.mark.parametrize("path", DESCRIPTIONS)
@pytest.mark.parametrize("token", ["", "no token", "researcher"])
def test_descriptions_are_open_to_everybody_alike(tmp_path: Path, path: str, token: str) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    gateway = gateway_over(store, tmp_path / "data")
    headers = {"authorization": f"Bearer {token}"} if token else {}
    if token == "researcher":
        _, headers = signed_in(gateway, "researcher")
    found = TestClient(make_app(gateway)).get(path, headers=headers)
    store.close()
    assert found.status_code == 200
    assert path.endswith("docs") or found.json()["info"]["title"].startswith("Troupe")
