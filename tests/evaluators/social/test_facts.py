"""The judge of facts: who said what had to be remembered, and where."""

import pytest

from actors.social.catalog_items import NeededFact
from evaluators.judges.judge_file import judge_named
from evaluators.judges.make_judge import judge_for
from evaluators.social.facts import judge, uses
from evaluators.social.facts_rubric import FACTS_JUDGE, FACTS_USED
from events.base import replace
from events.evaluation import Dimension, ScoreAbstained, Scored
from tests.support.builders import Move, act, episode, numbered, scenario, started

CLOCK = NeededFact(
    id="clock", text="Three times.", keys=(("clock",), ("three", "3")), seats=(0,), kind="promise"
)
NAME = NeededFact(id="name", text="It was Aurel.", keys=(("aurel",),), kind="secret")


def history(moves: list[Move], *needs: NeededFact):
    return episode(started(scenario=scenario(needs=needs)), moves)


def score(moves: list[Move], *needs: NeededFact, seat: int = 0):
    (found,) = (one for one in judge(history(moves, *needs), FACTS_JUDGE) if one.seat == seat)
    return found


def test_a_fact_is_used_by_a_seat_that_says_all_of_it_with_the_place_and_the_words():
    moves = [(0, "Good morning."), (1, "Yes?"), (0, "You owe me the CLOCK, three times.")]
    found = score(moves, CLOCK)
    assert found == Scored(
        seat=0,
        dimension="facts_used",
        value=1.0,
        reason="Used clock.",
        evidence=(6,),
        quotes=("You owe me the CLOCK, three times.",),
    )


def test_a_fact_may_be_said_in_two_utterances_in_a_row_but_not_all_over_an_episode():
    close = [(0, "You owe me something."), (0, "The clock."), (1, "What?"), (0, "3 times.")]
    found = score(close, CLOCK)
    assert found.value == 1.0
    assert found.evidence == (4, 8)
    assert found.quotes == ("The clock.", "3 times.")
    far = [(0, "The clock."), (1, "What?"), (0, "Never mind."), (1, "What?"), (0, "Three times.")]
    assert score(far, CLOCK).value == 0.0


def test_who_repeats_what_the_other_said_first_remembers_nothing():
    moves = [(1, "Three times, the clock: I know."), (0, "The clock, three times.")]
    found = score(moves, CLOCK)
    assert found.value == 0.0
    assert found.reason == "Did not use clock: seat 2 said it first."
    assert found.evidence == ()
    (use,) = uses(history(moves, CLOCK))
    assert (use.told_by, use.evidence, use.used) == (1, (2,), False)


def test_what_was_whispered_to_others_was_not_said_to_this_seat():
    three = started(
        scenario=scenario(needs=(NAME,), goals=("a", "b", "c")),
        cast=(*started().setup.cast, started().setup.cast[0]),
        minds=(*started().minds, started().minds[0]),
        relationships=(),
    )
    moves = [(1, act("speak", "It was Aurel.", to=(2,))), (0, "I say it was Aurel.")]
    found = {use.seat: use for use in uses(episode(three, moves))}
    assert found[0].used
    assert found[1].used
    assert found[2].told_by == 1


@pytest.mark.parametrize("kind", ["non_verbal", "physical"])
def test_what_is_done_says_nothing(kind):
    assert score([(0, act(kind, "writes Aurel on the slate"))], NAME).value == 0.0


def test_parting_words_are_said_too():
    assert score([(0, act("leave", "It was Aurel. Goodbye."))], NAME).value == 1.0


def test_the_score_is_the_share_of_the_facts_that_the_seat_needs():
    moves = [(0, "It was Aurel.")]
    found = score(moves, CLOCK, NAME)
    assert found.value == 0.5
    assert found.reason == "Did not use clock. Used name."
    assert score(moves, CLOCK, NAME, seat=1).value == 0.0, "the clock is none of its business"


def test_a_seat_that_needs_nothing_is_not_scored():
    assert isinstance(score([(0, "Hello.")]), ScoreAbstained)
    found = score([(0, "Hello.")], CLOCK, seat=1)
    assert isinstance(found, ScoreAbstained)
    assert "rests on nothing" in found.reason


def test_an_episode_in_which_nobody_spoke_used_none():
    assert score([(0, act("none"))], CLOCK).value == 0.0


def test_a_dimension_it_does_not_know_is_not_scored():
    other = Dimension(name="charm", low=0, high=1)
    spec = replace(FACTS_JUDGE, dimensions=(other, FACTS_USED))
    first, second, *_ = judge(history([(0, "Hello.")], CLOCK), spec)
    assert isinstance(first, ScoreAbstained)
    assert isinstance(second, Scored)


async def test_the_built_in_judge_needs_neither_a_file_nor_a_model():
    moves = [(0, "It was Aurel.")]
    found = await judge_for(judge_named("facts")).evaluate(
        numbered(history(moves, NAME)), calls=None
    )
    assert [one.value for one in found] == [1.0, 0.0]
    assert judge_named("facts").kind == "rule"
