"""``troupe worldtree scores``: what came of a run, people beside."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

PLAN = """
environment = "worldtree"
catalog = "crossroads"
[worldtree]
preset = "script"
[tasks]
tags = ["conflict"]
[minds.first]
kind = "rehearsal"
temper = "first"
[minds.last]
kind = "rehearsal"
temper = "last"
[judges]
use = ["worldtree-goal", "worldtree-ability"]
"""


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk on which the trees of one orientation were walked and asked about in both
    languages."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("walked"), patch)
        desk.does("run", desk.file("plan.toml", PLAN))
        yield desk


@pytest.fixture
def run(walked: Desk) -> str:
    return walked.does("runs", "--json").json[0]["id"]


def test_both_tables_have_their_denominators_and_say_that_these_are_no_findings(
    walked: Desk, run: str
) -> None:
    said = walked.does("worldtree", "scores", run).out
    for words in (
        "Goals, Chinese",
        "Goals, English, by orientation",
        "Abilities, English",
        "first*",
    ):
        assert words in said
    assert "no language model" in said
    # Of two minds that go by the place alone, the one that takes the first.
    assert "Which letters were chosen" in said
    assert "first chose A in" in " ".join(said.split())
    assert "no walks of people" in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 80
    told = walked.does("worldtree", "scores", run, run[:6], "--json").json
    for row in told["goals"]["rows"][:2]:
        (cell,) = (c for c in row["cells"] if (c["language"], c["scope"]) == ("zh", "overall"))
        assert sum(cell["outcomes"].values()) == 1
    for row in told["abilities"]["rows"][:2]:
        (cell,) = (c for c in row["cells"] if (c["language"], c["scope"]) == ("en", "overall"))
        assert sum(cell.get(name, 0) for name in ("right", "wrong", "undecided")) > 5


def test_csv_has_every_cell_in_one_table_of_each_sort(walked: Desk, run: str) -> None:
    said = walked.does("worldtree", "scores", run, run, "-f", "csv").out
    goals = said.split("\n\n")[0].splitlines()
    rows = list(csv.DictReader(io.StringIO("\n".join(goals[1:]))))
    assert {row["language"] for row in rows} == {"zh", "en"}
    (one,) = (
        row
        for row in rows
        if (row["who"], row["language"], row["scope"]) == ("first", "zh", "Conflict")
    )
    assert one["rehearsal"] == "yes"
    assert one["trees"] == "1"
    assert "\\toprule" in walked.does("worldtree", "scores", run, "-f", "latex").out


def test_people_stand_above_the_minds(walked: Desk, run: str, tmp_path: Path) -> None:
    tasks = walked.does("show", run, "--json").json["episodes"]
    walks = sorted({row["task"] for row in tasks if row["task"].startswith("walk.")})
    path = tmp_path / "people.csv"
    rows = [f"p1,{task[-2:]},{task},0," for task in walks]
    path.write_text("participant,language,task,item,answer\n" + "\n".join(rows), encoding="utf-8")
    said = walked.does("worldtree", "scores", run, "--people", str(path)).out
    assert said.index("People, mean") < said.index("first*")
    path.write_text("participant,language,task,item,answer\np1,en,walk.nowhere,0,1\n")
    why = refused(walked, "worldtree", "scores", run, "--people", str(path))
    assert "people.csv, line 2: there is no task 'walk.nowhere'" in " ".join(why.split())


def test_a_run_of_another_environment_is_refused(played: Desk) -> None:
    social = played.does("runs", "--json").json[0]["id"]
    assert "plays social, not worldtree" in refused(played, "worldtree", "scores", social)
