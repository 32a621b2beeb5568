"""A tree walked the whole path: played, stored, shown, replayed and forked as any episode is."""

from evaluators.tables.run_tables import outcome_of
from gateway.cli.options import open_session
from store.read_model import queries
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

PLAN = """
environment = "worldtree"
catalog = "crossroads"
[tasks]
ids = ["walk.before-six-en"]
[minds.prosocial]
kind = "rehearsal"
temper = "prosocial"
[minds.longest]
kind = "rehearsal"
temper = "longest"
"""


def test_runs_without_scores_are_not_compared_and_judges_are_named(desk: Desk) -> None:
    plan = desk.file("plan.toml", PLAN)
    runs = [desk.does("run", plan, "--json").json["run"]["id"] for _ in range(2)]
    assert "JUDGE is a file or one of worldtree-goal" in refused(desk, "compare", *runs)


def test_a_walk_is_played_shown_replayed_and_forked(desk: Desk) -> None:
    said = desk.does("run", desk.file("plan.toml", PLAN)).out
    assert "Next\n  troupe worldtree scores" in said
    assert "--judge" not in said
    with open_session() as (_, store):
        rows = queries.episodes(store)
    assert {(row.status, row.summary["kind"]) for row in rows} == {("ended", "walk")}
    walk = max(rows, key=lambda row: row.turns)
    listed = next(line for line in said.splitlines() if walk.id in line)
    assert listed.endswith(outcome_of(walk))
    path = [int(node) for node in walk.summary["path"].split()]
    assert walk.turns == len(path) - 1
    shown = desk.does("show", walk.id).out
    assert shown.count("answer 1: is for") == shown.count("answer 3: is for") == walk.turns
    assert "answer 1" not in desk.does("show", walk.id, "--as", "1").out
    state = desk.does("replay", walk.id, "--at", "5", "--json").json["state"]
    assert state["path"] == path[:2]
    forked = desk.does("fork", walk.id, "--at", "5", "--seat", "1=rehearsal:last").out
    assert f"forked from {walk.id} after event 5" in forked
