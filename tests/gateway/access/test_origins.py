"""Requests come from our own pages, from programs, or from pages of others."""

from typing import Any

import pytest

from gateway.http.origins import allows_change, allows_socket, is_local, is_secure
from gateway.process.public_address import PublicAddress, is_origin, outside_problems, read_outside

PUBLIC = PublicAddress(public_url="https://lab.example", origins=("https://friend.example",))


def scope(scheme: str = "http", client: str = "10.0.0.5", **headers: str) -> Any:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "scheme": scheme, "headers": raw, "client": (client, 1)}


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("https://lab.example", True),
        ("https://LAB.example", True),
        ("https://friend.example", True),
        ("http://lab.example", False),
        ("https://lab.example:444", False),
        ("https://lab.example.evil.example", False),
        ("https://evil.example", False),
        ("null", False),
        ("", False),
        ("file://", False),
    ],
)
def test_sockets_are_opened_by_our_pages_and_by_programs(origin: str | None, allowed: bool):
    headers = {} if origin is None else {"origin": origin}
    assert allows_socket(scope("wss", host="whatever", **headers), PUBLIC) is allowed


def test_without_a_public_address_the_host_that_was_asked_is_ours():
    plain = PublicAddress()
    assert allows_socket(scope("ws", host="box:8700", origin="http://box:8700"), plain)
    assert not allows_socket(scope("ws", host="box:8700", origin="http://box:8701"), plain)
    assert not allows_socket(scope("ws", host="box", origin="https://box"), plain)


@pytest.mark.parametrize(
    ("headers", "session", "allowed"),
    [
        ({"origin": "https://lab.example"}, True, True),
        ({"origin": "https://evil.example"}, True, False),
        ({"origin": "https://evil.example"}, False, False),
        ({"origin": "https://friend.example"}, True, False),
        ({"origin": "null"}, True, False),
        ({"sec_fetch_site": "same-origin"}, True, True),
        ({"sec_fetch_site": "none"}, True, True),
        ({"sec_fetch_site": "same-site"}, True, False),
        ({"sec_fetch_site": "cross-site"}, False, False),
        ({"origin": "https://evil.example", "sec_fetch_site": "same-origin"}, True, False),
        ({}, True, False),
        ({}, False, True),
    ],
)
def test_changes_with_a_session_come_from_our_pages(
    headers: dict[str, str], session: bool, allowed: bool
):
    assert allows_change(scope(host="lab.example", **headers), PUBLIC, session=session) is allowed


def test_local_is_who_asks_this_machine_by_its_own_name():
    plain, here = PublicAddress(), {"client": "127.0.0.1", "host": "127.0.0.1:8700"}
    assert is_local(scope(**here), plain)
    assert is_local(scope(client="::1", host="[::1]:8700"), plain)
    assert is_local(scope(client="127.0.0.1", host="localhost"), plain)
    assert not is_local(scope(client="10.0.0.5", host="localhost"), plain)
    assert not is_local(scope(client="127.0.0.1", host="evil.example"), plain), "rebinding"
    assert not is_local(scope(**here, x_forwarded_for="127.0.0.1"), plain)
    assert not is_local(scope(**here), PUBLIC), "a proxy on this machine"
    assert not is_local(scope(client="no address", host="localhost"), plain)


def test_tls_may_end_at_a_proxy():
    assert is_secure(scope("http", host="x"), PUBLIC)
    assert is_secure(scope("https", host="x"), PublicAddress())
    assert not is_secure(scope("http", host="x"), PublicAddress())


def test_what_the_environment_says_of_the_outside_is_checked():
    said = read_outside(
        {
            "TROUPE_PUBLIC_URL": "https://Lab.example/",
            "TROUPE_ORIGINS": "https://a.example, ftp://b",
            "TROUPE_PROXIES": "10.0.0.0/8, proxy",
            "TROUPE_METRICS": "closed",
        }
    )
    assert said.public_url == "https://lab.example"
    assert [(variable, value) for variable, value, _ in outside_problems(said)] == [
        ("TROUPE_ORIGINS", "ftp://b"),
        ("TROUPE_PROXIES", "proxy"),
        ("TROUPE_METRICS", "closed"),
    ]
    assert list(outside_problems(read_outside({}))) == []
    bad = ["https://a/b", "https://u@a", "https://", "//a", "https://a:99999", "https://[::1"]
    assert [text for text in bad if is_origin(text)] == []
