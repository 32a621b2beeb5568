"""``troupe compare`` and ``report`` over several runs."""

from contextlib import closing
from pathlib import Path

import pytest

from evaluators.report.data.combined_runs import gather_all
from evaluators.scores.score_columns import ScoreColumns, read_columns
from gateway.services.results import compare_runs
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.evaluators import synthetic
from tests.gateway.command import Desk

THEN, NOW = "rthen2345678", "rnow23456789"
GOAL = ("-j", "rehearsal-strict", "-d", "goal")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("between")
    with pytest.MonkeyPatch.context() as patch:
        store = open_store(f"sqlite:///{folder / 'troupe.db'}", durable=False)
        for run, seed in ((THEN, 7), (NOW, 8)):
            patch.setattr(synthetic, "RUN", run)
            synthetic.fill(store, episodes=12, seed=seed)
        store.close()
    return folder


@pytest.fixture
def filled(desk: Desk, data: Path) -> Desk:
    desk.move(data)
    return desk


def test_two_runs_are_compared_by_dimension_mind_and_task(filled: Desk) -> None:
    said = filled.does("compare", THEN, NOW, *GOAL).out
    for by in ("dimension", "mind", "task"):
        assert f"Between runs, by {by}, judged by rehearsal-strict" in said
    assert "not findings" in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 80
    told = filled.does("compare", THEN[:5], NOW, "--by", "task", *GOAL, "--json").json
    assert told["runs"] == [THEN, NOW]
    assert {one["by"] for one in told["compared"]} == {"task"}
    table = filled.does("compare", THEN, NOW, "--by", "mind", *GOAL, "--format", "csv").out
    assert "difference,difference_low,difference_high" in table


def test_runs_are_told_from_judges(filled: Desk) -> None:
    judges = ("rehearsal-strict", "rehearsal-lenient")
    assert "agree" not in filled.does("compare", THEN, NOW, *GOAL).out
    assert "Spearman" in filled.does("compare", THEN, NOW, *judges).out
    latex = filled.does("compare", THEN, *judges, "--format", "latex").out
    assert "\\begin{tabular}" in latex


def test_a_comparison_of_judges_reads_the_scores_once(
    filled: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, ...]] = []

    def counted(store: EventStore, *runs: str) -> ScoreColumns:
        read.append(runs)
        return read_columns(store, *runs)

    monkeypatch.setattr(compare_runs, "read_columns", counted)
    filled.does("compare", THEN, "rehearsal-strict", "rehearsal-lenient")
    assert read == [(THEN,)]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ((THEN,), "give a second run, or two of its judges"),
        ((THEN, "rnaw"), "there is no run 'rnaw'; did you mean"),
        ((THEN, "rehearsal-strict"), "to compare two judges name both"),
        (("zz", "yy"), "there is no run 'zz'"),
        ((THEN, NOW, "nobody"), "'nobody' is no run, and judges come last"),
        ((THEN, NOW, "--by", "minds"), "did you mean 'mind'?"),
        ((THEN, NOW, "-d", "gaol"), "did you mean 'goal'?"),
    ],
)
def test_what_cannot_be_meant_is_said_with_what_can(
    filled: Desk, given: tuple[str, ...], why: str
) -> None:
    said = filled.says("compare", *given)
    assert said.code != 0
    assert why in said.err


def test_runs_gathered_as_one_have_minds_that_say_of_which_they_are(filled: Desk) -> None:
    with closing(filled.open()) as store:
        both = gather_all(store, [THEN, NOW[:5]])
        alone = gather_all(store, [THEN])
    minds = {f"{mind} ({letter})" for mind in ("warm", "cold", "gpt-test") for letter in "AB"}
    assert {mind.spec.name for mind in both.minds} == set(both.columns.mind.there()) == minds
    assert {name for row in both.episodes for name in row.minds} <= minds
    assert len(both.episodes) == 24
    assert [judge.evaluations for judge in both.judges] == [22, 22, 22]
    assert {mind.spec.name for mind in alone.minds} == {"warm", "cold", "gpt-test"}


@pytest.mark.long
def test_one_report_of_two_runs_tells_them_apart_everywhere(filled: Desk, tmp_path: Path) -> None:
    path = tmp_path / "both.html"
    filled.does("report", THEN, NOW, "--out", str(path), "--transcripts", "2")
    html = path.read_text(encoding="utf-8")
    assert 'id="between"' in html
    for name in ("warm (A)", "warm (B)", "cold (A)", "cold (B)"):
        assert name in html
    assert f"A is <code>{THEN}</code>, B is <code>{NOW}</code>" in html
