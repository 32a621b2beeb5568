"""Runs are archived and restored by commands, and others say where they are."""

from pathlib import Path

import pytest

from tests.gateway.command import Desk
from tests.gateway.test_operating import becomes, state
from tests.gateway.test_operating import started as command_started
from tests.support.runs import plan
from tests.support.undrawn_charts import undrawn

__all__ = ["undrawn"]
pytestmark = pytest.mark.usefixtures("undrawn")


def test_a_run_leaves_the_store_and_every_command_says_where_it_is(
    played: Desk, run: str, tmp_path: Path
) -> None:
    to = tmp_path / "archive"
    before = played.does("show", run, "--json").json
    episode = before["episodes"][0]["id"]
    exported = tmp_path / "run.jsonl"
    played.does("export", run, "--out", str(exported))
    (would_go,) = played.does("archive", run, "--to", str(to), "--dry-run", "--json").json
    assert not to.exists()
    said = played.does("archive", run[:7], "--to", str(to), "--compact")
    assert f"{would_go['events']:,} events" in said.out
    assert played.does("runs", "--json").json == []
    (row,) = played.does("runs", "--all", "--json").json
    assert (row["id"], row["standing"]["state"], row["taken_to"]) == (
        *(run, "archived"),
        str(to / run),
    )
    # Lines are as narrow as a terminal.
    assert f"archivedto{to / run}on" in "".join(played.does("runs", "--all").err.split())
    for command in (
        *(("show", run), ("score", run, "--judge", "rehearsal-strict"), ("resume", run)),
        *(("replay", episode, "--at", "2"), ("fork", episode, "--at", "2"), ("show", episode)),
        *(("export", run), ("report", run), ("stop", run), ("archive", run)),
        ("import", "episodes", str(exported)),
    ):
        refused = played.says(*command)
        assert refused.code == 1
        assert f"was archived to {to / run} on" in refused.err
        assert f"`troupe retrieve {to / run}` brings it back" in refused.err
    assert "1 run, which have left the log" in " ".join(played.does("verify-store").out.split())
    assert "is back as it was" in played.does("retrieve", str(to)).out
    assert "is here already" in played.does("retrieve", str(to / run)).out
    assert played.does("show", run, "--json").json == before
    damaged = tmp_path / "damaged.jsonl.zst"
    damaged.write_bytes((to / run / "events.jsonl.zst").read_bytes()[:9])
    refused = played.says("import", "episodes", str(damaged))
    assert (refused.code, "it cannot be read" in refused.err) == (1, True)
    assert "holds no run.json" in played.says("retrieve", str(tmp_path)).err


@pytest.mark.long
def test_a_run_leaves_and_comes_back_beside_a_server_that_goes_on(
    desk: Desk, tmp_path: Path
) -> None:
    with command_started(desk, "serve", "--port", "0", "--no-probe"):
        desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--detach")
        becomes(lambda: state(desk), "ended")
        run = desk.does("runs", "--json").json[0]["id"]
        (gone,) = desk.does("archive", run, "--to", str(tmp_path), "--json").json
        desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--detach")
        becomes(lambda: state(desk), "ended")
        desk.does("verify-store")
        desk.does("retrieve", gone["folder"])
        desk.does("score", run, "--judge", "rehearsal-lenient")
        desk.does("verify-store")


def test_a_run_that_is_not_over_stays(desk: Desk, tmp_path: Path) -> None:
    desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--detach")
    run = desk.does("runs", "--json").json[0]["id"]
    refused = desk.says("archive", run, "--to", str(tmp_path / "to"))
    assert (refused.code, f"`troupe stop {run}` stops it" in refused.err) == (1, True)
    assert not (tmp_path / "to").exists()
    assert desk.says("archive", run, "--dry-run").code == 2
