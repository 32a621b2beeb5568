"""``troupe sotopia tables`` and ``benchmark``: SOTOPIA's tables of stored and of new runs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from actors.social.catalog_items import Catalog
from gateway.services.catalogs.read_catalog import load
from tests.benchmarks.stub import stub_server
from tests.gateway.command import Desk
from tests.support.runs import model_minds, plan

KEPT = Path(__file__).parent / "fixtures" / "sotopia"
JUDGED = KEPT / "episodes.jsonl"
ROOT = Path(__file__).parents[3]
WILY, CANDID = "rehearsal/wily", "rehearsal/candid"


def table(said: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The rows of the table whose name begins so, by column."""
    found = next(
        one
        for entry in said["entries"]
        for one in entry.get("tables", ())
        if one["name"].startswith(name)
    )
    names = [column["name"] for column in found["columns"]]
    return [dict(zip(names, row, strict=True)) for row in found["rows"]]


def test_table_2_is_the_mean_of_figure_3_in_a_played_run(played: Desk, run: str) -> None:
    said = played.does("sotopia", "tables", run, "--judge", "rehearsal-strict", "--json").json
    figure = table(said, "figure-3")
    for row in table(said, "table-2-rehearsal"):
        if row["dimension"]["value"] == "overall":
            column = [one["mean"]["value"] for one in figure if one["model"] == row["model"]]
            assert row["mean"]["value"] == pytest.approx(sum(column) / len(column))
    missing = {entry["entry"]: entry["missing"] for entry in said["entries"] if "missing" in entry}
    unannotated = {name for name, why in missing.items() if "annotated" in why}
    assert unannotated >= {
        *("Table 1", "Table E.1", "Table G.3"),
        *("Figure 2", "Figure G.1", "Figure G.2", "Figure G.3"),
    }
    assert missing.keys() - unannotated == {"Table 3", "Table G.4", "Figure G.5"}
    assert "rehearsal" in said["no_findings"][0]


def test_tables_fit_80_columns_and_say_whose_scores_they_are(played: Desk, run: str) -> None:
    said = played.does("sotopia", "tables", run, "--table", "2", "--figure", "g.4")
    assert "Figure G.4: GOAL, judged by rehearsal-lenient" in said.out
    assert max(map(len, said.out.splitlines())) <= 80
    assert "These scores check the machinery; they are not findings." in " ".join(said.out.split())


def test_what_is_not_there_is_refused_by_name(played: Desk, run: str) -> None:
    for arguments, words in (
        (("--table", "9"), "--table '9': there is none; tables are"),
        (("--table", "3"), "Table 3: no person sat opposite a model"),
        (("--figure", "G.5"), "Figure G.5: no list of hard scenarios was given"),
        (("--judge", "nobody"), "no scores by a judge 'nobody'"),
    ):
        said = played.says("sotopia", "tables", run, *arguments)
        assert said.code != 0
        assert words in said.err
        assert said.out == ""


def test_what_the_scores_do_not_allow_is_said_beside_what_they_do(played: Desk, run: str) -> None:
    asked = ("sotopia", "tables", run, "--table", "2", "--figure", "G.1")
    for form in ("text", "csv"):
        said = played.does(*asked, "--format", form)
        assert "rehearsal-lenient" in said.out
        assert "Figure G.1: " in said.err
        assert "annotated" in said.err
    entries = played.does(*asked, "--json").json["entries"]
    assert [bool(one.get("tables")) for one in entries] == [True, False]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "lists nothing"),
        (
            '{"scenario": "one_van", "seat": 1}\n{"scenario": "x", "seat": 3}\n',
            "line 2, seat: must be from 1 to 2, not 3",
        ),
        ('{"scenario": ""}\n', "line 1, scenario: must be text at least 1 characters"),
        ("one_van\n", "line 1: JSON is malformed"),
        ('{"scenario": "one_van", "seats": 1}\n', "line 1, seats: there is no field 'seats' here"),
    ],
)
def test_a_bad_list_is_refused_with_its_line(played: Desk, run: str, text: str, why: str) -> None:
    path = played.file("hard.jsonl", text)
    said = played.says("sotopia", "tables", run, "--hard", path)
    assert said.code != 0
    assert "hard.jsonl" in said.err
    assert why in " ".join(said.err.split())


def test_a_list_with_the_scenarios_of_a_run_fills_figure_g5(played: Desk, run: str) -> None:
    rows = played.does("show", run, "--json").json["episodes"]
    scenario = rows[0]["scenario_id"]
    path = played.file("hard.jsonl", json.dumps({"scenario": scenario, "seat": 2}) + "\n")
    said = played.does("sotopia", "tables", run, "--figure", "G.5", "--hard", path, "--json").json
    for row in table(said, "figure-g5"):
        assert (row["scored_seat_1"], row["scored_seat_2"]) == (0, 1)


def test_figures_are_written_as_svg(played: Desk, run: str, tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    played.does("sotopia", "tables", run, "--svg", str(folder))
    assert sorted(file.name for file in folder.iterdir()) == [
        f"figure-{name}-rehearsal-{judge}.svg"
        for name in ("3", "g4")
        for judge in ("lenient", "strict")
    ]
    text = (folder / "figure-3-rehearsal-strict.svg").read_text()
    assert text.startswith("<svg")
    assert "stubborn with generous: " in text


def test_a_report_has_the_tables_and_figures(played: Desk, run: str, tmp_path: Path) -> None:
    played.does("report", run, "--out", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text()
    section = page[page.index('<h2 id="sotopia"') :]
    for words in ("Table 2: models over their partners", "Figure G.4: scores of models by partner"):
        assert words in section
    assert re.search(r"<svg[^>]*figure-3-rehearsal-", section)
    for judge in ("strict", "lenient"):
        assert f"Table 2: models over their partners, judged by rehearsal-{judge}" in section
    assert "Table 3: no person sat opposite a model" in section


def test_the_readme_shows_table_2_as_its_commands_print_it(desk: Desk) -> None:
    desk.does("run", str(ROOT / "examples" / "first.toml"))
    run = desk.does("runs", "--json").json[0]["id"]
    printed = desk.does("sotopia", "tables", run, "--table", "2").out.strip().splitlines()
    lines = [line.rstrip() for line in printed[: printed.index("", 1)]]
    table = "\n".join(line for line in lines if line.startswith(("Table 2", " ")))
    assert table in (ROOT / "README.md").read_text(encoding="utf-8"), table


def logs_with_people(path: Path) -> str:
    """Published logs, with people in the place of one of the models."""
    rows = [json.loads(line) for line in JUDGED.read_text().splitlines()]
    for row in rows:
        names = row["experiment_model_name_pairs"]
        row["experiment_model_name_pairs"] = [
            names[0],
            *("human" if name == "gpt-4o-mini" else name for name in names[1:]),
        ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_published_logs_with_people_give_table_3(desk: Desk, tmp_path: Path) -> None:
    desk.does("import", "sotopia", str(KEPT))
    file = logs_with_people(tmp_path / "logs.jsonl")
    run = desk.does("import", "episodes", file, "--run", "theirs", "--json").json["run"]
    said = desk.does("sotopia", "tables", run, "--table", "3", "--json").json
    rows = {row["row"]: row for row in table(said, "table-3")}
    assert list(rows)[:2] == ["gpt-4o (w H)", "human (w gpt-4o)"]
    assert rows["human (w gpt-4o)"]["words_per_turn"]["value"] > 0
    assert desk.does("sotopia", "tables", run, "--table", "G.4").code == 0


def benchmark(desk: Desk, *arguments: str) -> Any:
    return desk.does(
        "sotopia", "benchmark", WILY, "--partner", CANDID, "--catalog", "starter", "--limit", "3",
        *arguments,
    )  # fmt: skip


def test_a_benchmark_plays_what_is_missing_once(desk: Desk, tmp_path: Path) -> None:
    (planned,) = benchmark(desk, "--dry-run", "--json").json
    assert (planned["status"], planned["forecast"]["episodes"]) == ("missing", 6)
    assert desk.does("runs", "--json").json == []
    first = benchmark(desk, "--json", "--out", str(tmp_path)).json
    assert first["runs"] == [planned["run"]]
    (row,) = first["rows"]
    assert (row["model"], row["partner"], row["seats"]) == (WILY, CANDID, 6)
    (line,) = map(json.loads, (tmp_path / "models_vs_candid.jsonl").read_text().splitlines())
    assert line["GOAL [0, 10]"] == pytest.approx(row["averages"]["goal"]["value"])
    before = desk.head()
    assert benchmark(desk, "--json").json == first
    assert desk.head() == before
    (planned,) = benchmark(desk, "--dry-run", "--json").json
    assert planned["status"] == "ended"
    # The same of the stored run, by its minds' names.
    stored = desk.does(
        "sotopia", "benchmark", "wily", "--partner", "candid", "--run", planned["run"], "--json"
    ).json
    assert stored["rows"][0]["averages"] == row["averages"]


def test_a_stored_mind_is_named_by_itself_or_by_its_model(desk: Desk, tmp_path: Path) -> None:
    with stub_server() as stub:
        minds = model_minds(stub.url)
        other = minds.replace("minds.stub", "minds.other")
        other = other.replace("openai/stub", "openai/other")
        text = plan(minds + other, tasks=1, judges='["rehearsal-strict"]', rules="turn_cap = 2")
        desk.does("run", desk.file("plan.toml", text))
        twins = text.replace("openai/other", "openai/stub")
        desk.does("run", desk.file("twins.toml", twins))
    second, first = (row["id"] for row in desk.does("runs", "--json").json)
    file = tmp_path / "models_vs_stub.jsonl"
    file.write_text("what was there\n")
    (tmp_path / "before").hardlink_to(file)
    asked = ("sotopia", "benchmark", "other", "openai/other", "--partner", "stub", "--run")
    said = desk.does(*asked, first, "--out", str(tmp_path), "--json").json
    assert [row["model"] for row in said["rows"]] == ["other"]
    assert [json.loads(line)["model_name"] for line in file.read_text().splitlines()] == ["other"]
    assert (tmp_path / "before").read_text() == "what was there\n", "it was replaced in one step"
    ambiguous = desk.says(
        "sotopia", "benchmark", "openai/stub", "--partner", "stub", "--run", second
    )
    assert ambiguous.code != 0
    assert "several minds are it; name one: stub, other" in " ".join(ambiguous.err.split())


def test_a_model_that_fails_always_has_no_line_and_is_named(desk: Desk, tmp_path: Path) -> None:
    with stub_server(empty=1.0) as stub:
        command = (
            "sotopia", "benchmark", "openai/none", WILY, "--partner", CANDID, "--limit", "1",
            "--catalog", "starter", "--judge", "rehearsal-strict", "--base-url", stub.url,
            "--no-probe", "--out", str(tmp_path / "out"),
        )  # fmt: skip
        said = desk.does(*command)
        again = desk.does(*command)
        text = (tmp_path / "out" / "models_vs_candid.jsonl").read_text()
        alone = desk.says(*(one for one in command if one != WILY))
    assert again.out == said.out
    assert [json.loads(line)["model_name"] for line in text.splitlines()] == [WILY]
    assert alone.code == 4
    for out in (said.out, alone.out):
        assert "openai/none has no score that counts, and so no line." in " ".join(out.split())


@pytest.mark.parametrize(("limit", "tasks"), [("1", 1), ("4", 4), ("0", None), ("1000", None)])
def test_a_limit_is_of_all_tasks_of_a_hard_list_whatever_seats_it_names(
    desk: Desk, tmp_path: Path, limit: str, tasks: int | None
) -> None:
    store = desk.open()
    catalog = load(store, "starter", Catalog)
    store.close()
    first, second, third = [one.id for one in catalog.scenarios if len(one.goals) == 2][:3]
    there = sum(task.scenario in (first, second, third) for task in catalog.tasks)
    assert there > 4
    entries: list[dict[str, object]] = [
        {"scenario": first, "seat": 1}, {"scenario": second, "seat": 2}, {"scenario": third},
    ]  # fmt: skip
    listed = tmp_path / "hard.jsonl"
    listed.write_text("".join(f"{json.dumps(one)}\n" for one in entries))
    planned = desk.does(
        "sotopia", "benchmark", WILY, "--partner", CANDID, "--catalog", "starter", "--task", "hard",
        "--hard", str(listed), "--limit", limit, "--dry-run", "--json",
    ).json  # fmt: skip
    assert sum(one["forecast"]["tasks"] for one in planned) == (tasks or there)
    assert all(one["forecast"]["tasks"] > 0 for one in planned)


def test_a_benchmark_on_the_hard_set_plays_the_listed_seats(desk: Desk) -> None:
    lines = ({"scenario": "one_van", "seat": 2}, {"scenario": "hive_price"})
    path = desk.file("hard.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    said = desk.does(
        "sotopia", "benchmark", WILY, "--partner", CANDID, "--catalog", "starter", "--task", "hard",
        "--hard", path, "--json",
    ).json  # fmt: skip
    assert len(said["runs"]) == 2
    played = [
        (row["scenario_id"], row["minds"].index("wily"))
        for run in said["runs"]
        for row in desk.does("show", run, "--json").json["episodes"]
    ]
    assert {one for one in played if one[0] == "one_van"} == {("one_van", 1)}
    assert {one for one in played if one[0] == "hive_price"} == {
        ("hive_price", 0),
        ("hive_price", 1),
    }
    assert said["rows"][0]["seats"] == len(played)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((WILY, "-p", "rehearsal/nobody"), "there is no such mind; tempers are"),
        ((WILY, "-p", "openai/gpt-4o"), "name a judge file"),
        ((WILY, "-p", CANDID, "-c", "nowhere"), "there is no catalog 'nowhere'"),
        ((WILY, "-p", CANDID, "--task", "hard"), "needs --hard FILE"),
        ((WILY, "-p", CANDID, "-j", "judge.toml"), "judge.toml"),
    ],
)
def test_a_benchmark_that_cannot_be_is_refused(
    desk: Desk, arguments: tuple[str, ...], why: str
) -> None:
    said = desk.says("sotopia", "benchmark", *arguments)
    assert said.code != 0
    assert why in said.err
    assert desk.does("runs", "--json").json == []


def test_cooperative_tasks_are_known_by_their_tag(desk: Desk) -> None:
    command = ("sotopia", "benchmark", WILY, "-p", CANDID, "--task", "cooperative")
    planned = desk.does(*command, "-c", "starter", "--dry-run")
    assert "cooperative" in planned.out + planned.err
    folder = str(desk.folder / "mine")
    desk.does("catalog", "new", "mine", "--to", folder)
    desk.does("catalog", "import", folder)
    said = desk.says(*command, "-c", "mine")
    assert said.code != 0
    assert "has no task of two seats of this kind" in " ".join(said.err.split())
    assert desk.does("runs", "--json").json == []
