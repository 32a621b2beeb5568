"""Notes by a model, over real HTTP to a server that misbehaves."""

import asyncio
import json
from collections.abc import AsyncIterator
from random import Random

import pytest

from actors.lifelong import prompts
from actors.lifelong.memory.modules import BUILT_IN, with_prompt
from actors.lifelong.memory.note_answer import note_of, problems, reader, shortened
from actors.lifelong.memory.notes import RULES, WrittenNote, write_note
from actors.lifelong.memory.prompt_entries import words_of
from actors.lifelong.memory.recall import SeenEpisode
from actors.models.answers.ask import REASKS
from actors.models.caller import Backoff, ModelCaller
from actors.models.errors import BudgetSpent, ModelUnavailable, Unreadable
from actors.models.limits.budget import BudgetKeeper
from actors.models.recording.call_log import CallEvent, CallRecorder
from actors.models.registry import Models
from actors.models.tokens import count
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import replace
from events.memory import NOTE_PARTS, MemorySpec, Note
from events.minds import ModelSpec
from events.run import Budget
from tests.actors.lifelong.memory.memories import seen
from tests.actors.minds.test_model_mind import Stream
from tests.evaluators.scripted import Scripted, caller_of
from tests.support.schema_values import value_of
from tests.support.servers.stub_answers import open_place
from tests.support.servers.stub_llm import StubServer, StubSettings

SUMMARY = BUILT_IN["summary"]


class Calls(Stream):
    """What was recorded, and how the model was asked to mend its first answer."""

    again = ""

    def of(self, kind: type[CallEvent]) -> list[CallEvent]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
async def caller() -> AsyncIterator[ModelCaller]:
    caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
    yield caller
    await caller.close()


def spec_of(stub: StubServer, **fields: object) -> ModelSpec:
    given: dict[str, object] = {"adapter": "direct", "timeout_s": 5.0, "retries": 2} | fields
    return ModelSpec(name="openai/stub", base_url=stub.url, **given)  # type: ignore[arg-type]


async def noted(
    caller: ModelCaller,
    model: ModelSpec | None,
    calls: CallRecorder | None = None,
    memory: MemorySpec = SUMMARY,
    episode: SeenEpisode | None = None,
    budget: BudgetKeeper | None = None,
) -> WrittenNote:
    """The note on episode 3 of a chain."""
    return await write_note(
        memory,
        episode or seen(),
        3,
        model=model,
        caller=caller,
        calls=calls or Stream(),
        budget=budget,
    )


async def mending(caller: ModelCaller, fault: str, **settings: float) -> tuple[WrittenNote, Calls]:
    """A note whose first answer meets a fault, and whose second does not."""
    calls = Calls()
    async with StubServer(StubSettings(first=(fault,))) as stub:
        writing = asyncio.create_task(noted(caller, spec_of(stub), calls))
        while not stub.bodies:
            await asyncio.sleep(0)
        # What follows the first answer is a request of its own; it is to be answered well.
        stub.settings = StubSettings()
        written = await writing
    assert len(stub.bodies) == 2
    first, again = (body["messages"] for body in stub.bodies)
    (system, question), (system_again, question_again) = first, again
    assert system_again == system
    assert question_again["content"].startswith(question["content"])
    calls.again = question_again["content"].removeprefix(question["content"])
    return written, calls


async def test_a_model_writes_the_note_and_the_call_is_recorded_under_the_episodes_index(
    caller: ModelCaller,
):
    calls = Stream()
    async with StubServer() as stub:
        model = spec_of(stub, input_usd_per_million=1.0, output_usd_per_million=2.0)
        written = await noted(caller, model, calls)
    assert written.note is not None
    assert (written.attempts, written.within_bounds) == (1, True)
    assert 200 <= written.words == words_of(written.note) <= 300
    assert written.writer == "openai/stub"
    asked, answered = calls.events
    assert isinstance(asked, ModelAsked)
    assert isinstance(answered, ModelAnswered)
    assert (asked.purpose, asked.turn, asked.attempt) == ("remember", 3, 0)
    assert asked.prompt_version == SUMMARY.prompt_version == prompts.version(prompts.NOTE)
    tokens = (answered.input_tokens, answered.output_tokens)
    assert (written.input_tokens, written.output_tokens) == tokens
    assert written.cost_usd == pytest.approx((tokens[0] + 2 * tokens[1]) / 1e6)


async def test_the_writer_is_shown_the_episode_as_its_seat_saw_it(caller: ModelCaller):
    async with StubServer() as stub:
        await noted(caller, spec_of(stub))
    (body,) = stub.bodies
    told = "\n".join(message["content"] for message in body["messages"])
    for words in ("You are Ada Reyes", "Sell the oven", "180 dollars", "200 to 300 words"):
        assert words in told
    for hidden in ("Buy the oven", "fired for drinking"):
        assert hidden not in told


async def test_the_writer_may_answer_as_long_as_the_memory_says(caller: ModelCaller):
    async with StubServer() as stub:
        await noted(caller, spec_of(stub, max_tokens=50), memory=BUILT_IN["summary-1000"])
        await noted(caller, spec_of(stub, max_tokens=9000))
        await noted(caller, spec_of(stub, max_tokens=50), memory=replace(SUMMARY, max_tokens=70))
        thinks = spec_of(stub, max_tokens=2000, max_completion_tokens=3000)
        await noted(caller, thinks)
    assert [body.get("max_tokens") for body in stub.bodies] == [2200, 800, 70, None]
    assert stub.bodies[-1]["max_completion_tokens"] == 1000 + 800, "the thoughts have their own"


async def test_a_memory_recorded_before_it_said_how_long_a_note_may_be_asks_as_it_did(
    caller: ModelCaller,
):
    before = replace(BUILT_IN["summary-1000"], max_tokens=0)
    async with StubServer() as stub:
        await noted(caller, spec_of(stub, max_tokens=50), memory=before)
        await noted(caller, spec_of(stub, max_tokens=9000), memory=before)
    assert [body["max_tokens"] for body in stub.bodies] == [2200, 9000]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("short", "its three texts have 9 words together; 200 to 300 are asked for, so make it l"),
        ("long", "200 to 300 are asked for, so make it shorter"),
        ("truncated", "its JSON is not complete"),
        ("empty", "it was empty"),
    ],
)
async def test_an_answer_that_is_not_as_asked_for_is_asked_again_with_what_was_wrong(
    caller: ModelCaller, fault: str, said: str
):
    written, calls = await mending(caller, fault)
    assert (written.attempts, written.within_bounds) == (2, True)
    assert said in calls.again
    answers = calls.of(ModelAnswered)
    assert written.output_tokens == sum(answer.output_tokens for answer in answers)  # type: ignore[union-attr]


async def test_a_note_that_stays_too_short_is_kept_and_said_to_be(caller: ModelCaller):
    async with StubServer(StubSettings(short=1.0)) as stub:
        written = await noted(caller, spec_of(stub))
    assert (written.attempts, written.within_bounds, written.words) == (REASKS + 1, False, 9)
    assert written.note is not None


async def test_a_note_that_stays_too_long_is_cut_and_said_to_have_been(caller: ModelCaller):
    async with StubServer(StubSettings(long=1.0)) as stub:
        written = await noted(caller, spec_of(stub))
    assert (written.attempts, written.within_bounds) == (REASKS + 1, False)
    assert 200 <= written.words <= 300


@pytest.mark.parametrize("fault", ["truncated", "empty"])
async def test_answers_that_cannot_be_read_end_in_no_note(caller: ModelCaller, fault: str):
    async with StubServer(StubSettings(**{fault: 1.0})) as stub:
        written = await noted(caller, spec_of(stub))
    assert (written.note, written.words, written.within_bounds) == (None, 0, False)
    assert written.attempts == REASKS + 1 == stub.stats.answers


@pytest.mark.parametrize("fault", ["server_error", "rate_limited", "hang", "broken_reply"])
async def test_a_model_that_gives_no_answer_is_no_missing_note(caller: ModelCaller, fault: str):
    calls = Stream()
    async with StubServer(StubSettings(**{fault: 1.0})) as stub:
        with pytest.raises(ModelUnavailable):
            await noted(caller, spec_of(stub, timeout_s=0.2, retries=1), calls)
    assert isinstance(calls.events[-1], ModelFailed)


async def test_a_note_goes_on_after_the_last_answer_once_its_model_is_well_again(
    caller: ModelCaller,
):
    calls = Stream()
    async with StubServer(StubSettings(first=("short",))) as stub:
        writing = asyncio.create_task(noted(caller, spec_of(stub, retries=0), calls))
        while not stub.bodies:
            await asyncio.sleep(0)
        stub.settings = StubSettings(server_error=1.0)
        with pytest.raises(ModelUnavailable):
            await writing
        stub.settings = StubSettings()
        written = await noted(caller, spec_of(stub, retries=0), calls)
    assert (written.attempts, written.within_bounds) == (2, True)
    assert stub.stats.answers == 2


async def test_a_note_that_was_paid_for_is_written_again_without_asking(caller: ModelCaller):
    calls = Stream()
    async with StubServer(StubSettings(short=1.0)) as stub:
        first = await noted(caller, spec_of(stub), calls)
        again = await noted(caller, spec_of(stub), calls)
    assert again == first
    assert stub.stats.requests == REASKS + 1


async def test_a_spent_budget_is_no_missing_note(caller: ModelCaller):
    budget = BudgetKeeper("r1", Budget(tokens=1))
    async with StubServer() as stub:
        await noted(caller, spec_of(stub), budget=budget)
        with pytest.raises(BudgetSpent):
            await noted(caller, spec_of(stub), budget=budget)
    assert stub.stats.requests == 1


async def test_an_unknown_price_is_not_taken_for_nothing(caller: ModelCaller):
    async with StubServer() as stub:
        written = await noted(caller, spec_of(stub))
    assert written.cost_usd is None


async def test_an_episode_too_long_for_the_writer_is_shown_without_its_beginning(
    caller: ModelCaller,
):
    long = seen([(turn % 2, f"This is word number {turn}. " * 9) for turn in range(60)])
    memory = MemorySpec(name="m", module="summary", context_tokens=6_000)
    async with StubServer() as stub:
        await noted(caller, spec_of(stub, max_tokens=50), memory=memory, episode=long)
    (body,) = stub.bodies
    told = "\n".join(message["content"] for message in body["messages"])
    assert "number 59" in told
    assert "number 1." not in told
    assert "actions.)" in told
    assert 2_000 < count(told) < 6_000 - body["max_tokens"]


async def test_a_memory_made_with_another_prompt_is_not_written(caller: ModelCaller):
    old = MemorySpec(name="m", module="summary", prompt_version="note-0:0123456789ab")
    async with StubServer() as stub:
        with pytest.raises(prompts.UnknownPrompt, match="memory prompt 'note-0:0123456789ab'"):
            await noted(caller, spec_of(stub), memory=old)
    assert stub.stats.requests == 0


async def test_without_a_model_fixed_rules_write_and_nobody_is_asked(caller: ModelCaller):
    calls = Stream()
    written = await noted(caller, None, calls, memory=BUILT_IN["summary-50"])
    assert (written.writer, written.attempts, written.cost_usd) == (RULES, 0, None)
    assert written.within_bounds
    assert 40 <= written.words <= 50
    assert calls.events == []


def test_lists_and_other_names_are_taken_for_what_they_mean():
    text = '{"Summary": "a", "negotiation_strategies": ["b.", "c."], "knowledge": "d"}'
    assert note_of(reader().read(text, "m")) == Note(
        overview="a", strategies="b. c.", knowledge="d", importance=None
    )


@pytest.mark.parametrize(
    ("given", "kept"), [("3", 1), ("-0.1", 0), ("0.4", 0.4), ('"high"', None), ("true", None)]
)
def test_an_importance_out_of_range_costs_no_note(given: str, kept: float | None) -> None:
    text = f'{{"overview": "a", "strategies": "b", "knowledge": "c", "importance": {given}}}'
    note = note_of(reader().read(text, "m"))
    assert (note.knowledge, note.importance) == ("c", kept)


RECORDED = (
    "What it was about, what you wanted, what happened, how it ended and what was agreed",
    "A very short but very interesting note",
)
"""Of a small model's first note: an overview that is a line of note-4, and strategies that are not.
"""


def test_a_part_copied_from_the_form_is_no_part() -> None:
    answer = json.dumps(dict(zip(NOTE_PARTS, (*RECORDED, "…"), strict=True)))
    note = note_of(reader().read(answer, "m"), prompts.phrases("note-4"))
    assert note == Note(strategies=RECORDED[1])
    assert problems(note, BUILT_IN["summary"])[:2] == [
        "overview has no words of its own",
        "knowledge has no words of its own",
    ]


async def test_a_copied_form_is_asked_again_and_is_no_note(caller: ModelCaller) -> None:
    copied = json.dumps({"overview": "…", "strategies": "…", "knowledge": "…", "importance": 0.5})
    model, calls = Scripted([copied] * 3), Stream()
    written = await noted(caller_of(model), ModelSpec(name="m", retries=0), calls)
    assert (written.note, written.attempts) == (None, REASKS + 1)
    assert "overview has no words of its own" in model.asked[1].messages[-1].content


async def test_of_a_note_with_a_copied_part_the_rest_is_kept(caller: ModelCaller) -> None:
    answer = json.dumps({"overview": "They met.", "strategies": "…", "knowledge": "A name."})
    written = await noted(caller_of(Scripted([answer] * 3)), ModelSpec(name="m", retries=0))
    assert written.note == Note(overview="They met.", knowledge="A name.")
    assert not written.within_bounds


@pytest.mark.parametrize("name", ["summary", "summary-50", "summary-1000", "retrieval"])
async def test_whatever_the_schema_of_a_note_allows_is_kept(name: str) -> None:
    model = Scripted(["{}"] * 3)
    spec = ModelSpec(name="m", structured_output=True, retries=0)
    await noted(caller_of(model), spec, memory=BUILT_IN[name])
    schema = model.asked[0].json_schema
    assert schema is not None
    assert open_place(schema) == ""
    for seed in range(30):
        text = json.dumps(value_of(schema, Random(seed)), ensure_ascii=False)
        # As many characters as the longest answer has room for.
        assert len(text) < 4 * model.asked[0].longest
        written = await noted(caller_of(Scripted([text] * 3)), spec, memory=BUILT_IN[name])
        assert written.note is not None
        assert all(getattr(written.note, part) for part in NOTE_PARTS)


async def test_a_note_of_the_wrong_length_was_read_all_the_same(caller: ModelCaller) -> None:
    short = json.dumps({"overview": "They met.", "strategies": "None.", "knowledge": "A name."})
    empty = json.dumps({"overview": "They met.", "strategies": "", "knowledge": "A name."})
    calls = Stream()
    await noted(caller_of(Scripted([short, empty, short])), ModelSpec(name="m", retries=0), calls)
    assert [one.fault for one in calls.events if isinstance(one, ModelAnswered)] == [
        "word_count",
        "unreadable",
        "word_count",
    ]


def test_an_empty_part_is_a_problem_by_itself():
    note = Note(overview="a " * 250, strategies=" ".strip(), knowledge="b")
    assert problems(note, SUMMARY) == ["strategies has no words of its own"]


def test_what_is_too_long_is_cut_after_a_sentence():
    note = Note(overview="One two three. Four five six seven.", strategies="a b", knowledge="c d")
    short = shortened(note, 8)
    assert short.overview == "One two three."
    assert words_of(short) <= 8
    assert shortened(note, 11) is note


WITHOUT_STRATEGIES = with_prompt(
    MemorySpec(name="m", module="summary", parts=("overview", "knowledge"))
)


async def test_a_part_that_is_left_out_is_neither_asked_for_nor_kept(caller: ModelCaller):
    async with StubServer() as stub:
        written = await noted(caller, spec_of(stub), memory=WITHOUT_STRATEGIES)
    question = stub.bodies[0]["messages"][-1]["content"]
    assert "strategies" not in question
    assert "The two texts together have 200 to 300 words." in question
    assert written.note is not None
    assert written.within_bounds
    assert (bool(written.note.overview), written.note.strategies) == (True, "")


async def test_rules_leave_out_a_part_too(caller: ModelCaller):
    memory = MemorySpec(name="m", module="summary", words_low=20, words_high=40)
    whole = await noted(caller, None, memory=memory)
    partial = await noted(caller, None, memory=replace(memory, parts=("knowledge",)))
    assert whole.note
    assert partial.note
    assert whole.note.overview
    assert whole.note.strategies
    assert (partial.note.overview, partial.note.strategies) == ("", "")
    assert 20 <= partial.words <= 40


def test_an_answer_with_more_parts_than_asked_for_gives_those_that_were():
    text = '{"overview": "a", "strategies": "b", "knowledge": "c"}'
    read = note_of(reader(("knowledge", "overview")).read(text, "m"))
    assert read == Note(overview="a", knowledge="c")
    with pytest.raises(Unreadable, match="knowledge"):
        reader(("knowledge",)).read('{"overview": "a"}', "m")


def test_a_part_that_was_not_asked_for_is_not_missed():
    note = Note(overview="a", knowledge="b")
    assert problems(note, WITHOUT_STRATEGIES) == [
        "its two texts have 2 words together; 200 to 300 are asked for, so make it longer"
    ]


async def test_a_memory_recorded_with_an_earlier_prompt_is_written_by_it(caller: ModelCaller):
    """The words, and so the hashes of what was asked, are what they were."""
    recorded = ("", "note-1:2524392a23d1", prompts.version("note-2"))
    asked = []
    for version in recorded:
        memory = MemorySpec(name="m", module="summary", prompt_version=version)
        async with StubServer() as stub:
            await noted(caller, spec_of(stub), memory=memory)
        asked.append(stub.bodies[0]["messages"])
    assert asked[0] == asked[1] == asked[2]
    assert "A note in three parts, in the first person:" in asked[0][-1]["content"]
    assert recorded[2] == "note-2:d1522dcaad7e"


async def test_a_memory_begun_before_is_asked_as_ever_and_a_new_one_for_no_importance(
    caller: ModelCaller,
):
    """What a model is held to, too: the hash of a request covers it."""
    shapes = []
    for memory in (BUILT_IN["summary-exact"], SUMMARY, BUILT_IN["retrieval"]):
        async with StubServer() as stub:
            written = await noted(caller, spec_of(stub, structured_output=True), memory=memory)
        schema = stub.bodies[0]["response_format"]["json_schema"]["schema"]
        shapes.append(list(schema["properties"]))
        assert written.note is not None
        assert (written.note.importance is None) == (memory is SUMMARY)
    parts = ["overview", "strategies", "knowledge"]
    assert shapes == [[*parts, "importance"], parts, [*parts, "importance"]]
