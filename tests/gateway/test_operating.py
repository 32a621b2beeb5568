"""Other commands beside a server and a run: what they say of it, and how they stop it."""

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gateway.cli.views.watch_run import duration
from gateway.http.context import About
from gateway.http.health import as_text
from gateway.services.runs.watch_run import time_left
from tests.faults.process import SLOW_S, Troupe
from tests.gateway.command import Desk
from tests.support.runs import REMOTE_MINDS, chain_plan, plan


@contextmanager
def started(desk: Desk, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command in a process of its own, killed at the end."""
    machine = Troupe(desk.folder)
    process = subprocess.Popen(
        machine.command(*arguments),
        env=machine.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def becomes(found: Callable[[], Any], wanted: Any) -> None:
    """Wait until something is so."""
    end = time.monotonic() + SLOW_S
    while (now := found()) != wanted:
        assert time.monotonic() < end, now
        time.sleep(0.3)


def state(desk: Desk) -> str:
    """How the newest run stands."""
    return desk.does("runs", "--all", "--json").json[0]["standing"]["state"]


def in_hand(desk: Desk) -> int:
    """Episodes that somebody has in hand."""
    kinds = desk.does("jobs", "--json").json["kinds"]
    return sum(kind["in_hand"] for kind in kinds)


def workers(desk: Desk) -> list[tuple[list[str], bool, int]]:
    """The runs of each process, whether it serves, and how many episodes it has in hand."""
    found = desk.does("workers", "--json").json
    return [(one["runs"], one["serves"], one["episodes"]) for one in found]


def episodes(desk: Desk, run: str) -> dict[str, str]:
    """Their statuses."""
    rows = desk.does("show", run, "--json").json["episodes"]
    return {row["id"]: row["status"] for row in rows}


def test_a_run_is_followed_and_stopped_beside_the_processes_that_carry_it_out(desk: Desk) -> None:
    text = plan(REMOTE_MINDS, tasks=2)
    with started(desk, "serve", "--port", "0") as server:
        assert server.stdout is not None
        assert "listens on http" in server.stdout.readline()
        said = desk.does("run", desk.file("plan.toml", text), "--detach").out
        assert f"carried out by the server (pid {server.pid})" in " ".join(said.split())
        run = desk.does("runs", "--json").json[0]["id"]
        becomes(lambda: state(desk), "waits for seats")
        assert "waits for seat" in desk.does("show", run).out

        becomes(lambda: workers(desk), [([run], True, 2)])
        assert in_hand(desk) == 2
        found = dict(line.split("=") for line in desk.does("nats").out.split())
        assert found["TROUPE_NATS_URL"].startswith("nats://127.0.0.1:")
        assert found["TROUPE_NATS_TOKEN"]
        assert desk.does("nats", run, "--json").json["url"] == found["TROUPE_NATS_URL"]

        one, other = episodes(desk, run)
        assert "is stopped" in desk.does("stop", one).out
        assert episodes(desk, run) == {one: "ended", other: "playing"}
        assert "was over" in desk.does("stop", one).out
        becomes(lambda: in_hand(desk), 1)

        assert "is stopped" in desk.does("stop", run).out
        assert state(desk) == "stopped"
        watched = desk.says("watch", other)
        assert (watched.code, "goes on." in " ".join(watched.err.split())) == (130, True)
        becomes(lambda: in_hand(desk), 0)
        assert desk.does("stop", run, "--json").json["outcome"] == "over"

        desk.does("resume", run, "--detach")
        becomes(lambda: state(desk), "waits for seats")
        server.kill()
        server.wait()
        assert state(desk) == "waits for a server"
        assert "`troupe serve`" in desk.does("runs").out
        assert workers(desk) == []
        assert "nothing works on" in desk.says("nats").err
        assert server.stderr is not None
        events = [json.loads(line)["event"] for line in server.stderr]
        assert {"listening", "run_taken_up", "run_paused"} <= set(events)


@pytest.mark.long
def test_a_run_is_ended_early_beside_the_process_that_carries_it_out(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", plan(REMOTE_MINDS, tasks=2)), "--detach")
    run = desk.does("runs", "--json").json[0]["id"]
    one, other = episodes(desk, run)
    with started(desk, "resume", run) as process:
        becomes(lambda: state(desk), "waits for seats")
        assert "is ended" in desk.does("stop", run, "--end").out
        assert process.wait(SLOW_S) == 130
        assert state(desk) == "ended early"
        assert episodes(desk, run) == {one: "ended", other: "ended"}
    assert "nothing is left to do" in " ".join(desk.does("resume", run).err.split())
    watched = desk.says("watch", run)
    assert (watched.code, "for good" in watched.out) == (130, True)


def test_a_chain_is_stopped_before_it_begins(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", chain_plan(pairs=1)), "--detach")
    (chain,) = desk.does("chains", "--json").json
    desk.does("stop", chain["run"])
    watched = desk.says("watch", chain["id"])
    assert (watched.code, "goes on." in " ".join(watched.err.split())) == (130, True)
    assert "is stopped" in desk.does("stop", chain["id"]).out
    (after,) = desk.does("chains", "--json").json
    assert after["status"] == "failed"
    assert set(episodes(desk, after["run"]).values()) == {"failed"}
    assert "was over" in desk.does("stop", chain["id"]).out


def test_what_cannot_be_stopped_is_refused_in_a_sentence(played: Desk, run: str, episode: str):
    assert "was over" in played.does("stop", episode).out
    assert "had ended" in played.does("stop", run).out
    refused = played.says("stop", episode, "--end")
    assert (refused.code, "only a run" in refused.err) == (1, True)
    played.does("run", played.file("more.toml", plan()), "--detach")
    newest = played.does("runs", "--json").json[0]["id"]
    planned = next(iter(episodes(played, newest)))
    assert "it has not begun" in played.says("stop", planned).err


def test_an_archived_run_is_left_out_of_lists_and_nothing_else(played: Desk, run: str) -> None:
    before = played.does("show", run, "--json").json
    assert "is hidden" in played.does("hide", run[:6]).out
    assert played.does("runs", "--json").json == []
    assert "1 hidden" in played.does("runs").err
    (row,) = played.does("runs", "--all", "--json").json
    assert (row["id"], row["archived"]) == (run, True)
    shown = played.does("show", run, "--json").json
    assert shown["tables"] == before["tables"]
    assert "hidden from lists already" in played.does("hide", run).out
    played.does("hide", "--undo", run)
    assert [row["id"] for row in played.does("runs", "--json").json] == [run]
    played.does("verify-store", "--json")


def test_an_archived_run_is_no_longer_taken_up_and_resuming_brings_it_back(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--detach")
    run = desk.does("runs", "--json").json[0]["id"]
    desk.does("hide", run)
    assert state(desk) == "stopped"
    desk.does("resume", run, "--detach")
    assert [row["id"] for row in desk.does("runs", "--json").json] == [run]


def test_watching_a_run_that_is_over_says_how_it_ended(played: Desk, run: str) -> None:
    out = " ".join(played.does("watch", run).out.split())
    assert re.search(r"(\d+)/\1 episodes · (\d+)/\2 scored", out)
    assert out.endswith("Ended.")
    lines = [json.loads(line) for line in played.does("watch", run, "--json").out.splitlines()]
    assert lines[-1]["standing"]["state"] == "ended"
    assert lines[-1]["episodes_ended"] == lines[-1]["episodes"]


@pytest.mark.parametrize(
    ("episodes", "evaluations", "rates", "left"),
    [
        (0, 0, (0.0, 0.0), 0.0),
        (30, 0, (10.0, 0.0), 180.0),
        (30, 30, (10.0, 5.0), 360.0),
        (1, 0, (0.0, 0.0), None),
        (0, 4, (10.0, 0.0), None),
    ],
)
def test_the_time_left_is_that_of_what_takes_longer(episodes, evaluations, rates, left):
    assert time_left(episodes, evaluations, rates) == left


def test_lengths_of_time_are_said_in_a_unit_that_fits():
    assert [duration(s) for s in (4.4, 89, 600, 7200)] == ["4 s", "89 s", "10 min", "2.0 h"]


def test_a_server_says_what_it_is():
    about = About(command="serve", version="1.2", pid=7, runs=1, episodes=3, evaluations=0)
    text = as_text(about)
    assert "Troupe 1.2, serve (pid 7)" in text
    assert "1 run under way; in hand here: 3 episodes, 0 evaluations." in text
    assert all(path in text for path in ("/healthz", "/readyz", "/metrics"))
