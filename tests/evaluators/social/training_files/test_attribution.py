"""How much each action did for its seat's goal: the judge that asks a model, and what follows."""

import asyncio
import json

import pytest

from evaluators.judges.judge_file import parse_judge
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in
from evaluators.social.training_files.attribution import attributions_in, in_words, reward
from evaluators.social.training_files.attribution_series import schema_for
from events.base import Event
from events.evaluation import ScoreAbstained, Scored, ScoreFailed
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import act, episode, numbered, started
from tests.support.servers.stub_answers import open_place

SPEC = parse_judge(
    'model = "test/judge"\nrubric = "attribution"\nretries = 0\nreasks = 1\n', "judge.toml"
)
HISTORY = episode(
    started(),
    [
        (0, act("speak", "Would you take 80 for the bike?")),
        (1, act("speak", "I want 100.")),
        (0, act("none")),
        (1, act("speak", "Deal, 90 it is.")),
        (0, act("leave")),
    ],
)


def said(**values: int) -> str:
    found = [
        {"action": int(number.removeprefix("n")), "why": "It was so.", "value": value}
        for number, value in values.items()
    ]
    return json.dumps({"attributions": found})


def judged(answers: list[str], spec=SPEC) -> tuple[list[Event], Scripted]:  # type: ignore[no-untyped-def]
    model = Scripted(answers)
    judge = judge_for(spec, caller_of(model))
    return list(asyncio.run(judge.evaluate(numbered(list(HISTORY)), Stream()))), model


def numbers(seat: int) -> list[int]:
    return [
        n.number
        for n in numbered(list(HISTORY))
        if getattr(n.event, "seat", None) == seat and type(n.event).__name__ == "ActionTaken"
    ]


def test_rewards_by_hand() -> None:
    """a = 2, A = 3, goal 6: 4; -1 stays -1 on every scale."""
    assert reward(2, 3, 6) == 4.0
    assert reward(3, 5, 5) == 3.0
    assert reward(10, 10, 7) == 7.0
    assert reward(0, 3, 9) == 0.0
    assert reward(-1, 3, 9) == reward(-1, 10, 0) == -1.0


def test_attributions_are_written_into_a_reason_and_read_from_it() -> None:
    given = {4: 2, 12: -1, 8: 0}
    assert in_words(given, 3) == "of 3: [4] 2 [8] 0 [12] -1"
    assert attributions_in(in_words(given, 10)) == (10, given)
    for other in ("", "of 3:", "because of 3: [4] 2", "of 3: [4] 2 and more"):
        with pytest.raises(ValueError, match="no attributions"):
            attributions_in(other)


def test_each_seat_is_a_question_and_a_score() -> None:
    (a, b, c), (d, e) = numbers(0), numbers(1)
    first = said(**{f"n{a}": 3, f"n{b}": -1, f"n{c}": 0})
    found, model = judged([first, said(**{f"n{d}": 1, f"n{e}": 2})])
    assert [type(one) for one in found] == [Scored, Scored]
    assert isinstance(found[0], Scored)
    assert found[0].value == pytest.approx(2 / 3)
    assert attributions_in(found[0].reason) == (3, {a: 3, b: -1, c: 0})
    assert found[0].evidence == (a, b, c)
    assert isinstance(found[1], Scored)
    assert attributions_in(found[1].reason) == (3, {d: 1, e: 2})
    questions = [one.messages[-1].content for one in model.asked]
    setup = HISTORY[0].setup  # type: ignore[attr-defined]
    goals = setup.scenario.goals
    assert goals[0] in questions[0]
    assert goals[1] not in questions[0], "another's goal decides nothing"
    assert all("from 0 to 3" in one for one in questions)
    assert f"{a}, {b}, {c}" in questions[0]


def test_what_is_incomplete_is_asked_for_again_and_then_failed() -> None:
    (a, b, c), (d, e) = numbers(0), numbers(1)
    partial = said(**{f"n{a}": 3})
    other = said(**{f"n{a}": 3, f"n{b}": 0, f"n{c}": 0, f"n{d}": 1})
    off = said(**{f"n{d}": 4, f"n{e}": 1})
    whole = said(**{f"n{d}": 3, f"n{e}": 1})
    found, model = judged([partial, other, off, whole])
    assert isinstance(found[0], ScoreFailed)
    assert "is no action of the character" in found[0].error
    assert isinstance(found[1], Scored)
    assert f"[{b}], [{c}]" in model.asked[1].messages[-1].content
    assert f"[{d}] has 4" in model.asked[3].messages[-1].content


def test_other_scales_are_rubrics_of_their_own() -> None:
    spec = parse_judge(
        'model = "test/judge"\nrubric = "attribution-10"\nretries = 0\nreasks = 0\n', "j.toml"
    )
    (a, b, c), (d, e) = numbers(0), numbers(1)
    first = said(**{f"n{a}": 10, f"n{b}": 0, f"n{c}": 5})
    found, model = judged([first, said(**{f"n{d}": 7, f"n{e}": 11})], spec)
    assert isinstance(found[0], Scored)
    assert (found[0].dimension, found[0].value) == ("attribution_10", 5.0)
    assert isinstance(found[1], ScoreFailed)
    assert "from 0 to 10" in model.asked[0].messages[-1].content


def test_a_seat_that_did_nothing_is_not_asked_about() -> None:
    model = Scripted([])
    history = episode(started(), [], end="stale")
    judge = judge_for(SPEC, caller_of(model))
    found = asyncio.run(judge.evaluate(numbered(history), Stream()))
    assert [type(one) for one in found] == [ScoreAbstained, ScoreAbstained]
    assert model.asked == []


def test_the_schema_is_closed_and_asks_for_every_action() -> None:
    schema = schema_for([4, 8], 3)
    assert open_place(schema) == ""
    assert schema["properties"]["attributions"]["minItems"] == 2


def test_the_rehearsal_needs_no_model() -> None:
    judge = judge_for(built_in()["attribution-rehearsal"])
    found = list(asyncio.run(judge.evaluate(numbered(list(HISTORY)), Stream())))
    assert isinstance(found[1], Scored)
    values = attributions_in(found[1].reason)[1]
    assert values[numbers(1)[1]] == 3, "there it was agreed"
    assert set(attributions_in(found[0].reason)[1]) == set(numbers(0))  # type: ignore[attr-defined]
