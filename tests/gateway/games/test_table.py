"""``troupe games table`` and the section of a report: who won, how they played, what they got."""

import csv
import io
from pathlib import Path

import pytest

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
        "Ratings",
        "How the models played",
        "Turns to the end",
        "The games do not tell the models apart",
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
