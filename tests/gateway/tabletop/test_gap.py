"""``troupe tabletop gap`` and ``demo``, and the section of a report: Tables 1 and 2 of AntEval."""

import csv
import io
from pathlib import Path

import pytest

from actors.tabletop.setup import Settings
from evaluators.tabletop.gap import default_dms
from evaluators.tabletop.gap.procedure import DMKind
from evaluators.tabletop.gap.real_data import OWN, own_transcripts
from evaluators.tabletop.gap.results import Played
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from events.base import replace
from gateway.tabletop.gap_command import cautions, report_of
from store.read_model.records import RunRow
from tests.faults.hostile import HostileServer
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.servers.stub_llm import StubSettings

PLAN = """
environment = "tabletop"
catalog = "tavern"
[tasks]
ids = ["exchange-1", "exchange-2", "intention-1", "intention-2", "intention-3"]
[tabletop]
turns = 15
[minds.open]
kind = "rehearsal"
temper = "open"
[minds.guarded]
kind = "rehearsal"
temper = "guarded"
[seats]
pairings = "same"
[judges]
use = ["information-rule"]
"""
_ROW = RunRow(
    id="r1",
    name="",
    catalog="tavern",
    status="running",
    pause_reason="",
    pause_detail="",
    episodes_planned=1_200,
    episodes_ended=145,
    episodes_failed=0,
    episodes_marked=0,
    started_at=None,
    ended_at=None,
)
LEXICON = 'kind = "lexicon"\n'
SOCIAL = """
[tasks]
limit = 1
[minds.a]
kind = "rehearsal"
temper = "candid"
"""


def played(desk: Desk, plan: str) -> str:
    desk.does("run", desk.file("plan.toml", plan))
    run: str = desk.does("runs", "--json").json[0]["id"]
    return run


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The data folder of a desk on which the plan was played, and the run's id."""
    with pytest.MonkeyPatch.context() as patch:
        there = Desk(tmp_path_factory.mktemp("gap"), patch)
        return there.data_dir, played(there, PLAN)


@pytest.fixture
def run(desk: Desk, usual: tuple[Path, str]) -> str:
    """That run, on a desk of its own."""
    desk.copy_of(usual[0])
    return usual[1]


def test_both_tables_are_printed_and_say_what_stands_in_for_real_sessions(
    desk: Desk, run: str
) -> None:
    desk.width(140)
    words = " ".join(desk.does("tabletop", "gap", run).out.split())
    for told in (
        "Table 1: information exchanged and intentions expressed",
        "Table 2: playing models and virtual game masters",
        "GPT-4 (paper, Table 2) – 32.65 9.78 14.89 34.55",
        "What stands in for them here: Troupe's own five transcripts",
        "3 samples in each training set",
        "f_0 of linear: the lexicon.",
        "scored by information-rule",
        "Skills read as others",
        "Sessions with low p to read",
        "Rehearsal",
    ):
        assert told in words, told
    found = desk.does("tabletop", "gap", run, "--json").json
    assert [one["model"] for one in found["models"]] == ["open", "guarded"]
    p = [one["information"]["p"]["value"] for one in found["models"]]
    assert p[0] > p[1]
    assert {one["dm"] for one in found["gaps"]} == {"linear"}
    lexicon = ("tabletop", "gap", run, "--dm", desk.file("words.toml", LEXICON))
    again = [desk.does(*lexicon, "--json").json for _ in range(2)]
    assert again[0] == again[1]
    assert found["no_findings"][0].startswith("Rehearsal minds guarded, open: fixed rules")
    latex = desk.does(*lexicon, "--format", "latex").out
    assert latex.count("they are not findings") == latex.count("\\caption{")
    told = desk.does("tabletop", "gap", run, "--format", "csv")
    tables = told.out
    assert " ".join(told.err.split()).count("not findings") == tables.count("# ")
    rows = list(csv.DictReader(io.StringIO(tables.split("\n\n")[1].partition("\n")[2])))
    for row in rows:
        f_g, f_r = float(row["f_generated_tuples"]), float(row["f_real_tuples"])
        assert float(row["gap_tuples"]) == pytest.approx(100 * abs(f_r - f_g) / (f_r + f_g))


def test_game_masters_and_real_sessions_are_named_by_files(desk: Desk, run: str) -> None:
    lexicon = desk.file("words.toml", LEXICON)
    samples = str(desk.folder / "calls.jsonl")
    first, second = sorted(OWN.glob("*.json"))[:2]
    cast = ("--cast", str(OWN / "cast.toml"))
    desk.does("tabletop", "calls", str(first), *cast, "-o", samples)
    found = desk.does(
        *("tabletop", "gap", run, "--dm", lexicon, "--real", samples),
        *("--held-out", str(second), *cast, "--seeds", "6", "--json"),
    ).json
    assert {one["dm"] for one in found["gaps"]} == {"words"}
    assert all(one["tuples"]["gap"]["value"] == 0 for one in found["gaps"])
    assert (set(found["held_out"]), found["seeds"]) == ({16}, [1, 2, 3, 4, 5, 6])
    ours = desk.file("ours.toml", 'kind = "linear"\n')
    said = desk.does("tabletop", "gap", run, "--dm", lexicon, "--dm", ours).out
    assert "f_0 of ours: the lexicon" in said
    assert "f_0 of words" not in said
    assert found["real_data"].startswith("calls.jsonl (16 calls of 1 sessions); scored on 02-the")
    both = ("tabletop", "gap", run, "--real", samples, "--held-out", samples)
    assert "would be both trained on and held out" in refused(desk, *both)
    assert "one session" in refused(desk, "tabletop", "gap", run, "--real", samples)
    twice = desk.folder / "twice"
    twice.mkdir()
    for name in ("first.json", "copy.json"):
        (twice / name).write_bytes(first.read_bytes())
    copied = refused(desk, "tabletop", "gap", run, "--real", str(twice), *cast)
    assert "'copy'" in copied
    assert "'first'" in copied
    assert "would be both trained on and held out" in copied
    named = desk.file("more.toml", 'kind = "lexicon"\nname = "words"\n')
    said = refused(desk, "tabletop", "gap", run, "--dm", lexicon, "--dm", named)
    assert "is named 'words', as" in said
    fitted = str(desk.folder / "fitted.json")
    desk.does("tabletop", "fit", samples, "--dm", lexicon, "--out", fitted)
    said = refused(desk, "tabletop", "gap", run, "--dm", fitted)
    assert "that is what `troupe tabletop fit` wrote; --dm takes a DM file" in said
    missing = str(desk.folder / "none.toml")
    assert "none.toml" in refused(desk, "tabletop", "gap", run, "--dm", missing)
    odd = desk.file("odd.jsonl", "{}\n")
    assert "odd.jsonl, line 1" in refused(desk, "tabletop", "gap", run, "--real", odd)


def test_runs_without_sessions_are_refused(desk: Desk) -> None:
    assert "not tabletop" in refused(desk, "tabletop", "gap", played(desk, SOCIAL))
    assert "none" in refused(desk, "tabletop", "gap", "none")


def test_without_intentions_there_is_p_alone(desk: Desk) -> None:
    run = played(desk, PLAN.replace('"intention-1", "intention-2", "intention-3"', '"exchange-3"'))
    said = " ".join(desk.does("tabletop", "gap", run).out.split())
    assert "open: no session of the kind intention came to its end, so there is no gap" in said
    assert "Table 2: playing models" not in said


def test_it_is_said_why_there_is_no_p(desk: Desk) -> None:
    run = played(desk, PLAN.replace('["information-rule"]', "[]"))
    lexicon = ("--dm", desk.file("words.toml", LEXICON), "--json")
    found = desk.does("tabletop", "gap", run, *lexicon).json
    score = f"`troupe score {run} --judge information-rule`"
    assert found["left_out"] == [f"run {run}: no judge has scored it; {score} does"]
    only = played(desk, PLAN.replace('"exchange-1", "exchange-2", ', ""))
    told = "no session of the kind exchange came to its end, so there is no P"
    (first, second) = desk.does("tabletop", "gap", only, *lexicon).json["left_out"]
    assert (first, second) == (f"open: {told}", f"guarded: {told}")


def test_runs_that_do_not_belong_together_are_told_of(desk: Desk, run: str) -> None:
    lexicon = desk.file("words.toml", LEXICON)
    first = run
    second = played(desk, PLAN.replace("turns = 15", 'turns = 12\nwording = "hidden"'))
    third = played(desk, PLAN.replace('"exchange-1", "exchange-2"', '"exchange-3"'))

    def told(*runs: str) -> list[str]:
        found: list[str] = desk.does("tabletop", "gap", *runs, "--dm", lexicon, "--json").json[
            "cautions"
        ]
        return found

    assert told(first) == []
    differ, twice = told(first, second)
    assert differ == (
        "the runs were played with different settings: turns (15, 12); wording (named, hidden)"
    )
    assert twice.endswith(
        "exchange-1 of guarded, exchange-1 of open, exchange-2 of guarded and 7 more"
    )
    (twice,) = told(first, third)
    assert "intention-1 of guarded, intention-1 of open, intention-2 of guarded" in twice


@pytest.mark.parametrize(
    ("standing", "told"),
    [
        ({"status": "paused", "pause_reason": "stopped"}, "is stopped"),
        ({"status": "paused", "pause_reason": "budget"}, "is paused"),
        ({"status": "running"}, "is not over"),
        ({"status": "ended", "stopped": True}, "was ended early"),
        ({"status": "ended"}, ""),
    ],
)
def test_a_run_that_is_not_over_is_told_of(standing: dict[str, object], told: str) -> None:
    row = replace(_ROW, **standing)
    sentence = f"run r1 {told}: 145 of 1,200 sessions ended"
    assert list(cautions([(row, Settings())], Played(sessions=()))) == [sentence] * bool(told)


def test_how_many_questions_will_be_asked_is_said_before(
    desk: Desk, run: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []

    def read() -> LexiconDM:
        said.append(capsys.readouterr().err)
        return LexiconDM()

    kind = DMKind("asked", lambda _: LexiconDM(), read, asks="openai/x")
    store = desk.open()
    try:
        report = report_of(store, [run], [kind], own_transcripts())
    finally:
        store.close()
    asked = 4 * sum(report.held_out)
    assert f"asked asks openai/x up to {asked} questions" in " ".join(said[0].split())
    assert len(said) == 5


def test_a_models_answers_are_kept(desk: Desk, run: str) -> None:
    with HostileServer(StubSettings()) as server:
        text = f'kind = "llm"\nmodel = "openai/x"\nadapter = "direct"\nbase_url = "{server.url}"\n'
        command = ("tabletop", "gap", run, "--dm", desk.file("dm.toml", text), "--json")
        first = desk.does(*command)
        asked = server.stats.requests
        again = desk.does(*command)
        assert asked
        assert server.stats.requests == asked
    assert again.json == first.json


def test_without_scikit_learn_the_lexicon_stands_in_and_a_sentence_says_so(
    desk: Desk, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(default_dms, "find_spec", lambda _: None)
    said = desk.does("tabletop", "gap", run)
    assert "Virtual game master: lexicon" in said.out
    assert "scikit-learn is not installed" in said.err


def test_a_report_has_the_tables(desk: Desk, run: str) -> None:
    page = desk.folder / "report.html"
    desk.does("report", run, "--out", str(page))
    text = page.read_text(encoding="utf-8")
    assert "Sessions at a table" in text
    for part in ("tabletop-table-1", "tabletop-table-2", "tabletop-conduct", "tabletop-low-p"):
        assert f'id="{part}"' in text
    assert "Troupe&#39;s own five transcripts" in text


@pytest.mark.long  # whoever is new runs the demo itself
def test_the_demo_plays_twelve_sessions_of_each_kind_and_prints_both_tables(desk: Desk) -> None:
    said = desk.does("tabletop", "demo").out
    assert "Table 1" in said
    assert "Table 2" in said
    run = desk.does("runs", "--json").json[0]["id"]
    models = desk.does("tabletop", "gap", run, "--json").json["models"]
    for one in models:
        assert (one["exchange_sessions"], one["intention_sessions"], one["unfinished"]) == (
            *(12, 12, 0),
        )


def test_the_plan_of_the_paper_can_be_played(desk: Desk) -> None:
    plan = Path(__file__).parents[3] / "plans" / "anteval.toml"
    text = plan.read_text(encoding="utf-8")
    assert "48 of 24 tasks" in desk.does("run", desk.file("both.toml", text), "--dry-run").out
    for kind, tasks in {"exchange": 60, "intention": 600, "exchange-three": 60}.items():
        one = desk.file("one.toml", text.replace('"first-12"', f'"{kind}"'))
        assert f"{2 * tasks:,} of {tasks} tasks" in desk.does("run", one, "--dry-run").out
