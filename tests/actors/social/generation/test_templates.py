"""Scenarios that code fills in: what each seat is told, and what a model may change."""

import pytest

from actors.social.catalog_items import RelationshipKind
from actors.social.generation.template_jobs import FluentAnswer, made_fluent
from actors.social.generation.template_scenarios import (
    MARKUP_SCALE,
    TooFewNames,
    amount,
    bargain_scenario,
    friends_scenario,
    markup_of,
    seller_target,
)
from actors.social.markup import render
from actors.social.sources.entries import Bargain, FriendLists
from events.base import replace

BIKE = Bargain("line 1", "Road bike <b>", "Worn tape, $30 new.", 100.0, 70.0, 0)
ANN, BOB, CAT = (
    (("Name", name), ("School", school))
    for name, school in (("n1", "Oak"), ("n2", "Elm"), ("n3", "Ash"))
)
LISTS = FriendLists("line 1", ((ANN, BOB), (BOB, CAT)))
NAMES = ["Ilse", "Tariq", "Kit", "Henrik"]


def test_the_sellers_target_is_the_list_price_without_its_markup() -> None:
    assert amount(seller_target(100.0, 0.25)) == "$80.00"
    assert seller_target(100.0, 0.0) == 100.0


def test_markups_are_exponential_with_the_scale_as_their_mean() -> None:
    shares = [(number + 0.5) / 100_000 for number in range(100_000)]
    for scale in (MARKUP_SCALE, 2.0):
        drawn = [markup_of(share, scale) for share in shares]
        assert sum(drawn) / len(drawn) == pytest.approx(scale, rel=1e-3)
        below = sum(one <= scale for one in drawn) / len(drawn)
        assert below == pytest.approx(1 - 2.718281828**-1, abs=1e-3)
    assert MARKUP_SCALE == 0.5


def test_targets_are_in_the_goal_of_their_seat_alone() -> None:
    made = bargain_scenario("g1", BIKE, seed=0)
    assert "$100.00" in made.context
    assert "‹b›" in made.context
    assert "$70.00" in made.goals[0]
    assert "You are the buyer" in made.goals[0]
    assert "$70.00" not in made.context + made.goals[1]
    assert made.relationships == (RelationshipKind.STRANGER,)
    turned = bargain_scenario("g1", BIKE._replace(buyer_seat=1), seed=0)
    assert turned.goals == made.goals[::-1]


def test_another_seed_draws_another_markup() -> None:
    goals = {bargain_scenario("g1", BIKE, seed=seed).goals[1] for seed in range(20)}
    assert len(goals) == 20


def test_a_shared_friend_has_one_name_and_only_the_environment_is_told() -> None:
    made = friends_scenario("g1", LISTS, 0, NAMES)
    told = render(made.context, "everything")
    (shared,) = [name for name in NAMES if name in told]
    assert "1 friend in common" in told
    for seat in (0, 1):
        assert shared not in render(made.context, seat)
        assert f"{shared}: School Elm" in render(made.goals[seat], seat, owner=seat)
        assert "Elm" not in render(made.goals[seat], "public")
        assert "n2" not in made.goals[seat]
    assert len({name for name in NAMES if name in "".join(made.goals)}) == 3


def test_friends_need_a_name_each() -> None:
    with pytest.raises(TooFewNames, match="3 friends need a name each, and there are 2 names"):
        friends_scenario("g1", LISTS, 0, NAMES[:2])


SCENARIO = bargain_scenario("g1", BIKE, seed=0)


@pytest.mark.parametrize(
    ("context", "goals", "why"),
    [
        ("A bike is there for the taking, as told.", None, "context is to keep the amount"),
        ("A bike for $100.00, its tape $30, yours at $70.", None, "context names \\$70.00"),
        (None, ("You buy. You mean to pay $71 or less.", SCENARIO.goals[1]), "keep the amount"),
        (None, (SCENARIO.goals[1], SCENARIO.goals[0]), "the goal of person 1 is to keep"),
        ('<p viewer="agent_0">A bike for $100.00, tape $30 new</p>', None, "plain words"),
        ("Read me: $100.00 $30", None, "write 5 at least"),
    ],
)
def test_a_rewritten_scenario_keeps_every_amount_where_it_was(
    context: str | None, goals: tuple[str, str] | None, why: str
) -> None:
    good = "A bicycle is offered for $100.00; its tape cost $30."
    answer = FluentAnswer(context or good, goals or SCENARIO.goals)
    with pytest.raises(ValueError, match=why):
        made_fluent(SCENARIO, answer)
    assert made_fluent(SCENARIO, FluentAnswer(good, SCENARIO.goals)) == replace(
        SCENARIO, context=good
    )
