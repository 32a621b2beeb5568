"""The judge of information exchange that asks a model, played by a script."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from actors.models.port import ModelRequest
from actors.tabletop.setup import Recalled, Session, Settings
from evaluators.judges.judge_file import parse_judge
from evaluators.judges.make_judge import judge_for
from evaluators.tabletop.pair_judge import pairs_schema, reduction_schema
from events.agent import ModelAnswered, ModelAsked
from events.base import Event
from events.episode import ActionFailure, ActionTaken
from events.evaluation import ScoreAbstained, Scored, ScoreFailed
from tests.actors.tabletop.test_session import played, session
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import numbered
from tests.support.servers.stub_answers import open_place

SPEC = parse_judge(
    'model = "test/judge"\nrubric = "information-pairs"\nretries = 0\nreasks = 0\n', "pairs.toml"
)
BASELINE = Settings(turns=12, baseline=True)


def points(count: int, what: str = "Fact") -> str:
    return json.dumps({"points": [f"{what} number {n}." for n in range(1, count + 1)]})


def pairs(*found: tuple[int, int]) -> str:
    return json.dumps({"pairs": [{"answer": a, "key": b} for a, b in found]})


def changed(events: Sequence[Event], seat: int, event: ActionTaken) -> list[Event]:
    """The history with another answer of a seat in the end."""
    last = max(
        place
        for place, one in enumerate(events)
        if isinstance(one, ActionTaken) and one.seat == seat and isinstance(one.action, Recalled)
    )
    return [event if place == last else one for place, one in enumerate(events)]


def judged(
    events: Sequence[Event], answers: Sequence[str], stream: Stream | None = None
) -> tuple[dict[tuple[int, str], Event], list[ModelRequest]]:
    model = Scripted(answers)
    judge = judge_for(SPEC, caller_of(model))
    found = asyncio.run(judge.evaluate(numbered(list(events)), stream or Stream()))
    return {(one.seat, one.dimension): one for one in found}, model.asked  # type: ignore[attr-defined]


def k_of(setup: Session) -> int:
    assert setup.sheet is not None
    return len(setup.sheet.points)


def test_points_are_paired_and_repeats_dropped() -> None:
    """By hand: k = 5, pairs (1,1) (2,3) (4,4) (4,5): s = 3, p = 0.6."""
    setup = session("exchange-1")
    assert k_of(setup) == 5
    events, _ = played(setup, "open")
    told = [points(5, "Answer") for _ in range(4)]
    compared = [pairs((1, 1), (2, 3), (4, 4), (4, 5)), pairs((1, 2)), pairs(), pairs((5, 5))]
    found, asked = judged(events, [points(5), *told, *compared])
    values = [found[seat, "learned"] for seat in range(4)]
    assert [one.value for one in values] == [0.6, 0.2, 0.0, 0.2]  # type: ignore[attr-defined]
    assert values[0].reason.startswith("3 of 5;")  # type: ignore[attr-defined]
    assert isinstance(found[4, "learned"], ScoreAbstained)
    assert all(isinstance(found[seat, "guessed"], ScoreAbstained) for seat in range(5))
    # 5 reductions and 4 comparisons, each in a schema that providers' strict modes take.
    assert len(asked) == 9
    questions = [one.messages[-1].content for one in asked]
    assert questions[0].count("exactly 5 key points") == 1
    assert setup.sheet is not None
    assert all(one.text in questions[0] for one in setup.sheet.points)
    assert all("at most 5 points" in one for one in questions[1:5])
    assert all("Fact number 3." in one and "Answer number 2." in one for one in questions[5:])


def test_schemas_are_closed() -> None:
    assert open_place(reduction_schema(5, 5)) == open_place(pairs_schema(3, 10)) == ""
    assert reduction_schema(5, 5)["properties"]["points"]["minItems"] == 5


def test_guesses_before_the_first_turn_are_scored_beside() -> None:
    events, _ = played(session("exchange-1", BASELINE), "curious")
    count = sum(
        isinstance(one, ActionTaken)
        and isinstance(one.action, Recalled)
        and bool(one.action.text.strip())
        for one in events
    )
    assert count == 8
    answers = [points(5), *count * [points(2, "Told")], *count * [pairs((1, 1))]]
    found, asked = judged(events, answers)
    assert len(asked) == 9 + 8
    assert {found[seat, "guessed"].value for seat in range(4)} == {0.2}  # type: ignore[attr-defined]


def test_who_says_nothing_has_learned_nothing_and_no_model_is_asked() -> None:
    events, _ = played(session("exchange-1"), "open")
    quiet = ActionTaken(turn=13, seat=0, action=Recalled(text=" "))
    answers = [points(5), *3 * [points(1, "Told")], *3 * [pairs()]]
    found, asked = judged(changed(events, 0, quiet), answers)
    assert len(asked) == 7
    assert found[0, "learned"].value == 0  # type: ignore[attr-defined]


def test_an_answer_that_could_not_be_read_is_a_failed_score_and_never_0() -> None:
    events, _ = played(session("exchange-1"), "open")
    failure = ActionFailure(reason="unreadable", detail="no JSON")
    broken = ActionTaken(turn=13, seat=2, action=Recalled(), failure=failure)
    answers = [points(5), *3 * [points(1, "Told")], *3 * [pairs()]]
    found, _ = judged(changed(events, 2, broken), answers)
    assert isinstance(found[2, "learned"], ScoreFailed)
    assert isinstance(found[1, "learned"], Scored)


@pytest.mark.parametrize(
    ("answers", "why", "seats"),
    [
        ([points(4)], "there are to be exactly 5", {0, 1, 2, 3}),
        ([points(5), "no", *3 * [points(1, "Told")], *3 * [pairs()]], "the answer could not", {0}),
        ([points(5), *4 * [points(2, "Told")], pairs((3, 1)), *3 * [pairs()]],
         "there is no answer point 3; there are 2", {0}),
        ([points(5), *4 * [points(2, "Told")], *3 * [pairs()], pairs((2, 6))],
         "there is no key point 6; there are 5", {3}),
    ],
)  # fmt: skip
def test_what_the_judge_cannot_read_fails_what_rests_on_it_alone(
    answers: list[str], why: str, seats: set[int]
) -> None:
    events, _ = played(session("exchange-1"), "open")
    found, _ = judged(events, answers)
    failed = {seat: one for (seat, _), one in found.items() if isinstance(one, ScoreFailed)}
    assert set(failed) == seats
    assert all(why in one.error for one in failed.values())


def test_a_judgement_goes_on_after_its_last_answer() -> None:
    events, _ = played(session("exchange-1"), "open")
    answers = [points(5), *4 * [points(1, "Told")], *4 * [pairs((1, 1))]]
    stream = Stream()
    judged(events, answers, stream)
    assert sum(isinstance(one, ModelAsked) for one in stream.events) == 9
    kept = Stream()
    kept.events = stream.events[: -2 * 2]
    assert sum(isinstance(one, ModelAnswered) for one in kept.events) == 7
    found, asked = judged(events, answers[-2:], kept)
    assert len(asked) == 2
    assert found[3, "learned"].value == 0.2  # type: ignore[attr-defined]


def test_sessions_of_the_kind_intention_are_not_judged() -> None:
    events, _ = played(session("intention-1"), "plain")
    assert judged(events, []) == ({}, [])
