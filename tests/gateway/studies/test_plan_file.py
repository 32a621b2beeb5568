"""Study files: what they mean, and what is said of those that are wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.toml_file import BadFile
from events.study import Recruitment
from gateway.services.studies.example_file import TEMPLATE
from gateway.services.studies.plan_study import prepare_study
from gateway.services.studies.recruitment import redirect_fault, redirect_to
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.browser.studies import study_file


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    opened = open_store(f"sqlite:///{tmp_path_factory.mktemp('plans') / 'troupe.db'}")
    yield opened
    opened.close()


def test_the_example_is_a_study(store: EventStore, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(TEMPLATE, encoding="utf-8")
    study = prepare_study(store, path).study
    assert [one.name for one in study.conditions] == ["people", "program"]
    assert study.people.late == "takeover"
    assert Path("examples/study.toml").read_text(encoding="utf-8") == TEMPLATE


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("people = 2", "people = 3", "conditions[0].tasks"),
        ('tasks.ids = ["last_ferry-june-leila"]', 'tasks.ids = ["last"]', "tasks.ids"),
        ('right = "Only I"', 'right = "Nobody"', "comprehension[0].right"),
        ("high = 7", "high = 700", "questionnaire[0].low"),
        ('mind = "candid"', 'mind = "candi"', "drop_outs.mind"),
        ('participant = "PROLIFIC_PID"', 'participant = "PID"', "recruitment.participant"),
        ("https://example.org", "javascript:alert(1)//", "recruitment.redirect"),
        ('temper = "candid"', 'temper = "candit"', "minds.candid.temper"),
        ('kind = "rehearsal"', 'kind = "remote"', "minds.candid.kind"),
        ("deadline_s = 600", "deadline_s = 600\nnudge_s = 600", "turns.nudge_s"),
        ("limit_s = 600", 'fallback = "model"', "lobby.mind"),
        ("[study]", "[studie]", ""),
        ("quota = 5", "quota = -5", "conditions[0].quota"),
    ],
)
def test_what_is_wrong_is_named(
    store: EventStore, tmp_path: Path, old: str, new: str, field: str
) -> None:
    text = study_file(rule="replace")
    assert old in text
    path = tmp_path / "study.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadFile) as bad:
        prepare_study(store, path)
    assert bad.value.where == field or not field


def test_participants_are_sent_back_with_their_code_and_nowhere_without_it() -> None:
    recruitment = Recruitment(redirect="https://example.org/?cc={code}")
    assert redirect_to(recruitment, "A B&C") == "https://example.org/?cc=A%20B%26C"
    assert redirect_to(recruitment, "") == ""
    assert redirect_fault("ftp://example.org")
    assert not redirect_fault("")
