"""Local models in commands, on a runtime without llama.cpp."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.actors.models.local.conftest import RUNTIME
from tests.gateway.command import Desk
from tests.support.runs import plan


@pytest.fixture
def model(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model of a file, whose server tells of itself whatever it is asked."""
    monkeypatch.syspath_prepend(str(RUNTIME))
    desk.set("PYTHONPATH", str(RUNTIME))
    return "local/" + desk.file("a.gguf", "GGUF …")


JUDGE = """
name = "small"
kind = "model"
model = "{}"
max_tokens = 300
"""


def test_whatever_shows_a_run_says_that_a_local_model_played_and_judged(desk: Desk, model: str):
    desk.file("judge.toml", JUDGE.format(model))
    minds = f'[minds.mine]\nkind = "model"\nmodel = "{model}"\n'
    text = plan(minds, tasks=1, pairings='[["mine", "mine"]]', judges='["judge.toml"]')
    said = desk.says("run", desk.file("plan.toml", text), "--json")
    details = said.json
    run = details["run"]["id"]
    assert details["local_minds"] == ["mine"]
    assert details["calls"][0]["cost_usd"] == 0.0
    shown = " ".join(desk.does("show", run).out.split())
    assert "Local model mind mine" in shown
    assert "they are not findings" in shown
    assert "rehearsal" not in shown.lower().replace("rehearsal-", "")
    page = desk.folder / "report.html"
    desk.does("report", run, "--out", str(page))
    html = page.read_text(encoding="utf-8")
    assert re.search("Local model: .*mind mine.*it is no finding", html)
    assert "local model</span>" in html


def test_of_a_local_model_that_is_too_small_the_setting_is_said(desk: Desk, model: str):
    desk.set("TROUPE_LOCAL_CONTEXT", "300")
    minds = f'[minds.mine]\nkind = "model"\nmodel = "{model}"\nmax_tokens = 100\n'
    text = plan(minds, tasks=1, pairings='[["mine", "mine"]]', rules="turn_cap = 2")
    path = desk.file("plan.toml", text)
    said = desk.says("run", path)
    assert said.code == 1
    words = " ".join(said.err.split())
    assert "takes 300 of both" in words
    found = re.search(r"set TROUPE_LOCAL_CONTEXT=(\d+), if the model was trained", words)
    assert found, words
    assert "--ctx-size" not in words
    desk.set("TROUPE_LOCAL_CONTEXT", found.group(1))
    assert "of both" not in desk.says("run", path).err


def test_a_local_judge_is_one_in_every_list_of_judges(desk: Desk, model: str):
    run = desk.says("run", desk.file("plan.toml", plan(tasks=1)), "--json").json["run"]["id"]
    judge = desk.file("judge.toml", JUDGE.format(model))
    desk.says("score", run, "--judge", judge)
    shown = " ".join(desk.does("show", run).out.split())
    assert "a local model; no finding" in shown
    assert "Local model judge small" in shown


def test_a_question_is_tried(desk: Desk, model: str):
    tried = desk.does("local", "try", "--model", model, "--json").json
    assert tried["fault"], "it does not answer in the form that was asked for"
    assert tried["output_tokens"] == 3
    said = desk.does("local", "try", "--model", model)
    assert "tokens a second" in said.out
    assert "not in the form" in said.err
    refused = desk.says("local", "try", "--model", "openai/gpt-4o")
    assert "is no local model: local/smollm2 is one" in refused.err


def test_a_server_stays_until_ctrl_c_and_runs_use_it(desk: Desk, model: str):
    command = [sys.executable, "-c", "from gateway.cli.main import main; main()", "local", "serve"]
    serving = subprocess.Popen(
        [*command, "--model", model, "--slots", "1"], stdout=subprocess.PIPE, text=True
    )
    assert serving.stdout is not None
    try:
        assert "answers at http://127.0.0.1:" in "".join(
            serving.stdout.readline() for _ in range(3)
        )
        tried = desk.does("local", "try", "--model", model, "--json").json
        assert f'"pid": {serving.pid}' in tried["text"]
        again = desk.says("local", "serve", "--model", model)
        assert f"is served by process {serving.pid} for this data folder already" in again.err
        os.kill(serving.pid, signal.SIGINT)
        assert serving.wait(30) == 130
    finally:
        serving.kill()
        serving.wait()
        serving.stdout.close()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("local/nothing", 'must be "local/smollm2", or "local/" and the whole path'),
        ("openai/gpt-4o", 'must be "local/smollm2", or "local/" and the whole path'),
        ("local//no/file", "there is no file /no/file; correct the path after local/"),
    ],
)
def test_what_cannot_be_served_is_said_with_what_would_be_right(
    desk: Desk, model: str, name: str, why: str
):
    assert desk.says("local", "serve", "--model", name).err.startswith(
        f"troupe: --model '{name}': {why}"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('model = "local/llama"', 'must be "local/smollm2", or "local/" and the whole path'),
        ('model = "local/smollm2"\nbase_url = "http://h:1/v1"', "leave base_url and api_key_env"),
        ('model = "local/smollm2"\napi_key_env = "OPENAI_API_KEY"', "leave base_url and api_key"),
    ],
)
def test_a_plan_that_names_a_local_model_wrongly_is_refused(desk: Desk, line: str, said: str):
    text = plan(f'[minds.mine]\nkind = "model"\n{line}\n', pairings='[["mine", "mine"]]')
    assert said in " ".join(desk.says("run", desk.file("plan.toml", text)).err.split())


def test_the_example_is_a_plan(desk: Desk):
    example = Path(__file__).parents[2] / "examples" / "local.toml"
    said = desk.does("run", str(example), "--dry-run", "--no-probe")
    assert "2" in said.out
