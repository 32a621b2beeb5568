"""Vectors of an embedding model: asked, counted, recorded and kept."""

import base64

import numpy as np
import pytest

from actors.minds.generative.embedding import ModelEmbedder, embedder_of
from actors.minds.generative.hashed_vectors import hashed, packed
from actors.models.errors import BudgetSpent
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import ModelReply, ModelRequest
from events.agent import ModelAnswered
from events.minds import GenerativeSpec, MindSpec, ModelSpec
from events.run import Budget
from events.thoughts import FellBack, MemoryAdded
from tests.support.generative_minds import InProcess, Memory, Played
from tests.support.small_town import lives, town

EMBEDDER = "openai/small-embedder"


class Embedding(InProcess):
    """A model that gives hashed vectors with three numbers more, at a price."""

    vectors = 1

    async def complete(self, request: ModelRequest) -> ModelReply:
        if not request.embeds:
            return await super().complete(request)
        rows = [
            np.concatenate((row, [0.5, 0.5, 0.5]))
            for row in hashed([one.content for one in request.messages])[: self.vectors * 999]
        ]
        text = base64.b64encode(b"".join(packed(row) for row in rows)).decode()
        return ModelReply(text=text, input_tokens=7, cost_usd=0.25)


def embedded(played: Played) -> list[ModelAnswered]:
    """What the embedder answered."""
    found = []
    for journal in played.journals:
        assert isinstance(journal, Memory)
        asked = {(call.turn, call.attempt) for call in journal.calls if call.purpose == "embed"}
        found += [
            event
            for event in journal.events
            if isinstance(event, ModelAnswered) and (event.turn, event.attempt) in asked
        ]
    return found


async def test_its_vectors_are_kept_with_the_memories_and_its_calls_are_recorded_and_counted():
    played = lives(Embedding(), town(steps=100), embedder=EMBEDDER)
    budget = BudgetKeeper("r", Budget())
    for mind in played.minds:
        means = mind._means  # type: ignore[attr-defined]
        mind._means = type(means)(  # type: ignore[attr-defined]
            means.model, means.spec, means.caller, budget, means.embedder
        )
    await played.play()
    assert played.failures == []
    kept = [
        thought
        for journal in played.journals
        for decided in journal.decisions()
        for thought in decided.thoughts
        if isinstance(thought, MemoryAdded)
    ]
    assert kept
    assert {len(memory.embedding) for memory in kept} == {4 * 259}
    answers = embedded(played)
    assert budget.usd == pytest.approx(0.25 * len(answers))


async def test_a_spent_budget_stops_it():
    played = lives(Embedding(), town(steps=100), embedder=EMBEDDER)
    budget = BudgetKeeper("r", Budget(usd=0.1))
    for mind in played.minds:
        means = mind._means  # type: ignore[attr-defined]
        mind._means = type(means)(  # type: ignore[attr-defined]
            means.model, means.spec, means.caller, budget, means.embedder
        )
    with pytest.raises(BudgetSpent):
        await played.play()


async def test_an_answer_without_the_vectors_is_said_and_the_latest_memories_come_to_mind():
    model = Embedding()
    model.vectors = 0
    played = lives(model, town(steps=60), embedder=EMBEDDER)
    await played.play()
    assert played.failures == []
    found = [
        thought
        for journal in played.journals
        for decided in journal.decisions()
        for thought in decided.thoughts
        if isinstance(thought, FellBack)
    ]
    assert {one.what for one in found} == {"embedding"}


def test_a_model_of_the_same_provider_is_asked_where_the_minds_own_is():
    model = ModelSpec(name="openai/own", base_url="http://localhost:1/v1", api_key_env="OWN_KEY")
    same = embedder_of(_mind(model, EMBEDDER))
    other = embedder_of(_mind(model, "voyage/voyage-3"))
    assert isinstance(same, ModelEmbedder)
    assert isinstance(other, ModelEmbedder)
    assert (same.spec.base_url, same.spec.api_key_env) == (model.base_url, "OWN_KEY")
    assert (other.spec.base_url, other.spec.api_key_env) == ("", "")


def _mind(model: ModelSpec, embedder: str) -> MindSpec:
    spec = GenerativeSpec(embedder=embedder)
    return MindSpec(name="m", kind="generative", model=model, generative=spec)
