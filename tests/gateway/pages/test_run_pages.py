"""What the pages of runs show is what the command line says, and nothing in it runs."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from evaluators.report.data.downloads import Download
from events.run import AnswersUnusable, FormLowered
from gateway.http.templates import templates
from gateway.pages.runs.one_run import context_of
from gateway.pages.runs.report_sections import section_of, without_styles
from gateway.pages.runs.run_pages import RunPages as RunDesk
from gateway.pages.runs.template_values import HELP
from gateway.services.results.findings import all_of, drawn, printed
from gateway.services.results.run_comparison import compared, meant
from gateway.services.runs.run_list import RunList, RunListQuery, asked_of
from gateway.settings import read_settings
from store.log.event_store import ANY
from store.open_store import open_store
from store.read_model import queries
from tests.evaluators.synthetic import INJECTION, RUN, fill
from tests.gateway.command import Desk


@pytest.fixture(scope="module")
def desk_of_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunDesk]:
    """A run with every failure there is, and texts that would be obeyed."""
    folder = tmp_path_factory.mktemp("pages")
    settings = read_settings({"TROUPE_DATA_DIR": str(folder)})
    store = open_store(settings.database_url, durable=False)
    fill(store, episodes=9)
    yield RunDesk(settings, store)
    store.close()


def rendered(desk: RunDesk, run: str, judge: str = "") -> str:
    bare: dict[str, Any] = {"principal": None, "here": f"/runs/{run}", "navigation": []}
    context = context_of(desk, run, judge)
    return templates().get_template("runs/run.html").render(**bare, **HELP, **context)


def test_the_page_escapes_all_that_was_said_and_holds_no_inline_script_or_style(
    desk_of_all: RunDesk,
) -> None:
    for judge in [h.judge.judged.hash for h in desk_of_all.findings(RUN).value.headlines]:
        html = rendered(desk_of_all, RUN, judge)
        assert INJECTION not in html
        assert not re.search(r"<script(?![^>]*(?:src=|application/json))", html)
        assert not re.search(r"<[^>]+\s(?:style|on\w+)=", html)


def test_the_page_says_what_became_of_a_runs_models(tmp_path: Path) -> None:
    settings = read_settings({"TROUPE_DATA_DIR": str(tmp_path)})
    store = open_store(settings.database_url, durable=False)
    fill(store, episodes=1)
    notes = [
        AnswersUnusable(model="openai/m", worker="w", answers=24, unusable=9),
        FormLowered(model="openai/m", worker="w", before="schema", now="json", why="<it> refused"),
    ]
    store.append(f"run-{RUN}", ANY, notes, correlation=RUN)
    html = rendered(RunDesk(settings, store), RUN)
    store.close()
    assert "9 of the first 24 answers of openai/m could not be read" in html
    assert "in JSON mode instead of a JSON Schema from here on: &lt;it&gt; refused" in html


def test_every_chart_and_table_of_the_page_can_be_taken_away(desk_of_all: RunDesk) -> None:
    found = desk_of_all.findings(RUN).value
    html = rendered(desk_of_all, RUN)
    charts = set(re.findall(r'/charts/([^"?]+)\.svg\?v=', html))
    tables = set(re.findall(r'/tables/([^"?]+)\.csv', html))
    assert len(charts) > 20
    assert len(tables) > 10
    assert all(found.chart(name) is not None for name in charts)
    for name in tables:
        table = found.table(name)
        assert table is not None
        assert table.csv.count("\n") > 1
        assert "\\begin{tabular}" in table.latex
    chart = found.chart(sorted(charts)[0])
    assert chart is not None
    assert drawn(chart).startswith("<svg ")
    assert "var(--" not in printed(chart)
    assert "style=" not in chart.svg


def test_names_of_tables_are_different(desk_of_all: RunDesk) -> None:
    found = desk_of_all.findings(RUN).value
    for headline in found.headlines:
        names = [one.name for one in all_of([found.values, found.of(headline)], Download)]
        assert len(names) == len(set(names))


def test_the_means_are_those_of_the_command_line(played: Desk, run: str) -> None:
    said = played.does("show", run, "--json").json
    settings = read_settings({"TROUPE_DATA_DIR": str(played.data_dir)})
    store = open_store(settings.database_url)
    try:
        found = RunDesk(settings, store).findings(run).value
        tables = {one["judge"].judged.hash: one for one in found.values["tables"]}
        assert tables.keys() == {one["judge"]["hash"] for one in said["tables"]}
        for one in said["tables"]:
            rows = {row.label: row for row in tables[one["judge"]["hash"]]["rows"]}
            for row in one["minds"]:
                for name, cell in row["cells"].items():
                    mine = rows[row["mind"]].cells[name]
                    assert mine.mean.value == cell["mean"]["value"]
                    assert (mine.mean.low, mine.mean.high) == (
                        cell["mean"]["low"], cell["mean"]["high"]
                    )  # fmt: skip
                    assert (mine.scored, mine.asked) == (cell["scored"], cell["asked"])
    finally:
        store.close()


def test_the_list_of_runs_says_what_the_command_line_says(played: Desk, run: str) -> None:
    said = {one["id"]: one for one in played.does("runs", "--json").json}
    counts = played.does("show", run, "--json").json["counts"]
    settings = read_settings({"TROUPE_DATA_DIR": str(played.data_dir)})
    store = open_store(settings.database_url)
    try:
        shown = RunList(settings, store).show(RunListQuery())
        assert [one.run.id for one in shown.entries] == list(said)
        (entry,) = shown.entries
        row = said[run]
        assert (entry.run.episodes_ended, entry.run.episodes_planned) == (
            row["episodes_ended"], row["episodes_planned"]
        )  # fmt: skip
        assert entry.run.standing.sentence == row["standing"]["sentence"]
        assert (entry.evaluations, entry.evaluations_ended) == (
            counts["evaluations"], counts["evaluations"] - counts["evaluations_missing"]
        )  # fmt: skip
        assert entry.environment == "social"
    finally:
        store.close()


def test_runs_are_found_grouped_and_hidden(played: Desk, run: str) -> None:
    settings = read_settings({"TROUPE_DATA_DIR": str(played.data_dir)})
    store = open_store(settings.database_url)
    try:
        board = RunList(settings, store)
        name = queries.run(store, run).name
        assert board.show(RunListQuery(q=f"{name.upper()} social")).found == 1
        assert board.show(RunListQuery(q="nothing like it")).found == 0
        assert board.show(RunListQuery(state="active")).found == 0
        assert [head for head, _ in board.show(RunListQuery(group="environment")).groups] == [
            "social"
        ]
        played.does("hide", run)
        board.look_again()
        shown = board.show(RunListQuery())
        assert (shown.found, shown.hidden) == (0, 1)
        assert board.show(RunListQuery(show="hidden")).found == 1
    finally:
        store.close()


@pytest.mark.parametrize("given", [{"sort": "x"}, {"group": "x"}, {"page": "0"}, {"show": "x"}])
def test_an_address_of_the_list_that_asks_for_nonsense_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="is no"):
        asked_of(given)


def test_two_runs_are_compared_as_the_command_line_does(played: Desk, tmp_path: Path) -> None:
    from tests.support.runs import plan

    path = tmp_path / "again.toml"
    path.write_text(plan(judges='["rehearsal-strict"]'), encoding="utf-8")
    played.does("run", str(path))
    runs = [one["id"] for one in played.does("runs", "--json").json]
    said = played.does("compare", *runs[::-1], "--json").json
    settings = read_settings({"TROUPE_DATA_DIR": str(played.data_dir)})
    store = open_store(settings.database_url)
    try:
        desk = RunDesk(settings, store)
        ids = meant(store, runs)
        assert list(ids) == said["runs"]
        found = compared(store, desk.resting, ids).value
        mine = [table for part in found.values["between"] for table in part["tables"]]
        for one in said["compared"]:
            (table,) = (t for t in mine if t["by"] == one["by"])
            for row, told in zip(table["rows"], one["differences"], strict=True):
                assert (
                    row["row"].contrast.difference.value == told["contrast"]["difference"]["value"]
                )
                assert row["row"].contrast.p == told["contrast"].get("p")
        assert found.tables
    finally:
        store.close()


def test_styles_become_classes_and_texts_stay_as_they_are() -> None:
    html = Markup(
        "<style>.a{b:c}</style>"
        '<td class="x" style="color: red">style="color: red"</td><td style="color: red">'
        '<a href="#e1-top">e1</a></td>'
    )
    body, css = without_styles(html)
    assert body == (
        '<td class="x own-0">style="color: red"</td><td class="own-0">'
        '<a href="/episodes/e1">e1</a></td>'
    )
    assert css == ".a{b:c}\n.own-0{color: red}"


def test_a_section_of_an_environment_has_no_inline_style(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, monkeypatch)
    example = Path(__file__).parents[3] / "examples" / "crossroads.toml"
    text = example.read_text(encoding="utf-8").replace("tags = []", 'tags = ["walk", "en"]')
    desk.does("run", desk.file("plan.toml", text))
    settings = read_settings({"TROUPE_DATA_DIR": str(desk.data_dir)})
    store = open_store(settings.database_url)
    try:
        run = queries.runs(store)[0].id
        found = section_of(RunDesk(settings, store), run).value
        assert "<table" in found.body
        assert not re.search(r"<[^<>]+\sstyle=|<style", found.body)
        assert found.css
    finally:
        store.close()
