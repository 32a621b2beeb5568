"""``troupe tabletop cases``, from a run to the words in its report."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.annotation.rules import AnnotationRefused, HandIn, Next, open_item
from events.annotation import SeatAnswer
from gateway.pages.judges.judge_comparison import judges_of
from gateway.pages.runs.one_run import context_of
from gateway.pages.runs.report_sections import section_of
from gateway.pages.runs.run_pages import RunPages
from gateway.services.annotations.annotation_repository import AnnotationStudies
from gateway.services.annotations.submit_answer import hand_in
from gateway.services.annotations.workspace import workspace
from gateway.settings import read_settings
from store.log.event_store import EventStore
from tests.gateway.command import Desk
from tests.gateway.served import BROWSER, client, gateway_over
from tests.gateway.test_refusals import refused
from tests.support.runs import plan

PLAN = """
environment = "tabletop"
catalog = "tavern"
[tasks]
ids = ["exchange-1", "exchange-2", "exchange-3", "exchange-4"]
[tabletop]
turns = 10
[minds.guarded]
kind = "rehearsal"
temper = "guarded"
[judges]
use = ["information-rule"]
"""


@pytest.fixture(scope="module")
def sessions_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of a desk with four sessions in which little is learned."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("sessions"), patch)
        desk.does("run", desk.file("plan.toml", PLAN))
        yield desk.data_dir


@pytest.fixture
def table(desk: Desk, sessions_data: Path) -> Desk:
    desk.copy_of(sessions_data)
    return desk


def run_of(desk: Desk) -> str:
    run: str = desk.does("runs", "--json").json[0]["id"]
    return run


def word(text: str) -> SeatAnswer:
    return SeatAnswer(seat=0, dimension="case_word", value=1.0, reason=text)


def reads(store: EventStore, study: str, reader: str, said: str) -> None:
    """Take the next session and give it a word."""
    found = AnnotationStudies(store).do(study, Next(annotator=reader, now=0))
    item = open_item(found, reader)
    assert item is not None
    hand_in(
        store, study, HandIn(annotator=reader, item=item, seats=5, answers=(word(said),), seconds=9)
    )


def test_sessions_of_low_p_become_a_study_whose_words_are_in_the_report(table: Desk) -> None:
    run = run_of(table)
    planned = table.does(
        *("tabletop", "cases", run, "--below", "0.9", "--take", "2", "--seed", "1", "--json")
    ).json
    assert (len(planned["cases"]), planned["readers"]) == (2, 5)
    assert all(one["p"] < 0.9 for one in planned["cases"])
    study = planned["study"]
    store = table.open()
    try:
        items = AnnotationStudies(store).load(study).state.plan.items
        assert [(one.episode, one.seat, one.wanted) for one in items] == [
            (one["episode"], 0, 5) for one in planned["cases"]
        ]
        for reader in ("p-aaaa", "p-bbbb", "p-cccc", "p-dddd"):
            reads(store, study, reader, "Vague" if reader != "p-dddd" else "polite")
            reads(store, study, reader, "vague")
    finally:
        store.close()
    out = table.folder / "report.html"
    table.does("report", run, "-o", str(out))
    text = out.read_text(encoding="utf-8")
    assert "Case study: sessions of little exchange, in a word" in text
    assert "vague: 7; polite: 1" in text
    assert re.search(r"same word</th><td>75\.0 %", text)
    said = table.does("show", run)
    assert "case_word" not in said.out
    assert "Scores by p-aaaa" not in said.out
    assert "nobody has annotated" in refused(table, "agreement", run)
    store = table.open()
    try:
        pages = RunPages(read_settings({"TROUPE_DATA_DIR": str(table.data_dir)}), store)
        assert context_of(pages, run, "")["place"] is not None
        assert "Case study: sessions of little exchange" in section_of(pages, run).value.body
        with client(gateway_over(store, table.data_dir), "researcher") as researcher:
            assert researcher.get(f"/annotate/{study}", headers=BROWSER).status_code == 200
        assert judges_of(store, run).people is None
    finally:
        store.close()


def test_a_study_is_the_same_by_its_seed_and_can_be_looked_at_first(table: Desk) -> None:
    run, head = run_of(table), table.head()
    asked = ("tabletop", "cases", run, "--below", "1", "--take", "2", "--dry-run", "--json")
    one, again = (table.does(*asked, "--seed", "4").json for _ in range(2))
    assert one == again
    assert one["study"] == ""
    assert table.head() == head
    shown = table.does("tabletop", "cases", run, "--below", "1", "--dry-run")
    assert "nothing is planned yet" in shown.out
    assert "fewer than 20 sessions" in " ".join((shown.out + shown.err).split())
    said = table.does("tabletop", "cases", run, "--below", "1").out
    assert "troupe token issue annotator --study" in " ".join(said.split())


def test_that_an_equal_study_is_there_is_said(table: Desk) -> None:
    command = ("tabletop", "cases", run_of(table), "--below", "0.9", "--take", "2", "--seed", "7")
    first = table.does(*command, "--json").json["study"]
    assert f"study {first} has the same sessions and readers" in table.does(*command).err
    assert "has the same sessions" not in table.does(*command[:-1], "8").err


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--below", "0.0"), "none is below"),
        (("--below", "1.5"), "--below"),
        (("--take", "0"), "--take"),
        (("--judge", "strict"), "information-rule"),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_stores_nothing(
    table: Desk, given: tuple[str, str], why: str
) -> None:
    run, head = run_of(table), table.head()
    said = table.says("tabletop", "cases", run, *given)
    assert said.code != 0
    assert why in " ".join(said.err.split())
    assert "Traceback" not in said.err
    assert table.head() == head


def test_runs_that_have_no_such_sessions_are_refused(desk: Desk) -> None:
    desk.does("run", desk.file("social.toml", plan(tasks=1)))
    assert "plays social, not tabletop" in refused(desk, "tabletop", "cases", run_of(desk))
    assert "there is no" in refused(desk, "tabletop", "cases", "rnothing")


def test_a_run_that_nobody_scored_is_refused(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", PLAN.replace('["information-rule"]', "[]")))
    run = run_of(desk)
    said = refused(desk, "tabletop", "cases", run)
    assert "no judge has scored" in said
    assert f"`troupe score {run} --judge information-rule`" in said
    desk.does("score", run, "--judge", "information-rule")
    desk.does("tabletop", "cases", run, "--below", "1", "--dry-run")


def test_a_run_in_which_nothing_could_be_learned_is_refused(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", PLAN.replace("exchange", "intention")))
    said = refused(desk, "tabletop", "cases", run_of(desk))
    assert "has no session of the kind exchange" in said


@pytest.mark.parametrize("said", ["two words", "", " ", "x" * 41])
def test_anything_but_one_word_is_asked_for_again(table: Desk, said: str) -> None:
    study = table.does("tabletop", "cases", run_of(table), "--below", "1", "--json").json["study"]
    store = table.open()
    try:
        with pytest.raises(AnnotationRefused) as refusal:
            reads(store, study, "p-aaaa", said)
        assert refusal.value.code == "faulty"
        loaded = AnnotationStudies(store).load(study)
        item = open_item(loaded.state, "p-aaaa")
        assert item is not None
        (part,) = workspace(store, loaded, "p-aaaa", item).parts
        assert (part.word, len(part.rows)) == (True, 1)
    finally:
        store.close()
