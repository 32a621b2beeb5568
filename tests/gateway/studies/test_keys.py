"""The one rule, wherever people are let in: every process finds the keys of what they write."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from gateway.errors import BadSetting
from gateway.http.context import Gateway
from gateway.services.participants.participant_keys import look_after_keys
from gateway.services.studies.study_repository import Studies
from gateway.services.studies.supervisor import StudySupervisor
from store.log.event_store import EventStore
from store.open_store import open_store
from store.participants.key_locations import VARIABLE
from store.participants.participant_keys import keys_of
from store.participants.shared_key_store import require_keys
from tests.browser.studies import study_file
from tests.gateway.command import Desk
from tests.gateway.served import BROWSER, client, gateway_over, signed_in

API = "/api/v1"
ELSEWHERE = "people are not let in"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_url: str) -> Desk:
    """One whose store is on PostgreSQL, and whose keys would be in a file of its own."""
    desk = Desk(tmp_path, monkeypatch)
    desk.set("TROUPE_DATABASE_URL", postgres_url)
    desk.set(VARIABLE, f"sqlite:///{tmp_path / 'own.db'}")
    return desk


@pytest.fixture
def store(desk: Desk, postgres_url: str) -> Iterator[EventStore]:
    with closing(open_store(postgres_url, durable=False)) as opened:
        yield opened


@pytest.fixture
def gateway(store: EventStore, tmp_path: Path) -> Gateway:
    made = gateway_over(store, tmp_path)
    made.studies = StudySupervisor(made)
    return made


@pytest.fixture
def researcher(gateway: Gateway) -> Iterator[TestClient[Any]]:
    with client(gateway, "researcher") as browser:
        browser.headers.update(signed_in(gateway, "researcher")[1])
        yield browser


def test_commands_that_let_people_in_say_what_to_set_instead(desk: Desk) -> None:
    file = desk.file("study.toml", study_file())
    link = ("token", "issue", "participant", "--study", "y1")
    for words in (("study", "check", file), ("study", "start", file), link):
        said = desk.says(*words)
        assert said.code == 1, words
        assert ELSEWHERE in said.err
        assert "unset it to keep keys in a schema beside the log" in said.err
    annotate = desk.says("annotate", "new", "--run", "r1")
    assert (annotate.code, ELSEWHERE in annotate.err) == (1, True)
    findings = {one["what"]: one for one in desk.says("doctor", "--no-probe", "--json").json}
    assert findings["people's words"]["status"] == "broken"
    desk.set(VARIABLE, "")
    assert "Participants go through" in desk.does("study", "check", file).out
    findings = {one["what"]: one for one in desk.does("doctor", "--no-probe", "--json").json}
    assert "schema troupe_keys" in findings["people's words"]["found"]


def test_the_api_and_the_pages_say_it_as_well(
    researcher: TestClient[Any], store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = study_file()
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/study-checks", {"plan": text}),
        ("/studies", {"plan": text}),
        ("/annotation-checks", {"runs": ["r1"]}),
        ("/tokens", {"role": "participant", "study": "y1"}),
    ]
    for path, body in asked:
        told = researcher.post(f"{API}{path}", json=body)
        assert (told.status_code, told.json()["code"]) == (409, "not_possible"), path
        assert ELSEWHERE in told.json()["detail"]
    assert ELSEWHERE[1:] in researcher.get("/studies/new", headers=BROWSER).text
    assert Studies(store).ids() == []
    with monkeypatch.context() as patch:
        patch.delenv(VARIABLE)
        study = researcher.post(f"{API}/studies", json={"plan": text}).json()["id"]
    # Planned, and opened by a process that would not find the keys.
    told = researcher.post(f"{API}/studies/{study}/open")
    assert told.status_code == 409
    assert researcher.post(f"/studies/{study}/open", data={}).status_code == 409
    assert researcher.get(f"{API}/studies/{study}").json()["status"] == "planned"


def test_a_process_looks_after_keys_before_it_serves_or_plays(
    store: EventStore, gateway: Gateway, monkeypatch: pytest.MonkeyPatch, empty_postgres_url: str
) -> None:
    # What keeps people out keeps nothing else from being done.
    look_after_keys(gateway.settings, store)
    monkeypatch.delenv(VARIABLE)
    look_after_keys(gateway.settings, store)
    require_keys(store)
    monkeypatch.setenv(VARIABLE, empty_postgres_url)
    with pytest.raises(BadSetting, match="unset TROUPE_KEYS_URL"):
        look_after_keys(gateway.settings, store)


def test_keys_are_moved_by_a_command(desk: Desk, store: EventStore, tmp_path: Path) -> None:
    old = keys_of(store.url)
    key = old.make("p-ana")
    desk.set(VARIABLE, "")
    said = desk.does("study", "keys", str(tmp_path / "own.db"), "--yes")
    assert said.out.startswith("1 keys were moved.")
    assert keys_of(store.url).of("p-ana") == key
    assert old.rows() == []
    assert desk.says("study", "keys", "mysql://x/y", "--yes").code == 1
