"""What all pages and all of the API have in common."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery
from litestar.testing import TestClient

from gateway.http import route_modules
from gateway.http.context import Gateway
from gateway.http.guards import AnyRequest, requires
from gateway.http.problems import Problem
from gateway.http.static_files import STATIC
from gateway.http.templates import json_for, page
from gateway.pages.access import sign_in
from gateway.services.access.roles import Principal
from store.id_lookup import UnknownId
from store.open_store import open_store
from tests.gateway.served import BROWSER, client, gateway_over, signed_in

STATIC_FOLDER = Path(route_modules.__file__).parents[1] / "static"


@get("/api/v1/tested", guards=[requires("researcher")])
async def answered(
    gateway: NamedDependency[Gateway], principal: NamedDependency[Principal]
) -> dict[str, Any]:
    return {"name": principal.name, "head": gateway.store.head()}


@get("/tested", guards=[requires()], sync_to_thread=False)
def shown(request: AnyRequest, principal: NamedDependency[Principal]) -> Any:
    return page(
        request, "access/home.html", principal=principal, first_line=HOSTILE, at_work="", paths={}
    )


@post("/api/v1/tested", sync_to_thread=False)
def troubled(what: FromQuery[str]) -> None:
    raise {
        "unknown": UnknownId("episode", "e1", ()),
        "problem": Problem(409, "taken", "somebody sits there"),
        "fault": RuntimeError("the password is hunter2"),
    }[what]


HOSTILE = "</title><script>alert(1)</script>\x1b[2J\u202e"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    folder = tmp_path_factory.mktemp("app")
    store = open_store(f"sqlite:///{folder / 'troupe.db'}", durable=False)
    yield gateway_over(store, folder)
    store.close()


@pytest.fixture(scope="module")
def answering(gateway: Gateway) -> Iterator[TestClient[Any]]:
    """With these parts alone: to make all of it takes its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            route_modules, "ROUTES", (sign_in.routes, lambda: [answered, shown, troubled])
        )
        with client(gateway) as one:
            yield one


@pytest.fixture
def anybody(answering: TestClient[Any]) -> TestClient[Any]:
    answering.cookies.clear()
    return answering


def test_nobody_is_refused_by_the_api_and_sent_to_sign_in_by_pages(anybody: TestClient[Any]):
    refused = anybody.get("/api/v1/tested", headers=BROWSER)
    assert (refused.status_code, refused.headers["content-type"]) == (
        401,
        "application/problem+json",
    )
    assert refused.json()["code"] == "not_signed_in"
    sent = anybody.get("/tested?at=3", headers=BROWSER)
    assert (sent.status_code, sent.headers["location"]) == (303, "/enter?to=/tested%3Fat%3D3")


def test_roles_let_in_and_operators_do_what_researchers_may(
    gateway: Gateway, anybody: TestClient[Any]
):
    answers = {
        role: anybody.get("/api/v1/tested", headers=signed_in(gateway, role)[1]).status_code
        for role in ("operator", "researcher", "annotator", "participant", "spectator")
    }
    assert answers == {
        "operator": 200,
        "researcher": 200,
        "annotator": 403,
        "participant": 403,
        "spectator": 403,
    }


def test_a_cookie_is_as_good_as_a_bearer(gateway: Gateway, anybody: TestClient[Any]):
    principal, headers = signed_in(gateway, "researcher")
    name, value = gateway.access.cookie(headers["authorization"].split()[1])
    anybody.cookies.set(name, value)
    assert anybody.get("/api/v1/tested").json()["name"] == principal.name


def test_a_token_that_is_none_is_refused_with_the_reason(anybody: TestClient[Any]):
    for token in ("x", "a.b.c", "\xff"):
        headers = {"authorization": f"Bearer {token}".encode("latin-1")}
        refused = anybody.get("/api/v1/tested", headers=headers)
        assert (refused.status_code, refused.json()["detail"]) == (401, "that is no token")


@pytest.mark.parametrize(
    ("what", "status", "code"),
    [("unknown", 404, "unknown_id"), ("problem", 409, "taken"), ("fault", 500, "fault")],
)
def test_errors_are_problems_and_faults_tell_nothing(
    anybody: TestClient[Any], what: str, status: int, code: str
):
    answer = anybody.post(f"/api/v1/tested?what={what}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "hunter2" not in answer.text


def test_every_answer_carries_the_headers_that_keep_a_browser_safe(anybody: TestClient[Any]):
    for path in ("/", "/nothing/here", "/api/v1/tested", "/healthz", STATIC.url("shared/base.css")):
        headers = anybody.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "cache-control" in headers


def test_hostile_text_stays_text(gateway: Gateway, anybody: TestClient[Any]):
    headers = signed_in(gateway, "researcher", name="<img src=x>")[1] | BROWSER
    html = anybody.get("/tested", headers=headers).text
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "␛[2J[U+202E]" in html
    assert "<img src=x>" not in html
    assert "<script>" not in json_for("x", {"text": HOSTILE})[len("<script") :]


def test_a_page_that_is_not_there_is_still_a_page_for_who_is_signed_in(
    gateway: Gateway, anybody: TestClient[Any]
):
    headers = signed_in(gateway, "researcher", name="mara")[1] | BROWSER
    missing = anybody.get("/nothing", headers=headers)
    assert missing.status_code == 404
    assert "mara" in missing.text


def test_static_files_are_kept_for_good_under_their_digest_alone(anybody: TestClient[Any]):
    url = STATIC.url("shared/base.css")
    kept = anybody.get(url)
    assert kept.headers["content-type"].startswith("text/css")
    assert "immutable" in kept.headers["cache-control"]
    for other in ("/static/shared/base.css", "/static/~000000000000/shared/base.css"):
        same = anybody.get(other)
        assert (same.status_code, same.content) == (200, kept.content)
        assert "immutable" not in same.headers["cache-control"]
    again = anybody.get(url, headers={"if-none-match": kept.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pyproject.toml",
        "/static/%2e%2e/settings.py",
        "/static/..%2fsettings.py",
        "/static//etc/passwd",
        "/static/shared",
        "/static/shared/",
        "/static/shared/base.css%00.js",
        "/static/~/../settings.py",
        "/static/shared\\base.css",
    ],
)
def test_static_gives_no_other_file(anybody: TestClient[Any], path: str):
    assert anybody.get(path).status_code in (400, 404)


MARKUP = re.compile(
    r"(inner|outer)HTML\s*\+?=[^=]|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
)


def test_no_module_makes_markup_of_texts():
    found = {
        module.name: MARKUP.findall(module.read_text())
        for module in STATIC_FOLDER.rglob("*.js")
        if MARKUP.search(module.read_text())
    }
    assert found == {}
    assert MARKUP.search("box.innerHTML = text")


def test_a_template_that_names_a_missing_file_is_a_fault():
    with pytest.raises(LookupError, match="nothing"):
        STATIC.url("nothing.js")
