"""Signing in, by links and tokens; sessions are used by our own pages only."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from litestar import Litestar, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.testing import TestClient

from gateway.http import route_modules
from gateway.http.app import make_app
from gateway.http.context import Gateway
from gateway.http.landing_page import home_of
from gateway.http.problems import Problem
from gateway.http.rate_limits import RateLimits
from gateway.pages.access import sign_in
from gateway.process.public_address import PublicAddress
from gateway.services.access.audit_log import deeds
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import Tokens, new_principal
from store.open_store import open_store
from tests.gateway.served import BROWSER, gateway_over, signed_in
from tests.support.servers.nats_server import until

OURS = {"sec-fetch-site": "same-origin", **BROWSER}


@post("/things/{thing:str}/end", sync_to_thread=False)
def end(principal: NamedDependency[Principal], thing: FromPath[str]) -> str:
    if thing == "none":
        raise Problem(404, "no_thing", "there is none")
    return thing


@post("/api/v1/changed", sync_to_thread=False)
def change(principal: NamedDependency[Principal]) -> str:
    return principal.name


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Litestar]:
    """With these parts alone: to make all of it takes its time."""
    folder = tmp_path_factory.mktemp("entering")
    store = open_store(f"sqlite:///{folder / 'troupe.db'}", durable=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(route_modules, "ROUTES", (sign_in.routes, lambda: [change, end]))
        yield make_app(gateway_over(store, folder))
    store.close()


@pytest.fixture
def gateway(app: Litestar) -> Iterator[Gateway]:
    gateway: Gateway = app.state.gateway
    gateway.access.outside = PublicAddress()
    gateway.limits.sign_ins = RateLimits(gateway.settings.tuning).sign_ins
    APPS[id(gateway)] = app
    yield gateway
    del APPS[id(gateway)]


APPS: dict[int, Litestar] = {}


def browser(gateway: Gateway, base_url: str = "http://testserver.local") -> TestClient[Litestar]:
    """A device: it keeps its cookies."""
    made = TestClient(APPS[id(gateway)], base_url=base_url)
    made.follow_redirects = False
    return made


def enter(device: TestClient[Litestar], link: str, **fields: str) -> Any:
    data = {"token": urlsplit(link).fragment, **fields}
    return device.post("/enter", data=data, headers=OURS)


def test_a_link_signs_in_and_leads_where_the_role_begins(gateway: Gateway):
    device = browser(gateway)
    principal = new_principal("participant", episode="e1", seat=1)
    entered = enter(device, gateway.access.link(principal))
    assert (entered.status_code, entered.headers["location"]) == (303, "/seat/e1/2")
    assert device.post("/api/v1/changed", headers=OURS).text == principal.name
    left = device.post("/leave", headers=OURS)
    assert left.headers["location"] == "/enter"
    assert device.post("/api/v1/changed", headers=OURS).status_code == 401


def test_a_participants_link_works_once_per_device(gateway: Gateway):
    link = gateway.access.link(new_principal("participant", episode="e1", seat=1))
    first, second = browser(gateway), browser(gateway)
    assert enter(first, link).status_code == 303
    refused = enter(second, link)
    assert refused.status_code == 403
    assert "another device" in refused.text
    assert "ask whoever sent you the link" in refused.text
    assert not second.cookies
    first.post("/leave", headers=OURS)
    assert enter(first, link).status_code == 303, "the same device comes back"


def test_looking_at_a_link_uses_nothing_up(gateway: Gateway):
    link = gateway.access.link(new_principal("participant", episode="e1", seat=1))
    preview = browser(gateway)
    assert preview.get(urlsplit(link).path, headers=BROWSER).status_code == 200
    assert preview.head(urlsplit(link).path).status_code in (200, 405)
    assert enter(browser(gateway), link).status_code == 303


def test_a_revoked_link_signs_nobody_in(gateway: Gateway):
    principal = new_principal("spectator", episode="e1")
    link = gateway.access.link(principal)
    Tokens(gateway.store).revoke(principal.token)
    refused = enter(browser(gateway), link)
    assert (refused.status_code, "The token was revoked." in refused.text) == (403, True)


@pytest.mark.parametrize(
    "to", ["//evil.example", "https://evil.example", "/\\evil", "\\\\e", "/a\nb"]
)
def test_signing_in_leads_to_no_other_site(gateway: Gateway, to: str):
    link = gateway.access.link(new_principal("researcher"))
    assert enter(browser(gateway), link, to=to).headers["location"] == "/runs"


def test_signing_in_leads_to_the_page_that_was_wanted(gateway: Gateway):
    link = gateway.access.link(new_principal("researcher"))
    assert enter(browser(gateway), link, to="/runs/r1?x=1").headers["location"] == "/runs/r1?x=1"


@pytest.mark.parametrize(
    ("base_url", "outside", "secure"),
    [
        ("http://testserver.local", PublicAddress(), False),
        ("https://testserver.local", PublicAddress(), True),
        ("http://testserver.local", PublicAddress(public_url="https://testserver.local"), True),
    ],
)
def test_cookies_are_for_our_pages_alone(
    gateway: Gateway, base_url: str, outside: PublicAddress, secure: bool
):
    gateway.access.outside = outside
    entered = enter(browser(gateway, base_url), gateway.access.link(new_principal("operator")))
    cookies = entered.headers.get_list("set-cookie")
    assert len(cookies) == 2
    for cookie in cookies:
        flags = cookie.lower().split("; ")
        assert {"httponly", "samesite=lax", "path=/"} <= set(flags)
        assert not any(flag.startswith("domain") for flag in flags)
        assert ("secure" in flags, flags[0].startswith("__host-")) == (secure, secure)


def test_pages_of_other_sites_change_nothing(gateway: Gateway):
    device = browser(gateway)
    enter(device, gateway.access.link(new_principal("researcher", name="mara")))
    for headers in (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {},
    ):
        for path in ("/api/v1/changed", "/leave"):
            refused = device.post(path, headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "other_site")
    assert (
        device.post("/api/v1/changed", headers={"origin": "http://testserver.local"}).text == "mara"
    )


def test_a_program_with_a_bearer_comes_from_nowhere(gateway: Gateway):
    headers = signed_in(gateway, "researcher", name="mara")[1]
    assert browser(gateway).post("/api/v1/changed", headers=headers).text == "mara"


def test_whoever_guesses_tokens_is_slowed_down(gateway: Gateway):
    device = browser(gateway)
    codes = [device.post("/enter", data={"token": "x"}).status_code for _ in range(31)]
    assert codes == [403] * 30 + [429]
    assert int(device.post("/enter", data={"token": "x"}).headers["retry-after"]) >= 1


def test_a_body_that_is_too_large_is_refused(gateway: Gateway):
    refused = browser(gateway).post("/enter", data={"token": "x" * 2**21})
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


def told(gateway: Gateway) -> list[tuple[str, str, str]]:
    """What was done to things."""
    rows = [(row.done.by, row.done.deed, row.done.subject) for row in deeds(gateway.store)]
    return [row for row in rows if "/things/" in row[1]]


async def test_what_researchers_change_by_pages_is_audited(gateway: Gateway):
    device = browser(gateway)
    for role, thing in (
        ("researcher", "t1"),
        ("researcher", "none"),
        ("operator", "t2"),
        ("annotator", "t3"),
    ):
        headers = signed_in(gateway, role, name=f"the {role}")[1]
        device.post(f"/things/{thing}/end", headers=headers)
        device.get("/enter", headers=headers)
    await until(lambda: len(told(gateway)) == 2)
    assert sorted(told(gateway)) == [
        ("the operator", "POST /things/{thing}/end", "t2"),
        ("the researcher", "POST /things/{thing}/end", "t1"),
    ]


@pytest.mark.parametrize(
    ("fields", "home"),
    [
        ({"role": "researcher"}, "/runs"),
        ({"role": "annotator"}, "/annotate"),
        ({"role": "annotator", "study": "s1"}, "/annotate/s1"),
        ({"role": "participant", "study": "s1"}, "/join/s1"),
        ({"role": "participant", "episode": "e1", "seat": 0}, "/seat/e1/1"),
        ({"role": "spectator", "episode": "e1"}, "/episodes/e1"),
        ({"role": "spectator"}, "/"),
    ],
)
def test_everybody_begins_somewhere(fields: dict[str, Any], home: str):
    assert home_of(new_principal(**fields)) == home


def test_what_a_process_does_is_for_who_looks_after_it(gateway: Gateway):
    device = browser(gateway)
    assert device.get("/").text == "Troupe\n"
    assert device.get("/metrics").status_code == 401
    assert device.get("/healthz").status_code == 200
    assert device.get("/readyz").status_code == 200
    operator, researcher = (signed_in(gateway, role)[1] for role in ("operator", "researcher"))
    assert "gateway (pid 1)" in device.get("/", headers=operator).text
    assert device.get("/metrics", headers=operator).status_code == 200
    assert device.get("/metrics", headers=researcher).status_code == 403
    home = device.get("/", headers=researcher | BROWSER)
    assert (home.status_code, home.headers["location"]) == (303, "/runs")
    gateway.access.outside = PublicAddress(metrics="open")
    assert device.get("/metrics").status_code == 200
