"""Believability extended as in LIFELONG-SOTOPIA: eight checkpoints, equation 1, and what a model,
rules and a rehearsal make of them."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.social.catalog_items import BigFive
from actors.social.sight import view
from evaluators.judges.judge_file import parse_judge
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in
from evaluators.social.believability import rehearsal, rubric, rule_judge, rules
from evaluators.social.believability.case import case_of
from evaluators.social.believability.derived_scores import with_extended
from events.episode import ActionFailure
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed
from tests.evaluators.scripted import Scripted, Stream, caller_of
from tests.support.builders import Move, act, character, episode, numbered, scenario, started

NAMES = [checkpoint.name for checkpoint in rubric.CHECKPOINTS]
CAST = (
    character("Ada Reyes", big_five=BigFive(agreeableness="high")),
    character("Ben Okafor", big_five=BigFive(agreeableness="low")),
)
GOALS = (
    "Sell the old copper oven for 300 dollars before noon.",
    "Have the brass handles and the enamel plate thrown in for free.",
)
CALM: list[Move] = [
    (0, "Hello Ben. I could do 300 dollars for it."),
    (1, "What if I pay 210?"),
    (0, "I can come down. How about 280?"),
    (1, "Deal, 280 it is. Thank you!"),
]
BOAT = scenario(
    id="boat",
    context="Two people on a quay look at a boat.",
    goals=("Rent the green rowing boat for the lantern parade in August.", "Keep the boat."),
)
REPEATED = "It is a very fine oven, as anybody can see."

FAULTS: dict[str, tuple[list[Move], int]] = {
    rubric.NO_REPETITION: ([*CALM[:2], (0, REPEATED), (1, "Hm."), (0, REPEATED)], 0),
    rubric.IN_CHARACTER: ([*CALM, (0, "I am Ben, by trade a cook.")], 0),
    rubric.OWN_GOALS: (
        [(0, "I want the brass handles and the enamel plate thrown in for free."), *CALM[1:]],
        0,
    ),
    rubric.LEAVES_PROMPTLY: (
        [
            *CALM,
            (0, "Nice weather we are having."),
            (1, "Goodbye, and thank you."),
            (0, "It was colder in spring."),
            (0, "My aunt keeps three parrots."),
        ],
        0,
    ),
    rubric.NO_PARROTING: (
        [(0, "I want to sell the old copper oven for 300 dollars before noon."), *CALM[1:]],
        0,
    ),
    rubric.NO_IDLING: (
        [CALM[0], (1, act("none")), (0, "Well?"), (1, act("none")), (0, "So?"), (1, act("none"))],
        1,
    ),
    rubric.RESPONDS: ([*CALM, (0, "Is there a van outside?"), (1, act("none"))], 1),
    rubric.BEGINS_IN_SCENE: (
        [(0, "I must have the green rowing boat for the lantern parade."), *CALM[1:]],
        0,
    ),
}
"""What fails each checkpoint, and for whom. One fault may be a fault by two checkpoints: who does
nothing passes over what was said."""


def case(moves: Sequence[Move], *, met: bool = True) -> Any:
    first = started(scenario=scenario(goals=GOALS), cast=CAST)
    past = [view(episode(started(scenario=BOAT, cast=CAST), []), "judge")] if met else []
    return case_of(JudgedEpisode(numbered(episode(first, moves))), past)


def rehearsed(moves: Sequence[Move]) -> dict[tuple[int, str], Any]:
    found = rehearsal.judge(case(moves), built_in()["belext-rehearsal"], rehearsal.PAPER)
    return {(score.seat, score.dimension): score for score in found}


def by_rule(moves: Sequence[Move]) -> dict[tuple[int, str], Any]:
    found = rule_judge.judge(case(moves), built_in()["belext-rule"], rules.PAPER)
    return {(score.seat, score.dimension): score for score in found}


def test_they_are_the_papers_eight_in_its_order() -> None:
    assert NAMES == [
        "no_repetition",
        "in_character",
        "own_goals",
        "leaves_promptly",
        "no_parroting",
        "no_idling",
        "responds",
        "begins_in_scene",
    ]


# ---------------------------------------------------------------- equation 1


def nine(believability: float, failed: int) -> dict[tuple[int, str], Any]:
    values = {"believability": believability} | {
        name: float(place >= failed) for place, name in enumerate(NAMES)
    }
    return {
        (0, name): Scored(seat=0, dimension=name, value=value) for name, value in values.items()
    }


@pytest.mark.parametrize(
    ("believability", "failed", "raw", "clipped"),
    [
        (10, 0, 10, 10),
        (10, 1, 5, 5),
        (10, 2, 0, 0),
        (10, 5, -15, 0),
        (10, 8, -30, 0),
        (0, 8, -40, 0),
        (9, 1, 4, 4),
    ],
)
def test_each_failed_checkpoint_takes_five_off_and_what_is_shown_stops_at_nought(
    believability: int, failed: int, raw: int, clipped: int
) -> None:
    found = with_extended(nine(believability, failed), rubric.PAPER)
    assert found[0, "belext_raw"].value == raw
    assert found[0, "belext"].value == clipped
    assert found[0, "believability"].value == believability


def test_the_mean_of_clipped_values_is_not_the_clipped_mean() -> None:
    found = [with_extended(nine(10, failed), rubric.PAPER) for failed in (0, 1, 2, 5, 8)]
    raw = [one[0, "belext_raw"].value for one in found]
    clipped = [one[0, "belext"].value for one in found]
    assert raw == [10, 5, 0, -15, -30]
    assert sum(clipped) / 5 == 3
    assert max(sum(raw) / 5, 0) == 0


@given(st.integers(0, 10), st.integers(0, 8))
def test_both_stay_within_their_ranges(believability: int, failed: int) -> None:
    found = with_extended(nine(believability, failed), rubric.PAPER)
    for dimension in rubric.PAPER.worked_out:
        assert dimension.low <= found[0, dimension.name].value <= dimension.high


def test_where_one_of_the_nine_is_missing_both_are() -> None:
    failed = ScoreFailed(seat=0, dimension="responds", error="unreadable")
    found = with_extended(nine(10, 0) | {(0, "responds"): failed}, rubric.PAPER)
    assert isinstance(found[0, "belext"], ScoreFailed)
    assert isinstance(found[0, "belext_raw"], ScoreFailed)
    assert found[0, "belext"].error == "cannot be worked out without responds"


# ---------------------------------------------------------------- rehearsal and rules


def test_a_calm_bargain_passes_everywhere() -> None:
    found = rehearsed(CALM)
    assert [key for key, score in found.items() if key[1] in NAMES and score.value == 0] == []
    for seat in (0, 1):
        assert found[seat, "belext"].value == found[seat, "believability"].value


@pytest.mark.parametrize("name", NAMES)
def test_each_checkpoint_fails_in_an_episode_made_to_fail_it(name: str) -> None:
    moves, seat = FAULTS[name]
    found = rehearsed(moves)
    failed = [key for key, score in found.items() if key[1] in NAMES and score.value == 0]
    also = {(seat, rubric.RESPONDS)} if name == rubric.NO_IDLING else set()
    assert {(seat, name)} <= set(failed) <= {(seat, name)} | also
    taken = 5 * len(failed)
    assert found[seat, "belext_raw"].value == found[seat, "believability"].value - taken
    assert found[seat, "belext"].value == max(found[seat, "belext_raw"].value, 0)


def test_the_same_beginning_without_an_earlier_boat_is_none_of_a_confusion() -> None:
    moves, _ = FAULTS[rubric.BEGINS_IN_SCENE]
    spec = built_in()["belext-rehearsal"]
    found = rehearsal.judge(case(moves, met=False), spec, rehearsal.PAPER)
    assert [s.value for s in found if s.dimension == rubric.BEGINS_IN_SCENE] == [1, 1]


def test_what_somebody_heard_of_anothers_goal_may_be_spoken_of() -> None:
    told = [(1, "I would have the brass handles and the enamel plate thrown in for free.")]
    moves = [*told, (0, "The brass handles and the enamel plate thrown in for free? Never.")]
    assert rehearsed(moves)[0, rubric.OWN_GOALS].value == 1


def test_rules_decide_four_of_the_eight() -> None:
    assert [d.name for d in built_in()["belext-rule"].dimensions] == [
        rubric.NO_REPETITION,
        rubric.NO_PARROTING,
        rubric.NO_IDLING,
        rubric.RESPONDS,
    ]
    for name in rules.PAPER:
        moves, seat = FAULTS[name]
        assert by_rule(moves)[seat, name].value == 0


def test_a_sentence_said_twice_in_one_breath_is_no_repetition_over_turns() -> None:
    assert by_rule([(0, f"{REPEATED} {REPEATED}")])[0, rubric.NO_REPETITION].value == 1
    assert by_rule([(0, REPEATED), (0, REPEATED)])[0, rubric.NO_REPETITION].value == 0


def test_a_rule_cannot_tell_what_is_open_once_somebody_agreed_or_after_two_idle_turns() -> None:
    idle: list[Move] = [(1, act("none"))]
    assert by_rule([CALM[0], *idle])[1, rubric.NO_IDLING].value == 1
    assert isinstance(by_rule([CALM[0], *idle * 2])[1, rubric.NO_IDLING], ScoreAbstained)
    settled = by_rule([CALM[0], (1, "Deal, 300 it is."), *idle * 4])
    assert isinstance(settled[1, rubric.NO_IDLING], ScoreAbstained)
    failed = by_rule([CALM[0], *idle * 3])[1, rubric.NO_IDLING]
    assert (failed.value, failed.quotes, len(failed.evidence)) == (0, (), 3)


def test_turns_without_an_answer_are_no_idling() -> None:
    silent: list[Move] = [(1, ActionFailure(reason="timeout"))] * 4
    for found in (by_rule([CALM[0], *silent]), rehearsed([CALM[0], *silent])):
        assert found[1, rubric.NO_IDLING].value == 1


# ---------------------------------------------------------------- a model

SPEC = parse_judge('model = "test/judge"\nrubric = "believability"\nretries = 0\n', "belext.toml")
MOVES: list[Move] = [
    (0, "I have always loved this oven. Will you take it?"),
    (1, "By the way, my parrot is ill."),
    (0, "I have always loved this oven."),
    (1, act("none")),
]
HISTORY = numbered(episode(started(), MOVES))
PASSED = {"reason": "Nothing against it.", "quotes": [], "evidence": [], "passed": True}


def fault(*quotes: object, evidence: Sequence[int] = ()) -> dict[str, Any]:
    return {"reason": "Plain.", "quotes": [*quotes], "evidence": [*evidence], "passed": False}


def answer(seat: int = 0, believability: object = 7, **changes: Any) -> str:
    whole = {}
    for one in (0, 1):
        score = {"reason": "Mostly.", "evidence": [2], "score": believability}
        own = changes if one == seat else {}
        whole[f"seat_{one + 1}"] = {"believability": score, **dict.fromkeys(NAMES, PASSED), **own}
    return json.dumps(whole)


async def judged(
    *answers: str, past: Sequence[Any] = (), spec: JudgeSpec = SPEC
) -> tuple[dict[tuple[int, str], Any], Scripted]:
    model = Scripted(answers)
    found = await judge_for(spec, caller_of(model)).evaluate(HISTORY, Stream(), past)
    return {(score.seat, score.dimension): score for score in found}, model


@pytest.mark.parametrize("name", NAMES)
async def test_a_failed_checkpoint_takes_five_off(name: str) -> None:
    found, model = await judged(answer(1, **{name: fault("my parrot is ill")}))
    assert len(model.asked) == 1
    assert found[1, name].quotes == ("my parrot is ill",)
    assert [found[seat, "belext"].value for seat in (0, 1)] == [7, 2]


async def test_three_failed_ones_leave_nothing_and_the_raw_value_is_kept() -> None:
    every = dict.fromkeys(NAMES[:3], fault("my parrot is ill"))
    found, _ = await judged(answer(1, **every))
    assert (found[1, "belext"].value, found[1, "belext_raw"].value) == (0, -8)
    assert found[1, "belext"].reason == (
        "Believability 7 less 5 for each of no_repetition, in_character, own_goals, "
        "but not below 0."
    )


@pytest.mark.parametrize("name", [rubric.LEAVES_PROMPTLY, rubric.NO_IDLING, rubric.RESPONDS])
async def test_what_was_left_undone_needs_no_quote(name: str) -> None:
    found, model = await judged(answer(1, **{name: fault(evidence=[8])}))
    assert len(model.asked) == 1
    assert (found[1, name].value, found[1, name].quotes) == (0, ())
    assert found[1, name].evidence == (8,)


@pytest.mark.parametrize("name", NAMES)
async def test_a_failure_whose_quote_stands_nowhere_counts_and_is_marked(name: str) -> None:
    found, model = await judged(answer(1, **{name: fault("my budgie is ill", evidence=[4])}))
    assert len(model.asked) == 1
    score = found[1, name]
    assert (score.value, score.quotes, score.evidence) == (0, (), (4,))
    assert score.evidence_missing
    assert found[1, "belext"].value == 2
    assert not any(s.evidence_missing for key, s in found.items() if key != (1, name))


@pytest.mark.parametrize("quotes", [(), (3,), ("have always loved this oven",)])
async def test_so_does_one_with_none_or_with_what_another_said(quotes: Sequence[object]) -> None:
    found, model = await judged(answer(1, in_character=fault(*quotes)))
    assert len(model.asked) == 1
    assert (found[1, "in_character"].value, found[1, "in_character"].evidence_missing) == (0, True)


async def test_one_quote_that_stands_there_is_enough() -> None:
    found, _ = await judged(answer(1, in_character=fault("my budgie is ill", "my parrot is ill")))
    score = found[1, "in_character"]
    assert (score.quotes, score.evidence_missing) == (("my parrot is ill",), False)


async def test_the_verdict_stands_before_the_words_and_waits_for_none() -> None:
    spec = parse_judge(
        'model = "test/judge"\nrubric = "believability"\nretries = 0\nstructured_output = true\n'
    )
    _, model = await judged(answer(), spec=spec)
    schema = model.asked[0].json_schema
    assert schema is not None
    fields = schema["properties"]["seat_1"]["properties"]["in_character"]["properties"]
    assert list(fields) == ["reason", "evidence", "passed", "quotes"]


LEANS = (
    "doubtful",
    "plainly",
    "at least one thing",
    "think again",
)
"""Words by which the older template leant towards a pass."""


async def test_neither_question_leans() -> None:
    no_reason = {**PASSED, "reason": ""}
    _, model = await judged(answer(1, in_character=no_reason), answer())
    first, second = model.asked
    said = "\n".join(message.content for message in (*first.messages, *second.messages))
    assert "identify whatever goes against it" in said
    assert "There is no verdict that holds by default" in said
    assert [word for word in LEANS if word in said] == []
    assert "has no reason" in second.messages[-1].content


LENIENT = parse_judge(
    'model = "test/judge"\nrubric = "believability-lenient"\nretries = 0\n', "lenient.toml"
)


@pytest.mark.parametrize("name", [rubric.LEAVES_PROMPTLY, rubric.NO_IDLING, rubric.RESPONDS])
async def test_in_the_lenient_list_a_quote_that_is_given_has_to_stand_there(name: str) -> None:
    wrong = answer(1, **{name: fault("my budgie is ill")})
    found, model = await judged(wrong, answer(), spec=LENIENT)
    assert "does not stand in this episode" in model.asked[1].messages[-1].content
    assert found[1, name].value == 1


@pytest.mark.parametrize("name", sorted(set(NAMES) - rubric.PAPER.by_absence))
async def test_there_every_other_failure_needs_one(name: str) -> None:
    wrong = answer(1, **{name: fault()})
    found, model = await judged(wrong, wrong, wrong, spec=LENIENT)
    assert "needs a quote that shows it" in model.asked[1].messages[-1].content
    assert "think again about whether it was there" in model.asked[1].messages[-1].content
    assert isinstance(found[1, name], ScoreFailed)


async def test_the_score_is_a_whole_number() -> None:
    found, model = await judged(answer(believability=7.5), answer(believability=7.0))
    why = "the score must be a whole number, is 7.5"
    assert f"seat_1, believability: {why}" in model.asked[1].messages[-1].content
    assert found[0, "believability"].value == 7


async def test_earlier_episodes_are_shown_and_may_be_quoted_for_a_wrong_beginning() -> None:
    boat = numbered(episode(started(scenario=BOAT), [(0, "What a fine green boat you have.")]))
    quotes = fault("a fine green boat", "my parrot is ill")
    found, model = await judged(answer(1, begins_in_scene=quotes), past=[boat])
    question = model.asked[0].messages[-1].content
    assert "number 2 of a chain" in question
    assert "## Episode 1\n    Two people on a quay look at a boat." in question
    assert "said: What a fine green boat you have." in question
    assert found[1, "begins_in_scene"].quotes == ("a fine green boat", "my parrot is ill")
