"""Asking until an answer can be used: the same loop for minds, judges and memories."""

from collections.abc import Sequence
from typing import Any

import pytest

from actors.models.answers.ask import REASKS, Answered, ModelQuestion, UnansweredQuestion, ask
from actors.models.errors import (
    REQUEST_FAULTS,
    BudgetSpent,
    FailureReason,
    ModelError,
    ModelUnavailable,
    Unreadable,
)
from actors.models.limits.budget import BudgetKeeper
from actors.models.metrics import PARSE_FAILURES
from actors.models.port import Msg, request_hash, request_of
from actors.models.response_formats.schemas import object_schema
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.minds import ModelSpec
from events.run import Budget
from tests.evaluators.scripted import Scripted, Stream, caller_of

MODEL = ModelSpec(name="asked", retries=0)
ASKED = (Msg("system", "You count."), Msg("user", "How many?"))


def number(text: str, label: str) -> int:
    if not text.isdecimal():
        raise Unreadable([f"{text!r} is no number", "digits only"], text)
    return int(text)


def again(problems: Sequence[str]) -> str:
    return f"Again: {' / '.join(problems)}"


def question(**fields: Any) -> ModelQuestion[int]:
    defaults: dict[str, Any] = {"messages": ASKED, "read": number, "again": again, "purpose": "act"}
    return ModelQuestion(**(defaults | fields))


async def put(
    model: Scripted, asked: ModelQuestion[int], calls: Stream | None = None, **more: Any
) -> Answered[int] | UnansweredQuestion:
    stream = Stream() if calls is None else calls
    return await ask(asked, turn=3, model=MODEL, caller=caller_of(model), calls=stream, **more)


async def test_an_answer_that_can_be_read_is_asked_for_once_and_recorded():
    model, calls = Scripted(["7"]), Stream()
    answer = await put(model, question(prompt_version="p-1"), calls)
    assert isinstance(answer, Answered)
    assert (answer.value, answer.attempts, [call.text for call in answer.calls]) == (7, 1, ["7"])
    asked, answered = calls.events
    assert isinstance(asked, ModelAsked)
    assert isinstance(answered, ModelAnswered)
    assert (asked.turn, asked.attempt, asked.purpose) == (3, 0, "act")
    assert asked.prompt_version == "p-1"
    assert asked.request_hash == request_hash(MODEL, request_of(MODEL, ASKED))


async def test_asking_again_says_what_was_wrong_and_does_not_show_the_answer():
    model = Scripted(["many", "a few", "7"])
    answer = await put(model, question())
    assert isinstance(answer, Answered)
    assert (answer.value, answer.attempts) == (7, 3)
    assert [request.messages for request in model.asked] == [
        ASKED,
        (*ASKED, Msg("user", "Again: 'many' is no number / digits only")),
        (*ASKED, Msg("user", "Again: 'a few' is no number / digits only")),
    ]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "An answer to this could not be used: ", "2 answers to this could not be used"),
        ("zh", "对此的一个回答无法使用：", "对此的 2 个回答都无法使用"),
    ],
)
async def test_the_request_names_the_form_that_is_wanted_and_is_never_the_same_twice(
    language: str, first: str, second: str
):
    model = Scripted(["many", "many", "7"])
    schema = object_schema(
        {"kind": {"type": "string", "enum": ["one", "more"]}, "number": {"type": "integer"}}
    )
    await put(model, question(again=None, json_schema=schema, language=language, hint="Hm."))
    requests = [request.messages[-1].content for request in model.asked[1:]]
    assert requests[0].startswith(first)
    assert requests[1].startswith(second)
    for said in requests:
        assert "'many' is no number" in said
        assert '"kind" ("one"' in said
        assert '"number"' in said
        assert said.endswith("Hm.")
        assert "{" not in said


@pytest.mark.parametrize(
    ("seed", "seeds"),
    [
        (None, [None, None, None]),
        (5, [5, 6, 7]),
        (2**63 - 2, [2**63 - 2, 2**63 - 1, 2**63 - 4]),
    ],
)
async def test_each_time_has_a_seed_of_its_own_where_one_was_given(
    seed: int | None, seeds: list[int | None]
):
    model = Scripted(["many", "a few", "7"])
    spec = ModelSpec(name="asked", retries=0, seed=seed)
    await ask(question(), turn=3, model=spec, caller=caller_of(model), calls=Stream())
    assert [request.seed for request in model.asked] == seeds


@pytest.mark.parametrize(
    ("of_model", "of_question", "put_times"),
    [(None, None, 3), (0, None, 1), (5, None, 6), (0, 1, 2)],
)
async def test_how_often_is_asked_again_is_a_setting_of_the_model(
    of_model: int | None, of_question: int | None, put_times: int
):
    model = Scripted(["no"] * 6)
    spec = ModelSpec(name="asked", retries=0, reasks=of_model)
    answer = await ask(
        question(reasks=of_question), turn=3, model=spec, caller=caller_of(model), calls=Stream()
    )
    assert (answer.attempts, len(model.asked)) == (put_times, put_times)


async def test_the_log_says_what_was_wrong_with_each_answer_and_what_asking_again_was_for():
    calls = Stream()
    await put(Scripted(["many", "", "7"]), question(), calls)
    asked = [event.mends for event in calls.events if isinstance(event, ModelAsked)]
    answered = [event.fault for event in calls.events if isinstance(event, ModelAnswered)]
    assert asked == ["", "unreadable", "empty"]
    assert answered == ["unreadable", "empty", ""]


async def test_no_words_are_lost_where_nothing_follows_them():
    answer = await put(Scripted(["seven, I th", "", ""]), question())
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, answer.raw) == ("empty", "seven, I th")


@pytest.mark.parametrize("reasks", [0, REASKS])
async def test_after_the_last_attempt_the_failure_has_the_reason_and_the_answer(reasks: int):
    before = PARSE_FAILURES.labels("asked", "reask")._value.get()
    model = Scripted([f"no {number}" for number in range(reasks + 1)])
    answer = await put(model, question(reasks=reasks))
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, answer.raw, answer.attempts) == (
        "unreadable",
        f"no {reasks}",
        reasks + 1,
    )
    assert answer.detail == f"'no {reasks}' is no number; digits only"
    assert len(answer.calls) == reasks + 1
    assert PARSE_FAILURES.labels("asked", "reask")._value.get() == before + 1


@pytest.mark.parametrize("reason", sorted(REQUEST_FAULTS))
async def test_a_request_that_is_refused_is_a_failure_with_its_kind(reason: FailureReason):
    calls, error = Stream(), ModelError(reason, "not this one", status=400, may_pass=False)
    answer = await put(Scripted(["many", error]), question(), calls)
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, answer.attempts, answer.raw) == (reason, 2, "many")
    assert error.detail in answer.detail
    assert [call.text for call in answer.calls] == ["many"]
    assert isinstance(calls.events[-1], ModelFailed)


@pytest.mark.parametrize(
    ("error", "lasting", "sentence"),
    [
        (
            ModelError("timeout", "no answer within 1 s", may_pass=True),
            False,
            "asked does not answer in time (no answer within 1 s): see that its server answers, or "
            "raise timeout_s, and try again",
        ),
        (
            ModelError("unauthorized", "the server answered 401", status=401, may_pass=False),
            True,
            "asked does not take the key, status 401 (the server answered 401): check its key, and "
            "try again",
        ),
    ],
)
async def test_a_model_that_cannot_be_had_is_no_answer_but_is_let_out(
    error: ModelError, lasting: bool, sentence: str
):
    calls = Stream()
    with pytest.raises(ModelUnavailable) as gone:
        await put(Scripted(["many", error]), question(), calls)
    assert (gone.value.model, gone.value.reason, gone.value.status, gone.value.lasting) == (
        "asked",
        error.reason,
        error.status,
        lasting,
    )
    assert str(gone.value) == sentence
    assert isinstance(calls.events[-1], ModelFailed)


async def test_recorded_answers_are_not_asked_for_again():
    calls = Stream()
    first = await put(Scripted(["many", "7"]), question(), calls)
    model = Scripted([])
    assert await put(model, question(), calls) == first
    assert model.asked == []


async def test_a_longest_answer_of_the_questions_own_is_what_is_sent():
    model = Scripted(["7"])
    await put(model, question(max_tokens=9))
    assert model.asked[0].max_tokens == 9


async def test_a_reader_may_keep_what_is_complete_and_have_the_rest_mended():
    found: dict[str, int] = {}

    def read(text: str, label: str) -> int:
        found.update(dict.fromkeys(text.split(), 1) | found)
        if missing := [f"{name} is missing" for name in ("a", "b") if name not in found]:
            raise Unreadable(missing, text)
        return len(found)

    model = Scripted(["a", "b"])
    answer = await put(model, question(read=read))
    assert isinstance(answer, Answered)
    assert answer.value == 2
    assert model.asked[1].messages[-1] == Msg("user", "Again: b is missing")


async def test_a_spent_budget_is_raised():
    budget = BudgetKeeper("r1", Budget(tokens=10), tokens=10)
    with pytest.raises(BudgetSpent):
        await put(Scripted([]), question(), budget=budget)
