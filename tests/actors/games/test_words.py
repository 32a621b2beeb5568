"""Games in words: endings, columns, how a game stands, how much may be asked."""

import pytest

from actors.games.environment import ENVIRONMENT, GAMES
from actors.games.render import WORDS as IN_WORDS
from actors.games.render import fact_line, outcome
from actors.games.seat_summary import Standing
from actors.games.setup import Deal, Decide, GameFact, Settings
from actors.games.sight import SIGHT, FactSeen
from tests.actors.games.play import played, started
from tests.actors.games.rulesets import DIVISION, POT, SALE, WORDS
from tests.actors.games.test_minds import deal, hunt


@pytest.mark.parametrize(
    ("reason", "summary", "said"),
    [
        ("won", {"sides": "village"}, "the village won"),
        ("won", {"sides": "red-team, jester"}, "the red team and the jester won"),
        ("settled", {"sides": "", "payoff 1": 12.0, "payoff 2": 7.5}, "payoffs 12, 7.5"),
        ("exhausted", {"sides": "poachers"}, "the poachers won"),
        ("exhausted", {"sides": "", "payoff 1": 0.0}, "the rounds were over, nobody won"),
        ("drawn", {"sides": ""}, "nobody won"),
        ("abandoned", {}, "abandoned"),
    ],
)
def test_lists_say_who_has_won(reason: str, summary: dict, said: str):
    assert outcome(reason, summary) == said


def test_the_end_of_a_game_says_which_side_has_won():
    end = played(hunt(1), "open").end
    assert outcome(end.reason, end.summary) in ("the village won", "the poachers won")
    end = played(deal(DIVISION, 1), "open").end
    assert outcome(end.reason, end.summary) == "payoffs 10, 10"


@pytest.mark.parametrize(
    ("setup", "temper"),
    [(hunt(2), "cautious"), (deal(WORDS, 1, 6), "cautious"), (deal(SALE, 1), "scheming"),
     (deal(POT, 1, 4), "open")],
    ids=["hunt", "words", "sale", "pot"],
)  # fmt: skip
def test_no_seat_is_asked_more_than_was_forecast(setup: Deal, temper: str):
    asked = [0] * len(setup.players)

    def look(scene, _) -> None:
        asked[scene.seat] += 1

    played(setup, temper, look)
    bounds = GAMES.limits.questions(setup, len(asked))
    assert bounds is not None
    assert all(count <= bound for count, bound in zip(asked, bounds, strict=True))


def test_who_has_nothing_to_do_at_night_is_forecast_less():
    setup = hunt(1)
    bounds = GAMES.limits.questions(setup, 8)
    assert bounds is not None
    by_role = {card.role: bound for card, bound in zip(setup.cards, bounds, strict=True) if card}
    assert by_role["villager"] < by_role["tracker"]


def test_tables_have_columns_for_rules_and_players():
    assert GAMES.presentation.labels(hunt(1)) == {"ruleset": "hunt", "players": "8"}
    assert GAMES.presentation.tags(hunt(1)) == ("hunt", "8-players")
    described = dict(ENVIRONMENT.plans.describe(Settings(rounds=3, deals=7)))
    assert described == {
        "rounds": "3 rounds", "each speaks": "as often as the rules say", "deals": "of seed 7",
    }  # fmt: skip


def test_how_a_game_stands_is_what_the_seat_could_notice():
    seen = []

    def look(scene, _) -> None:
        assert isinstance(scene.question, Decide)
        if scene.question.phase == "bid" and scene.question.round == 2:
            seen.append(scene)

    for number in range(1, 9):
        played(deal(SALE, number), "scheming", look)
    scene = seen[0]
    standing = Standing(scene.background.setup, scene.seat)
    for one in scene.seen:
        if isinstance(one, FactSeen):
            standing.take(one.fact)
    has, offer = standing.lines()
    assert has == "You have: coins 100"
    assert offer.startswith("The offer that stands: ")


def test_a_phase_in_which_nobody_can_act_is_said_to_be_so_to_those_who_are_told():
    skipped = GameFact(kind="phase", name="track", amount=2, to=())
    assert fact_line(hunt(1), skipped).endswith(" (nobody can act)")
    begun = GameFact(kind="phase", name="talk", amount=2)
    assert "nobody" not in fact_line(hunt(1), begun)


def test_who_sits_down_reads_the_own_role_and_no_other():
    portraits = IN_WORDS.account(SIGHT.view([started(hunt(1))], 2)).portraits
    assert [any("by the card" in line for line in one.brief) for one in portraits] == [
        seat == 2 for seat in range(8)
    ]
