"""Ratings, beside what follows by hand and from strengths that contests were drawn with."""

from math import log

import numpy as np
import pytest

from actors.text.amounts import many
from evaluators.games.contests import Contest
from evaluators.games.strengths import MIDDLE, PER_LOGIT, ratings_of


def contest(
    deal: int, first: str, second: str, *, won: bool, ruleset: str = "hunt", teams=("red", "blue")
) -> Contest:
    """Two sides, a letter for each seat."""
    return Contest(
        ruleset=ruleset,
        deal=f"d{deal}",
        teams=teams,
        minds=(tuple(first), tuple(second)),
        first_won=won,
    )


def series(first: str, second: str, won: int, of: int) -> list[Contest]:
    """So many of them won by the first side, each of a deal of its own."""
    return [contest(n, first, second, won=n < won) for n in range(of)]


def by_model(contests: list[Contest], **options: bool) -> dict[tuple[str, str], float | None]:
    rows = ratings_of(contests, "hunt", **options).rows
    return {(row.side, row.model): row.rating.value for row in rows}


def test_two_models_in_full_sides_have_the_ratings_that_follow_by_hand():
    # As red, a wins 30 of 40 and b 20 of 40: log odds log 3 and 0. The advantage of red is half of
    # their sum, the difference in strength half of their difference.
    contests = series("aa", "bb", 30, 40) + series("bb", "aa", 20, 40)
    found = by_model(contests)
    assert found["", "a"] == pytest.approx(MIDDLE + PER_LOGIT * log(3) / 4, abs=1e-3)
    assert found["", "b"] == pytest.approx(MIDDLE - PER_LOGIT * log(3) / 4, abs=1e-3)
    rows = ratings_of(contests, "hunt").rows
    assert [row.games for row in rows] == [80, 80]
    assert [row.model for row in rows] == ["a", "b"], "the best first"
    one = rows[0].rating
    assert one.low is not None
    assert one.high is not None
    assert MIDDLE < one.low < one.value < one.high  # type: ignore[operator]
    assert one.clusters == 40, "both series are of the same deals"


def test_games_of_one_deal_are_no_independent_ones():
    contests = series("a", "b", 18, 30) + series("b", "a", 12, 30)
    again = [one for one in contests for _ in range(9)]
    few, many = (ratings_of(one, "hunt").rows[0].rating for one in (contests, again))
    assert many.value == pytest.approx(few.value)
    assert many.reach == pytest.approx(few.reach, rel=0.03), "the same deals nine times say no more"


def test_strengths_are_recovered_from_mixed_teams():
    drawn = np.random.default_rng(1)
    strength = {"a": 0.9, "b": 0.0, "c": -0.9}
    contests = []
    for deal in range(4_000):
        seats = "".join(drawn.choice(list("abc"), 8))
        first, second = seats[:2], seats[2:]
        edge = 0.4 + np.mean([strength[x] for x in first]) - np.mean([strength[x] for x in second])
        contests.append(contest(deal, first, second, won=drawn.random() < 1 / (1 + np.exp(-edge))))
    for row in ratings_of(contests, "hunt").rows:
        true = MIDDLE + PER_LOGIT * strength[row.model]
        assert row.rating.value == pytest.approx(true, abs=2 * row.rating.reach)  # type: ignore[operator]
        assert row.rating.reach < 25  # type: ignore[operator]


def test_models_can_be_good_as_one_team_alone():
    drawn = np.random.default_rng(2)
    contests = []
    for deal in range(6_000):
        first, second = "".join(drawn.choice(list("ab"), 2)), "".join(drawn.choice(list("ab"), 3))
        edge = 2 * (first.count("a") / 2 - 0.5)
        contests.append(contest(deal, first, second, won=drawn.random() < 1 / (1 + np.exp(-edge))))
    found = by_model(contests, by_side=True)
    assert set(found) == {("red", "a"), ("red", "b"), ("blue", "a"), ("blue", "b")}
    assert found["red", "a"] == pytest.approx(MIDDLE + PER_LOGIT, abs=30)
    assert found["blue", "a"] == pytest.approx(MIDDLE, abs=30)


@pytest.mark.parametrize(
    ("contests", "why"),
    [
        (series("a", "b", 30, 30) + series("b", "a", 0, 30), "a always won and b never won"),
        (series("a", "b", 9, 30) + series("b", "a", 0, 30), "a always won|b never won|who won"),
        (series("aa", "ab", 5, 5), "red won all games of hunt"),
        (series("aa", "aa", 3, 5), "One model played"),
        (series("ab", "ab", 3, 5), "do not tell the models apart"),
    ],
)
def test_what_gives_no_ratings_is_said_in_a_sentence(contests: list[Contest], why: str):
    found = ratings_of(contests, "hunt")
    assert any(one in found.why for one in why.split("|")), found.why
    assert all(row.rating.value is None for row in found.rows)
    assert sum(row.games for row in found.rows) > 0
    assert not ratings_of(contests, "hunt", by_side=True).rows


def test_one_pair_of_teams_that_always_ended_alike_takes_nothing_from_others():
    contests = series("a", "b", 20, 30) + series("b", "a", 12, 30)
    always = [
        contest(n, x, y, won=True, teams=("red", "green"))
        for n in range(9)
        for x, y in ("ab", "ba")
    ]
    assert by_model(contests + always) == pytest.approx(by_model(contests))


@pytest.mark.parametrize("deals", [1, 2])
def test_few_deals_have_no_interval(deals: int):
    pairs = ["ab", "ba"] * 5
    contests = [contest(n % deals, *pair, won=n % 3 > 0) for n, pair in enumerate(pairs)]
    for row in ratings_of(contests, "hunt").rows:
        assert row.rating.value is not None
        assert row.rating.low is None
        assert row.rating.why.startswith(many(deals, "deal"))
        assert "3 or more" in row.rating.why
