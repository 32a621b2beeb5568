"""Believability extended in the report and the terminal's tables: beside SOTOPIA, not mixed in."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluators.agreement.judge_agreement import compare
from evaluators.registry import built_in
from evaluators.report import write_report
from evaluators.scores.score_columns import read_columns
from evaluators.social.believability import rubric
from gateway.cli.views.judge_agreement import print_agreement
from gateway.cli.views.run_tables import print_judged
from gateway.services.runs.run_details import judged_tables
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.evaluators.synthetic import RUN, fill, score
from tests.support.undrawn_charts import draw_none, undrawn

__all__ = ["undrawn"]

REHEARSAL, RULE = built_in()["belext-rehearsal"], built_in()["belext-rule"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    opened = open_store(f"sqlite:///{tmp_path_factory.mktemp('belext')}/store.db", durable=False)
    fill(opened, episodes=9, seed=8)
    for spec in (REHEARSAL, RULE):
        asyncio.run(score(opened, spec))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def html(store: EventStore, tmp_path_factory: pytest.TempPathFactory) -> str:
    with pytest.MonkeyPatch.context() as patch:
        draw_none(patch)
        path = write_report(store, RUN, tmp_path_factory.mktemp("html") / "report.html")
    return path.read_text(encoding="utf-8")


def table_of(html: str, label: str) -> str:
    return html.split(f'aria-label="{label}"')[1].split("</table>")[0]


def test_the_report_has_a_table_of_each_judge_with_shares_for_checkpoints(html: str) -> None:
    table = table_of(html, "Means by belext-rehearsal")
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)<br>([^<]*)</th>', table)
    assert [name for name, _ in heads] == [
        "Believability",
        "No repetition",
        "In character",
        "Own goals",
        "Leaves promptly",
        "No parroting",
        "No idling",
        "Responds",
        "Begins in scene",
        "Belext",
    ]
    assert [scale for _, scale in heads] == ["0 … 10", *["share passed"] * 8, "0 … 10"]
    assert "100%" in table
    assert "Overall" not in table


@pytest.mark.usefixtures("undrawn")
def test_sotopias_overall_is_what_it_was_without_the_new_judges(html: str, tmp_path: Path) -> None:
    alone = open_store(f"sqlite:///{tmp_path}/store.db", durable=False)
    fill(alone, episodes=9, seed=8)
    before = write_report(alone, RUN, tmp_path / "before.html").read_text(encoding="utf-8")
    alone.close()
    for judge in ("rehearsal-strict", "rehearsal-lenient", "careful-model"):
        label = f"Means by {judge}"
        assert table_of(html, label) == table_of(before, label)


def test_the_report_compares_them_on_the_checkpoints_that_both_decide(html: str) -> None:
    table = table_of(html, "Agreement of belext-rehearsal and belext-rule on checkpoints")
    compared = ["No repetition", "No parroting", "No idling", "Responds"]
    assert re.findall(r'<th scope="row">([^<]*)', table) == [
        name for one in compared for name in (one, f"{one}, all episodes")
    ]
    assert "Only belext-rehearsal was asked for believability" in html


def test_a_verdict_says_passed_or_not_and_quotes_what_failed(html: str) -> None:
    assert '<span class="value">passed</span>' in html
    assert '<span class="value">not passed</span>' in html
    assert re.search(r"<q>[^<]+</q>", html)


def test_the_page_says_which_judges_go_by_fixed_rules(html: str) -> None:
    assert "Judged by belext-rule" in html
    assert "fixed rules: no language model judged this" in html
    assert "belext-rehearsal" in html.split("Some scores are rehearsal scores")[1][:200]


def test_the_terminal_shows_shares_and_a_comparison_with_kappa(
    store: EventStore, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = read_columns(store, RUN)
    for table in judged_tables(columns):
        if table.judge.name.startswith("belext"):
            print_judged(table)
    print_agreement(RUN, compare(columns, "belext-rehearsal", "belext-rule"))
    shown = capsys.readouterr().out
    assert "a rule judge: fixed rules, no language model" in shown
    assert re.search(r"No idling, passed\s+\d+%", shown)
    assert re.search(r"responds\s+\d+\s+\d+%", shown)
    assert "kappa" in shown
    assert "Only judge A was asked for believability" in shown.replace("\n", " ")


def test_both_scores_are_kept_and_extended_follows_from_the_nine(store: EventStore) -> None:
    rows = [row for row in queries.scores(store, run=RUN) if row.judge == REHEARSAL.name]
    seats: dict[tuple[str, int], dict[str, float]] = {}
    for row in rows:
        assert row.value is not None
        seats.setdefault((row.episode, row.seat), {})[row.dimension] = row.value
    assert seats
    for values in seats.values():
        failed = sum(values[checkpoint.name] == 0 for checkpoint in rubric.CHECKPOINTS)
        assert values[rubric.EXTENDED_RAW] == values["believability"] - 5 * failed
        assert values[rubric.EXTENDED] == max(values[rubric.EXTENDED_RAW], 0)
    assert any(v[rubric.EXTENDED] < v["believability"] for v in seats.values())
