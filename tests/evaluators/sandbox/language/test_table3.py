"""Table 3 from the lists of a run: three tasks of unequal sizes, one of them without a case."""

import csv
import io

import msgspec
import pytest

from actors.sandbox.catalog_items import Catalog, FrozenTask
from evaluators.sandbox.language.dimensions import PAPER, PUBLISHED
from evaluators.sandbox.language.table3 import table3
from evaluators.sandbox.language.talk_results import TalkJudge, TalkResults, results_from
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import as_csv
from events.base import replace
from events.minds import MindSpec, ModelSpec, agent_named
from store.read_model.records import CallTotals, EpisodeRow
from tests.evaluators.sandbox.language.made_up import case

JUDGE = TalkJudge("h", "sandbox-talk", PAPER, True)
MINDS = tuple(
    MindSpec(
        name=f"four {agent}",
        kind="generative",
        model=ModelSpec(name="lab/four"),
        generative=agent_named(agent),  # type: ignore[arg-type]
    )
    for agent in ("ga", "ga+tdp")
)
TARGETS = MindSpec(name="targets", kind="rehearsal")
GCSR = {"p1": 1.0, "p2": 2 / 3, "p3": 1 / 3, "h1": 3 / 4}
"""By case: three of a public activity, one of help."""
CASES = [case("public", "p1"), case("public", "p2"), case("public", "p3"), case("help", "h1")]
CATALOG = Catalog(
    name="cases",
    cases=tuple(CASES),
    frozen_tasks=(
        FrozenTask(id="public_1", kind="public"),
        FrozenTask(id="help_1", kind="help"),
        FrozenTask(id="online_1", kind="online"),
    ),
)


def row(id_: str, case_: str, who: str, status: str = "ended", **given: object) -> EpisodeRow:
    plain = {
        "run": "r", "catalog": "cases", "scenario_id": "", "scenario": "", "turns": 3,
        "characters": (), "end_reason": "talked", "failed_actions": 0, "parent": None,
        "forked_at": None, "started_at": 1, "ended_at": 2, "environment": "sandbox",
    }  # fmt: skip
    fields = {"id": id_, "task": f"case.{case_}", "minds": (who, "targets"), "status": status}
    return EpisodeRow(**plain | fields | given)  # type: ignore[arg-type]


def said(case_: str) -> dict[str, dict[str, float | None]]:
    met = GCSR[case_]
    return {
        "h": {
            "conversation_sr": float(met == 1),
            "conversation_gcsr": met,
            "summary_sr": 0.0,
            "summary_gcsr": met / 2,
        }
    }


def results(*more: EpisodeRow, without: str = "") -> TalkResults:
    rows = [row(f"e{one.id}", one.id, "four ga") for one in CASES]
    rates = {f"e{one.id}": said(one.id) for one in CASES if one.id != without}
    calls = [
        CallTotals(
            run="r", model="lab/four", purpose=purpose, asked=1, answered=1, failed=0,
            input_tokens=1, output_tokens=1, cost_usd=usd, unpriced=0, latency_s=1.0,
        )
        for purpose, usd in (("act", 0.25), ("judge", 9.0))
    ]  # fmt: skip
    minds = (*MINDS, TARGETS)
    return results_from("r", minds, [*rows, *more], CATALOG, [JUDGE], rates, lambda _: calls)


def cells(found: TalkResults, place: int = 0, judge: TalkJudge = JUDGE) -> dict[str, str]:
    return list(csv.DictReader(io.StringIO(as_csv([table3(found, judge)]))))[place]


def test_its_figures_are_those_worked_out_by_hand() -> None:
    found = cells(results())
    assert float(found["conversation_sr_micro"]) == pytest.approx(1 / 4)
    assert float(found["conversation_sr_macro"]) == pytest.approx((1 / 3 + 0) / 2)
    assert float(found["conversation_gcsr_micro"]) == pytest.approx(2.75 / 4)
    assert float(found["conversation_gcsr_macro"]) == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert float(found["summary_gcsr_macro"]) == pytest.approx((2 / 3 + 3 / 4) / 4)
    assert float(found["summary_sr_micro"]) == 0
    assert (found["cases"], found["tasks"], found["empty"]) == ("4", "2", "1")
    assert (found["model"], found["agent"]) == ("lab/four", "GA")
    assert (found["runs"], found["failed"], found["missing"]) == ("4", "0", "0")


def test_what_models_cost_is_without_the_judges() -> None:
    assert cells(results())["usd"] == "1.0"


def test_a_missing_score_counts_nowhere_and_is_told_of() -> None:
    found = cells(results(without="p3"))
    assert float(found["conversation_gcsr_micro"]) == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)
    assert (found["cases"], found["runs"], found["missing"]) == ("3", "4", "1")
    gone = row("gone", "p1", "four ga", "failed")
    stopped = row("stopped", "p1", "four ga", end_reason="stopped")
    planned = row("planned", "p1", "four ga", "planned")
    found = cells(results(gone, stopped, planned))
    assert (found["runs"], found["failed"], found["unfinished"]) == ("5", "1", "2")
    assert "2 that are not played yet" in table3(results(stopped, planned), JUDGE).note


def test_forks_and_what_was_played_again_are_not_counted() -> None:
    fork = row("f", "p1", "four ga", parent="ep1", forked_at=2)
    again = row("a", "p1", "four ga", superseded_by="ep1")
    assert cells(results(fork, again))["runs"] == "4"


def test_a_case_that_was_played_twice_weighs_as_much_as_one_played_once() -> None:
    twice = row("twice", "h1", "four ga")
    found = results(twice)
    rated = [
        msgspec.structs.replace(one, rates=said("p1")) if one.episode == "twice" else one
        for one in found.cases
    ]
    figures = cells(TalkResults(run="r", cases=tuple(rated), minds=found.minds, judges=(JUDGE,)))
    assert float(figures["conversation_gcsr_micro"]) == pytest.approx((2 + (1 + 3 / 4) / 2) / 4)
    assert (figures["cases"], figures["runs"]) == ("4", "5")


def test_each_mind_of_a_performer_has_a_row_and_targets_have_none() -> None:
    found = results(row("t", "p1", "four ga+tdp"))
    assert [mind.name for mind in found.minds] == ["four ga", "four ga+tdp"]
    assert cells(found, 1)["agent"] == "GA+TDP"
    assert (cells(found, 1)["conversation_sr_micro"], cells(found, 1)["missing"]) == ("", "1")


def test_the_published_figures_are_marked_and_not_among_the_rows() -> None:
    table = table3(results(), JUDGE)
    assert len(table.rows) == 1
    latex = as_latex([table])
    assert r"GPT-4, as published & GA+TDP" in " ".join(latex.split())
    assert r"$81.2\%$" in latex
    assert r"$90.2\%$" in latex
    assert "Tasks without a case: online" in table.note
    published = table3(results(), JUDGE._replace(rubric=PUBLISHED, rehearsal=False))
    assert "place N/A" in published.note
    assert "no language model" not in published.note
    nothing = replace(CATALOG, cases=())
    assert not table3(results_from("r", MINDS, [], nothing, [], {}, lambda _: []), JUDGE).foot
