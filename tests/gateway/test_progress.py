"""What a command says while it works, to people on a terminal and to whatever reads its pipes."""

import re
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from gateway.cli.terminal import run_progress
from gateway.cli.views import forecast
from tests.faults.process import Troupe
from tests.gateway.command import Desk
from tests.gateway.test_operating import becomes, started, state
from tests.support.runs import REMOTE_MINDS, model_minds, plan

FAR = plan(REMOTE_MINDS, tasks=1)


def test_into_a_pipe_a_run_says_its_id_and_then_how_far_it_is(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_progress, "EVERY_S", 0.001)
    said = desk.does("run", desk.file("plan.toml", plan(judges='["rehearsal-strict"]')))
    run = desk.does("runs", "--json").json[0]["id"]
    first, *lines, last = said.err.splitlines()
    assert first == f"Run {run}: test"
    assert lines, "more than the last one"
    assert all(re.fullmatch(r"\d/8 episodes played · \d/8 episodes scored", one) for one in lines)
    assert last == "8/8 episodes played · 8/8 episodes scored"


def test_a_run_that_goes_on_has_said_its_id_and_watch_finds_the_only_one(desk: Desk) -> None:
    said = desk.says("watch")
    assert (said.code, "no run is under way" in said.err) == (1, True)
    path = desk.file("plan.toml", FAR)
    with started(desk, "run", path) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert (found := re.fullmatch(r"Run (r\w+): test\n", first)), first
        assert process.poll() is None, "it goes on"
        with started(desk, "watch") as watching:
            assert watching.stdout is not None
            assert watching.stdout.readline().startswith(f"Run {found[1]}: ")
        becomes(lambda: state(desk), "waits for seats")
        with started(desk, "run", path) as other:
            assert other.stderr is not None
            another = other.stderr.readline().split()[1].rstrip(":")
            becomes(lambda: state(desk), "waits for seats")
            said = desk.says("watch")
    assert (said.code, said.out) == (1, "")
    assert "2 runs are under way" in said.err
    assert found[1] in said.err
    assert another in said.err


def test_watch_alone_does_not_wait_for_a_server(desk: Desk) -> None:
    desk.does("run", desk.file("plan.toml", FAR), "--detach")
    run = desk.does("runs", "--json").json[0]["id"]
    said = desk.says("watch")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("troupe: no run is under way; ")
    assert f"{run} (test) waits for a server: `troupe serve` or `troupe resume {run}`" in said.err


def test_before_a_model_that_may_keep_us_waiting_it_is_said_that_it_is_asked(desk: Desk) -> None:
    path = desk.file("plan.toml", plan(model_minds("http://127.0.0.1:9/v1"), tasks=1))
    for arguments, code, why in (
        (["run", path], 3, "troupe: "),
        (["run", path, "--dry-run"], 0, "not every model could be asked: "),
    ):
        said = desk.says(*arguments)
        assert said.code == code, said
        asking, refused = said.err.split("\n", 1)
        assert (asking, refused.startswith(why)) == ("asking the model…", True)


def test_while_a_forecast_is_worked_out_it_is_said_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    real = forecast.while_working

    def told(what: str) -> AbstractContextManager[object]:
        said.append(what)
        return real(what)

    monkeypatch.setattr(forecast, "while_working", told)
    desk.does("run", desk.file("plan.toml", plan(tasks=1)), "--dry-run")
    assert said == ["working out what it asks of its models"]


def test_logs_of_a_command_are_for_people_also_in_a_pipe(tmp_path: Path) -> None:
    machine = Troupe(tmp_path, TROUPE_LOG="debug")
    (tmp_path / "plan.toml").write_text(plan(tasks=1))
    said = subprocess.run(
        machine.command("run", str(tmp_path / "plan.toml")),
        env=machine.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "[info] nats_started" in said.stderr
    assert not [line for line in said.stderr.splitlines() if line.startswith("{")]
    assert "\x1b" not in said.stderr
