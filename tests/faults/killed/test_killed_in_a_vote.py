"""Walks through world trees that are killed between the three answers of a vote."""

from collections import Counter
from pathlib import Path

import pytest

from events.agent import ModelAnswered, ModelAsked
from events.episode import ActionTaken
from events.serialization.codec import event_of
from events.wire.subjects import agent_stream
from gateway.services.episodes.seat_client import state_of
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import answers
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store, whole_log

PLAN = """
environment = "worldtree"
seed = 5
[minds.model]
kind = "model"
model = "openai/stub"
adapter = "direct"
base_url = "{url}"
structured_output = true
[seats]
pairings = [["model"]]
[tasks]
tags = ["walk", "en"]
limit = 2
"""


@pytest.mark.long
async def test_a_walk_killed_in_a_vote_asks_nothing_again_that_was_answered(tmp_path: Path):
    async with StubServer(StubSettings(latency_s=0.1, stagger_s=0.3)) as stub:
        (tmp_path / "plan.toml").write_text(PLAN.format(url=stub.url))
        troupe = Troupe(tmp_path)
        store = troupe.open()
        process = await troupe.start("run", str(tmp_path / "plan.toml"), "--no-probe")
        await process.kill_when(lambda: half_answered(store))
        before = whole_log(store)
        (run,) = {one.stream for one in before if one.tag == "RunPlanned"}
        paid = {calls(one) for one in before if one.tag == ModelAnswered.__name__}
        voted = [one for one in before if one.tag == ActionTaken.__name__]
        assert half_answered(store), "it was killed in the middle of a vote"
        assert paid
        process = await troupe.start("resume", run.removeprefix("run-"), "--no-probe")
        assert await process.ended() == 0, process.said()
        check_store(store, run.removeprefix("run-"))
        asked = Counter(calls(one) for one in whole_log(store) if one.tag == ModelAsked.__name__)
        assert {call: asked[call] for call in paid} == dict.fromkeys(paid, 1)
        # What was on its way when the process died was paid for without being stored; no more.
        on_the_way = {calls(one) for one in before if one.tag == ModelAsked.__name__} - paid
        assert stub.stats.answers - len(answers(store)) <= len(on_the_way)
        for vote in voted:
            stream = [one for one in whole_log(store) if one.stream == vote.stream]
            assert stream[vote.version] == vote
        store.close()


def half_answered(store: EventStore) -> bool:
    """Whether the model has answered some questions of a turn, and not yet all."""
    playing = [row.id for row in queries.episodes(store) if row.started_at is not None]
    return any(0 < _answered(store, episode) < 3 for episode in playing)


def _answered(store: EventStore, episode: str) -> int:
    """How many answers the agent has to what is open in its episode now. They travel together, so
    that a vote is stored whole."""
    state = state_of(store, episode)
    if not state.open:
        return 0
    said = map(event_of, store.read(agent_stream(episode, 0)))
    return sum(isinstance(one, ModelAnswered) and one.turn == state.turn for one in said)


def calls(envelope):
    """Which call of whom an event tells of."""
    event = event_of(envelope)
    return envelope.stream, event.turn, event.attempt
