"""``show EPISODE --calls``, ``export --format calls`` and the REST path: on one store that a stub
server's answers are in."""

import asyncio
import json
from pathlib import Path

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from actors.runtime.embedded_nats.server import EmbeddedNats
from events.privacy.encryption import ERASED
from gateway.cli.main import app
from gateway.errors import BadArgument
from gateway.services.calls.export_calls import line_of
from gateway.services.calls.model_call import ModelCall
from store.open_store import open_store
from store.read_model import queries
from tests.support.runs import answers, carry_out_here, model_minds, plan, record, settings_of
from tests.support.servers.stub_llm import StubServer, StubSettings


@pytest_asyncio.fixture
async def played(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    """A run and its episode; the command line finds them."""
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    async with StubServer(StubSettings(seed=7, truncated=0.3)) as stub:
        minds = model_minds(stub.url, structured_output="true")  # type: ignore[arg-type]
        run = record(store, tmp_path, plan(minds, tasks=1, rules="turn_cap = 6"))
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
    (row,) = queries.episodes(store, run=run)
    store.close()
    monkeypatch.setenv("TROUPE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TROUPE_DATABASE_URL", f"sqlite:///{tmp_path}/troupe.db")
    monkeypatch.chdir(tmp_path)
    return run, row.id


def does(*words: str) -> str:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words: str) -> str:
    error = CliRunner().invoke(app, words).exception
    assert isinstance(error, BadArgument)
    return str(error)


async def test_an_episodes_calls_are_shown_and_written(played: tuple[str, str], tmp_path: Path):
    run, episode = played
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    stored = answers(store)
    store.close()
    shown = await asyncio.to_thread(does, "show", episode, "--calls")
    assert shown.count("The prompt is as it was sent.") == len(stored)
    assert shown.count("raw answer:") == len(stored)
    assert "Not read (" in shown
    assert "read as:" in shown
    lines = (await asyncio.to_thread(does, "show", episode, "--calls", "--json")).splitlines()
    assert [json.loads(line)["text"] for line in lines] == [answer.text for _, answer in stored]
    of_one = await asyncio.to_thread(does, "show", episode, "--calls", "--seat", "2", "--turn", "2")
    assert "Turn 2, seat 2" in of_one
    assert "Turn 1, seat" not in of_one
    for wrong, why in (
        (("--calls", "--seat", "3"), "which has seats 1 to 2"),
        (("--calls", "--turn", "99"), "turns are 1 to"),
        (("--seat", "1"), "chooses among the calls"),
        (("--calls", "--as", "spectator"), "who may know everything"),
    ):
        said = await asyncio.to_thread(refused, "show", episode, *wrong)
        assert why in said

    said = await asyncio.to_thread(does, "export", run, "--format", "calls", "--out", "all.jsonl")
    assert f"{len(stored)} calls of 1 episode" in said
    written = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    for line, (_, answer) in zip(written, stored, strict=True):
        assert {frozenset(message) for message in line["messages"]} == {
            frozenset(("role", "content"))
        }
        *asked, last = line["messages"]
        assert [one["role"] for one in asked][:2] == ["system", "user"]
        assert last == {"role": "assistant", "content": answer.text}
        assert line["usage"]["prompt_tokens"] == answer.input_tokens
        assert line["usage"]["total_tokens"] == answer.input_tokens + answer.output_tokens
        assert (line["checked"], line["run"], line["episode"]) == ("same", run, episode)
        assert line["schema"]["type"] == "object"
        assert (line["read"] is None) == bool(line["fault"])
        assert not {"text", "prompt", "completion"} & set(line)
    parts = []
    for only in ("readable", "unreadable"):
        out = f"{only}.jsonl"
        await asyncio.to_thread(
            does, "export", run, "--format", "calls", "--only", only, "--out", out
        )
        part = [json.loads(line) for line in (tmp_path / out).read_text().splitlines()]
        assert part
        assert {line["read"] is not None for line in part} == {only == "readable"}
        parts += part
    assert len(parts) == len(written)
    twice = await asyncio.to_thread(
        does, "export", run, episode, "--format", "calls", "--out", "twice.jsonl"
    )
    assert f"{len(stored)} calls of 1 episode" in twice
    for wrong, why in (
        ((run, episode), "calls, sft, rewards, pairs take several"),
        ((run, "--only", "readable"), "chooses calls"),
    ):
        said = await asyncio.to_thread(refused, "export", *wrong)
        assert why in said


def test_a_call_without_an_answer_ends_with_what_was_asked():
    asked = {"seat": 0, "turn": 1, "attempt": 0, "purpose": "act", "at": 1}
    call = ModelCall(**asked, model="m", request_hash="h", failure="429", fault="rate_limited")
    line = line_of(call)
    assert (line.messages, line.fault, line.why) == ((), "rate_limited", "429")
    said = ModelCall(**asked, model="m", request_hash="h", text=ERASED, unusable="x", fault="empty")
    assert line_of(said).messages[-1].content == ERASED
