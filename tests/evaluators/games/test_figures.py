"""Means, efficiency and lengths of games, and the tables that show them."""

import msgspec
import pytest

from actors.games.ruleset import Ruleset
from actors.games.setup import GameAct
from actors.games.theory import theory_of
from evaluators.games.contests import contests_of
from evaluators.games.played_games import PlayedGame, PlayedGames
from evaluators.games.report_values import GamesReport, report_of
from evaluators.games.seat_results import result_of
from evaluators.games.tables import marked, tables_of
from evaluators.tables.plain_latex import as_latex
from evaluators.tables.plain_tables import as_csv
from tests.evaluators.games.play import FIVE, HUNT, SPLIT, deal_of, judged
from tests.evaluators.games.test_seat_results import first_day


def split(deal: int, giver: str, taker: str, amount: int, **more: object) -> PlayedGame:
    """Ten coins, of which the second gets some."""
    view = judged(
        deal_of(SPLIT, ("first", "second")),
        lambda seat, question: GameAct(verb="give", target=1, numbers={"amount": amount}),
    )
    theory = {"equilibrium": (10.0, 0.0), "efficient": 20.0}
    return game(deal, SPLIT, (giver, taker), view, **(theory | more))


def game(deal: int, rules: Ruleset, minds: tuple[str, ...], view, **more) -> PlayedGame:
    given = {"equilibrium": (None,) * len(minds), "efficient": None, "again": (0,) * len(minds)}
    return PlayedGame(
        episode=f"e{deal}",
        deal=f"d{deal}",
        rules=rules,
        minds=minds,
        result=result_of(view),
        **(given | more),
    )


def hunts(count: int = 4) -> list[PlayedGame]:
    view = judged(deal_of(HUNT, FIVE), first_day)
    return [
        game(n, HUNT, tuple("ababa") if n % 2 else tuple("babab"), view, again=(1, 0, 0, 0, 0))
        for n in range(count)
    ]


def value(report: GamesReport, measure: str, model: str, part: str = "") -> float | None:
    (one,) = [
        one
        for one in report.measures
        if (one.measure, one.model, one.part) == (measure, model, part)
    ]
    return one.found.value


def test_payoffs_stand_beside_the_equilibrium_and_the_efficient_outcome():
    games = [split(0, "a", "b", 4), split(0, "b", "a", 2), split(1, "a", "b", 0)]
    report = report_of(PlayedGames(games=tuple(games)))
    assert value(report, "payoff", "a", "first") == 8
    assert value(report, "payoff", "a", "second") == 2
    assert value(report, "payoff", "a") == 6
    assert value(report, "equilibrium", "a") == pytest.approx(20 / 3)
    (one,) = report.efficiencies
    assert (one.models, one.games, one.efficient) == ("a + b", 3, 20)
    assert (one.total.value, one.share.value) == (10, 0.5)
    assert not report.ratings, "nobody can win"
    names = [table.name for table in tables_of(report)]
    assert names == ["conduct", "payoffs", "efficiency", "length"]


def test_without_theory_there_is_a_dash():
    report = report_of(
        PlayedGames(games=(split(0, "a", "b", 4, equilibrium=(None, None), efficient=None),))
    )
    tables = {table.name: table for table in tables_of(report)}
    assert {row[-1] for row in tables["payoffs"].rows} == {None}
    some = (split(0, "a", "b", 4), split(1, "a", "b", 4, equilibrium=(None, None)))
    tables = {table.name: table for table in tables_of(report_of(PlayedGames(games=some)))}
    assert {row[-1] for row in tables["payoffs"].rows} == {None}, "of one of two there is none"
    assert report.efficiencies[0].efficient is None
    assert report.efficiencies[0].share.value is None
    assert theory_of(deal_of(HUNT, FIVE)).efficient is None
    assert len(theory_of(deal_of(HUNT, FIVE)).equilibrium) == 5


def test_win_rates_by_role_team_and_model():
    report = report_of(PlayedGames(games=tuple(hunts()), unfinished=1))
    # a sits in seats 1, 3, 5 of half of the games and in 2, 4 of the others; all but 5 win.
    assert value(report, "won", "a") == pytest.approx((2 + 2) / (3 + 2))
    assert value(report, "won", "a", "village") == 1
    assert value(report, "won", "a", "poachers") == 0
    assert value(report, "won", "b", "tracker") == 1
    assert value(report, "right_votes", "b", "village") == pytest.approx(5 / 6), "votes count"
    assert value(report, "illegal", "a") == pytest.approx((1 + 2) / 5), "asked again, and failed"
    assert value(report, "survived", "a", "village") == pytest.approx(3 / 4)
    assert value(report, "leaks", "a", "tracker") == 2
    assert not [one for one in report.measures if one.part == "poacher"], "that is its team"
    assert [(one.ending, one.games) for one in report.lengths] == [("", 4)]
    assert report.notes == ("Left out: 1 game that did not come to an end.",)


def test_the_winning_team_is_a_contest_of_the_rules_order():
    (one, *_) = contests_of(hunts())
    assert one.teams == ("poachers", "village")
    assert one.minds == (("b",), ("b", "a", "b", "a"))
    assert not one.first_won


@pytest.mark.parametrize("won", [True, False])
def test_games_that_all_or_none_have_won_are_no_contests(won: bool):
    (one,) = hunts(1)
    seats = tuple(msgspec.structs.replace(seat, won=won) for seat in one.result.seats)
    result = msgspec.structs.replace(one.result, seats=seats)
    assert not list(contests_of([msgspec.structs.replace(one, result=result)]))


def test_tables_are_told_in_all_forms():
    report = report_of(PlayedGames(games=tuple(hunts())), ["Made of rules."])
    tables = tables_of(report)
    assert [table.name for table in tables] == ["win-rates", "conduct", "length"]
    csv = as_csv(tables)
    assert "hunt,team,village,a,8,1.0,,,4" in csv
    latex = as_latex(marked(tables, report))
    assert latex.count("Made of rules") == len(tables)
    assert "village won all games of hunt" in latex, "why there are no ratings"
