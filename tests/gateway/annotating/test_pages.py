"""Annotators' pages, as somebody uses them who does not keep to the links."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from gateway.http import route_modules
from gateway.http.app import make_app
from gateway.http.context import Gateway
from gateway.http.rate_limits import RateLimits
from gateway.pages.annotations import annotation_pages
from gateway.process.process_limits import Tuning
from gateway.services.annotations.annotation_repository import AnnotationStudies
from tests.gateway.command import Desk
from tests.gateway.served import BROWSER, gateway_over, signed_in

Client = TestClient[Litestar]
OURS = {"sec-fetch-site": "same-origin", **BROWSER}


@pytest.fixture
def gateway(played: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gateway]:
    monkeypatch.setattr(route_modules, "ROUTES", (annotation_pages.routes,))
    monkeypatch.setattr(route_modules, "BESIDE", ())
    store = played.open()
    made = gateway_over(store, tmp_path / "data")
    made.limits = RateLimits(Tuning(requests_per_s=1e9))
    yield made
    store.close()


@pytest.fixture
def studies(played: Desk, run: str) -> tuple[str, str]:
    """Two of the same episodes."""
    asked = ("annotate", "new", "--run", run, "-k", "2", "--json")
    one, other = (str(played.does(*asked).json["id"]) for _ in range(2))
    return one, other


def visitor(gateway: Gateway, study: str, name: str = "ann") -> Client:
    client: Client = TestClient(make_app(gateway), raise_server_exceptions=False)
    client.follow_redirects = False
    client.headers.update(signed_in(gateway, "annotator", study=study, name=name)[1] | OURS)
    return client


def test_an_annotator_reads_what_was_given_to_them_and_nothing_else(
    gateway: Gateway, studies: tuple[str, str]
) -> None:
    mine, other = studies
    ann, ben = visitor(gateway, mine), visitor(gateway, mine, "ben")
    given = ann.post(f"/annotate/{mine}/next").headers["location"]
    assert ann.get(given).status_code == 200
    assert ben.get(given).status_code == 409
    assert ben.post(given, data={}).status_code == 409
    assert ben.post(f"{given}/draft", json={"answers": []}).status_code == 409
    assert ben.get(f"{given}/before/0").status_code == 409
    head = gateway.store.head()
    for path in (
        f"/annotate/{other}",
        f"/annotate/{other}/1",
        f"/annotate/{other[:3]}x",
        "/annotate/x",
    ):
        refused = ann.get(path)
        assert refused.status_code == 403
        assert other not in refused.text
    assert other not in ann.get("/annotate").text
    for path in ("close", "open"):
        assert ann.post(f"/annotate/{mine}/{path}").status_code == 403
    assert ann.get(f"/annotate/{mine}/answers.csv").status_code == 403
    assert ann.post(f"/annotate/{mine}/next", headers={"sec-fetch-site": "cross-site"})
    assert gateway.store.head() == head


def test_a_researcher_plans_a_study_on_a_page(gateway: Gateway, run: str) -> None:
    ada: Client = TestClient(make_app(gateway), raise_server_exceptions=False)
    ada.follow_redirects = False
    ada.headers.update(signed_in(gateway, "researcher")[1] | OURS)
    opened = ada.get(f"/annotate/new?run={run}").text
    assert "Annotations wanted" in opened
    found = re.search(r'name="key" value="(\w+)"', opened)
    assert found
    form = {"key": found[1], "toml": f'runs = ["{run}"]\njudge = "/etc/passwd.toml"'}
    planned = len(AnnotationStudies(gateway.store).ids())
    assert "There is no judge" in ada.post("/annotate/new", data=form | {"action": "start"}).text
    assert len(AnnotationStudies(gateway.store).ids()) == planned
    form |= {"toml": f'runs = ["{run}"]\nannotators = 3', "action": "start"}
    (place,) = {ada.post("/annotate/new", data=form).headers["location"] for _ in range(2)}
    study = AnnotationStudies(gateway.store).load(place.removeprefix("/annotate/")).state
    assert {item.wanted for item in study.plan.items} == {3}


ODD = ["0", "-1", "9" * 30, "9" * 5_000, "é☃", "%00", "x" * 300, "a b", "%ff", "²"]


def test_odd_addresses_and_forms_are_refused_and_change_nothing(
    gateway: Gateway, studies: tuple[str, str]
) -> None:
    mine, _ = studies
    ann = visitor(gateway, mine)
    given = ann.post(f"/annotate/{mine}/next").headers["location"]
    head = gateway.store.head()
    for odd in ODD:
        for path in (odd, f"{mine}/{odd}", f"{mine}/{odd}/before/0", f"{mine}/1/before/{odd}"):
            assert ann.get(f"/annotate/{path}").status_code in (403, 404, 405, 409), path
        form = {"value.0.0": odd, "quotes.0.0": f'[{{"number": {"9" * 30}}}]', "check": odd}
        for path in (f"{odd}/next", f"{mine}/{odd}", f"{mine}/{odd}/draft"):
            assert 400 <= ann.post(f"/annotate/{path}", data=form).status_code < 500, path
        assert ann.post(given, data={**form, "seconds": "-1e400"}).status_code == 422
    assert ann.post(given, content=b"\xff=%ff&value.0.0=\x00").status_code == 422
    assert ann.post(f"{given}/draft", content=b"[" * 100_000).status_code == 400
    assert gateway.store.head() == head
    assert not AnnotationStudies(gateway.store).load(mine).state.closed
