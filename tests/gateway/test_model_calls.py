"""Prompts rendered again from the log are the prompts that were sent, requests to mend included."""

import functools
from pathlib import Path

import pytest

import gateway.worker_node
from actors.models.caller import Backoff, ModelCaller
from actors.runtime.nats_server import EmbeddedNats
from events.agent import ModelAnswered, ModelAsked
from events.episode import ActionTaken
from events.minds import GenerativeSpec, ModelSpec
from gateway.forking import fork_episode, prepare_fork
from gateway.model_calls import turn_calls
from store import queries
from store.history import read_history
from store.log import NEW
from store.opening import open_store
from tests.builders import episode, mind, started
from tests.runs import answers, carry_out_here, model_minds, plan, record, settings_of
from tests.stub_llm import StubServer, StubSettings


@pytest.mark.parametrize("shuffles", [0, 3], ids=["social", "worldtree"])
async def test_every_prompt_is_rendered_again_as_it_was_sent(
    tmp_path: Path,
    nats_server: EmbeddedNats,
    space: str,
    shuffles: int,
    monkeypatch: pytest.MonkeyPatch,
):
    quick = functools.partial(ModelCaller, backoff=Backoff(first_s=0.01, longest_s=0.02))
    monkeypatch.setattr(gateway.worker_node, "ModelCaller", lambda models, **_: quick(models))
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    faults = {"truncated": 0.15, "wrong_name": 0.15, "rate_limited": 0.05}
    async with StubServer(StubSettings(seed=7, **faults)) as stub:
        minds = model_minds(stub.url, structured_output="true")  # type: ignore[arg-type]
        text = plan(minds, tasks=2, rules="turn_cap = 4")
        if shuffles:
            text = _of_trees(minds, shuffles)
        run = record(store, tmp_path, text)
        await carry_out_here(settings_of(tmp_path, store, nats_server, space), store, run)
    told = 0
    for row in queries.episodes(store, run=run):
        acted = {}
        for numbered in read_history(store, row.id):
            if isinstance(numbered.event, ActionTaken):
                acted[numbered.event.turn, numbered.event.seat] = numbered.event
        for turn in range(1, row.turns + 1):
            calls = turn_calls(store, row.id, turn)
            told += sum(bool(call.text or call.finish_reason) for call in calls)
            assert {call.checked for call in calls} == {"same"}
            for call in calls:
                assert call.prompt[0].role == "system"
                assert call.seat is not None
                if acted[turn, call.seat].failure is None and call is calls[-1]:
                    assert call.read_as
                assert bool(call.unusable) == (call.read_as is None)
    assert told == len(answers(store))
    assert any(call.attempt for call in _all(store, run)), "some answers were asked for again"
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
    assert turn_calls(store, fork, 1) == turn_calls(store, row.id, 1) != ()
    assert turn_calls(store, fork, 4) == ()
    store.close()


def _all(store, run):
    for row in queries.episodes(store, run=run):
        for turn in range(1, row.turns + 1):
            yield from turn_calls(store, row.id, turn)


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


def test_what_a_mind_that_thinks_asked_is_shown_without_a_prompt_that_was_not_sent(tmp_path: Path):
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
    store.close()
