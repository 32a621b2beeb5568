"""What a judge was made of carries it out for ever: stored plans and older files keep it."""

import json

import pytest

from evaluators.judges.judge_file import parse_judge
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in, rubric_of
from events.base import replace
from events.evaluation import JudgeSpec, ScoreFailed
from events.serialization.codec import encode
from events.serialization.fingerprints import judge_hash
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import Move, episode, numbered, started

MODEL = 'model = "openai/gpt-4o"\n'
MOVES: list[Move] = [(0, "Will you take it?"), (1, "By the way, my parrot is ill.")]
HISTORY = numbered(episode(started(), MOVES))
THEN = {
    "belext-rule": ("believability-strict-rule", "82f23b1ce29e79f8c9ed8619224a985b"),
    "belext-rehearsal": ("believability-strict-rehearsal", "e9b46375e69088ccf0d1eb0b63954b2a"),
}
"""Judges of the rubric ``believability`` before it was the paper's: what they are now, and the
fingerprint that their scores were stored with."""


def as_it_was(name: str) -> JudgeSpec:
    """A built-in judge as plans and scores of that time hold it."""
    now, _ = THEN[name]
    return replace(built_in()[now], name=name, rubric="believability")


@pytest.mark.parametrize("name", THEN)
async def test_a_stored_judge_of_the_older_list_is_carried_out_by_it(name: str) -> None:
    now, fingerprint = THEN[name]
    stored = as_it_was(name)
    assert judge_hash(stored) == fingerprint
    assert rubric_of(stored).name == "believability-strict"
    found = await judge_for(stored).evaluate(HISTORY, Stream())
    assert found == await judge_for(built_in()[now]).evaluate(HISTORY, Stream())
    assert {score.dimension for score in found} == {d.name for d in stored.dimensions}


@pytest.mark.parametrize("name", THEN)
async def test_a_judge_of_that_name_made_now_is_of_the_papers_list(name: str) -> None:
    assert rubric_of(built_in()[name]).name == "believability"
    assert judge_hash(built_in()[name]) != THEN[name][1]


@pytest.mark.parametrize(
    ("rubric", "prompt", "of"),
    [
        ("sotopia", "judge-v1", "sotopia-anchored"),
        ("sotopia", "sotopia-v1", "sotopia"),
        ("sotopia-anchored", "judge-v1", "sotopia-anchored"),
        ("believability", "believability-v1", "believability-strict"),
        ("sotopia", "sotopia-v2", "sotopia"),
        ("sotopia", "sotopia-v3", "sotopia"),
        ("believability", "belext-v1", "believability-lenient"),
        ("believability", "belext-v2", "believability-lenient"),
        ("believability", "belext-v3", "believability"),
        ("believability-lenient", "belext-v1", "believability-lenient"),
        ("believability-lenient", "belext-v2", "believability-lenient"),
        ("believability-strict", "believability-v1", "believability-strict"),
    ],
)
async def test_a_file_that_names_an_older_prompt_is_of_its_edition(
    rubric: str, prompt: str, of: str
) -> None:
    judge = parse_judge(f'{MODEL}rubric = "{rubric}"\nprompt = "{prompt}"\nretries = 0\n')
    assert judge.rubric == rubric
    edition = rubric_of(judge)
    assert edition.name == of
    assert judge.dimensions == edition.dimensions
    model = Scripted(["{}"] * 3)
    await judge_for(judge, caller_of(model)).evaluate(HISTORY, Stream())
    question = model.asked[0].messages[-1].content
    assert ("had been told at the start" in question) == prompt.startswith(("sotopia", "belext"))
    assert ("Use the whole range" in model.asked[0].messages[0].content) == (prompt == "judge-v1")


def test_a_judge_with_a_dimension_of_its_own_is_of_the_edition_of_its_prompt() -> None:
    own = '[[dimension]]\nname = "candour"\nlow = 0\nhigh = 5\ndescription = "How plain."\n'
    for prompt, integer in (("judge-v1", False), ("sotopia-v1", True)):
        judge = parse_judge(f'{MODEL}prompt = "{prompt}"\n{own}')
        assert {d.integer for d in judge.dimensions if d.name != "candour"} == {integer}


STORED = {
    "sotopia": ("sotopia-v2", "5b49e2f7b371fea36c2e5bc055df09c5"),
    "believability": ("belext-v2", "cf1b045cb43277696390228127583534"),
}
"""By rubric, the newest prompt that was, and the fingerprint of a judge that a file made by it."""


@pytest.mark.parametrize("rubric", STORED)
def test_a_judge_of_the_prompt_before_keeps_its_fingerprint_and_what_it_asks(rubric: str) -> None:
    prompt, fingerprint = STORED[rubric]
    stored = parse_judge(f'{MODEL}rubric = "{rubric}"\nprompt = "{prompt}"\n', "j.toml")
    assert judge_hash(stored) == fingerprint
    assert (rubric_of(stored).prompt, stored.rubric) == (prompt, rubric)
    newest = parse_judge(f'{MODEL}rubric = "{rubric}"\n', "j.toml")
    assert judge_hash(newest) != fingerprint


async def test_a_stored_judge_of_believability_is_carried_out_as_it_was() -> None:
    """Its failures need a quote, are asked for again as they were, and else are none."""
    stored = parse_judge(f'{MODEL}rubric = "believability"\nprompt = "belext-v2"\nretries = 0\n')
    asked = [d.name for d in stored.dimensions if d.name not in ("belext", "belext_raw")]
    seat = {name: {"reason": "So.", "quotes": [], "passed": False} for name in asked[1:]}
    seat["believability"] = {"reason": "So.", "score": 7}
    text = json.dumps({"seat_1": seat, "seat_2": seat})
    model = Scripted([text] * 3)
    found = await judge_for(stored, caller_of(model)).evaluate(HISTORY, Stream())
    assert "think again about whether it was there" in model.asked[1].messages[-1].content
    failed = {score.dimension for score in found if isinstance(score, ScoreFailed)}
    assert {"no_repetition", "in_character", "belext"} <= failed
    assert not {"no_idling", "responds"} & failed


def test_a_stored_judge_is_read_as_it_was_written() -> None:
    # A dimension without a word on whole numbers is stored as it was before there were any.
    judge = as_it_was("belext-rule")
    assert b"integer" not in encode(judge)


async def test_a_model_is_held_to_whole_numbers_by_the_form_of_the_answer_and_by_asking() -> None:
    text = f"{MODEL}dimensions = ['goal']\nretries = 0\n"
    judge = parse_judge(text + "structured_output = true\n")
    wrong = {"seat_1": {"goal": {"reason": "Half.", "score": 7.5}}}
    right = {seat: {"goal": {"reason": "Half.", "score": 7}} for seat in ("seat_1", "seat_2")}
    model = Scripted([json.dumps(wrong), json.dumps(right)])
    found = await judge_for(judge, caller_of(model)).evaluate(HISTORY, Stream())
    schema = model.asked[0].json_schema
    assert schema is not None
    assert '"integer"' in json.dumps(schema["properties"]["seat_1"]["properties"]["goal"])
    assert "must be a whole number, is 7.5" in model.asked[1].messages[-1].content
    assert [score.value for score in found] == [7, 7]
