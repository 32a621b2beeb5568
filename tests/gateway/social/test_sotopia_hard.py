"""``troupe sotopia hard``: from a run to a list that the tables read."""

import pytest

from actors.episodes.catalogs.scenario_lists import read_scenario_list
from actors.social.catalog.starter import starter_catalog
from store.read_model import queries
from tests.gateway.command import Desk
from tests.gateway.social.conftest import exported
from tests.gateway.test_refusals import refused

PLAN = """
[tasks]
limit = 2
[minds.wily]
kind = "rehearsal"
temper = "wily"
[minds.candid]
kind = "rehearsal"
temper = "candid"
[seats]
pairings = "all"
repeats = 2
[judges]
use = ["rehearsal-strict", "rehearsal-lenient"]
"""


def test_the_list_of_a_run_is_written_and_read_by_the_tables(desk: Desk) -> None:
    run = desk.does("run", desk.file("plan.toml", PLAN), "--json").json["run"]["id"]
    command = ("sotopia", "hard", run, "--target", "wily")
    assert "several judges have scored them" in refused(desk, *command)
    command = (*command, "--judge", "rehearsal-strict")
    assert "did you mean 'wily'" in refused(desk, *command[:-3], "willy", *command[-2:])
    path = desk.folder / "hard.jsonl"
    said = desk.does(*command, "--size", "3", "--out", str(path), "--json").json
    listed = read_scenario_list(path)
    assert [(one.scenario, one.seat) for one in listed.entries] == [
        (one["scenario"], one["seat"] + 1) for one in said["hard"]["chosen"]
    ]
    assert len(listed.entries) == 3
    ranks = [one["difficulty"] for one in said["hard"]["chosen"]]
    assert ranks == sorted(ranks, reverse=True)
    assert set(said["overlap"]) == {"goal"}
    shown = desk.does(*command, "--reward", "goal").out
    assert "candidates, by goal" in shown
    assert "Mean: wily's." in " ".join(shown.split())
    (first,) = desk.does(*command, "--size", "1", "-f", "csv").out.splitlines()[1:]
    assert first.split(",")[1] in desk.does("catalog", "show", "scenarios").out
    assert "no language model" in " ".join(shown.split())
    figure = ("--figure", "G.5", "--hard", str(path), "--judge", "rehearsal-strict")
    assert "hard" in desk.does("sotopia", "tables", run, *figure).out


HARD_PLAN = """
[tasks]
list = "hard.jsonl"
[minds.wily]
kind = "rehearsal"
temper = "wily"
[minds.candid]
kind = "rehearsal"
temper = "candid"
[seats]
pairings = "first"
first = ["wily"]
others = "candid"
[judges]
use = ["rehearsal-strict"]
"""


def test_a_hard_list_is_made_played_and_left_out_of_what_is_for_training(
    asked: Desk, asked_run: str
) -> None:
    path = asked.folder / "hard.jsonl"
    command = ("sotopia", "hard", asked_run, "--target", "stub", "--judge", "rehearsal-strict")
    asked.does(*command, "--size", "2", "--out", str(path))
    listed = read_scenario_list(path, seats=2)
    assert len(listed.entries) == 2

    plan = asked.file("hard.toml", HARD_PLAN)
    run = asked.does("run", plan, "--json").json["run"]["id"]
    store = asked.open()
    catalog = {task.id: task.scenario for task in starter_catalog().tasks}
    try:
        planned = queries.plan(store, run)
    finally:
        store.close()
    seats = {(catalog[one.task], one.minds.index("wily") + 1) for one in planned.episodes}
    assert seats == {(one.scenario, one.seat) for one in listed.entries}
    # What is recorded says what was played, wherever the file is by then.
    path.rename(asked.folder / "elsewhere.jsonl")
    again = asked.file("again.toml", planned.plan.source)
    assert asked.does("run", again, "--dry-run", "--json").json["episodes"] == len(planned.episodes)
    assert '"hard.jsonl"' not in planned.plan.source
    assert 'use = ["rehearsal-strict"]' in planned.plan.source
    figure = ("--figure", "G.5", "--hard", str(asked.folder / "elsewhere.jsonl"))
    (entry,) = asked.does("sotopia", "tables", run, *figure, "--json").json["entries"]
    assert entry["tables"]

    options = ("--filter", "goal=0", "--exclude", str(asked.folder / "elsewhere.jsonl"))
    lines, card = exported(asked, asked_run, "sft", *options)
    whole, _ = exported(asked, asked_run, "sft", "--filter", "goal=0")
    assert set(card["excluded_scenarios"]) == listed.scenarios
    assert 0 < len(lines) < len(whole)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"scenario": "nowhere"}\n', "hard.toml, tasks.list: catalog 'starter' has no task of"),
        ('{"scenario": 1}\n', "hard.jsonl, line 1, scenario: must be text"),
        ("\n", "hard.jsonl: lists nothing"),
    ],
)
def test_a_plan_with_a_bad_list_is_refused(asked: Desk, text: str, why: str) -> None:
    asked.file("hard.jsonl", text)
    before = asked.head()
    assert why in refused(asked, "run", asked.file("hard.toml", HARD_PLAN))
    (asked.folder / "hard.jsonl").unlink()
    assert "hard.jsonl: " in refused(asked, "run", asked.file("hard.toml", HARD_PLAN))
    assert asked.head() == before
