"""The rehearsal of believability extended: each checkpoint fails for the seat that did it."""

from collections.abc import Sequence

import pytest

from actors.social.catalog_items import BigFive
from actors.social.sight import view
from actors.social.views import View
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in
from evaluators.social.believability import rehearsal
from evaluators.social.believability import strict_rubric as rubric
from evaluators.social.believability.case import case_of
from events.evaluation import ScoreAbstained, Scored
from tests.evaluators.scripted import Stream
from tests.support.builders import Move, act, character, episode, numbered, scenario, started

SPEC = built_in()["believability-strict-rehearsal"]
CAST = (
    character("Ada Reyes", big_five=BigFive(agreeableness="high")),
    character("Ben Okafor", big_five=BigFive(agreeableness="low")),
)
GOALS = ("Sell the old copper oven for 300 dollars before noon.", "Buy the oven for 200 dollars.")
CALM: list[Move] = [
    (0, "Hello Ben. I could do 300 dollars for it."),
    (1, "What if I pay 210?"),
    (0, "I can come down. How about 280?"),
    (1, "Deal, 280 it is. Thank you!"),
]
EARLIER = scenario(
    id="boat",
    context="Two people on a quay look at a boat.",
    goals=("Rent the green rowing boat for the lantern parade in August.", "Keep the boat."),
)
FAULTS: dict[str, tuple[list[Move], str]] = {
    rubric.NO_REPETITION: (
        [(0, "I can come down. It is a very fine oven."), (0, "It is a very fine oven!")],
        "It is a very fine oven!",
    ),
    rubric.IN_CHARACTER: ([(0, "You stupid liar!")], "You stupid liar!"),
    rubric.NO_STALLING: (
        [
            (0, "Nice weather we are having."),
            (1, "Thank you, and goodbye."),
            (0, "It was colder in spring."),
            (0, "My aunt keeps three parrots."),
        ],
        "My aunt keeps three parrots.",
    ),
    rubric.NO_ABRUPT_CHANGE: (
        [(0, "By the way, parrots can live for eighty summers.")],
        "By the way, parrots can live for eighty summers.",
    ),
    rubric.NO_PARROTING: (
        [(0, "I want to sell the old copper oven for 300 dollars before noon.")],
        "I want to sell the old copper oven for 300 dollars before noon.",
    ),
    rubric.NO_CONTEXT_CONFUSION: (
        [(0, "I must have the green rowing boat for the lantern parade.")],
        "I must have the green rowing boat for the lantern parade.",
    ),
    rubric.QUESTIONS_ANSWERED: (
        [(1, "Is there a guarantee?"), (0, act("none"))],
        "Is there a guarantee?",
    ),
    rubric.NO_CONTRADICTION: (
        [(0, "Agreed, I can live with that."), (1, "Fine."), (0, "I refuse.")],
        "I refuse.",
    ),
}


def scores(moves: Sequence[Move], past: Sequence[View] = ()) -> dict[tuple[int, str], object]:
    first = started(scenario=scenario(goals=GOALS), cast=CAST)
    case = case_of(JudgedEpisode(numbered(episode(first, moves))), past)
    return {
        (score.seat, score.dimension): score
        for score in rehearsal.judge(case, SPEC, rehearsal.STRICT)
    }


def failures(found: dict[tuple[int, str], object]) -> list[tuple[int, str]]:
    return [
        (seat, name)
        for (seat, name), score in found.items()
        if name in rubric.STRICT.names and getattr(score, "value", None) == 0
    ]


def the_boat() -> list[View]:
    return [view(episode(started(scenario=EARLIER), [(0, "A fine boat.")]), "judge")]


@pytest.mark.parametrize("checkpoint", FAULTS)
def test_each_checkpoint_fails_for_the_seat_that_did_it_and_for_no_other(checkpoint: str) -> None:
    moves, quote = FAULTS[checkpoint]
    found = scores([*CALM, *moves], the_boat())
    assert failures(found) == [(0, checkpoint)]
    score = found[0, checkpoint]
    assert isinstance(score, Scored)
    assert quote in score.quotes
    assert score.evidence
    assert score.reason


def test_all_checkpoints_have_a_fault_here() -> None:
    assert [*FAULTS] == [checkpoint.name for checkpoint in rubric.CHECKPOINTS]


def test_a_calm_bargain_passes_everywhere_and_extended_is_believability() -> None:
    found = scores(CALM)
    assert len(found) == 2 * 10
    assert failures(found) == []
    for seat in (0, 1):
        assert found[seat, rubric.EXTENDED].value == found[seat, rubric.BELIEVABILITY].value


def test_each_failed_checkpoint_takes_five_off_and_both_scores_are_kept() -> None:
    faults = [*FAULTS[rubric.NO_REPETITION][0], *FAULTS[rubric.IN_CHARACTER][0]]
    moves = [*CALM[:3], *faults]
    found = scores(moves)
    assert failures(found) == [(0, rubric.NO_REPETITION), (0, rubric.IN_CHARACTER)]
    believability, extended = found[0, rubric.BELIEVABILITY], found[0, rubric.EXTENDED]
    assert extended.value == believability.value - 10
    assert "less 5 for each of no_repetition, in_character" in extended.reason


def test_scores_come_seat_by_seat_in_the_rubrics_order_and_within_their_ranges() -> None:
    found = scores(CALM)
    assert [*found] == [(seat, d.name) for seat in (0, 1) for d in rubric.STRICT.dimensions]
    for (_, name), score in found.items():
        dimension = next(d for d in rubric.STRICT.dimensions if d.name == name)
        assert dimension.low <= score.value <= dimension.high


def test_the_same_episode_gives_the_same_scores() -> None:
    assert scores(CALM) == scores(CALM)


def test_words_of_an_earlier_goal_are_no_confusion_where_they_are_a_memory() -> None:
    line = "Last summer I rented the green rowing boat for the lantern parade."
    remembered = "I still remember the green rowing boat and the lantern parade."
    for words in (line, remembered):
        assert failures(scores([*CALM, (0, words)], the_boat())) == []


def test_without_a_past_nothing_can_be_confused_with_it() -> None:
    moves = [*CALM, *FAULTS[rubric.NO_CONTEXT_CONFUSION][0]]
    assert failures(scores(moves)) == []


def test_to_refuse_a_new_offer_after_agreeing_is_no_contradiction() -> None:
    moves: list[Move] = [
        *CALM,
        (0, "Agreed, I can live with that."),
        (1, "And how about 250?"),
        (0, "I refuse."),
    ]
    assert failures(scores(moves)) == []


def test_an_episode_in_which_nobody_did_anything_is_not_scored() -> None:
    found = scores([(0, act("none")), (1, act("none"))])
    assert len(found) == 2 * 10
    assert all(isinstance(score, ScoreAbstained) for score in found.values())


async def test_as_an_evaluator_it_reads_the_past_and_calls_nothing() -> None:
    moves = [*CALM, *FAULTS[rubric.NO_CONTEXT_CONFUSION][0]]
    history = numbered(episode(started(scenario=scenario(goals=GOALS), cast=CAST), moves))
    boat = numbered(episode(started(scenario=EARLIER), [(0, "A fine boat.")]))
    stream = Stream()
    found = await judge_for(SPEC).evaluate(history, stream, [boat, ()])
    assert found == rehearsal.judge(
        case_of(JudgedEpisode(history), the_boat()), SPEC, rehearsal.STRICT
    )
    assert (0, rubric.NO_CONTEXT_CONFUSION) in failures({(s.seat, s.dimension): s for s in found})
    assert stream.events == []


async def test_it_looks_back_at_a_few_episodes_only() -> None:
    class Counted(list):
        read = 0

        def __getitem__(self, index: int):
            self.read += 1
            return super().__getitem__(index)

    boat = numbered(episode(started(scenario=EARLIER), [(0, "A fine boat.")]))
    past = Counted([boat] * 40)
    history = numbered(episode(started(), CALM))
    await judge_for(SPEC).evaluate(history, Stream(), past)
    assert past.read == rehearsal.REMEMBERED
