"""``troupe sotopia hard``: from a run to a list that the tables read."""

from actors.episodes.catalogs.scenario_lists import read_scenario_list
from tests.gateway.command import Desk
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
    assert "no language model" in " ".join(shown.split())
    figure = ("--figure", "G.5", "--hard", str(path), "--judge", "rehearsal-strict")
    assert "hard" in desk.does("sotopia", "tables", run, *figure).out
