"""No private thought is taken for an answer, and a reply without one is called what it is."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.models.answers.ask import Answered, ModelQuestion, UnansweredQuestion, ask
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.errors import ModelUnavailable
from actors.models.port import Msg
from actors.models.replies.thoughts import parted
from events.serialization.codec import encode
from tests.actors.models.conftest import SpecOf
from tests.evaluators.scripted import Stream
from tests.support.servers.stub_llm import StubServer, StubSettings


class Said(msgspec.Struct, frozen=True):
    """An action such as an environment asks for."""

    kind: str
    text: str = ""


READER = AnswerReader(Said)
SPEAK = '{"kind": "speak", "text": "Good evening."}'


@pytest.mark.parametrize(
    ("text", "answer", "thoughts"),
    [
        ("yes", "yes", ""),
        ("<think>He lies.</think>yes", "yes", "He lies."),
        ("<Thinking depth='2'>He lies.</THINKING>yes", "yes", "He lies."),
        ("<reasoning>a</reasoning>yes<thought>b</thought>", "yes", "ab"),
        ("[THINK]He lies.[/THINK]yes", "yes", "He lies."),
        # The server put the opening tag into the prompt.
        ("He lies.</think>yes", "yes", "He lies."),
        ("<think>a <think> in a thought</think>yes", "yes", "a <think> in a thought"),
        ("<think>what </reasoning> is</think>yes", "yes", "what </reasoning> is"),
        ("<think></think>\n\nyes", "\n\nyes", ""),
        ("◁think▷He lies.◁/think▷yes", "yes", "He lies."),
        ("<|think|>He lies.<|/think|>yes", "yes", "He lies."),
        ("< think >He lies.</ think >yes", "yes", "He lies."),
        ("<think\nHe lies.</think>yes", "yes", "\nHe lies."),
        ("&lt;think&gt;He lies.&lt;/think&gt;yes", "yes", "He lies."),
        ("<scratchpad>He lies.</scratchpad>yes", "yes", "He lies."),
        ("<|begin_of_thought|>He lies.<|end_of_thought|>yes", "yes", "He lies."),
        ("<|channel|>analysis<|message|>He lies.<|end|>yes", "yes", "He lies."),
        (
            "<|channel|>analysis<|message|>He lies.<|end|><|start|>assistant"
            "<|channel|>final<|message|>yes<|return|>",
            "yes<|return|>",
            "He lies.<|start|>assistant",
        ),
        ("I thought <b>so</b> <thinker>", "I thought <b>so</b> <thinker>", ""),
    ],
)
def test_thoughts_are_told_apart_from_the_answer(text: str, answer: str, thoughts: str):
    assert parted(text) == (answer, thoughts, "")


@pytest.mark.parametrize(
    ("text", "answer", "tag"),
    [
        ("<think>He lies. {", "", "<think>"),
        ("yes <reasoning>but", "yes ", "<reasoning>"),
        ("<think>a</think>yes<think>b", "yes", "<think>"),
        ("[THINK]He", "", "<think>"),
        ("◁think▷He", "", "<think>"),
        ("<|think|>He", "", "<think>"),
        ("< think >He", "", "<think>"),
        ("<think\nHe", "", "<think>"),
        ("&lt;think&gt;He", "", "<think>"),
        ("<scratchpad>He", "", "<scratchpad>"),
        ("<|begin_of_thought|>He", "", "<thought>"),
        ("<|channel|>analysis<|message|>He", "", "<|channel|>"),
        ('{"text": "<think>He lies.', '{"text": "', "<think>"),
        (r'{"text": "\n <think>He lies."}', r'{"text": "\n ', "<think>"),
        ('{"text": "<think>He lies."}', '{"text": "', "<think>"),
    ],
)
def test_all_after_a_thought_that_does_not_end_is_a_thought(text: str, answer: str, tag: str):
    parts = parted(text)
    assert (parts.answer, parts.unclosed) == (answer, tag)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "speak", "text": "Write </think> please."}',
        '{"kind": "speak", "text": "Write <think> please."}',
        r'{"kind": "speak", "text": "Write \"<think>\" please."}',
        '```json\n{"kind": "speak", "text": "Write </think> please."}\n```',
    ],
)
def test_a_tag_that_is_spoken_of_is_part_of_the_answer(text: str):
    assert parted(text) == (text, "", "")


@given(st.lists(st.sampled_from(["<think>", "</think>", "<reasoning>", "</reasoning>", "a", "{}"])))
def test_nothing_is_lost_but_the_tags_and_no_thought_is_in_an_answer(pieces: list[str]):
    text = "".join(pieces)
    parts = parted(text)
    assert parted(parts.answer) == (parts.answer, "", "")
    plain = [piece for piece in pieces if not piece.startswith("<")]
    kept = parts.answer + parts.thoughts
    assert all(kept.count(one) >= plain.count(one) for one in set(plain))


async def replied(
    caller: ModelCaller,
    spec_of: SpecOf,
    choice: dict[str, Any],
    settings: StubSettings | None = None,
    **fields: Any,
) -> tuple[Answered[Said] | UnansweredQuestion, StubServer]:
    """What comes of a question that is always answered with this choice."""
    question = ModelQuestion(
        messages=(Msg("user", 'answer with "kind"'),),
        read=READER.read,
        again=lambda problems: f"Again: {'; '.join(problems)}.",
        purpose="act",
        reasks=1,
        **fields,
    )
    async with StubServer(settings or StubSettings(choice=choice)) as stub:
        answer = await ask(question, turn=1, model=spec_of(stub.url), caller=caller, calls=Stream())
    return answer, stub


def content(text: str | None, ending: str = "stop", **message: Any) -> dict[str, Any]:
    return {"message": {"content": text, **message}, "finish_reason": ending}


@pytest.mark.parametrize(
    "text",
    [
        f"<think>She must not know.</think>{SPEAK}",
        f'<think>Maybe {{"kind": "leave"}}? No.</think>\n{SPEAK}',
        f'Maybe {{"kind": "leave"}}?</think>{SPEAK}',
        '{"kind": "speak", "text": "<think>She must not know.</think>Good evening."}',
    ],
)
async def test_an_answer_after_a_thought_is_read_without_it(
    caller: ModelCaller, spec_of: SpecOf, text: str
):
    answer, stub = await replied(caller, spec_of, content(text))
    assert isinstance(answer, Answered)
    assert answer.value == Said("speak", "Good evening.")
    assert stub.stats.requests == 1


@pytest.mark.parametrize(
    ("choice", "reason", "said"),
    [
        # What a longest answer of 500 tokens made of a model that reasons, turn after turn.
        (content(f"<think>I could say {SPEAK} but", "length"), "cut_off", "raise max_tokens"),
        (content(f"<think>I could say {SPEAK}", "stop"), "unreadable", "<think> opens is not"),
        (content(f"<think>Hm.</think>{SPEAK[:30]}", "length"), "cut_off", "raise max_tokens"),
        (
            content('{"kind": "speak", "text": "Is {this} a', "length"),
            "cut_off",
            "500 tokens: raise max_tokens",
        ),
        (
            content('{"kind": "tell", "draft": {"kind": "speak"}, "text": "He', "length"),
            "cut_off",
            "raise max_tokens",
        ),
        (content("", "length"), "cut_off", "the reasoning was cut off"),
        (content("<think>Hm.</think> "), "thoughts_only", "reasoning and no answer"),
        (content(None, reasoning_content="Hm."), "thoughts_only", "reasoning and no answer"),
        (content(""), "empty", "empty"),
        (content(None, "content_filter"), "filtered", "content filter"),
        (content("I will", "content_filter"), "filtered", "content filter"),
        (content(None, refusal="I cannot help with that."), "filtered", "withheld"),
        (
            content(
                None,
                "tool_calls",
                tool_calls=[
                    {
                        "id": "1",
                        "type": "function",
                        "function": {"name": "speak", "arguments": "{}"},
                    }
                ],
            ),
            "tool_call",
            "called a tool",
        ),
        (content("Good evening."), "unreadable", "it held no JSON object"),
    ],
)
async def test_a_reply_without_an_answer_is_called_what_it_is(
    caller: ModelCaller, spec_of: SpecOf, choice: dict[str, Any], reason: str, said: str
):
    answer, stub = await replied(caller, spec_of, choice)
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, answer.attempts) == (reason, 2)
    assert said in answer.detail
    # The second question says what was wrong and shows no thought.
    (asked,), (again,) = (body["messages"] for body in (stub.bodies[0], stub.bodies[-1]))
    begins = f"{asked['content']}\n\nAgain: "
    assert again["content"].startswith(begins)
    assert len(again["content"]) > len(begins + ".")
    assert "I could say" not in again["content"]


@pytest.mark.parametrize(
    "fields",
    [{"choices": []}, {"choices": [{"message": None}]}, {"choices": [{"message": {}}]}],
)
async def test_a_reply_that_says_nothing_is_an_empty_answer(
    caller: ModelCaller, spec_of: SpecOf, fields: dict[str, Any]
):
    answer, stub = await replied(caller, spec_of, {}, settings=StubSettings(fields=fields))
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, stub.stats.requests) == ("empty", 2)


@pytest.mark.parametrize(
    "choice",
    [
        content(SPEAK) | {"finish_reason": 5},
        {"message": {"content": [{"type": "text", "text": SPEAK}]}},
        {"message": {"content": [SPEAK]}},
    ],
)
async def test_a_reply_in_another_form_is_read(
    caller: ModelCaller, spec_of: SpecOf, choice: dict[str, Any]
):
    answer, _ = await replied(caller, spec_of, choice)
    assert isinstance(answer, Answered)
    assert answer.value == Said("speak", "Good evening.")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"message": "no", "code": "insufficient_quota"}, "quota"),
        ({"message": "no", "type": "insufficient_quota"}, "quota"),
        ({"message": "overloaded"}, "server_error"),
    ],
)
@pytest.mark.parametrize("choices", [None, []])
async def test_an_error_that_comes_as_a_success_is_one(
    caller: ModelCaller, spec_of: SpecOf, error: dict[str, Any], reason: str, choices: object
):
    fields = {"choices": choices, "error": error}
    async with StubServer(StubSettings(fields=fields)) as stub:
        with pytest.raises(ModelUnavailable) as failed:
            await caller.probe(spec_of(stub.url))
    assert failed.value.reason == reason


HALF = "\ud83d"
"""Half an emoji, which has no UTF-8 form."""


@pytest.mark.parametrize("half", [HALF, r"\ud83d"], ids=["raw", "escaped"])
async def test_half_a_character_in_an_answer_is_unreadable_and_asked_again(
    caller: ModelCaller, spec_of: SpecOf, half: str
):
    answer, stub = await replied(
        caller, spec_of, content(f'{{"kind": "speak", "text": "So {half}"}}')
    )
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, stub.stats.requests) == ("unreadable", 2)
    assert encode(answer.calls[-1])


async def test_half_a_character_beside_an_answer_is_recorded_as_json_escapes_it(
    caller: ModelCaller, spec_of: SpecOf
):
    answer, _ = await replied(
        caller, spec_of, content(f"{SPEAK} {HALF}", HALF, reasoning_content=f"Hm {HALF}")
    )
    assert isinstance(answer, Answered)
    (call,) = answer.calls
    assert encode(call)
    assert (call.text, call.reasoning) == (rf"{SPEAK} \ud83d", r"Hm \ud83d")


async def test_an_answer_that_is_complete_stands_though_it_reached_its_longest_length(
    caller: ModelCaller, spec_of: SpecOf
):
    answer, _ = await replied(caller, spec_of, content(f"{SPEAK} And I would a", "length"))
    assert isinstance(answer, Answered)


async def test_who_knows_what_is_complete_in_a_beginning_may_take_it(
    caller: ModelCaller, spec_of: SpecOf
):
    cut = content('{"a": {"kind": "leave"}, "b": {"ki', "length")
    answer, _ = await replied(caller, spec_of, cut, takes_parts=True)
    assert isinstance(answer, Answered)
    assert answer.value == Said("leave")
