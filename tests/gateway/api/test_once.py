"""Requests with an idempotency key are done once, whichever gateway they come to."""

import asyncio
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient
from litestar import Litestar
from litestar.testing import TestClient

from gateway.api.operations import PREFIX
from gateway.api.resources import runs
from gateway.http.app import make_app
from store import idempotency
from store.open_store import open_store
from store.read_model import queries
from tests.gateway.api.conftest import World
from tests.gateway.served import client, gateway_over, signed_in
from tests.support.runs import plan

PLAN = {"plan": plan(tasks=1)}
KEY = {"idempotency-key": "one"}


def started(world: World) -> int:
    return len(queries.runs(world.gateway.store))


def test_the_same_again_is_answered_as_the_first_time(
    world: World, api: TestClient[Litestar]
) -> None:
    before = started(world)
    first = api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY)
    again = api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["idempotent-replayed"] == "true"
    assert started(world) == before + 1


def test_another_request_with_the_same_key_is_refused(
    world: World, api: TestClient[Litestar]
) -> None:
    api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY)
    before = started(world)
    for told in (
        api.post(f"{PREFIX}/runs", json={"plan": plan(tasks=2)}, headers=KEY),
        api.post(f"{PREFIX}/forecasts", json=PLAN, headers=KEY),
    ):
        assert (told.status_code, told.json()["code"]) == (422, "key_reused")
    assert started(world) == before


def test_keys_are_of_one_token(world: World, api: TestClient[Litestar]) -> None:
    first = api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY).json()["run"]
    with client(world.gateway, "researcher") as other:
        assert other.post(f"{PREFIX}/runs", json=PLAN, headers=KEY).json()["run"] != first


def test_a_refusal_is_an_answer_too(api: TestClient[Litestar]) -> None:
    first = api.post(f"{PREFIX}/runs", json={"plan": "x = 1"}, headers=KEY)
    again = api.post(f"{PREFIX}/runs", json={"plan": "x = 1"}, headers=KEY)
    assert first.status_code == again.status_code == 422
    assert first.json() == again.json()


def test_another_gateway_knows_what_was_answered(world: World, tmp_path: Path) -> None:
    _, headers = signed_in(world.gateway, "researcher")
    with client(world.gateway) as here:
        first = here.post(f"{PREFIX}/runs", json=PLAN, headers=headers | KEY)
    store = open_store(world.gateway.store.url)
    with client(gateway_over(store, world.gateway.settings.data_dir)) as there:
        again = there.post(f"{PREFIX}/runs", json=PLAN, headers=headers | KEY)
    store.close()
    assert first.status_code == 201
    assert again.json() == first.json()


async def test_many_at_once_are_one(world: World) -> None:
    before = started(world)
    _, headers = signed_in(world.gateway, "researcher")
    transport = ASGITransport(make_app(world.gateway))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://test", headers=headers) as one:
        asked = (one.post(f"{PREFIX}/runs", json=PLAN, headers=KEY) for _ in range(8))
        told = await asyncio.gather(*asked)
    assert {one.status_code for one in told} <= {201, 409}
    assert {one.json()["code"] for one in told if one.status_code == 409} <= {"in_progress"}
    assert started(world) == before + 1


def test_what_a_gateway_began_that_died_is_finished_by_the_next_try(
    world: World, api: TestClient[Litestar], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run was recorded, and the answer was lost with the process."""
    before = started(world)

    def die(*_: object) -> None:
        raise RuntimeError("the process is no more")

    with monkeypatch.context() as patch:
        patch.setattr(runs, "standing_of", die)
        patch.setattr(idempotency, "give_up", lambda *_: None)
        lost = api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY)
        assert (lost.status_code, lost.json()["code"]) == (500, "fault")
        assert "no more" not in lost.text
    told = api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY)
    assert told.json()["code"] == "in_progress"
    monkeypatch.setattr(idempotency, "PATIENCE_S", -1.0)
    again = api.post(f"{PREFIX}/runs", json=PLAN, headers=KEY)
    assert again.status_code == 201, again.text
    assert started(world) == before + 1


def test_answers_are_forgotten_after_a_day(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    store = world.gateway.store
    assert isinstance(idempotency.claim(store, "k", "a"), idempotency.KeyClaimed)
    idempotency.keep(store, "k", idempotency.StoredResponse(200, "application/json", b"{}"))
    assert idempotency.claim(store, "k", "a") == idempotency.StoredResponse(
        200, "application/json", b"{}"
    )
    assert idempotency.claim(store, "k", "b") == idempotency.KeyReused()
    monkeypatch.setattr(idempotency, "KEPT_S", -1.0)
    assert isinstance(idempotency.claim(store, "k", "b"), idempotency.KeyClaimed)


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "é"])
def test_what_is_no_key_is_refused(key: str, api: TestClient[Litestar]) -> None:
    headers = {"idempotency-key": key.encode()}
    told = api.post(f"{PREFIX}/forecasts", json=PLAN, headers=headers)  # type: ignore[arg-type]
    assert (told.status_code, told.json()["field"]) == (422, "Idempotency-Key")
