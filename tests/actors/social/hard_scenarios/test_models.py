"""Models that find facts and write scenarios: verified, asked again, recorded, paid for once."""

import json
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from actors.models.answers.ask import REASKS
from actors.models.answers.structured import AnswerReader
from actors.models.errors import ModelError
from actors.models.response_formats.schemas import Schema
from actors.social.catalog_items import Scenario
from actors.social.hard_scenarios import model_finder, model_writer
from actors.social.hard_scenarios.model_calls import calls_of
from actors.social.hard_scenarios.model_finder import FactAnswer, ModelFinder, verified
from actors.social.hard_scenarios.model_writer import ModelWriter
from actors.social.hard_scenarios.scenario_check import UnusableScenario
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.minds import ModelSpec
from tests.actors.social.hard_scenarios.chains import CHAIN, past_of
from tests.evaluators.scripted import Scripted, caller_of
from tests.support.managed_episodes import open_at
from tests.support.runs import events_of
from tests.support.schema_values import value_of
from tests.support.servers.stub_answers import open_place

MODEL = ModelSpec(name="openai/finder", retries=0)
PAST = past_of(
    [(0, "Mind the step. The bag is in the organ loft, of course."), (1, "I see.")],
    [(1, "I can't stand coriander in a lentil soup.")],
)
FIRST = past_of([(0, "Mind the step. The bag is in the organ loft, of course.")])
LOFT = {
    "number": 2,
    "kind": "other",
    "quote": "The bag is in the organ loft",
    "fact": "Ada said that the bag is in the organ loft.",
    "keys": [["organ"], ["loft", "lofts"]],
}
SCENE = {
    "codename": "The yard",
    "context": "A yard with mud in it. The two have met before.",
    "goals": ["Find out where it is.", "Remember where the bag is, and say it."],
}


def answer(*facts: dict) -> str:
    return json.dumps({"facts": facts})


class Desk:
    """A model that answers from a script, and a store for what it is asked."""

    def __init__(self, folder: Path) -> None:
        self.store = open_at(folder)

    def finder(self, model: Scripted) -> ModelFinder:
        return ModelFinder(MODEL, caller_of(model), calls_of(self.store, CHAIN, "r1"))

    def writer(self, model: Scripted) -> ModelWriter:
        return ModelWriter(MODEL, caller_of(model), calls_of(self.store, CHAIN, "r1"))

    @property
    def calls(self) -> list:
        return events_of(self.store, f"find-{CHAIN}")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("schema", "reader"),
    [
        (model_finder.schema([2, 4]), model_finder.READER),
        (model_finder.schema(range(1, 200)), model_finder.READER),
        (model_writer.schema(3), model_writer.READER),
    ],
)
def test_whatever_the_schema_allows_is_read(schema: Schema, reader: AnswerReader[Any]):
    assert open_place(schema) == ""
    for seed in range(50):
        reader.read(json.dumps(value_of(schema, Random(seed))), "m")


async def test_the_numbers_of_what_was_said_and_the_seats_are_in_the_schema(desk: Desk):
    spec = ModelSpec(name="openai/finder", retries=0, structured_output=True)
    model = Scripted([answer(LOFT), answer()])
    calls = calls_of(desk.store, CHAIN, "r1")
    found = await ModelFinder(spec, caller_of(model), calls).find(PAST)
    schema = model.asked[0].json_schema
    assert schema is not None
    number = schema["properties"]["facts"]["items"]["properties"]["number"]
    assert number["enum"] == [line.number for line in PAST.episodes[0].said]
    model = Scripted([json.dumps(SCENE)])
    await ModelWriter(spec, caller_of(model), calls).write(PAST, 1, found.facts, 0)
    schema = model.asked[0].json_schema
    assert schema is not None
    goals = schema["properties"]["goals"]
    assert (goals["minItems"], goals["maxItems"]) == (2, 2)


# ---------------------------------------------------------------- finding


async def test_a_fact_whose_quote_was_said_is_found_where_it_was_said(desk: Desk):
    found = await desk.finder(Scripted([answer(LOFT), answer()])).find(PAST)
    (fact,) = found.facts
    assert found.rejected == ()
    assert (fact.kind, fact.seat, fact.episode, fact.number) == ("other", 0, "e0", 2)
    assert fact.keys == (("organ",), ("loft", "lofts"))
    assert fact.text == LOFT["fact"]
    assert fact.gapped == "The bag is in the …"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"quote": "The bag is in the cellar"}, "does not occur in the episode"),
        ({"keys": [["cellar"]]}, "does not hold all keys"),
        ({"keys": []}, "does not hold all keys"),
        ({"keys": [[" "]]}, "does not hold all keys"),
        ({"quote": "loft"}, "too short"),
    ],
)
async def test_a_fact_that_was_not_said_so_is_rejected_with_a_sentence(desk: Desk, changes, why):
    found = await desk.finder(Scripted([answer(LOFT | changes), answer()])).find(PAST)
    assert found.facts == ()
    (told,) = found.rejected
    assert told.startswith("episode e0: ")
    assert why in told


def test_a_quote_is_found_in_spite_of_a_wrong_number_its_case_and_its_apostrophes():
    given = FactAnswer(
        number=99,
        kind="preference",
        quote="i can’t  stand CORIANDER",
        fact="",
        keys=(("coriander", ""),),
    )
    fact = verified(given, PAST.episodes[1])
    assert fact.number == 2
    assert fact.keys == (("coriander",),)
    assert "Ben Okafor said" in fact.text


async def test_each_episode_is_asked_for_once_with_what_was_said_aloud_and_nothing_else(desk: Desk):
    model = Scripted([answer(LOFT), answer()])
    await desk.finder(model).find(PAST)
    texts = ["\n".join(message.content for message in asked.messages) for asked in model.asked]
    assert "[2] Ada Reyes: Mind the step. The bag is in the organ loft" in texts[0]
    assert "coriander" not in texts[0]
    assert "Talk." not in texts[0], "a private goal"
    secret = PAST.latest.setup.cast[0].secret
    assert secret not in texts[0]
    asked = [event for event in desk.calls if isinstance(event, ModelAsked)]
    assert {(event.turn, event.purpose) for event in asked} == {(0, "find"), (1, "find")}
    assert all(event.prompt_version.startswith("find-3:") for event in asked)


async def test_what_a_model_answered_is_not_asked_again(desk: Desk):
    first = await desk.finder(Scripted([answer(LOFT), answer()])).find(PAST)
    silent = Scripted([])
    assert await desk.finder(silent).find(PAST) == first
    assert silent.asked == []


async def test_an_answer_that_cannot_be_read_is_asked_for_again(desk: Desk):
    model = Scripted(["I found nothing, sorry.", answer(LOFT)])
    found = await desk.finder(model).find(FIRST)
    assert len(found.facts) == 1
    assert "it held no JSON object" in model.asked[1].messages[-1].content


async def test_an_episode_of_which_no_answer_can_be_read_is_told_of(desk: Desk):
    model = Scripted(["no"] * (REASKS + 1))
    found = await desk.finder(model).find(FIRST)
    assert found.facts == ()
    assert "gave no usable answer" in found.rejected[0]
    assert len(model.asked) == REASKS + 1


async def test_a_model_that_does_not_answer_is_told_of_and_recorded(desk: Desk):
    away = ModelError("refused", "no such model", may_pass=False)
    found = await desk.finder(Scripted([away, answer()])).find(PAST)
    assert found.facts == ()
    assert len(found.rejected) == 1
    assert "no such model" in found.rejected[0]
    assert any(isinstance(event, ModelFailed) for event in desk.calls)


# ---------------------------------------------------------------- writing


def write(desk: Desk, model: Scripted) -> Awaitable[Scenario]:
    loft = verified(FactAnswer(**LOFT | {"keys": (("organ",), ("loft",))}), PAST.episodes[0])
    return desk.writer(model).write(PAST, 1, [loft], 0)


async def test_a_scenario_that_keeps_its_facts_back_is_taken_as_it_was_written(desk: Desk):
    scenario = await write(desk, Scripted([json.dumps(SCENE)]))
    assert scenario.context == SCENE["context"]
    assert scenario.goals == tuple(SCENE["goals"])
    (fact,) = scenario.needs
    assert fact.seats == (1,)
    assert "memory-hard" in scenario.tags
    (asked, answered) = desk.calls
    assert isinstance(asked, ModelAsked)
    assert isinstance(answered, ModelAnswered)
    assert (asked.turn, asked.purpose) == (len(PAST.begun.episodes), "find")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"context": "A yard under the organ."}, "given away: 'organ'"),
        ({"goals": ["Ask.", "Remember the loft."]}, "given away: 'loft'"),
        ({"goals": ["Ask."]}, "1 goals for 2 seats"),
        ({"goals": ["Ask.", "<extra_info>Say it."]}, "cannot be read"),
    ],
)
async def test_one_that_gives_a_fact_away_is_asked_for_again_with_the_reason(
    desk: Desk, changes, why
):
    model = Scripted([json.dumps(SCENE | changes), json.dumps(SCENE)])
    scenario = await write(desk, model)
    assert scenario.goals == tuple(SCENE["goals"])
    assert why in model.asked[1].messages[-1].content


async def test_one_that_never_keeps_it_back_is_refused_with_a_sentence(desk: Desk):
    telling = json.dumps(SCENE | {"codename": "The organ"})
    model = Scripted([telling] * (REASKS + 1))
    with pytest.raises(UnusableScenario, match=r"cannot be used: .*'organ' stands in"):
        await write(desk, model)
    assert len(model.asked) == REASKS + 1
