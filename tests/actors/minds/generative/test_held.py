"""Generative minds held to schemas: whatever these allow is an answer that can be used."""

import json
from typing import Any

import pytest
from msgspec import structs

from actors.minds.generative.answers import After, Rating, clamped
from actors.models.answers.structured import AnswerReader
from actors.models.errors import Unreadable
from actors.models.port import ModelReply, ModelRequest
from actors.sandbox.placement.forms import PlacedSteps
from actors.sandbox.setup import Case, Town
from events.minds import ModelSpec
from events.thoughts import FellBack
from tests.support.generative_minds import BACKGROUND, EVALUATED, InProcess, Scripted, thinker
from tests.support.schema_values import faults, seeded
from tests.support.small_town import case, lives, town

LONGEST = 16_000
"""Characters of a schema."""


class Held(InProcess):
    """A model that writes anything that the schema of a request allows."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.filling = seeded(seed)
        self.schemas: list[dict[str, Any]] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        assert request.json_schema is not None
        self.schemas.append(request.json_schema)
        text = json.dumps(self.filling.value(request.json_schema))
        return ModelReply(text=text, input_tokens=1, output_tokens=1, cost_usd=0.0)


@pytest.mark.parametrize("profile", ["lean", "published"])
@pytest.mark.parametrize(
    "setup", [case(), town(steps=900, talk_gap=20, meet_gap=5)], ids=["talk", "town"]
)
@pytest.mark.parametrize("seed", range(2))
async def test_whatever_the_schemas_allow_can_be_used(profile: str, setup: Case | Town, seed: int):
    model = Held(seed)
    spec = thinker(
        profile=profile,
        agent="ga+tdp",
        reflect_at=5,
        background=ModelSpec(name=BACKGROUND, structured_output=True),
    )
    spec = structs.replace(spec, model=ModelSpec(name=EVALUATED, structured_output=True))
    played = lives(model, setup, spec)
    await played.play(400)
    assert [faults(one) for one in model.schemas if faults(one)] == []
    assert max(len(json.dumps(one, ensure_ascii=False)) for one in model.schemas) <= LONGEST
    assert [one.failure for one in played.failures] == []
    thoughts = [t for memory in played.journals for d in memory.decided for t in d.thoughts]
    assert [one for one in thoughts if isinstance(one, FellBack)] == []


@pytest.mark.parametrize(
    ("kind", "answer", "path"),
    [
        (After, {"note": "a", "memo": "b", "importance": 30}, ("importance", 10)),
        (After, {"note": "a", "memo": "b", "importance": 0.4}, ("importance", 1)),
        (Rating, {"ratings": [0, 7, 12]}, ("ratings", (1, 7, 10))),
    ],
)
def test_a_number_out_of_range_counts_as_its_end(kind: Any, answer: Any, path: Any):
    read = AnswerReader(kind, clamped).read(json.dumps(answer), "test")
    assert getattr(read, path[0]) == path[1]


def test_what_cannot_be_a_number_is_asked_for_again():
    step = {"text": "tea", "minutes": "long", "address": "a:b", "emoji": ""}
    with pytest.raises(Unreadable):
        AnswerReader(PlacedSteps, clamped).read(json.dumps({"actions": [step]}), "test")


async def test_the_dots_of_a_form_are_no_answer():
    played = lives(Scripted(*[{"text": "…", "ends": False, "about": ""}] * 3), case())
    await played.turn()
    (failed,) = played.failures
    assert failed.failure is not None
    assert "text holds no word" in failed.failure.detail
