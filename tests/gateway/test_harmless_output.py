"""What was said, named or reasoned is kept as it came, and steers neither a terminal nor a page."""

import json
import logging
import re
import sys
from pathlib import Path

import pytest
import structlog

from gateway.process.logs import set_up_logs
from gateway.process.safe_output import behind, harmless_streams
from store.errors import StoreFull
from store.open_store import open_store
from tests.evaluators.synthetic import RUN, fill
from tests.gateway.command import Desk, Said
from tests.support.hostile_stores import hostile_copy

POISON = "\x1b]0;taken\x07\x9b2J\u202eevil\u2028\x7f"
EVIL = re.compile(r"evil|␛")
STYLE = re.compile(r"\x1b\[[\d;]*m")
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture(scope="module")
def hostile_data(chained_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with failures of every kind, and one of chains, with nothing but hostile texts."""
    folder = tmp_path_factory.mktemp("hostile")
    chained = open_store(f"sqlite:///{chained_data / 'troupe.db'}")
    filled = open_store(f"sqlite:///{folder / 'filled.db'}", durable=False)
    target = open_store(f"sqlite:///{folder / 'troupe.db'}", durable=False)
    fill(filled, episodes=8)
    for source in (filled, chained):
        hostile_copy(source, target, POISON)
        source.close()
    target.close()
    return folder


@pytest.fixture
def hostile(desk: Desk, hostile_data: Path) -> Desk:
    desk.copy_of(hostile_data)
    return desk


def test_nothing_that_is_shown_holds_what_a_terminal_or_a_browser_obeys(hostile: Desk) -> None:
    shown = hostile.does("show", RUN, "--json").json
    assert shown["run"]["name"].endswith(POISON), "as JSON it is exact"
    row, given_up = (
        next(row["id"] for row in shown["episodes"] if row["status"] == status)
        for status in ("ended", "failed")
    )
    judges = [table["judge"]["hash"] for table in shown["tables"]]
    chain = next(
        row for row in hostile.does("chains", "--json").json if row["memory"].startswith("summary")
    )
    told = [
        ["runs"],
        *(["show", what] for what in (RUN, chain["run"], chain["id"], row, given_up)),
        *(["show", row, "--as", viewer] for viewer in ("1", "spectator")),
        ["watch", row],
        ["replay", row],
        ["lineage", row],
        ["compare", RUN, *judges[:2]],
        ["chains"],
        ["memory", chain["id"], "--seat", "1"],
        ["curves", chain["run"]],
        ["contrast", chain["run"]],
        ["catalog", "search", "van"],
        ["catalog", "show", "tasks"],
        ["catalog", "show", "one_van"],
        ["score", row, "--judge", "rehearsal-strict"],
        ["fork", row, "--at", "3", "--seat", "1=rehearsal:guarded"],
        ["show", POISON],
        ["compare", RUN, POISON, "x"],
    ]
    also = [
        *(["show", RUN, "--format", form] for form in ("csv", "latex")),
        ["memory-scenarios", "recall", chain["run"]],
        ["doctor"],
    ]
    texts = {" ".join(words): said(hostile.says(*words)) for words in (*told, *also)}
    assert [words for words in told if not EVIL.search(texts[" ".join(words)])] == []

    hostile.set("FORCE_COLOR", "1")
    for words in (["show", row], ["watch", row], ["show", RUN], ["memory", chain["id"]]):
        styled = said(hostile.says(*words))
        assert STYLE.search(styled)
        texts[f"{words}, with styles"] = STYLE.sub("", styled)
        texts[f"{words} --json"] = said(hostile.says(*words, "--json"))
    obeyed = {what: OBEYED.findall(text)[:5] for what, text in texts.items()}
    assert {what: found for what, found in obeyed.items() if found} == {}


@pytest.mark.parametrize("on_terminal", [True, False])
def test_nor_does_a_line_of_the_log(
    on_terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with harmless_streams():
        monkeypatch.setattr(type(behind(sys.stderr)), "isatty", lambda _: on_terminal)
        set_up_logs("info")
        try:
            raise ValueError(POISON)
        except ValueError:
            structlog.get_logger().exception("broken", why=POISON)
        logging.getLogger("nats").error(POISON)
        print(POISON, file=sys.stderr)
    lines = STYLE.sub("", capsys.readouterr().err)
    assert lines.count("evil") >= 3
    assert not OBEYED.search(lines)


def test_an_outage_is_logged_as_its_sentence_and_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with harmless_streams():
        set_up_logs("info", service=True)
        for error in (StoreFull("sqlite:///x", "disk I/O error"), ValueError("ours")):
            structlog.get_logger().error("actor_failed", exc_info=error)
    outage, fault = capsys.readouterr().err.splitlines()
    assert "cannot grow: disk I/O error" in outage
    assert "exception" not in outage
    assert "ValueError: ours" in fault


def test_a_fault_that_repeats_has_its_traceback_once(capsys: pytest.CaptureFixture[str]) -> None:
    def failing(text: str) -> None:
        try:
            raise ValueError(text)
        except ValueError:
            structlog.get_logger().exception("actor_failed")

    with harmless_streams():
        set_up_logs("info", service=True)
        for text in ("a broken rule", "a broken rule", "another broken rule", "a broken rule"):
            failing(text)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert ["exception" in line for line in lines] == [True, False, True, False]
    assert lines[1]["error"] == "ValueError: a broken rule"


def said(answer: Said) -> str:
    return answer.out + answer.err
