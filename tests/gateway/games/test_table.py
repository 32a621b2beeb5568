"""``troupe games table`` and the section of a report: who won, how they played, what they got."""

import csv
import io
import json
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from events.episode import EpisodeStarted
from events.serialization.codec import event_of
from tests.faults.hostile import HostileServer
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused
from tests.support.servers.stub_llm import StubSettings

PLAN = """
environment = "games"
catalog = "parlour"
[tasks]
ids = ["hunt-6-1", "hunt-6-2", "hunt-6-3"]
[minds.open]
kind = "rehearsal"
temper = "open"
[minds.scheming]
kind = "rehearsal"
temper = "scheming"
[seats]
pairings = "same"
[judges]
use = ["games"]
"""
SOCIAL = """
[tasks]
limit = 1
[minds.a]
kind = "rehearsal"
temper = "candid"
"""
MODEL = """
environment = "games"
give_up_after = 0
[tasks]
ids = ["hunt-6-1"]
[games]
rounds = 1
[minds.m]
kind = "model"
adapter = "direct"
model = "m"
base_url = "{url}"
[seats]
pairings = "same"
"""


def played(desk: Desk, plan: str = PLAN) -> str:
    desk.does("run", desk.file("plan.toml", plan))
    run: str = desk.does("runs", "--json").json[0]["id"]
    return run


def test_the_tables_of_a_run_in_all_forms(desk: Desk) -> None:
    run = played(desk)
    desk.width(140)
    words = " ".join(desk.does("games", "table", run).out.split())
    for told in (
        "Win rates by role, team and model",
        "How the models played",
        "Turns to the end",
        "No ratings. The hunt: The games do not tell the models apart",
        "Rehearsal minds open, scheming: fixed rules",
    ):
        assert told in words, told
    found = desk.does("games", "table", run, "--json").json
    assert (found["games"], found["rulesets"]) == (6, {"hunt": "The hunt"})
    rows = csv.DictReader(
        io.StringIO(
            desk.does("games", "table", run, "-f", "csv").out.split("\n\n")[0].partition("\n")[2]
        )
    )
    won = {(row["part"], row["model"]): (float(row["won"]), int(row["seats"])) for row in rows}
    assert won["all", "open"][1] == 18, "six seats in three games"
    share = (won["poachers", "open"][0] * won["poachers", "open"][1]) + (
        won["village", "open"][0] * won["village", "open"][1]
    )
    assert share / 18 == pytest.approx(won["all", "open"][0])
    latex = desk.does("games", "table", run, "--format", "latex").out
    assert latex.count("they are not findings") == latex.count("\\caption{")
    (by_judge,) = desk.does("show", run, "--json").json["tables"]
    cells = {one["mind"]: one["cells"] for one in by_judge["minds"]}
    mean = cells["open"]["won"]["mean"]["value"]
    assert mean == pytest.approx(won["all", "open"][0]), "the judge says the same"


def test_words_aside_are_a_list_of_one_in_tables_for_analysis(desk: Desk) -> None:
    run = played(desk)
    desk.does("export", run, "-f", "parquet", "-o", str(desk.folder / "tables"))
    rows = pq.read_table(desk.folder / "tables" / "actions.parquet").to_pylist()
    aside = [row for row in rows if row["to"]]
    assert aside, "somebody spoke aside"
    assert all(row["to"] == [json.loads(row["action"])["to"]] for row in aside)


def test_the_report_has_them(desk: Desk) -> None:
    run = played(desk)
    out = desk.folder / "page.html"
    desk.does("report", run, "--out", str(out))
    page = out.read_text(encoding="utf-8")
    assert 'id="games-win-rates"' in page
    assert "Rehearsal minds: open, scheming" in page


def test_runs_without_games_are_refused(desk: Desk) -> None:
    assert "not games" in refused(desk, "games", "table", played(desk, SOCIAL))
    assert "none" in refused(desk, "games", "table", "none")


def test_answers_that_are_asked_for_again_are_illegal_tries(desk: Desk) -> None:
    with HostileServer(StubSettings(empty=1.0)) as server:
        plan = desk.file("plan.toml", MODEL.format(url=server.url))
        desk.says("run", plan, "--no-probe")
    run = desk.does("runs", "--json").json[0]["id"]
    found = desk.does("games", "table", run, "--json").json
    means = {
        one["measure"]: one["found"]["value"] for one in found["measures"] if one["kind"] == "all"
    }
    # The plan asks twice more, and then gives the act up.
    assert means["illegal"] == pytest.approx(3 * means["turns"])
    assert means["turns"] > 1


def test_the_seven_dimensions_are_judged_over_the_account(desk: Desk) -> None:
    with HostileServer(StubSettings()) as server:
        judge = Path("examples/judge-games.toml").read_text(encoding="utf-8")
        here = f'model = "j"\nadapter = "direct"\nbase_url = "{server.url}"'
        desk.file("seven.toml", judge.replace('model = "openai/gpt-4o"', here))
        run = played(desk, PLAN.replace('["games"]', '["games", "seven.toml"]'))
    by_judge = {
        one["judge"]["name"]: one for one in desk.does("show", run, "--json").json["tables"]
    }
    assert by_judge["games"]["dimensions"] == ["won", "survived", "right_votes"]
    seven = by_judge["games-seven"]
    assert len(seven["dimensions"]) == 8
    assert seven["dimensions"][-1] == "overall", "the mean of the seven, as of social episodes"
    for mind in seven["minds"]:
        assert all(cell["scored"] == 18 for cell in mind["cells"].values())


def test_deals_are_the_same_in_runs_of_one_seed_and_others_by_another(desk: Desk) -> None:
    for seed, deals in ((1, ""), (3, "[games]\ndeals = 1\n"), (2, "")):
        desk.does("run", desk.file("plan.toml", f"seed = {seed}\n{PLAN}{deals}"))
    runs = [one["id"] for one in reversed(desk.does("runs", "--json").json)]
    dealt: dict[str, set[str]] = defaultdict(set)
    with closing(desk.open()) as store:
        for envelope in store.read_all(tags=["EpisodeStarted"], limit=100):
            started = event_of(envelope)
            assert isinstance(started, EpisodeStarted)
            dealt[started.run].add(f"{started.task} {started.characters} {started.setup.cards}")
    assert dealt[runs[0]] == dealt[runs[1]] != dealt[runs[2]]

    def clusters(*some: str) -> set[int]:
        found = desk.does("games", "table", *some, "--json").json
        return {one["found"]["clusters"] for one in found["measures"] if one["measure"] == "won"}

    assert clusters(*runs[:2]) == {3}
    assert clusters(*runs[::2]) == {6}
