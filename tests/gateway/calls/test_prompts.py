"""Prompts built again from the log are the prompts that were sent, requests to mend included."""

import asyncio
import functools
from collections import Counter
from pathlib import Path

import pytest

import gateway.process.worker_node
from actors.interviews.ask_character import ask_character, begin
from actors.models.caller import Backoff, ModelCaller
from actors.models.registry import Models
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.agent import ModelAnswered, ModelAsked
from events.episode import ActionTaken
from events.interview import InterviewBegan
from events.minds import GenerativeSpec, ModelSpec
from gateway.services.calls.find_calls import episode_calls, turn_calls
from gateway.services.episodes.fork_episode import fork_episode, prepare_fork
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.support.builders import episode, mind, started
from tests.support.runs import (
    answers,
    carry_out_here,
    chain_plan,
    model_minds,
    plan,
    record,
    settings_of,
)
from tests.support.servers.stub_llm import StubServer, StubSettings

FAULTS = {"truncated": 0.15, "wrong_name": 0.15, "rate_limited": 0.05}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = functools.partial(ModelCaller, backoff=Backoff(first_s=0.01, longest_s=0.02))
    monkeypatch.setattr(
        gateway.process.worker_node, "ModelCaller", lambda models, **_: caller(models)
    )


def told(store: EventStore, id_: str, **some: int):
    return list(episode_calls(store, id_, **some))


@pytest.mark.parametrize("shuffles", [0, 3], ids=["social", "worldtree"])
@pytest.mark.usefixtures("quick")
async def test_every_prompt_is_built_again_as_it_was_sent(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, shuffles: int
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    async with StubServer(StubSettings(seed=8, **FAULTS)) as stub:
        minds = model_minds(stub.url, structured_output="true")  # type: ignore[arg-type]
        text = plan(minds, tasks=2, rules="turn_cap = 4")
        if shuffles:
            text = _of_trees(minds, shuffles)
        run = record(store, tmp_path, text)
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
    seen = 0
    for row in queries.episodes(store, run=run):
        acted = {}
        for numbered in read_history(store, row.id):
            if isinstance(numbered.event, ActionTaken):
                acted[numbered.event.turn, numbered.event.seat] = numbered.event
        for turn in range(1, row.turns + 1):
            calls = await asyncio.to_thread(turn_calls, store, row.id, turn)
            seen += sum(bool(call.text or call.finish_reason) for call in calls)
            assert {call.checked for call in calls} == {"same"}
            for call in calls:
                assert call.prompt[0].role == "system"
                assert call.seat is not None
                assert call.schema_sent
                assert call.json_schema
                if acted[turn, call.seat].failure is None and call is calls[-1]:
                    assert call.read_as
                assert bool(call.unusable) == (call.read_as is None) == bool(call.fault)
    assert seen == len(answers(store))
    assert any(call.attempt for call in await _all(store, run)), "some were asked for again"
    store.close()


@pytest.mark.parametrize("lean", [True, False], ids=["lean", "published"])
@pytest.mark.usefixtures("quick")
async def test_what_minds_that_think_asked_is_built_again(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, lean: bool
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    async with StubServer(StubSettings(seed=5, truncated=0.05)) as stub:
        profile = "lean" if lean else "published"
        minds = model_minds(stub.url, structured_output="true")  # type: ignore[arg-type]
        minds = minds.replace('kind = "model"', f'kind = "generative"\nprofile = "{profile}"')
        run = record(store, tmp_path, _of_a_town(minds, 500 if lean else 390))
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
    calls = await _all(store, run)
    assert {call.purpose for call in calls} >= {"plan", "act"}
    assert Counter(call.checked for call in calls) == {"same": len(answers(store))}
    assert any(call.attempt % 3 for call in calls if call.unusable or call.read_as)
    store.close()


@pytest.mark.usefixtures("quick")
async def test_what_minds_that_think_asked_where_there_is_no_town_is_built_again(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    async with StubServer(StubSettings(seed=5)) as stub:
        minds = model_minds(stub.url).replace('kind = "model"', 'kind = "generative"')
        run = record(store, tmp_path, plan(minds, tasks=1, rules="turn_cap = 6"))
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
    calls = await _all(store, run)
    assert {call.purpose for call in calls} >= {"act", "perceive"}
    assert Counter(call.checked for call in calls) == {"same": len(answers(store))}
    store.close()


@pytest.mark.usefixtures("quick")
async def test_what_memories_judges_and_interviews_asked_is_built_again(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    async with StubServer(StubSettings(seed=3, truncated=0.2)) as stub:
        judge = (
            f'kind = "model"\nmodel = "openai/stub"\nadapter = "direct"\nbase_url = "{stub.url}"\n'
        )
        (tmp_path / "judge.toml").write_text(judge)
        minds = model_minds(stub.url, structured_output="true")  # type: ignore[arg-type]
        text = chain_plan(
            minds=minds, pairs=1, length=2, pairings='"all"', judges='["judge.toml"]', turn_cap=3
        )
        run = record(store, tmp_path, text)
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
        row = queries.episodes(store, run=run)[-1]
        spec = next(n.event for n in read_history(store, row.id)).minds[0]  # type: ignore[attr-defined]
        begun = InterviewBegan(
            episode=row.id, seat=1, at=len(read_history(store, row.id)) - 1, mind=spec
        )
        begin(store, begun)
        caller = ModelCaller(Models())
        for question in ("What do you want?", "Why?"):
            await ask_character(store, row.id, 1, question, caller=caller)
        await caller.close()
    calls = await _all(store, run)
    assert {call.asker for call in calls} == {"seat", "memory", "judge", "interview"}
    assert Counter(call.checked for call in calls) == {"same": len(answers(store))}
    for call in calls:
        assert bool(call.unusable) == (call.read_as is None)
        if call.asker == "judge" and call.read_as:
            assert {score["seat"] for score in call.read_as["scores"]} == {0, 1}
    interviewed = [call for call in calls if call.asker == "interview"]
    assert [call.prompt[-1].content for call in interviewed] == ["What do you want?", "Why?"]
    mine = await asyncio.to_thread(told, store, row.id, seat=1)
    assert mine == [call for call in calls if call.episode == row.id and call.seat == 1]
    turn = await asyncio.to_thread(told, store, row.id, turn=2)
    assert {(call.asker, call.turn) for call in turn} == {("seat", 2)}
    # Page by page they are the same.
    whole = await asyncio.to_thread(told, store, row.id)
    for size in (1, 4):
        pages = []
        for after in range(0, len(whole) + size, size):
            pages += await asyncio.to_thread(told, store, row.id, after=after, most=size)
        assert pages == whole
    store.close()


async def test_a_forks_calls_before_the_fork_are_those_of_its_parent(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    async with StubServer(StubSettings(seed=1)) as stub:
        text = plan(model_minds(stub.url), tasks=1, rules="turn_cap = 4")
        run = record(store, tmp_path, text)
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
    (row,) = queries.episodes(store, run=run)
    fork = fork_episode(store, prepare_fork(store, row.id, 5, ["1=rehearsal:stubborn"]))
    first, parents, fourth = await asyncio.to_thread(
        lambda: (
            turn_calls(store, fork, 1),
            turn_calls(store, row.id, 1),
            turn_calls(store, fork, 4),
        )
    )
    assert first == parents != ()
    assert fourth == ()
    store.close()


async def _all(store: EventStore, run: str):
    return [
        call
        for row in queries.episodes(store, run=run)
        for call in await asyncio.to_thread(told, store, row.id)
    ]


def _of_trees(minds: str, shuffles: int) -> str:
    return f"""
name = "trees"
environment = "worldtree"
catalog = "crossroads"
seed = 3
[tasks]
limit = 1
{minds}
[seats]
pairings = "all"
[worldtree]
shuffles = {shuffles}
[judges]
use = []
"""


def _of_a_town(minds: str, steps: int) -> str:
    return f"""
name = "town"
environment = "sandbox"
catalog = "ternby"
seed = 3
[tasks]
limit = 1
{minds}
[seats]
pairings = "all"
[sandbox]
steps = {steps}
[judges]
use = []
"""


def test_what_cannot_be_built_again_is_said_and_all_else_shown(tmp_path: Path):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    model = ModelSpec(name="a/model")
    thinks = mind("thinks", kind="generative", model=model, generative=GenerativeSpec())
    store.append("episode-elives", NEW, episode(started(minds=(thinks, mind())), [(0, "Hello.")]))
    asked = {"turn": 1, "attempt": 0, "request_hash": "h"}
    store.append(
        "agent-elives.0",
        NEW,
        [
            ModelAsked(**asked, purpose="plan", model="a/model", prompt_version="day@1"),
            ModelAnswered(**asked, model="a/model", text="Up at seven.", latency_s=1.0),
        ],
    )
    (call,) = turn_calls(store, "elives", 1)
    assert (call.purpose, call.text, call.prompt_version) == ("plan", "Up at seven.", "day@1")
    assert (call.prompt, call.checked) == ((), "unknown")
    assert call.unlike.startswith("it is not asked so today")
    store.close()


def test_a_prompt_of_an_older_template_is_said_to_differ_and_how(tmp_path: Path):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    plays = mind("plays", kind="model", model=ModelSpec(name="a/model", max_tokens=150))
    store.append("episode-eold", NEW, episode(started(minds=(plays, mind())), [(0, "Hello.")]))
    asked = {"turn": 1, "attempt": 0, "request_hash": "h"}
    first = ModelAsked(**asked, purpose="act", model="a/model", prompt_version="act-0:1")
    answer = ModelAnswered(**asked, model="a/model", text="Hello!", finish_reason="length")
    store.append("agent-eold.0", NEW, [first, answer])
    (call,) = turn_calls(store, "eold", 1)
    assert (call.checked, call.prompt[0].role, call.text) == ("differs", "system", "Hello!")
    assert call.unlike.startswith("it was asked by act-0:1; today it is act-")
    assert (call.fault, call.read_as) == ("cut_off", None)
    store.close()
