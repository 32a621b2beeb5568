"""What came of games that were played by hand, for each seat."""

import pytest

from actors.games.setup import Decide, GameAct
from evaluators.games.plugin import DIMENSIONS, GAMES
from evaluators.games.rule_scores import score
from evaluators.games.seat_results import result_of
from evaluators.judges.judged_episode import JudgedEpisode
from events.base import replace
from events.episode import ActionFailure
from events.evaluation import ScoreAbstained, Scored, ScoreFailed
from store.read_model.episode_history import Numbered
from tests.evaluators.games.play import (
    FIVE,
    HUNT,
    SPLIT,
    WORDS,
    Chooser,
    deal_of,
    history,
    judged,
)

TRACKER, HEALER, FIRST, SECOND, POACHER = range(5)
SAYS = {
    TRACKER: "As the Tracker I followed one of you.",
    HEALER: "I'd be a healerless village's friend.",
    FIRST: "One of us villagers lies.",
    SECOND: "I am a villager.",
    POACHER: "No poacher am I!",
}
VOTES = {TRACKER: POACHER, HEALER: POACHER, FIRST: None, SECOND: HEALER, POACHER: HEALER}


def first_day(seat: int, question: Decide) -> GameAct | ActionFailure:
    """The first villager is driven out, and would have been voted; then the poacher is found."""
    match question.phase:
        case "poachers":
            return GameAct(verb="hunt", target=FIRST)
        case "tracker":
            return GameAct(verb="follow", target=POACHER)
        case "healer":
            return GameAct(verb="shelter", target=FIRST) if question.round > 1 else GameAct()
        case "talk":
            if seat == HEALER:
                return ActionFailure(reason="unreadable", detail="no JSON")
            if seat == SECOND:
                return ActionFailure(reason="timeout", detail="")
            return GameAct(verb="say", text=SAYS[seat])
    target = VOTES[seat] if question.round == 1 else (POACHER if seat != POACHER else TRACKER)
    return GameAct() if target is None else GameAct(verb="vote", target=target)


def test_a_hunt_by_hand():
    result = result_of(judged(deal_of(HUNT, FIVE), first_day))
    # The poacher and the healer have two votes each on the first day; nobody leaves. In the second
    # night there is nobody in the first villager's seat to drive out.
    assert (result.ending, result.rounds) == ("found", 2)
    seats = result.seats
    assert [one.role for one in seats] == list(FIVE)
    assert [one.won for one in seats] == [True, True, True, True, False]
    assert [one.survived for one in seats] == [True, True, False, True, False]
    assert [[vote.right for vote in one.votes or ()] for one in seats] == [
        [True, True],
        [True, True],
        [],
        [False, True],
        [True, True],
    ]
    assert [len(one.leaks or ()) for one in seats] == [2, 0, 0, 0, 0], "a denial is none"
    assert [len(one.failed) for one in seats] == [0, 2, 0, 0, 0], "a time-out is no illegal try"
    assert all(one.payoff is None for one in seats)
    assert result.total is None
    # Night, word and vote, in two rounds; the first villager was out before any.
    assert [one.turns for one in seats] == [6, 6, 0, 4, 6]


def test_a_word_is_a_leak_in_a_word_game_and_the_role_is_none():
    said = iter(["I drink Coffee.", "Teapots!", "TEA, I say.", "tea?"])

    def choose(seat: int, question: Decide) -> GameAct:
        text = next(said)
        return GameAct(verb="say", text=text, to=0 if text == "tea?" else None)

    deal = deal_of(WORDS, ("odd", "rest", "rest", "rest"))
    seats = result_of(judged(deal, choose)).seats
    assert [len(one.leaks or ()) for one in seats] == [1, 0, 1, 0]
    assert [one.won for one in seats] == [True, False, False, False]
    assert [one.votes for one in seats] == [None] * 4, "there is no vote"
    assert [one.survived for one in seats] == [None] * 4, "nobody can leave"


def test_a_role_that_all_have_learned_is_no_secret():
    def choose(seat: int, question: Decide) -> GameAct:
        match question.phase:
            case "poachers":
                return GameAct(verb="hunt", target=FIRST)
            case "talk":
                return GameAct(verb="say", text="I am the poacher" if seat == POACHER else "Hm.")
            case "vote" if seat != POACHER:
                return GameAct(verb="vote", target=POACHER)
        return GameAct()

    view = judged(deal_of(HUNT, FIVE), choose)
    (leak,) = result_of(view).seats[POACHER].leaks or ()
    again = next(one for one in view.noticed if one.number == leak)
    more = replace(view, noticed=(*view.noticed, replace(again, number=1_000)))
    assert result_of(more).seats[POACHER].leaks == (leak,), "its role was shown when it left"
    early = replace(view, noticed=(replace(again, number=1), *view.noticed))
    assert result_of(early).seats[POACHER].leaks == (1, leak)


def test_payoffs_are_as_the_rules_say():
    view = judged(
        deal_of(SPLIT, ("first", "second")),
        lambda seat, question: GameAct(verb="give", target=1, numbers={"amount": 4}),
    )
    result = result_of(view)
    assert [one.payoff for one in result.seats] == [6, 4]
    assert result.total == 10
    assert [one.won for one in result.seats] == [None, None]
    assert [one.leaks for one in result.seats] == [None, None], "there is nothing to hide"


def scores(roles: tuple[str, ...], choose: Chooser, turns: int = 1_000):
    events = history(deal_of(HUNT if len(roles) > 2 else SPLIT, roles), choose, turns=turns)
    numbered = [Numbered(n, None, event) for n, event in enumerate(events)]  # type: ignore[arg-type]
    episode = JudgedEpisode(numbered)
    return score(GAMES.judges[0], episode, ())


def test_the_judge_scores_each_seat_and_abstains_from_what_was_not():
    found = {(one.seat, one.dimension): one for one in scores(FIVE, first_day)}
    assert len(found) == 5 * len(DIMENSIONS)
    assert isinstance(found[FIRST, "right_votes"], ScoreAbstained), "it never voted"
    assert all(isinstance(found[seat, "payoff"], ScoreAbstained) for seat in range(5))
    half = found[SECOND, "right_votes"]
    assert isinstance(half, Scored)
    assert half.value == 0.5
    assert len(half.evidence) == 2
    leaks = found[TRACKER, "leaks"]
    assert isinstance(leaks, Scored)
    assert (leaks.value, len(leaks.evidence)) == (2, 2)


def test_a_game_without_an_end_is_a_failed_score():
    found = scores(FIVE, first_day, turns=3)
    assert len(found) == 5 * len(DIMENSIONS)
    assert all(isinstance(one, ScoreFailed) and "end" in one.error for one in found)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_payoff_game_has_values_in_the_scales(dimension):
    def choose(seat: int, question: Decide) -> GameAct:
        return GameAct(verb="give", target=1, numbers={"amount": 0})

    for one in scores(("first", "second"), choose):
        if one.dimension == dimension.name and isinstance(one, Scored):
            assert dimension.low <= one.value <= dimension.high
