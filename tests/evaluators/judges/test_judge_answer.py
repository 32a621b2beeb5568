"""Reading a judgement: each dimension stands or falls alone, and nothing becomes a zero."""

import json
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.models.errors import Unreadable
from evaluators.judges.judge_answer import Judgement, Outcomes, decode, read_score
from evaluators.registry import built_in
from events.evaluation import ScoreAbstained, Scored, ScoreFailed

SPEC = built_in()["rehearsal-strict"]
READ = partial(read_score, numbers={2, 4})


def answer(**changes: Any) -> dict[str, Any]:
    """A whole good answer for one seat, with some dimensions replaced."""
    good = {
        d.name: {"reason": "Because.", "evidence": [2, 4], "score": d.high} for d in SPEC.dimensions
    }
    return {"seat_1": {**good, **changes}}


def read(whole: Any) -> Outcomes:
    text = whole if isinstance(whole, str) else json.dumps(whole)
    return decode(text, SPEC.dimensions, 1, read=READ)


def score(value: Any) -> dict[str, Any]:
    return {"reason": "Because.", "score": value}


def test_a_good_answer_gives_every_score_with_reason_and_evidence() -> None:
    found = read(answer())
    assert len(found) == 7
    assert found[0, "goal"] == Scored(
        seat=0, dimension="goal", value=10.0, reason="Because.", evidence=(2, 4)
    )


@pytest.mark.parametrize(
    "value", [11, -0.001, 10.5, "7", "high", True, [7], {}, 1e999, -1e999], ids=repr
)
def test_what_is_no_number_in_range_is_a_failure_with_its_raw_answer(value: Any) -> None:
    found = read(answer(goal=score(value)))
    failed = found[0, "goal"]
    assert isinstance(failed, ScoreFailed)
    assert "score must be" in failed.error
    assert "Because." in failed.raw


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(answer(goal={"reason": "half a smile: \ud83d", "score": 3})),
        json.dumps(answer(goal={"reason": "half a smile: \ud83d", "score": 3}))[:-1],
        json.dumps({"\ude00": 1, **answer()}),
        json.dumps(answer(), ensure_ascii=False).replace("Because", "\ud83d"),
    ],
)
def test_half_a_surrogate_pair_anywhere_is_asked_again_and_can_be_recorded(text: str) -> None:
    judgement = Judgement(SPEC.dimensions, 1, READ)
    with pytest.raises(Unreadable, match="half of a surrogate pair"):
        judgement.read(text)
    msgspec.msgpack.encode(list(judgement.found.values()))


@given(st.one_of(st.floats(), st.integers(), st.text(), st.none(), st.booleans()))
def test_a_score_is_kept_exactly_or_is_missing(value: Any) -> None:
    found = read(answer(goal=score(value)))[0, "goal"]
    if isinstance(found, Scored):
        assert found.value == value
        assert 0 <= found.value <= 10
    else:
        assert isinstance(found, ScoreAbstained if value is None else ScoreFailed)


def test_one_unreadable_dimension_fails_alone() -> None:
    found = read(answer(goal="very good"))
    assert isinstance(found.pop((0, "goal")), ScoreFailed)
    assert all(isinstance(outcome, Scored) for outcome in found.values())


def test_a_dimension_left_out_is_missing() -> None:
    whole = answer()
    del whole["seat_1"]["secret"]
    failed = read(whole)[0, "secret"]
    assert isinstance(failed, ScoreFailed)
    assert "no secret for seat_1" in failed.error


def test_a_seat_left_out_is_missing_in_every_dimension() -> None:
    found = decode(json.dumps(answer()), SPEC.dimensions, 2, read=READ)
    assert {seat for (seat, _), o in found.items() if isinstance(o, ScoreFailed)} == {1}


def test_a_score_without_a_reason_is_a_failure() -> None:
    failed = read(answer(goal={"reason": " ", "score": 5}))[0, "goal"]
    assert isinstance(failed, ScoreFailed)
    assert failed.error == "has no reason"


def test_null_is_declined_not_failed() -> None:
    declined = read(answer(goal={"reason": "Nothing shows it.", "score": None}))[0, "goal"]
    assert declined == ScoreAbstained(seat=0, dimension="goal", reason="Nothing shows it.")


def test_evidence_that_is_no_event_is_left_out() -> None:
    given_ = {"reason": "r", "evidence": [2, 99, "4", True, 2.0], "score": 5}
    scored = read(answer(goal=given_))[0, "goal"]
    assert isinstance(scored, Scored)
    assert scored.evidence == (2,)


@pytest.mark.parametrize(
    "wrapped",
    ["```json\n{}\n```", "Here you are:\n{}\nI hope this helps.", "<think>{{1}}</think>{}"],
)
def test_fences_prose_and_thoughts_around_an_answer_are_forgiven(wrapped: str) -> None:
    text = wrapped.replace("{{", "{").replace("}}", "}").replace("{}", json.dumps(answer()))
    assert all(isinstance(outcome, Scored) for outcome in read(text).values())


def test_an_answer_cut_off_anywhere_never_gives_a_score_that_was_not_there() -> None:
    text = json.dumps(answer())
    whole = read(text)
    for end in range(len(text)):
        for key, outcome in read(text[:end]).items():
            assert isinstance(outcome, ScoreFailed) or outcome == whole[key], text[:end]


@pytest.mark.parametrize("text", ["", "   ", "I would say seven.", "[1, 2]", "{", "}{", "null"])
def test_an_answer_without_an_object_fails_everywhere_and_keeps_its_words(text: str) -> None:
    found = read(text)
    assert len(found) == 7
    assert all(isinstance(o, ScoreFailed) and o.raw == text for o in found.values())


@given(st.text())
def test_any_text_at_all_gives_one_outcome_for_each_dimension(text: str) -> None:
    assert len(read(text)) == 7


def test_a_second_answer_mends_only_what_could_not_be_read() -> None:
    judgement = Judgement(SPEC.dimensions, 1, READ)
    with pytest.raises(Unreadable) as unreadable:
        judgement.read(json.dumps(answer(goal="?", secret=score(-3))))
    assert unreadable.value.problems == (
        'seat_1, goal: must be an object with reason and score, is "?"',
    )
    found = judgement.read(json.dumps(answer(goal=score(4), secret=score(-9))))
    assert [getattr(found[0, name], "value", None) for name in ("goal", "secret")] == [4, -3]
