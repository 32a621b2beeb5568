"""What fixed rules decide of believability: a fault is its own seat's, and a doubt is no score."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in
from evaluators.social.believability import rule_judge, rule_rubric, rules
from evaluators.social.believability.case import case_of
from evaluators.social.believability.strict_rubric import (
    NO_PARROTING,
    NO_REPETITION,
    QUESTIONS_ANSWERED,
)
from events.evaluation import ScoreAbstained, Scored
from tests.evaluators.scripted import Stream
from tests.support.builders import Move, act, character, episode, numbered, scenario, started

SPEC = built_in()["believability-strict-rule"]
GOALS = (
    "Persuade your neighbour to lend you the blue bicycle for the harbour race on Saturday. "
    "<extra_info>The gears of your own bicycle broke last week on the cobbled hill.</extra_info>",
    "Keep the bicycle.",
)
CALM: list[Move] = [
    (0, "Good morning! I see you polished it again."),
    (1, "I did, and it took me an hour."),
    (0, "It was worth it. Mine is in pieces."),
    (1, "I am sorry to hear that."),
]


def verdicts(moves: Sequence[Move], **fields: object) -> dict[tuple[int, str], object]:
    first = started(scenario=scenario(goals=GOALS), **fields)
    case = case_of(JudgedEpisode(numbered(episode(first, moves))))
    return {
        (score.seat, score.dimension): score for score in rule_judge.judge(case, SPEC, rules.STRICT)
    }


def values(moves: Sequence[Move], checkpoint: str, **fields: object) -> list[float | None]:
    """Each seat's value; None where the rule could not tell."""
    found = verdicts(moves, **fields)
    seats = range(len(found) // len(SPEC.dimensions))
    return [getattr(found[seat, checkpoint], "value", None) for seat in seats]


def failed(moves: Sequence[Move], checkpoint: str, seat: int) -> Scored:
    score = verdicts(moves)[seat, checkpoint]
    assert isinstance(score, Scored)
    assert score.value == 0
    return score


def test_a_calm_conversation_passes_every_rule() -> None:
    found = verdicts(CALM)
    assert len(found) == 2 * 3
    assert values(CALM, NO_REPETITION) == [1, 1]
    assert values(CALM, QUESTIONS_ANSWERED) == [1, 1]
    assert values(CALM, NO_PARROTING) == [1, None]


async def test_as_an_evaluator_it_reads_a_history_and_calls_nothing() -> None:
    history = numbered(episode(started(scenario=scenario(goals=GOALS)), CALM))
    stream = Stream()
    found = await judge_for(SPEC).evaluate(history, stream)
    assert found == rule_judge.judge(case_of(JudgedEpisode(history)), SPEC, rules.STRICT)
    assert stream.events == []


# ---------------------------------------------------------------- repetition


def test_who_says_a_sentence_twice_repeats_itself_and_the_other_does_not() -> None:
    moves = [*CALM, (0, "Well, well. It was worth it, mine is in pieces!"), (1, "I see.")]
    assert values(moves, NO_REPETITION) == [1, 1]  # Two short sentences, run together.
    moves = [*CALM, (0, "Truly, i see you've polished it again…"), (1, "I see.")]
    assert values(moves, NO_REPETITION) == [1, 1]  # In other words.
    moves = [*CALM, (1, "Hm. And it took me an hour, I did…"), (1, "I did and it took me an hour!")]
    assert values(moves, NO_REPETITION) == [1, 0]
    score = failed(moves, NO_REPETITION, 1)
    assert score.evidence == (4, 12)
    assert score.quotes == ("I did, and it took me an hour.", "I did and it took me an hour!")


def test_a_short_sentence_may_be_said_twice() -> None:
    assert values([*CALM, (1, "I am so sorry."), (1, "I am so sorry.")], NO_REPETITION) == [1, 1]


def test_another_offer_in_the_same_words_is_another_offer() -> None:
    offers: list[Move] = [
        (0, "I could give you 20 euros for the whole day."),
        (1, "No."),
        (0, "I could give you 25 euros for the whole day."),
    ]
    assert values(offers, NO_REPETITION) == [1, 1]
    assert values([*offers, (1, "No."), offers[0]], NO_REPETITION) == [0, 1]


def test_to_say_what_the_other_said_is_not_to_repeat_oneself() -> None:
    line = "I did, and it took me an hour."
    assert values([(0, line), (1, line)], NO_REPETITION) == [1, 1]


def test_gestures_may_be_repeated() -> None:
    nod = act("non_verbal", "nods slowly and looks down the street")
    assert values([(0, "Well."), (1, nod), (0, "Yes."), (1, nod)], NO_REPETITION) == [1, None]


@given(st.lists(st.sampled_from(["A fine day for the harbour race, I think.", "Hm.", ""])))
def test_a_seat_fails_exactly_when_a_long_sentence_comes_twice(lines: list[str]) -> None:
    moves: list[Move] = [(0, line) if line else (0, act("none")) for line in lines]
    long = sum(len(line) > 5 for line in lines)
    expected = None if not any(lines) else float(long < 2)
    assert values([*moves, (1, "I see.")], NO_REPETITION)[0] == expected


# ---------------------------------------------------------------- parroting


def test_who_recites_its_goal_parrots_and_the_other_does_not() -> None:
    recited = (
        "I must persuade my neighbour to lend me the blue bicycle for Saturday's harbour race."
    )
    moves = [*CALM, (0, f"Listen. {recited}"), (1, "I see that.")]
    assert values(moves, NO_PARROTING) == [0, None]
    score = failed(moves, NO_PARROTING, 0)
    assert score.evidence == (10,)
    assert score.quotes == (recited,)


def test_the_others_goal_may_be_spoken() -> None:
    recited = (
        "You want to persuade your neighbour to lend you the blue bicycle for the harbour race."
    )
    assert values([*CALM, (1, recited)], NO_PARROTING) == [1, None]


def test_to_pursue_a_goal_is_not_to_recite_it() -> None:
    asked = "Could I ride your blue bicycle on Saturday? It is only the once."
    assert values([*CALM, (0, asked)], NO_PARROTING)[0] == 1


def test_what_was_told_with_a_goal_may_be_told_on() -> None:
    told = "The gears of my own bicycle broke last week on the cobbled hill."
    assert values([*CALM, (0, told)], NO_PARROTING)[0] == 1


def test_a_sentence_that_has_most_of_the_goals_words_is_left_open() -> None:
    close = "Would you lend me the blue bicycle for the race on Saturday?"
    assert values([*CALM, (0, close)], NO_PARROTING)[0] is None


def test_a_goal_too_short_to_be_told_from_an_offer_is_left_open() -> None:
    score = verdicts([*CALM, (1, "I keep the bicycle.")])[1, NO_PARROTING]
    assert isinstance(score, ScoreAbstained)
    assert "would tell it from an offer" in score.reason


# ---------------------------------------------------------------- questions

ASKED: list[Move] = [*CALM, (0, "May I ride the bicycle on Saturday?")]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Yes, if you are careful.", 1),
        ("I'd rather not do that, I'm afraid not.", 1),
        ("On Saturday it is at the workshop.", 1),
        ("By the way, have you seen my umbrella?", 0),
        ("Anyway. The bakery closes early tonight.", 0),
        ("Have you painted the kitchen ceiling since your cousin visited?", 0),
        ("Has it a bell, and did your cousin ever visit the seaside?", None),
        ("My sister is coming home from the seaside.", None),
        (act("physical", "shakes his head"), None),
        (act("none"), 0),
        (act("leave"), 0),
        (act("leave", "No. Good night."), 1),
    ],
    ids=str,
)
def test_a_direct_question_is_answered_passed_over_or_left_open(
    answer: object, value: float | None
) -> None:
    assert values([*ASKED, (1, answer)], QUESTIONS_ANSWERED) == [1, value]


def test_a_question_passed_over_is_quoted_with_what_came_instead() -> None:
    moves: list[Move] = [*ASKED, (1, "By the way, have you seen my umbrella?"), (0, "No.")]
    score = failed(moves, QUESTIONS_ANSWERED, 1)
    assert score.quotes == (ASKED[-1][1], "By the way, have you seen my umbrella?")
    assert score.evidence == (10, 12)


def test_silence_leaves_only_the_question_to_quote() -> None:
    score = failed([*ASKED, (1, act("none"))], QUESTIONS_ANSWERED, 1)
    assert score.quotes == ("May I ride the bicycle on Saturday?",)


def test_a_late_answer_may_be_one() -> None:
    late: list[Move] = [*ASKED, (1, act("none")), (0, "Well?"), (1, "Yes, do.")]
    assert values(late, QUESTIONS_ANSWERED) == [1, None]


def test_nobody_has_to_answer_after_the_end() -> None:
    assert values(ASKED, QUESTIONS_ANSWERED) == [1, 1]


def test_among_three_a_question_is_for_whom_it_names() -> None:
    cast = (character("Ada Reyes"), character("Ben Okafor"), character("Chidi Lind"))
    goals = ("Stay.", "Stay.", "Stay.")
    first = started(scenario=scenario(goals=goals), cast=cast, relationships=())
    moves: list[Move] = [(0, "Ben, is it raining?"), (1, act("none")), (2, act("none"))]
    case = case_of(JudgedEpisode(numbered(episode(first, moves))))
    passed = [rules.questions_answered(case, seat).passed for seat in range(3)]
    assert passed == [True, False, True]
    moves[0] = (0, "Is it raining?")
    case = case_of(JudgedEpisode(numbered(episode(first, moves))))
    assert [rules.questions_answered(case, seat).passed for seat in range(3)] == [True] * 3


def test_who_says_nothing_at_all_is_not_scored_on_words() -> None:
    found = verdicts([(0, act("none")), (1, act("none"))])
    for seat in (0, 1):
        assert isinstance(found[seat, NO_REPETITION], ScoreAbstained)
        assert isinstance(found[seat, NO_PARROTING], ScoreAbstained)


def test_another_threshold_makes_another_judge() -> None:
    for threshold in (rule_rubric.SAME, rule_rubric.LEAST_WORDS):
        assert f"{threshold:g}" in SPEC.dimensions[0].description
    for share in (rule_rubric.PARROTED, rule_rubric.UNCLEAR):
        assert f"{share:.0%}" in SPEC.dimensions[1].description
