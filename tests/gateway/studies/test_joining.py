"""Participants' pages, as somebody uses them who does not keep to the links: over HTTP, without a
browser and without what plays episodes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from actors.studies.rules import Open
from actors.studies.sessions import consent_hash
from events.episode import EpisodeEnded
from gateway.http import route_modules
from gateway.http.app import make_app
from gateway.http.context import Gateway
from gateway.pages.studies import admin_pages, participant_pages, seat_page
from gateway.services.studies.erase_participant import erase
from gateway.services.studies.example_file import TEMPLATE
from gateway.services.studies.groups import GroupOutcomes
from gateway.services.studies.plan_study import plan_study, prepare_study
from gateway.services.studies.study_repository import Sessions, now
from gateway.services.studies.supervisor import StudySupervisor
from store.log.event_store import ANY
from store.open_store import open_store
from tests.gateway.served import gateway_over, signed_in
from tests.support.builders import opened, taken

Client = TestClient[Litestar]
OURS = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gateway]:
    """With these parts alone: to make all of it takes its time."""
    monkeypatch.setattr(
        route_modules, "ROUTES", (participant_pages.routes, seat_page.routes, admin_pages.routes)
    )
    monkeypatch.setattr(route_modules, "BESIDE", ())
    store = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    made = gateway_over(store, tmp_path / "data")
    made.studies = StudySupervisor(made)
    yield made
    store.close()


@pytest.fixture
def study(gateway: Gateway, tmp_path: Path) -> str:
    """The example, open."""
    return started(gateway, tmp_path, TEMPLATE)


def started(gateway: Gateway, folder: Path, text: str) -> str:
    """A study that lets people in."""
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    id_ = plan_study(gateway.store, prepare_study(gateway.store, path))
    gateway.studies.studies.do(id_, Open())
    return id_


class Visitor:
    """Somebody with a browser of their own."""

    def __init__(self, gateway: Gateway, study: str) -> None:
        self.client: Client = TestClient(make_app(gateway), raise_server_exceptions=False)
        self.client.follow_redirects = False
        self.study, self.gateway = study, gateway

    def posts(self, step: str, **fields: Any) -> int:
        """Send a form; the status."""
        answer = self.client.post(f"/join/{self.study}/{step}", data=fields, headers=OURS)
        return answer.status_code

    def comes(self, who: str = "one", agreed: str = "yes") -> str:
        """Agree; the pseudonym."""
        state = self.gateway.studies.studies.load(self.study).state
        fields = {"hash": consent_hash(state.study), "agreed": agreed, "PROLIFIC_PID": who}
        assert self.posts("consent", **fields) == 303
        return list(self.gateway.studies.studies.load(self.study).state.places)[-1]

    @property
    def page(self) -> str:
        return self.client.get(f"/join/{self.study}").text


def test_steps_are_taken_in_order_whatever_is_sent(gateway: Gateway, study: str) -> None:
    ana = Visitor(gateway, study)
    ana.comes()
    head = gateway.store.head()
    assert ana.posts("comprehension", **{"q-goal": "Only I"}) == 303
    assert ana.posts("questionnaire", **{"q-natural": "7", "q-partner": "A person"}) == 303
    assert ana.posts("instructions") == 303
    assert ana.posts("screening", **{"q-age": "9" * 5_000, "q-language": "Yes"}) == 422
    assert ana.posts("consent", agreed="no") == 303
    assert ana.posts("lobby") == 404
    assert gateway.store.head() == head
    assert "How old are you?" in ana.page


def test_who_takes_part_reaches_nobody_elses_session(gateway: Gateway, study: str) -> None:
    ana, bo = Visitor(gateway, study), Visitor(gateway, study)
    ana.comes("one")
    stranger = {"hash": "", "agreed": "yes"}
    assert bo.posts("instructions") == 401
    assert bo.posts("leave") == 401
    assert bo.posts("consent", **stranger) == 200
    head = gateway.store.head()
    # With a token of another study, of a seat, of an annotator of a study of that very name.
    for role, fields in (
        ("participant", {"study": "y0ther"}),
        ("participant", {"episode": "e1", "seat": 0}),
        ("annotator", {"study": study}),
        ("researcher", {}),
    ):
        bearer = signed_in(gateway, role, **fields)[1]  # type: ignore[arg-type]
        after = gateway.store.head()
        for step in ("instructions", "leave", "here", "screening"):
            answer = bo.client.post(f"/join/{study}/{step}", headers={**bearer, **OURS})
            assert answer.status_code == 404, (role, step)
        assert gateway.store.head() == after
    assert "How old are you?" in ana.page
    assert gateway.store.head() > head


def test_everybody_comes_in_once(gateway: Gateway, study: str) -> None:
    Visitor(gateway, study).comes("one", agreed="no")
    again = Visitor(gateway, study)
    state = gateway.studies.studies.load(study).state
    fields = {"hash": consent_hash(state.study), "agreed": "yes", "PROLIFIC_PID": " one "}
    answer = again.client.post(f"/join/{study}/consent", data=fields, headers=OURS)
    assert "You have been here before" in answer.text
    assert len(gateway.studies.studies.load(study).state.places) == 1
    # Without what tells them apart they would be somebody new each time.
    for fields["PROLIFIC_PID"] in ("", " "):
        answer = again.client.post(f"/join/{study}/consent", data=fields, headers=OURS)
        assert "This link is incomplete" in answer.text
    assert "This link is incomplete" in again.page
    researcher = signed_in(gateway, "researcher")[1]
    look = again.client.get(f"/join/{study}", headers=researcher)
    assert "This link is incomplete" not in look.text
    assert len(gateway.studies.studies.load(study).state.places) == 1


@pytest.mark.parametrize("odd", ["a b", "%00", "é☃", "x" * 300, "a.b", "*", "%ff", "'--"])
def test_odd_addresses_are_nobodys(gateway: Gateway, study: str, odd: str) -> None:
    head = gateway.store.head()
    visitor = Visitor(gateway, odd)
    assert visitor.client.get(f"/join/{odd}").status_code == 404
    assert visitor.posts("consent", agreed="yes", hash="x") == 404
    assert visitor.client.get(f"/seat/{odd}/{'9' * 5_000}").status_code in (401, 404)
    assert gateway.store.head() == head


def test_other_sites_pages_send_nothing(gateway: Gateway, study: str) -> None:
    ana = Visitor(gateway, study)
    ana.comes()
    head = gateway.store.head()
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {}):
        for step in ("screening", "leave", "here", "consent", "instructions"):
            answer = ana.client.post(f"/join/{study}/{step}", headers=headers)
            assert answer.status_code == 403, (headers, step)
    assert gateway.store.head() == head


async def test_who_plays_goes_on_once_the_last_words_were_shown(
    gateway: Gateway, tmp_path: Path
) -> None:
    text = TEMPLATE.replace("reply_delay_s = 2.0", "reply_delay_s = 3600.0")
    before, people, after = text.partition('[[conditions]]\nname = "people"')
    study = started(gateway, tmp_path, before + after[after.index("[[conditions]]") :])
    assert people
    ana = Visitor(gateway, study)
    session = ana.comes()
    assert ana.posts("screening", **{"q-age": "33", "q-language": "Yes"}) == 303
    assert ana.posts("instructions") == 303
    assert ana.posts("comprehension", **{"q-goal": "Only I"}) == 303
    caring: StudySupervisor = gateway.studies
    caring.presence.note(study, session)
    caring._match(study, caring.presence.of(study))
    (group,) = caring.studies.load(study).state.groups.values()
    seat = next(seat for seat, mind in enumerate(group.minds) if mind.kind != "person")
    over = [opened(1, [seat]), taken(1, seat, "Bye."), EpisodeEnded(reason="left", turn=1)]
    gateway.store.append(f"episode-{group.episode}", ANY, over)
    await caring.follow(study, group)
    assert caring.studies.load(study).state.places[session].where == "playing"
    caring.courses = GroupOutcomes(gateway.store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gateway.services.studies.supervisor.now", lambda: now() + 7_200_000_000)
        await caring.follow(study, group)
    assert caring.studies.load(study).state.places[session].where == "after"


def test_what_somebody_answers_after_their_erasure_is_kept_nowhere(
    gateway: Gateway, study: str, tmp_path: Path
) -> None:
    ana = Visitor(gateway, study)
    session = ana.comes()
    assert erase(gateway.store, study, session)
    assert ana.posts("screening", **{"q-age": "77", "q-language": "Yes"}) == 303
    found = Sessions(gateway.store).get(session)
    assert found is not None
    assert [one.value for one in found.state.answered[0].answers] == ["[erased]", "[erased]"]
    assert found.state.parameters[0].value == "[erased]"


def test_a_question_with_one_answer_takes_one(gateway: Gateway, study: str) -> None:
    ana = Visitor(gateway, study)
    session = ana.comes()
    # One of all the numbers there are would be right.
    ages = {"q-age": [str(age) for age in range(18, 120)], "q-language": "Yes"}
    assert ana.posts("screening", **ages) == 422
    assert ana.posts("screening", **{"q-age": ["33", "x" * 100_000], "q-language": "Yes"}) == 422
    found = Sessions(gateway.store).get(session)
    assert found is not None
    assert not found.state.answered
