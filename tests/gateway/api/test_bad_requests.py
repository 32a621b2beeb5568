"""Whatever is sent: refused with a reason, nothing stored, no fault of ours."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar import Litestar
from litestar.testing import TestClient

from gateway.api.operations import OPERATIONS, PREFIX, Operation
from gateway.api.problems import answer_of
from store.errors import StoreUnavailable
from tests.gateway.api.conftest import World
from tests.gateway.api.schemas import PROBLEM, complaints

SLOW = {"verify_store", "rebuild_projections", "get_report", "list_workers", "get_jobs"}
"""Say nothing of what comes in, and take their time."""
NATS = {"retry_job", "retry_all_jobs"}
TRIED = [one for one in OPERATIONS.values() if one.id not in SLOW | NATS]

words = st.text(max_size=30) | st.sampled_from(
    ["", "0", "-1", "1e99", "null", "../..", "%00", "\x00", "\ud800", "r", "e", "é" * 40, "x" * 300]
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=10,
)


@st.composite
def bodies(draw: st.DrawFn, operation: Operation) -> bytes:
    """Bytes, JSON of no shape at all, or the right fields with odd values."""
    from json import dumps

    if draw(st.booleans()) and operation.body is not None:
        names = st.sampled_from(operation.body.__struct_fields__)
        return dumps(draw(st.dictionaries(names, plain, max_size=4))).encode()
    return draw(st.binary(max_size=60) | plain.map(lambda value: dumps(value).encode()))


@st.composite
def requests(draw: st.DrawFn) -> tuple[Operation, dict[str, str], dict[str, Any], bytes, str]:
    operation = draw(st.sampled_from(TRIED))
    known = st.sampled_from(["known", "known", "odd"])
    ids = {name: draw(known) and draw(words) for name in operation.parameters}
    kept = {name for name in ids if draw(known) == "known"}
    query: dict[str, Any] = {}
    if operation.query is not None:
        names = st.sampled_from(operation.query.__struct_fields__) | words.filter(bool)
        query = draw(st.dictionaries(names, words, max_size=3))
    body = draw(bodies(operation))
    kind = draw(
        st.sampled_from(["application/json"] * 4 + ["text/plain", "", operation.media_type])
    )
    return operation, {name: ids[name] for name in ids if name not in kept}, query, body, kind


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(requests())
def test_odd_requests_are_refused_and_nothing_is_stored(
    world: World,
    api: TestClient[Litestar],
    request_: tuple[Operation, dict[str, str], dict[str, Any], bytes, str],
) -> None:
    operation, odd, query, body, kind = request_
    from urllib.parse import quote, urlencode

    found = {**world.ids, **odd}
    path = operation.path
    for name in operation.parameters:
        path = path.replace(
            f"{{{name}}}", quote(found[name].encode(errors="surrogatepass"), safe="")
        )
    pairs = urlencode(
        {
            k.encode(errors="surrogatepass"): str(v).encode(errors="surrogatepass")
            for k, v in query.items()
        }
    )
    before = world.head
    headers = {"content-type": kind} if kind else {}
    content = body if operation.method != "GET" else None
    told = api.request(
        operation.method, f"{PREFIX}{path}?{pairs}", content=content, headers=headers
    )
    assert told.status_code != 500, (operation.id, told.text)
    if told.status_code >= 400:
        assert told.headers["content-type"] == "application/problem+json"
        assert complaints(PROBLEM, told.json()) == []
        assert told.json()["detail"]
        assert "Traceback" not in told.text
        assert world.head == before or operation.tag == "catalogs"


@pytest.mark.parametrize(
    ("body", "kind", "status", "code", "field"),
    [
        (b"{", "application/json", 400, "bad_json", ""),
        (b"[" * 100_000, "application/json", 422, "invalid", ""),
        (b'{"plan": 1}', "application/json", 422, "invalid", "plan"),
        (b'{"plan": "", "more": 1}', "application/json", 422, "invalid", "more"),
        (b"{}", "application/json", 422, "invalid", "plan"),
        (b'{"plan": "x"}', "text/plain", 415, "unsupported_media_type", ""),
        (b'{"plan": "x = 1"}', "application/json", 422, "bad_file", ""),
        (b'{"plan": "' + b"x" * 1_100_000 + b'"}', "application/json", 413, "too_large", ""),
    ],
)
def test_a_body_is_refused_with_what_is_wrong_and_where(
    body: bytes, kind: str, status: int, code: str, field: str, api: TestClient[Litestar]
) -> None:
    told = api.post(f"{PREFIX}/runs", content=body, headers={"content-type": kind})
    problem = told.json()
    assert (told.status_code, problem["code"]) == (status, code), problem
    assert problem.get("field", "").endswith(field)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=many", "limit"),
        ("limit=1&limit=2", "limit"),
        ("status=gone", "status"),
        ("nothing=1", "nothing"),
        ("cursor=abc", "cursor"),
        ("text=%00", "text"),
    ],
)
def test_a_parameter_is_refused_by_its_name(
    query: str, field: str, api: TestClient[Litestar]
) -> None:
    told = api.get(f"{PREFIX}/runs?{query}")
    assert told.status_code == 422
    assert told.json()["field"].startswith(field)


def test_ways_that_do_not_exist_are_problems_too(api: TestClient[Litestar]) -> None:
    for method, path, status, code in (
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/runs/", 404, "not_found"),
        ("DELETE", "/runs", 405, "method_not_allowed"),
        ("PUT", "/runs/r1/stop", 405, "method_not_allowed"),
    ):
        told = api.request(method, PREFIX + path)
        if path.endswith("/"):
            assert told.status_code in (200, 404)
            continue
        assert (told.status_code, told.json()["code"]) == (status, code)
        assert complaints(PROBLEM, told.json()) == []
        assert status != 405 or told.headers["allow"]


def test_what_nobody_foresaw_tells_nothing_of_itself() -> None:
    told = answer_of(RuntimeError("the password is hunter2"))
    assert (told.problem.status, told.problem.code) == (500, "fault")
    assert "hunter2" not in told.problem.detail


def test_an_outage_says_when_to_come_back_and_not_where_the_database_is() -> None:
    told = answer_of(StoreUnavailable("postgresql://db.inside/troupe", "connection refused"))
    assert (told.problem.status, told.problem.code) == (503, "unavailable")
    assert told.headers["retry-after"] == "1"
    assert "inside" not in told.problem.detail
