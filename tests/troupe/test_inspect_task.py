"""A plan as a task of inspect_ai."""

import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import troupe
from actors.toml_values import table_text
from tests.troupe.outside_plans import SAYS, actions, seat_plan

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: make inspect")

from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog, bundle_log_dir, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from troupe.inspect_task import episodes


def evaluated(task: Any, folder: Path, *said: str, **more: Any) -> EvalLog:
    """What the mock model, which says these by turns, makes of a task."""
    count = 0

    def says(*_: Any) -> ModelOutput:
        nonlocal count
        output = ModelOutput.from_content("mockllm", said[count % len(said)])
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        count += 1
        return output

    model = get_model("mockllm/model", custom_outputs=says, memoize=False)
    (log,) = evaluate(task, model=model, log_dir=str(folder), display="none", **more)
    return log


def test_the_model_plays_a_seat_and_what_judges_say_are_its_scores(
    data: Path, tmp_path: Path, nothing_left: None
) -> None:
    log = evaluated(episodes(seat_plan(), where=str(data)), tmp_path / "logs", SAYS)
    assert log.status == "success", log.error
    log = read_eval_log(log.location, resolve_attachments="full")
    tasks = sorted({sample.metadata["task"] for sample in log.samples or ()})
    assert sorted(sample.id for sample in log.samples or ()) == [
        f"{task} ({minds})" for task in tasks for minds in ("mine and wily", "wily and mine")
    ]
    with troupe.open_store(data) as store:
        (row,) = store.runs.rows()
        assert row["status"] == "ended"
        played = []
        for sample in log.samples or ():
            episode = sample.scores["dimensions"].metadata["episode"]
            seat = sample.metadata["seat"] - 1
            played.append((episode, seat))
            rows = store.scores(episode=episode).rows()
            ours = {one["dimension"]: one["value"] for one in rows if one["seat"] == seat}
            assert sample.scores["dimensions"].value == ours
            mine = [one for one in actions(store.log, episode) if one.seat == seat]
            assert len(mine) == len([one for one in sample.messages if one.role == "assistant"])
            told = [one.data for one in sample.events if one.event == "info"]
            assert told[-1]["transcript"] == store.transcript(episode).text
        rows = store.scores(run=row["run"], dimension="goal").rows()
        goals = {(one["episode"], one["seat"]): one["value"] for one in rows}
    assert log.results is not None
    by_name = {score.name: score for score in log.results.scores}
    assert by_name["overall"].scored_samples == 4
    assert by_name["goal"].metrics["mean"].value == pytest.approx(
        sum(goals[episode, seat] for episode, seat in played) / 4
    )
    assert log.eval.metadata["no_findings"] == ["rehearsal-strict"]


def test_its_log_opens_in_the_viewer_of_inspect(data: Path, tmp_path: Path) -> None:
    plan = seat_plan(tasks={"limit": 1}, seats={"pairings": [["mine", "wily"]]})
    log = evaluated(episodes(plan, where=str(data)), tmp_path / "logs", SAYS)
    (sample,) = read_eval_log(log.location).samples or ()
    assert sample.messages[-1].text.endswith(
        f"The episode is over: {sample.scores['dimensions'].answer}."
    )
    bundle_log_dir(str(tmp_path / "logs"), output_dir=str(tmp_path / "site"))
    assert (tmp_path / "site" / "index.html").exists()
    assert list((tmp_path / "site" / "logs").glob("*.eval"))


def test_an_answer_that_cannot_be_read_is_asked_for_again_as_by_a_plan(
    data: Path, tmp_path: Path
) -> None:
    plan = seat_plan(tasks={"limit": 1}, seats={"pairings": [["mine", "wily"]]})
    log = evaluated(episodes(plan, where=str(data)), tmp_path / "a", "I say hello.", SAYS)
    (sample,) = read_eval_log(log.location, resolve_attachments="full").samples or ()
    calls = [one for one in sample.events if one.event == "model"]
    answers = [one for one in sample.messages if one.role == "assistant"]
    assert {one.text for one in answers} == {SAYS}
    assert len(calls) == 2 * len(answers)
    assert "it held no JSON object" in calls[1].input[-1].text
    with troupe.open_store(data) as store:
        episode = sample.scores["dimensions"].metadata["episode"]
        assert not any(one.failure for one in actions(store.log, episode))


def test_an_episode_that_is_given_up_is_unscored_and_never_a_zero(
    data: Path, tmp_path: Path
) -> None:
    task = episodes(seat_plan(), where=str(data), reasks=0)
    log = evaluated(task, tmp_path, "I say hello.")
    assert log.status == "success"
    for sample in log.samples or ():
        score = sample.scores["dimensions"]
        assert math.isnan(score.value)
        assert score.explanation == "nothing was scored: it failed and was given up"
    assert log.results is not None
    assert {one.unscored_samples for one in log.results.scores} == {4}
    assert {one.name for one in log.results.scores} >= {"goal", "overall"}


def test_each_epoch_is_a_run_and_a_limit_leaves_the_rest_waiting(
    data: Path, tmp_path: Path
) -> None:
    task = episodes(seat_plan(), mind="mine", where=str(data))
    log = evaluated(task, tmp_path, SAYS, epochs=2, limit=3)
    assert len(log.samples or ()) == 6
    with troupe.open_store(data) as store:
        rows = store.runs.rows()
        assert [row["status"] for row in rows] == ["paused", "paused"]
        assert len(store.episodes(status="ended").rows()) == 6


def test_any_mind_of_a_plan_can_be_the_evaluated_model(data: Path, tmp_path: Path) -> None:
    plan = seat_plan(minds={"gpt": troupe.Model("openai/gpt"), "wily": "rehearsal:wily"})
    plan["seats"] = {"pairings": [["gpt", "wily"]]}
    plan["judges"] = {"use": ["rehearsal-strict", "rehearsal-lenient"]}
    with pytest.raises(troupe.Error, match="none of its seats is yours"):
        episodes(plan, where=str(data))
    log = evaluated(episodes(plan, mind="gpt", where=str(data)), tmp_path, SAYS)
    names = {score.name for score in log.results.scores}
    assert {"rehearsal-strict.goal", "rehearsal-lenient.goal"} <= names
    plan["seats"] = {"pairings": [["gpt", "gpt"]]}
    with pytest.raises(troupe.Error, match=r"\(gpt and gpt\): .* seats 1, 2, not one"):
        episodes(plan, mind="gpt", where=str(data))


def test_the_command_of_inspect_runs_it_with_its_mock_model(data: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(table_text({**seat_plan(), "minds": {
        "mine": {"kind": "remote"}, "wily": {"kind": "rehearsal", "temper": "wily"}
    }}))  # fmt: skip
    inspect = Path(sys.executable).parent / "inspect"
    command = [str(inspect), "eval", "troupe/episodes", "-T", "plan=plan.toml"]
    done = subprocess.run(
        [*command, "--model", "mockllm/model", "--log-dir", "logs", "--display", "plain"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=110,
        env={**os.environ, "TROUPE_DATA_DIR": str(data), "COLUMNS": "200"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (log,) = (tmp_path / "logs").glob("*.eval")
    read = read_eval_log(str(log))
    assert read.status == "success"
    assert (read.eval.model, read.eval.dataset.samples) == ("mockllm/model", 4)
    with troupe.open_store(data) as store:
        assert [row["status"] for row in store.runs.rows()] == ["ended"]
