"""The pages of studies, without a browser: forms are enough, and everything is escaped."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from msgspec import structs

from actors.studies.rules import Close, Drop, EndGroup, Gather, Open, Pause
from actors.studies.state import StudyState
from events.episode import EpisodeEnded, EpisodeForked
from events.privacy.encryption import ERASED
from events.serialization.codec import event_of
from events.study import Answer, InstructionsRead, QuestionsAnswered
from gateway.http.context import Gateway
from gateway.http.templates import templates
from gateway.pages.runs.one_run import context_of
from gateway.pages.runs.run_pages import RunPages as RunDesk
from gateway.pages.runs.template_values import HELP
from gateway.services.participants.erase_words import WordsInClear
from gateway.services.runs.run_list import RunList
from gateway.services.runs.watch_run import RunWatch
from gateway.services.studies.erase_participant import erase
from gateway.services.studies.export_study import export_study
from gateway.services.studies.groups import begin_group
from gateway.services.studies.plan_study import plan_study, prepare_study
from gateway.services.studies.study_repository import Sessions, Studies, now
from gateway.services.studies.supervisor import StudySupervisor
from store.errors import NoKey
from store.log.event_store import ANY, NEW, EventStore
from store.open_store import open_store
from store.participants.participant_keys import keys_of
from store.read_model import queries
from tests.browser.studies import study_file
from tests.gateway.served import BROWSER, client, gateway_over, signed_in
from tests.support.builders import mind, started

HOSTILE = '"><script>alert(1)</script>\u202e'


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventStore]:
    monkeypatch.delenv("TROUPE_KEYS_URL", raising=False)
    opened = open_store(f"sqlite:///{tmp_path / 'troupe.db'}")
    yield opened
    opened.close()


@pytest.fixture
def gateway(store: EventStore, tmp_path: Path) -> Gateway:
    made = gateway_over(store, tmp_path)
    made.studies = StudySupervisor(made)
    return made


@pytest.fixture
def study(store: EventStore, tmp_path: Path) -> str:
    path = tmp_path / "study.toml"
    path.write_text(study_file(rule="replace"), encoding="utf-8")
    id_ = plan_study(store, prepare_study(store, path), "ada")
    Studies(store).do(id_, Open(by="ada"))
    return id_


@pytest.fixture
def anybody(gateway: Gateway) -> Iterator[TestClient[Any]]:
    with client(gateway) as browser:
        yield browser


def test_a_study_is_written_on_a_page_and_planned_once(gateway: Gateway) -> None:
    with client(gateway, "researcher") as ada:
        ada.headers.update(BROWSER)
        opened = ada.get("/studies/new").text
        found = re.search(r'name="key" value="(\w+)"', opened)
        assert found
        assert "Participants go through consent" in opened
        form = {"key": found[1], "toml": study_file(), "action": "start"}
        wrong = ada.post("/studies/new", data=form | {"toml": HOSTILE + "\n[study]\n"})
        assert (wrong.status_code, "<script>alert" in wrong.text) == (200, False)
        assert "It cannot be planned yet" in wrong.text
        checked = ada.post("/studies/new", data=form | {"action": "check"})
        assert (checked.status_code, "A short talk" in checked.text) == (200, True)
        assert not list(Studies(gateway.store)._kept)
        assert ada.post("/studies/new", data=form | {"key": "../x"}).status_code == 400
        places = {ada.post("/studies/new", data=form).headers["location"] for _ in range(2)}
        (place,) = places
        assert ada.get(place).status_code == 200


class Participant:
    """Somebody with a browser that knows nothing but forms."""

    def __init__(self, browser: TestClient[Any], study: str, who: str) -> None:
        self.browser, self.study, self.who = browser, study, who
        self.cookies: dict[str, str] = {}
        self.page = ""
        self.place = ""

    def opens(self) -> str:
        return self._goes("GET", f"/join/{self.study}?PROLIFIC_PID={self.who}")

    def sends(self, path: str, **fields: str) -> str:
        return self._goes("POST", f"/join/{self.study}/{path}", fields)

    def agrees(self) -> str:
        self.opens()
        found = re.search(r'name="hash" value="(\w+)"', self.page)
        assert found
        fields = {"hash": found[1], "agreed": "yes", "PROLIFIC_PID": self.who}
        return self.sends("consent", **fields)

    def to_the_lobby(self) -> str:
        self.agrees()
        self.sends("screening", **{"q-age": "30"})
        self.sends("instructions")
        return self.sends("comprehension", **{"q-goal": "Only I"})

    def _goes(self, method: str, path: str, fields: Any = None) -> str:
        browser = self.browser
        browser.cookies.clear()
        headers = {**BROWSER, "origin": str(browser.base_url).rstrip("/")}
        for _ in range(4):
            browser.cookies.update(self.cookies)
            answer = browser.request(method, path, data=fields, headers=headers)
            self.cookies |= dict(answer.cookies)
            self.place = path
            if answer.status_code not in (302, 303, 307):
                break
            method, path, fields = "GET", answer.headers["location"], None
            if path.startswith("/seat/"):
                self.place = path
                return "seat"
        self.page = answer.text
        found = re.search(r"<h1[^>]*>(.*?)</h1>", answer.text, re.DOTALL)
        return found[1].strip() if found else str(answer.status_code)


def state_of(store: EventStore, study: str) -> StudyState:
    return Studies(store).load(study).state


def grouped(store: EventStore, study: str) -> str:
    """Those who wait form a group; its episode, begun."""
    studies = Studies(store)
    present = frozenset(studies.load(study).state.places)
    state = studies.do(study, Gather(at=now(), present=present, episode="egroup", code="c"))
    begin_group(store, study, state, state.groups["egroup"])
    return "egroup"


def test_forms_alone_lead_from_the_link_to_the_code(
    anybody: TestClient[Any], store: EventStore, study: str
) -> None:
    one, other = (Participant(anybody, study, who) for who in ("one", HOSTILE))
    assert one.opens() == "Before you begin"
    assert one.agrees() == "A few questions first"
    assert one.sends("screening", **{"q-age": "17"}) == "A few questions first"
    assert "at least 18" in one.page
    assert one.sends("screening", **{"q-age": "30"}) == "What you do"
    assert one.sends("instructions") == "Is everything clear?"
    assert one.sends("comprehension", **{"q-goal": "Everybody"}) == "What you do"
    assert one.sends("instructions") == "Is everything clear?"
    assert one.sends("comprehension", **{"q-goal": "Only I"}) == "You begin in a moment"
    other.to_the_lobby()
    assert HOSTILE not in other.page
    grouped(store, study)
    Studies(store).do(study, EndGroup(episode="egroup", ending="left", at=now()))
    assert one.opens() == "Some last questions"
    assert one.sends("questionnaire", **{"q-natural": "6", "q-why": HOSTILE}) == "Thank you!"
    code = state_of(store, study).places[_session(store, study, "one")].code
    assert code in one.page
    assert f"cc={code}" in one.page
    assert one.opens() == "Thank you!"


def _session(store: EventStore, study: str, who: str) -> str:
    for session in state_of(store, study).places:
        found = Sessions(store).get(session)
        if found and found.state.parameters[0].value == who:
            return session
    raise AssertionError(who)


def test_whoever_was_there_before_is_told_so(anybody: TestClient[Any], study: str) -> None:
    assert Participant(anybody, study, "one").agrees() == "A few questions first"
    assert Participant(anybody, study, "one").agrees() == "You have been here before"


def test_a_group_sits_from_the_first_event_on(
    anybody: TestClient[Any], store: EventStore, study: str
) -> None:
    for who in ("one", "other"):
        Participant(anybody, study, who).to_the_lobby()
    episode = grouped(store, study)
    events = [event_of(one) for one in store.read(f"episode-{episode}")]
    assert [type(event).__name__ for event in events] == [
        "EpisodeStarted",
        "SeatTaken",
        "SeatTaken",
    ]
    begin_group(store, study, state_of(store, study), state_of(store, study).groups[episode])
    assert store.version(f"episode-{episode}") == 2


def test_an_erased_participant_is_erased_everywhere_and_the_rest_stays(
    anybody: TestClient[Any],
    store: EventStore,
    study: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nobody else knows a key here.
    monkeypatch.setattr("gateway.services.participants.erase_words.KEEP_S", 0)
    for who in ("one", "other"):
        Participant(anybody, study, who).to_the_lobby()
    session = _session(store, study, "one")
    assert erase(store, study, session, "ada") == "erased"
    with pytest.raises(AssertionError):
        _session(store, study, "one")
    export_study(store, study, tmp_path / "out")
    written = (tmp_path / "out" / "answers.csv").read_text(encoding="utf-8")
    assert f"{session},pair,screening,1,age,{ERASED}" in written
    assert written.count(ERASED) == 2
    sessions = (tmp_path / "out" / "sessions.csv").read_text(encoding="utf-8")
    assert "other" in sessions
    assert erase(store, study, session, "ada") == "erased_before"


def test_erasing_without_a_key_is_no_success(
    anybody: TestClient[Any], gateway: Gateway, store: EventStore, study: str
) -> None:
    Participant(anybody, study, "one").to_the_lobby()
    session = _session(store, study, "one")
    file = Path(keys_of(store.url).place.url.removeprefix("sqlite:///"))
    file.rename(file.with_suffix(".away"))
    keys_of(store.url).forget_known()
    with pytest.raises(NoKey, match="nothing was erased"):
        erase(store, study, session, "ada")
    assert session not in state_of(store, study).erased
    anybody.cookies.clear()
    anybody.headers.update(signed_in(gateway, "researcher")[1])
    twice = {"participant": session, "again": session}
    told = anybody.post(f"/studies/{study}/erase", data=twice)
    assert (told.status_code, told.json()["code"]) == (409, "no_key")
    # What they say from then on is not stored in clear either.
    with pytest.raises(NoKey, match="nothing of theirs is stored"):
        Sessions(store).change(session, lambda _: [InstructionsRead()])
    file.with_suffix(".away").rename(file)
    assert erase(store, study, session, "ada") == "erased"


def test_words_that_were_stored_in_clear_are_told_of(
    anybody: TestClient[Any], store: EventStore, study: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.services.participants.erase_words.KEEP_S", 0)
    Participant(anybody, study, "one").to_the_lobby()
    session = _session(store, study, "one")
    answer = Answer(question="why", value="In clear, by an earlier version.")
    answered = QuestionsAnswered(part="questionnaire", answers=(answer,))
    store.append(f"session-{session}", ANY, [answered])
    with pytest.raises(WordsInClear, match="1 answers of"):
        erase(store, study, session, "ada")
    assert session in state_of(store, study).erased


def test_a_researcher_sees_and_does_what_there_is(
    anybody: TestClient[Any], gateway: Gateway, store: EventStore, study: str
) -> None:
    for who in ("one", "other"):
        Participant(anybody, study, who).to_the_lobby()
    grouped(store, study)
    Studies(store).do(study, Drop(session=_session(store, study, "one"), reason="left", at=now()))
    anybody.cookies.clear()
    anybody.headers.update(signed_in(gateway, "researcher")[1])
    browser = anybody
    assert study in browser.get("/studies", headers=BROWSER).text
    page = browser.get(f"/studies/{study}", headers=BROWSER).text
    assert "1 dropped" in page
    packed = browser.get(f"/studies/{study}/export/all.zip")
    names = zipfile.ZipFile(io.BytesIO(packed.content)).namelist()
    assert {"sessions.csv", "codes.jsonl", "consent.csv"} <= set(names)
    assert browser.post(f"/studies/{study}/pause", data={}).status_code == 303
    assert state_of(store, study).status == "paused"
    differ = {"participant": "p-aaaa", "again": "p-bbbb"}
    assert browser.post(f"/studies/{study}/erase", data=differ).status_code == 422


def test_a_participant_sees_no_researchers_page_and_nobody_elses_seat(
    gateway: Gateway, study: str
) -> None:
    with client(gateway, "participant", study=study, episode="e1", seat=0) as browser:
        for path in ("/studies", f"/studies/{study}", "/seat/e1/2", "/seat/e2/1"):
            assert browser.get(path, headers=BROWSER).status_code == 403, path
        assert browser.get("/seat/e1/1", headers=BROWSER).status_code == 200


def test_a_study_that_is_not_open_says_so(
    anybody: TestClient[Any], store: EventStore, study: str
) -> None:
    somebody = Participant(anybody, study, "one")
    Studies(store).do(study, Pause())
    assert somebody.opens() == "Nobody can come in just now"
    Studies(store).do(study, Close(at=now()))
    assert somebody.opens() == "The study is closed"
    assert anybody.get("/join/nowhere", headers=BROWSER).status_code == 404


def test_the_run_of_a_study_shows_how_many_episodes_have_begun_and_ended(
    store: EventStore, study: str, gateway: Gateway
) -> None:
    run = Studies(store).load(study).state.run
    minds = (mind("person", "person"), mind())
    for number in range(4):
        begun = structs.replace(started(minds=minds), run=run)
        over = [EpisodeEnded(reason="left", turn=0)] if number < 3 else []
        store.append(f"episode-e{number}", NEW, [begun, *over], correlation=run)
    fork = EpisodeForked(parent="e3", at=0, minds=minds, run=run)
    store.append("episode-f1", NEW, [fork], correlation=run)
    row = queries.run(store, run)
    assert (row.episodes_ended, row.episodes_planned) == (3, 4)
    moment = RunWatch(gateway.settings, store, run).look()
    assert (moment.episodes_ended, moment.episodes, moment.playing) == (3, 4, 1)
    entry = RunList(gateway.settings, store).entry(run)
    assert (entry.run.episodes_ended, entry.run.episodes_planned, entry.playing) == (3, 4, 1)
    bare: dict[str, Any] = {"principal": None, "here": f"/runs/{run}", "navigation": []}
    context = context_of(RunDesk(gateway.settings, store), run, "")
    html = templates().get_template("runs/run.html").render(**bare, **HELP, **context)
    assert "3 of 4 ended" in " ".join(re.sub("<[^>]*>", " ", html).split())
    with client(gateway, "researcher") as browser:
        found = browser.get(f"/api/v1/runs/{run}").json()["run"]
    assert (found["episodes_ended"], found["episodes_planned"]) == (3, 4)
